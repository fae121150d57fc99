package consent

import (
	"crypto/rand"
	"encoding/json"
	"net/http"
	"net/url"
	"time"

	"github.com/gin-gonic/gin"

	"example.org/broadsheet/platform/edition"
	"example.org/broadsheet/platform/session"
	"example.org/broadsheet/platform/web"
)

// Routes adds the calls about consent.
func (m *Module) Routes(r gin.IRouter) {
	r.POST("/api/set-gdpr-consent-cookie", web.Do(m.postCookies))
	r.POST("/api/set-consent-metadata", web.Do(m.postTerms))
	r.POST("/fns/update-user-metadata", web.Do(m.postMetadata))
}

// Cookies. The choice is readable: scripts of others wait for it. The id is not, and proves which choice was whose. The
// one about the reminder keeps it away, until the day begins on which access ends.
const (
	choiceCookie   = "gdpr_consent"
	idCookie       = "consent_id"
	reminderCookie = "subscription_reminder"
)

func visitorOf(c *gin.Context) visitor {
	v := visitor{readerID: session.ReaderID(c.Request.Context()), ip: c.ClientIP(), agent: web.Agent(c.Request)}
	if ck, err := c.Request.Cookie(idCookie); err == nil && len(ck.Value) == len(rand.Text()) {
		v.id = ck.Value
	} else {
		v.id = rand.Text()
	}
	return v
}

func (m *Module) postCookies(c *gin.Context) error {
	var in struct {
		Consent Choice `json:"consent"`
	}
	form := web.IsForm(c)
	if form {
		in.Consent = Choice(c.PostForm("consent"))
	} else if err := web.Bind(c, &in); err != nil {
		return err
	}
	v := visitorOf(c)
	value, until, err := m.Choose(c.Request.Context(), in.Consent, v)
	if err != nil {
		return err
	}
	m.cookies.Set(c, choiceCookie, value, until, false)
	m.cookies.Set(c, idCookie, v.id, until, true)
	if form {
		return web.SeeOther(c, cameFrom(c.Request))
	}
	return web.OK(c, gin.H{"success": true})
}

// cameFrom is the page of our own that a form stands on.
func cameFrom(r *http.Request) string {
	u, err := url.Parse(r.Referer())
	if err != nil || u.Host != r.Host {
		return "/"
	}
	return web.LocalPath(u.RequestURI())
}

// texts is a value of a form that has had several shapes: a text, a truth value, or a list of texts.
type texts []string

// UnmarshalJSON reads any of the shapes.
func (t *texts) UnmarshalJSON(b []byte) error {
	var list []string
	if json.Unmarshal(b, &list) == nil && len(list) <= 20 {
		*t = list
		return nil
	}
	var one any
	if err := json.Unmarshal(b, &one); err != nil {
		return err
	}
	switch v := one.(type) {
	case string:
		*t = texts{v}
		if json.Unmarshal([]byte(v), &list) == nil && len(list) <= 20 { // a list that was written as a text
			*t = list
		}
	case bool:
		*t = texts{map[bool]string{true: agreedTrue, false: agreedFalse}[v]}
	default:
		return web.ErrInvalidArgs
	}
	return nil
}

func (m *Module) postTerms(c *gin.Context) error {
	var in struct {
		Consent texts      `json:"consent"`
		UserID  web.UserID `json:"user_id"`
	}
	if err := web.Bind(c, &in); err != nil {
		return err
	}
	if _, err := web.Reader(c, in.UserID); err != nil {
		return err
	}
	if err := m.Agree(c.Request.Context(), in.Consent, visitorOf(c)); err != nil {
		return err
	}
	return web.OK(c, gin.H{"success": true})
}

// change is one item of a reader's settings.
type change struct {
	Key   string `json:"meta_key"`
	Value texts  `json:"meta_value"`
}

func (m *Module) postMetadata(c *gin.Context) error {
	var in struct {
		Metadata []change   `json:"metadata"`
		UserID   web.UserID `json:"user_id"`
	}
	if err := web.Bind(c, &in); err != nil {
		return err
	}
	if _, err := web.Reader(c, in.UserID); err != nil {
		return err
	}
	if err := m.apply(c, in.Metadata); err != nil {
		return err
	}
	for _, ch := range in.Metadata {
		if ch.Key == reminder {
			m.keepReminderAway(c, ch.Value[0] == agreedFalse)
		}
	}
	return web.OK(c, gin.H{"success": true})
}

// keepReminderAway remembers in the browser that the reminder, which comes three days before the end, was closed.
func (m *Module) keepReminderAway(c *gin.Context, closed bool) {
	ed, err := edition.From(c.Request.Context())
	if err != nil || !closed {
		m.cookies.Set(c, reminderCookie, "", m.db.Now(), false)
		return
	}
	year, month, day := m.db.Now().In(ed.Location).Date()
	m.cookies.Set(c, reminderCookie, "closed", time.Date(year, month, day+3, 0, 0, 0, 0, ed.Location), false)
}

// apply changes the listed settings. Everything is looked at before the first is changed.
func (m *Module) apply(c *gin.Context, list []change) error {
	if len(list) == 0 || len(list) > 20 {
		return web.ErrInvalidArgs.On("metadata")
	}
	ctx, v := c.Request.Context(), visitorOf(c)
	var steps []func() error
	for _, ch := range list {
		step, err := m.step(ctx, ch, v)
		if err != nil {
			return err
		}
		steps = append(steps, step)
	}
	for _, step := range steps {
		if err := step(); err != nil {
			return err
		}
	}
	return nil
}

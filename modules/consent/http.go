package consent

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"net/http"
	"net/url"
	"time"

	"github.com/gin-gonic/gin"

	"example.org/broadsheet/platform/fault"
	"example.org/broadsheet/platform/paper/edition"
	"example.org/broadsheet/platform/session"
	"example.org/broadsheet/platform/web"
)

// Routes adds the calls about consent.
func (m *Module) Routes(r gin.IRouter) {
	r.GET("/api/consent-documents", web.Do(m.getDocuments))
	r.POST("/api/set-gdpr-consent-cookie", web.Do(m.postCookies))
	r.POST("/api/set-consent-metadata", web.Do(m.postTerms))
	r.POST("/fns/update-user-metadata", web.Do(m.postMetadata))
}

// Cookies. The choice is readable: scripts of others wait for it, and so is the answer to the documents. The id is not,
// and proves which choice was whose. The one about the reminder keeps it away, until the day begins on which access
// ends.
const (
	choiceCookie   = "gdpr_consent"
	termsCookie    = "terms_consent"
	idCookie       = "consent_id"
	reminderCookie = "subscription_reminder"
)

// InertCookies are those that no page depends on which is the same for all visitors.
var InertCookies = []string{choiceCookie, termsCookie, idCookie}

func visitorOf(c *gin.Context) visitor {
	v := visitor{readerID: session.ReaderID(c.Request.Context()), ip: c.ClientIP(), agent: web.Agent(c.Request)}
	if ck, err := c.Request.Cookie(idCookie); err == nil && len(ck.Value) == len(rand.Text()) {
		v.id = ck.Value
	} else {
		v.id = rand.Text()
	}
	return v
}

// ConsentState is the middleware that tells pages what this browser has chosen about cookies.
func (m *Module) ConsentState() gin.HandlerFunc {
	return func(c *gin.Context) {
		if ck, err := c.Request.Cookie(choiceCookie); err == nil {
			c.Request = c.Request.WithContext(withChoice(c.Request.Context(), ck.Value))
		}
	}
}

func (m *Module) getDocuments(c *gin.Context) error {
	documents, err := m.Documents(c.Request.Context())
	if err != nil {
		return err
	}
	return web.OK(c, gin.H{"documents": documents})
}

// postCookies takes the choice about cookies, and, as readers' browsers have always sent it here too, the answer to the
// documents.
func (m *Module) postCookies(c *gin.Context) error {
	var in struct {
		Consent texts `json:"consent"`
	}
	form := web.IsForm(c)
	if form {
		in.Consent = c.PostFormArray("consent")
	} else if err := web.Bind(c, &in); err != nil {
		return err
	}
	v := visitorOf(c)
	name, choose := choiceCookie, m.Choose
	if len(in.Consent) != 1 || !known(in.Consent[0]) {
		name, choose = termsCookie, func(ctx context.Context, _ Choice, v visitor) (string, time.Time, error) {
			return m.Agree(ctx, in.Consent, nil, v)
		}
	}
	value, until, err := choose(c.Request.Context(), first(in.Consent), v)
	if err != nil {
		return m.refuse(c, form, err)
	}
	m.cookies.Set(c, name, value, until, false)
	m.cookies.Set(c, idCookie, v.id, until, true)
	if form {
		return web.SeeOther(c, cameFrom(c.Request))
	}
	return web.OK(c, gin.H{"success": true})
}

// refuse leads the sender of a form to the page where it can be answered again, with the reason.
func (m *Module) refuse(c *gin.Context, form bool, err error) error {
	if !form {
		return err
	}
	f := fault.From(err)
	if f.Kind == fault.Internal || f.Kind == fault.TooMany {
		return err
	}
	return m.cookies.RefuseForm(c, m.db.Now(), web.Edition(c).Href(edition.ConsentPage), err)
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
		Consent texts    `json:"consent"`
		Shown   []string `json:"shown"`
	}
	form := web.IsForm(c)
	if form {
		in.Consent, in.Shown = c.PostFormArray("consent"), c.PostFormArray("shown")
	} else if err := web.Bind(c, &in); err != nil {
		return err
	}
	if _, err := web.Reader(c); err != nil {
		return m.refuse(c, form, err)
	}
	value, until, err := m.Agree(c.Request.Context(), in.Consent, in.Shown, visitorOf(c))
	if err != nil {
		return m.refuse(c, form, err)
	}
	m.cookies.Set(c, termsCookie, value, until, false)
	ed := web.Edition(c)
	switch {
	case form && in.Consent[0] == agreedFalse && ed.Consent.RejectLogsOut:
		return web.SeeOther(c, ed.Href(edition.Logout))
	case form:
		return web.SeeOther(c, cameFrom(c.Request))
	}
	return web.OK(c, gin.H{"success": true})
}

// AgreedAtForm implements identity.Agreements.
func (m *Module) AgreedAtForm(c *gin.Context, readerID int64, documents string) error {
	v := visitorOf(c)
	v.readerID = readerID
	value, until, recorded, err := m.agreedAtForm(c.Request.Context(), documents, v)
	if err == nil && recorded {
		m.cookies.Set(c, termsCookie, value, until, false)
	}
	return err
}

// change is one item of a reader's settings.
type change struct {
	Key   string `json:"meta_key"`
	Value texts  `json:"meta_value"`
}

func (m *Module) postMetadata(c *gin.Context) error {
	var in struct {
		Metadata []change `json:"metadata"`
	}
	if err := web.Bind(c, &in); err != nil {
		return err
	}
	reader, err := web.Reader(c)
	if err != nil {
		return err
	}
	if err := m.apply(c, in.Metadata); err != nil {
		return err
	}
	for _, ch := range in.Metadata {
		if ch.Key == reminder {
			if err := m.keepReminderAway(c, reader, ch.Value[0] == agreedFalse); err != nil {
				return err
			}
		}
	}
	return web.OK(c, gin.H{"success": true})
}

// keepReminderAway remembers in the browser that the reminder of the end of access was closed, until the edition's day
// begins on which access ends. On that day, and if nothing ends, there is no reminder to keep away.
func (m *Module) keepReminderAway(c *gin.Context, reader int64, closed bool) error {
	end, err := m.reminders.ActiveUntil(c.Request.Context(), reader)
	if err != nil {
		return err
	}
	loc := web.Edition(c).Location
	year, month, day := end.In(loc).Date()
	if until := time.Date(year, month, day, 0, 0, 0, 0, loc); closed && until.After(m.db.Now()) {
		m.cookies.Set(c, reminderCookie, "closed", until, false)
		return nil
	}
	m.cookies.Set(c, reminderCookie, "", m.db.Now(), false)
	return nil
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

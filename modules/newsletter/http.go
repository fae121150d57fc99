package newsletter

import (
	"encoding/json"
	"io"
	"net/http"
	"strings"

	"github.com/gin-gonic/gin"

	"example.org/broadsheet/platform/fault"
	"example.org/broadsheet/platform/paper/edition"
	"example.org/broadsheet/platform/session"
	"example.org/broadsheet/platform/web"
)

// Routes adds the calls about newsletters. Their paths are the same in all editions, those of the pages need not be.
func (m *Module) Routes(r gin.IRouter) {
	r.POST("/fns/newsletters/subscribe", web.Do(m.postSubscribe))
	r.POST("/fns/newsletters/confirm", web.Do(m.postConfirm))
	r.GET("/fns/newsletters/settings", web.Do(m.getSettings))
	r.POST("/fns/newsletters/settings", web.Do(m.postSettings))
	r.POST("/fns/newsletters/settings-link", web.Do(m.postSettingsLink))
	r.GET(LeavePath, web.Do(m.getLeave))
	r.HEAD(LeavePath, web.Do(m.getLeave))
	r.POST(LeavePath, web.Do(m.postLeave))
}

// fields are those of all forms here.
type fields struct {
	Email string   `json:"email"`
	Lists []string `json:"lists"`
	Token string   `json:"token"`
	Trap  string   `json:"website"`
}

func bind(c *gin.Context) (f fields, err error) {
	if web.IsForm(c) {
		return fields{c.PostForm("email"), c.PostFormArray("lists"), c.PostForm("token"), c.PostForm(web.TrapField)}, nil
	}
	err = web.Bind(c, &f)
	return f, err
}

func visitorOf(c *gin.Context) Visitor {
	return Visitor{ReaderID: session.ReaderID(c.Request.Context()), IP: c.ClientIP(), Agent: web.Agent(c.Request)}
}

// reply answers a script with data, and leads a plain form's sender to a page.
func (m *Module) reply(c *gin.Context, err error, back, to string) error {
	if !web.IsForm(c) {
		if err != nil {
			return err
		}
		return web.OK(c, gin.H{"success": true, "data": gin.H{"redirect": to}})
	}
	if err == nil {
		return web.SeeOther(c, to)
	}
	if f := fault.From(err); f.Kind == fault.Unavailable {
		return err
	}
	return m.cookies.RefuseForm(c, m.db.Now(), back, err)
}

func (m *Module) postSubscribe(c *gin.Context) error {
	ed := web.Edition(c)
	in, err := bind(c)
	if err != nil {
		return err
	}
	v, to, back := visitorOf(c), ed.Href(edition.NewsletterStep, stepSent), ed.Href(edition.NewsletterStep, stepChoose)
	_, foreign := web.MaybeReader(c)
	switch {
	case foreign != nil:
		err, back = foreign, ed.Href(edition.Newsletters)
	case v.ReaderID != 0:
		to = ed.Href(edition.NewsletterStep, stepSettings) + "?saved=1"
		err = m.SaveReader(c.Request.Context(), v.ReaderID, in.Lists, true, v)
	case !web.Honeypot(c, in.Trap):
		err = m.Subscribe(c.Request.Context(), in.Email, in.Lists, v)
	}
	if web.IsForm(c) && v.ReaderID == 0 && foreign == nil {
		if err := m.saveForm(c, in, err); err != nil {
			return err
		}
	}
	return m.reply(c, err, back, to)
}

// formCookie carries what was typed and chosen in a plain form that was refused to the page that shows it again.
const (
	formCookie    = "typed_newsletters"
	maxFormLength = 2000 // bytes
)

// StickyForm hands that page what was typed. It stands before the pages.
func (m *Module) StickyForm() gin.HandlerFunc {
	return m.cookies.StickyForm(map[string]int{formCookie: maxFormLength})
}

func (m *Module) saveForm(c *gin.Context, in fields, refusal error) error {
	text := ""
	if refusal != nil {
		b, err := json.Marshal(savedForm{in.Email, in.Lists})
		if err != nil {
			return err
		}
		if len(b) <= maxFormLength {
			text = string(b)
		}
	}
	m.cookies.SaveForm(c, formCookie, text, m.db.Now())
	return nil
}

func (m *Module) postConfirm(c *gin.Context) error {
	ed := web.Edition(c)
	in, err := bind(c)
	if err != nil {
		return err
	}
	settings, err := m.Confirm(c.Request.Context(), in.Token, visitorOf(c))
	return m.reply(c, err, address(ed, stepConfirm, in.Token), address(ed, stepSettings, settings)+"&saved=confirmed")
}

// getSettings is for the profile: the lists of the session's reader.
func (m *Module) getSettings(c *gin.Context) error {
	id, err := web.Reader(c)
	if err != nil {
		return err
	}
	s, err := m.ReaderSettings(c.Request.Context(), id)
	if err != nil {
		return err
	}
	return web.OK(c, s)
}

func (m *Module) postSettings(c *gin.Context) error {
	ed := web.Edition(c)
	in, err := bind(c)
	if err != nil {
		return err
	}
	back := ed.Href(edition.NewsletterStep, stepSettings)
	to := back + "?saved=1"
	if in.Token != "" {
		back = address(ed, stepSettings, in.Token)
		to = back + "&saved=1"
		err = m.Save(c.Request.Context(), in.Token, in.Lists, visitorOf(c))
	} else if id, refused := web.Reader(c); refused == nil {
		err = m.SaveReader(c.Request.Context(), id, in.Lists, false, visitorOf(c))
	} else {
		err = refused
	}
	return m.reply(c, err, back, to)
}

// postSettingsLink is the button of the page of a link that has expired.
func (m *Module) postSettingsLink(c *gin.Context) error {
	ed := web.Edition(c)
	in, err := bind(c)
	if err != nil {
		return err
	}
	back := address(ed, stepSettings, in.Token)
	return m.reply(c, m.RenewLink(c.Request.Context(), in.Token, visitorOf(c)), back, back+"&saved=sent")
}

// getLeave is the link of an email: it shows a page with a button, and changes nothing. Scanners open every link.
func (m *Module) getLeave(c *gin.Context) error {
	ed := web.Edition(c)
	c.Header("Cache-Control", "private, no-store")
	c.Redirect(http.StatusFound, address(ed, stepLeave, c.Query("token")))
	return nil
}

// oneClick is the whole of what a mailbox sends (RFC 8058).
const oneClick = "One-Click"

// postLeave ends a subscription without a login: from a mailbox's own button, which sends the address of the email's
// header and reads no page, and from the page behind the link in the email. The button may be on a page of webmail,
// which may read the answer: the token of the address is all that it goes by, and no cookie.
func (m *Module) postLeave(c *gin.Context) error {
	ed := web.Edition(c)
	web.ForAll(c)
	c.Header("Access-Control-Allow-Origin", "*")
	token := c.Query("token")
	var machine bool // not the page's form
	switch media := c.ContentType(); {
	case media == "application/x-www-form-urlencoded", media == "multipart/form-data":
		machine = c.PostForm("List-Unsubscribe") == oneClick
		if t := c.PostForm("token"); t != "" {
			token = t
		}
	case strings.HasPrefix(media, "application/json"):
		in, err := bind(c)
		if err != nil {
			return err
		}
		token, machine = in.Token, true
	default:
		_, _ = io.Copy(io.Discard, c.Request.Body) // a mailbox that names no type means it all the same
		machine = true
	}
	err := m.Leave(c.Request.Context(), token, visitorOf(c))
	if err == nil && machine {
		return web.OK(c, gin.H{"success": true})
	}
	if err != nil && machine {
		return err
	}
	if err != nil && fault.From(err).Kind == fault.Internal {
		return err
	}
	return web.SeeOther(c, address(ed, stepLeave, token)) // the page says what happened
}

package identity

import (
	"encoding/json"
	"net/url"
	"strconv"
	"time"

	"github.com/gin-gonic/gin"

	"example.org/broadsheet/platform/limit"
	"example.org/broadsheet/platform/paper/edition"
	"example.org/broadsheet/platform/web"
)

// offerCookie tells the page that its reader may be offered a passkey. Whether the browser has them, the page finds
// out.
const (
	offerCookie = "passkey_offer"
	offerTTL    = 10 * time.Minute
)

func (m *Module) offerPasskey(c *gin.Context, offer bool) {
	if offer {
		m.cookies.Set(c, offerCookie, "1", m.db.Now().Add(offerTTL), false)
	} else if _, made := c.Request.Cookie(offerCookie); made == nil {
		m.cookies.Set(c, offerCookie, "", m.db.Now(), false)
	}
}

func (m *Module) postDeclinePasskey(c *gin.Context) error {
	if err := web.BindNothing(c); err != nil {
		return err
	}
	profile := profileHref(c)
	err := m.passkeys.Decline(c.Request.Context())
	if err == nil {
		m.offerPasskey(c, false)
	}
	return m.reply(c, err, profile, profile, gin.H{"success": true})
}

func (m *Module) postNewPasskey(c *gin.Context) error {
	if err := web.BindNothing(c); err != nil {
		return err
	}
	options, err := m.passkeys.Begin(c.Request.Context())
	if err != nil {
		return err
	}
	return web.OK(c, gin.H{"success": true, "data": options})
}

func (m *Module) postPasskey(c *gin.Context) error {
	var in struct {
		Credential json.RawMessage `json:"credential"`
	}
	if err := web.Bind(c, &in); err != nil {
		return err
	}
	if err := m.passkeys.Add(c.Request.Context(), in.Credential, web.Agent(c.Request)); err != nil {
		return err
	}
	m.offerPasskey(c, false)
	return web.OK(c, gin.H{"success": true})
}

func (m *Module) postPasskeyChallenge(c *gin.Context) error {
	if err := web.BindNothing(c); err != nil {
		return err
	}
	options, err := m.passkeys.Challenge(c.Request.Context(), limit.Network(c.ClientIP()))
	if err != nil {
		return err
	}
	return web.OK(c, gin.H{"success": true, "data": options})
}

func (m *Module) postPasskeyLogin(c *gin.Context) error {
	var in struct {
		Credential json.RawMessage `json:"credential"`
		Referrer   string          `json:"referrer"`
	}
	if err := web.Bind(c, &in); err != nil {
		return err
	}
	o, err := m.SignInByPasskey(c.Request.Context(), in.Credential, in.Referrer, m.visitor(c))
	return m.finishLogin(c, o, err, "/")
}

func (m *Module) postUndoPasskey(c *gin.Context) error {
	ed := web.Edition(c)
	var in struct {
		Token string `json:"token"`
	}
	if web.IsForm(c) {
		in.Token = c.PostForm("token")
	} else if err := web.Bind(c, &in); err != nil {
		return err
	}
	to := ed.Href(edition.EmailChange) + "?passkey=" + url.QueryEscape(in.Token)
	return m.reply(c, m.UndoPasskey(c.Request.Context(), in.Token), to, to,
		gin.H{"success": true, "data": gin.H{"redirect": to}})
}

func (m *Module) postRemovePasskey(c *gin.Context) error {
	ed := web.Edition(c)
	var in struct {
		ID int64 `json:"id"`
	}
	if web.IsForm(c) {
		in.ID, _ = strconv.ParseInt(c.PostForm("id"), 10, 64) // what is no number is nobody's passkey
	} else if err := web.Bind(c, &in); err != nil {
		return err
	}
	profile := ed.Href(edition.Profile)
	return m.reply(c, m.passkeys.Remove(c.Request.Context(), in.ID), profile, profile, gin.H{"success": true})
}

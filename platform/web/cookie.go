package web

import (
	"context"
	"net/http"
	"time"

	"github.com/gin-gonic/gin"

	"example.org/broadsheet/platform/session"
)

// Names of the session cookies, the first without the prefix that it has on https.
const (
	sessionCookie = "session"
	handleCookie  = "logged_user"
)

// Cookies writes and reads the cookies of an edition's readers.
type Cookies struct {
	Secure bool
	// Remembered finds the session of a token in memory, without waiting; nil has every one looked up.
	Remembered func(ctx context.Context, token string) (session.Session, bool)
}

// Session hands a new session to the browser: the token for the server alone, and the public
// handle that scripts may read and that opens nothing.
func (k Cookies) Session(c *gin.Context, token, handle string, until time.Time) {
	k.set(c, k.name(), token, until, true)
	k.set(c, handleCookie, handle, until, false)
}

// Clear takes both cookies away.
func (k Cookies) Clear(c *gin.Context) {
	k.set(c, k.name(), "", time.Unix(0, 0), true)
	k.set(c, handleCookie, "", time.Unix(0, 0), false)
}

// Set writes a cookie for the whole host; scripts can read it unless hidden.
func (k Cookies) Set(c *gin.Context, name, value string, until time.Time, hidden bool) {
	k.set(c, name, value, until, hidden)
}

// HostName gives a cookie the __Host- prefix where the scheme allows it. Where it does, only that name counts: another
// host of the domain, or an answer by plain http, can set the bare one.
func (k Cookies) HostName(name string) string {
	if k.Secure {
		return "__Host-" + name
	}
	return name
}

func (k Cookies) name() string { return k.HostName(sessionCookie) }

func (k Cookies) set(c *gin.Context, name, value string, until time.Time, hidden bool) {
	ck := &http.Cookie{ //nolint:gosec // plain http exists in dev alone, and two of the cookies are for scripts
		Name: name, Value: value, Path: "/", Expires: until,
		Secure: k.Secure, HttpOnly: hidden, SameSite: http.SameSiteLaxMode,
	}
	if value == "" {
		ck.MaxAge = -1
	}
	http.SetCookie(c.Writer, ck)
	c.Header("Cache-Control", "private, no-store")
}

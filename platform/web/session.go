package web

import (
	"context"
	"log/slog"
	"net/http"
	"time"

	"github.com/gin-gonic/gin"

	"example.org/broadsheet/platform/session"
)

// Authenticate finds the live session of a cookie's token; false means there is none.
type Authenticate func(ctx context.Context, token string) (session.Session, bool, error)

// sessionPatience bounds the look for a session: it leaves a request time for what everybody may see.
const sessionPatience = 3 * time.Second

type presentedKey struct{}

// presented is the session cookie of a request, and why nobody could say whether it is a session's.
type presented struct {
	token   string
	failure error
}

// Sessions puts the reader's session into the context. Where the store fails, reading goes on as a visitor, and nothing is
// opened by mistake; but what would change something is refused, for it is not a visitor who asks for it.
func (k Cookies) Sessions(authenticate Authenticate) gin.HandlerFunc {
	return func(c *gin.Context) {
		if !k.HasSession(c.Request) {
			return
		}
		ck, _ := c.Request.Cookie(k.name())
		look, cancel := context.WithTimeout(c.Request.Context(), sessionPatience)
		defer cancel()
		s, ok, err := authenticate(look, ck.Value)
		ctx := context.WithValue(c.Request.Context(), presentedKey{}, presented{ck.Value, err})
		if ok && err == nil {
			ctx = session.With(ctx, s)
		}
		c.Request = c.Request.WithContext(ctx)
		if err == nil {
			return
		}
		slog.WarnContext(ctx, "session unknown", "request_id", RequestID(ctx), "error", err)
		if c.Request.Method != http.MethodGet && c.Request.Method != http.MethodHead {
			Fail(c, SessionFailure(ctx))
		}
	}
}

// HasSession tells whether a request has a session cookie, live or not.
func (k Cookies) HasSession(r *http.Request) bool {
	ck, err := r.Cookie(k.name())
	return err == nil && ck.Value != ""
}

// SessionToken is what the session cookie of a request holds, live or not; "" for none.
func SessionToken(r *http.Request) string {
	p, _ := r.Context().Value(presentedKey{}).(presented)
	return p.token
}

// SessionFailure is ErrOverloaded where a request has a session cookie that could not be looked up: its reader may well be
// signed in, and must not be told otherwise. Else it is nil.
func SessionFailure(ctx context.Context) error {
	if p, _ := ctx.Value(presentedKey{}).(presented); p.failure != nil {
		return ErrOverloaded.Because(p.failure)
	}
	return nil
}

// NotSignedIn is why a call that needs a reader's session has none: ErrNotSignedIn, or SessionFailure.
func NotSignedIn(ctx context.Context) error {
	if err := SessionFailure(ctx); err != nil {
		return err
	}
	return ErrNotSignedIn
}

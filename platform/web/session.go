package web

import (
	"context"
	"fmt"
	"log/slog"
	"net/http"
	"runtime/debug"
	"slices"
	"sync/atomic"
	"time"

	"github.com/gin-gonic/gin"

	"example.org/broadsheet/platform/session"
)

// Authenticate finds the live session of a cookie's token; false means there is none.
type Authenticate func(ctx context.Context, token string) (session.Session, bool, error)

// How long the look for a session may take: any one, which leaves a request time for what everybody may see; and one of
// a request that can be answered from memory, unless looking takes longer as a rule.
const (
	sessionPatience = 3 * time.Second
	sessionHurry    = 500 * time.Millisecond
)

type presentedKey struct{}

// presented is the session cookie of a request, and why nobody could say whether it is a session's.
type presented struct {
	token   string
	failure error
}

// Sessions puts the reader's session into the context. Where the store fails, reading goes on as a visitor, and nothing
// is opened by mistake; but what would change something is refused, for it is not a visitor who asks for it. A request
// of which atHand says that it can be answered from memory waits less for a store that hangs. What is sent from the
// page of another reader comes from a visitor (Claims).
func (k Cookies) Sessions(authenticate Authenticate, atHand ...func(*gin.Context) bool) gin.HandlerFunc {
	l := lookUps{authenticate: authenticate}
	return func(c *gin.Context) {
		if k.HasSession(c.Request) {
			k.find(c, &l, atHand)
		}
		if !c.IsAborted() {
			Claims(c)
		}
	}
}

// find puts the session of a request's cookie into the context, or why it could not be looked up.
func (k Cookies) find(c *gin.Context, l *lookUps, atHand []func(*gin.Context) bool) {
	ck, _ := c.Request.Cookie(k.name())
	looks := c.Request.Method == http.MethodGet || c.Request.Method == http.MethodHead
	var err error
	s, ok := k.remembered(c.Request.Context(), ck.Value)
	if !ok {
		s, ok, err = l.look(c.Request.Context(), ck.Value, func() bool {
			return looks && slices.ContainsFunc(atHand, func(is func(*gin.Context) bool) bool { return is(c) })
		})
	}
	ctx := context.WithValue(c.Request.Context(), presentedKey{}, presented{ck.Value, err})
	if ok && err == nil {
		ctx = session.With(ctx, s)
	}
	c.Request = c.Request.WithContext(ctx)
	if err == nil {
		return
	}
	slog.WarnContext(ctx, "session unknown", "request_id", RequestID(ctx), "error", err)
	if !looks {
		Fail(c, SessionFailure(ctx))
	}
}

// lookUps are the looks for sessions.
type lookUps struct {
	authenticate Authenticate
	usual        atomic.Int64 // nanoseconds that the last one took that was answered
}

type lookedUp struct {
	session.Session
	ok  bool
	err error
}

// look asks for a token's session. It goes on when the request no longer waits: the next one then finds the session in
// memory.
func (l *lookUps) look(ctx context.Context, token string, atHand func() bool) (session.Session, bool, error) {
	found := make(chan lookedUp, 1)
	go func() {
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), sessionPatience)
		defer cancel()
		defer func() {
			if p := recover(); p != nil { // nobody's handler is above it
				found <- lookedUp{err: fmt.Errorf("panic: %v\n%s", p, debug.Stack())}
			}
		}()
		began := time.Now()
		s, ok, err := l.authenticate(ctx, token)
		if err == nil {
			l.usual.Store(int64(time.Since(began)))
		}
		found <- lookedUp{s, ok, err}
	}()
	hurry := min(max(sessionHurry, 2*time.Duration(l.usual.Load())), sessionPatience)
	for _, patience := range []time.Duration{hurry, sessionPatience - hurry} {
		select {
		case f := <-found:
			return f.Session, f.ok, f.err
		case <-ctx.Done():
			return session.Session{}, false, ctx.Err()
		case <-time.After(patience):
			if atHand() {
				return session.Session{}, false, context.DeadlineExceeded
			}
		}
	}
	return session.Session{}, false, context.DeadlineExceeded
}

// HasSession reports whether a request has a session cookie, live or not.
func (k Cookies) HasSession(r *http.Request) bool {
	ck, err := r.Cookie(k.name())
	return err == nil && ck.Value != ""
}

// SessionToken is what the session cookie of a request holds, live or not; "" for none.
func SessionToken(r *http.Request) string {
	p, _ := r.Context().Value(presentedKey{}).(presented)
	return p.token
}

// SessionFailure is ErrOverloaded where a request has a session cookie that could not be looked up: its reader may well
// be signed in, and must not be told otherwise. Else it is nil.
func SessionFailure(ctx context.Context) error {
	if p, _ := ctx.Value(presentedKey{}).(presented); p.failure != nil {
		return ErrOverloaded.Because(p.failure)
	}
	return nil
}

// NotSignedIn is why a call that needs a reader's session has none: ErrNotSignedIn, SessionFailure, or FOREIGN_USER if
// the body names another reader than the one who is signed in.
func NotSignedIn(ctx context.Context) error {
	if err := SessionFailure(ctx); err != nil {
		return err
	}
	if err, _ := ctx.Value(refusedClaimKey{}).(error); err != nil {
		return err
	}
	return ErrNotSignedIn
}

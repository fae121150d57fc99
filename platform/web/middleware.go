package web

import (
	"bytes"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"mime"
	"net/http"
	"net/netip"
	"os"
	"runtime/debug"
	"slices"
	"strings"
	"time"

	"github.com/gin-gonic/gin"

	"example.org/broadsheet/platform/paper/edition"
)

// Identify gives every request an id. One from outside is taken only from a trusted proxy and only in a harmless form.
func Identify(trusted func(*http.Request) bool, clientIP func(*http.Request) netip.Addr) gin.HandlerFunc {
	return func(c *gin.Context) {
		r := &request{id: requestID(c.Request, trusted), from: c.Request, clientIP: clientIP}
		c.Writer.Header()["X-Request-Id"] = []string{r.id}
		c.Request = c.Request.WithContext(context.WithValue(c.Request.Context(), requestKey{}, r))
	}
}

func requestID(r *http.Request, trusted func(*http.Request) bool) string {
	if id := r.Header.Get("X-Request-Id"); id != "" && plain(id) && trusted(r) {
		return id
	}
	return rand.Text()
}

func plain(s string) bool {
	if len(s) > 64 {
		return false
	}
	for _, c := range s {
		if (c < '0' || c > '9') && (c < 'a' || c > 'z') && (c < 'A' || c > 'Z') && c != '-' && c != '_' {
			return false
		}
	}
	return true
}

// Recover answers ERROR for a handler that panics and keeps the process.
func Recover() gin.HandlerFunc {
	return func(c *gin.Context) {
		defer func() {
			p := recover()
			if p == nil {
				return
			}
			if err, ok := p.(error); ok && errors.Is(err, http.ErrAbortHandler) {
				panic(p)
			}
			slog.ErrorContext(c.Request.Context(), "panic", "request_id", RequestID(c.Request.Context()),
				"panic", fmt.Sprint(p), "stack", string(debug.Stack()))
			Fail(c, fmt.Errorf("panic: %v", p))
		}()
		c.Next()
	}
}

// Lookup finds the edition of a host.
type Lookup func(host string) (*edition.Edition, bool)

// Editions puts the edition of the Host header into the context, or answers 421.
func Editions(lookup Lookup) gin.HandlerFunc {
	return Do(func(c *gin.Context) error {
		ed, ok := lookup(c.Request.Host)
		if !ok {
			return ErrUnknownHost
		}
		c.Request = c.Request.WithContext(edition.With(c.Request.Context(), ed))
		return nil
	})
}

// Security sets the headers that every answer carries. Nothing on a page is an inline script or
// style but data blocks, so a page from the cache is as safe as a fresh one. Forms go to this host,
// and from there to the policy's targets.
func (p Policy) Security(c *gin.Context) {
	h := c.Writer.Header()
	h["Content-Security-Policy"] = p.content
	h["X-Content-Type-Options"] = nosniff
	h["Referrer-Policy"] = referrer
	h["Permissions-Policy"] = permissions
	h["Cross-Origin-Opener-Policy"] = opener
	h["Cross-Origin-Resource-Policy"] = sameOrigin
	h["Reporting-Endpoints"] = reporting
	if p.https {
		h["Strict-Transport-Security"] = hsts
	}
}

// Policy is what browsers may do with the pages of the paper.
type Policy struct {
	https   bool
	content []string // the header's only line
}

// NewPolicy makes the policy of a site, whose forms may lead to formTargets besides.
func NewPolicy(https bool, formTargets ...string) Policy {
	const policy = "default-src 'self'; script-src 'self'; style-src 'self'; img-src 'self' data:; media-src " +
		"'self'; " +
		"font-src 'self'; connect-src 'self'; frame-src 'self' https://www.youtube-nocookie.com https://player.vimeo.com " +
		"https://platform.twitter.com; object-src 'none'; base-uri 'none'; " +
		"frame-ancestors 'self'; form-action 'self' %s; report-uri " + ViolationsPath + "; report-to csp"
	return Policy{https, []string{fmt.Sprintf(policy, strings.Join(formTargets, " "))}}
}

// Header values are shared slices: setting them costs nothing per request.
var (
	nosniff     = []string{"nosniff"}
	referrer    = []string{"strict-origin-when-cross-origin"}
	permissions = []string{"camera=(), microphone=(), geolocation=(), browsing-topics=()"}
	opener      = []string{"same-origin"}
	sameOrigin  = []string{"same-origin"}
	anyOrigin   = []string{"cross-origin"}
	reporting   = []string{`csp="` + ViolationsPath + `"`}
	hsts        = []string{"max-age=31536000"}
)

// ForAll says that pages of others may show an answer: pictures, recordings, icons and feeds are read in other
// programs. Everything else is for pages of its own origin.
func ForAll(c *gin.Context) { c.Writer.Header()["Cross-Origin-Resource-Policy"] = anyOrigin }

// SameOrigin refuses requests that another site's page made and that could change something. Browsers say where a form
// stands; one of nowhere is none of ours. The routes of mailboxes are called from the pages of webmail and by programs:
// the token in their address, which only its owner has, is all that they go by.
func SameOrigin(mailboxes ...string) gin.HandlerFunc {
	guard := http.NewCrossOriginProtection()
	return Do(func(c *gin.Context) error {
		if slices.Contains(mailboxes, c.FullPath()) {
			return nil
		}
		if err := guard.Check(c.Request); err != nil {
			return ErrCrossOrigin.Because(err)
		}
		if formOfNowhere(c.Request) {
			return ErrCrossOrigin.Becausef("a form without an origin")
		}
		return nil
	})
}

// formOfNowhere finds what a page of another site could send without a preflight, and no header tells where it is from:
// forms and texts, and what has no media type or one that cannot be read, as browsers differ in what they make of it.
// JSON is not among it: that needs the preflight.
func formOfNowhere(r *http.Request) bool {
	if r.Method != http.MethodPost || r.Header.Get("Origin") != "" || r.Header.Get("Sec-Fetch-Site") != "" {
		return false
	}
	media, _, err := mime.ParseMediaType(r.Header.Get("Content-Type"))
	return err != nil || media == "application/x-www-form-urlencoded" || media == "multipart/form-data" ||
		media == "text/plain"
}

// SameOriginRead is for a GET that only our own pages may call: it answers questions that a
// foreign page must not ask in a reader's name.
func SameOriginRead(c *gin.Context) error {
	switch c.GetHeader("Sec-Fetch-Site") {
	case "same-origin", "none":
		return nil
	case "":
		ed, err := edition.From(c.Request.Context())
		if err != nil {
			return err
		}
		if o := c.GetHeader("Origin"); o == "" || o == ed.Origin {
			return nil
		}
	}
	return ErrCrossOrigin
}

// SameOriginCall is SameOriginRead for a GET that changes something: a browser that does not say where a call is from
// has to name our origin or a page of ours, and nobody types it in.
func SameOriginCall(c *gin.Context) error {
	if err := SameOriginRead(c); err != nil {
		return err
	}
	ed, err := edition.From(c.Request.Context())
	if err != nil {
		return err
	}
	h := c.Request.Header
	if h.Get("Sec-Fetch-Site") == "same-origin" || h.Get("Sec-Fetch-Site") == "" &&
		(h.Get("Origin") != "" || strings.HasPrefix(h.Get("Referer"), ed.Origin+"/")) {
		return nil
	}
	return ErrCrossOrigin
}

// BodyLimit bounds what a request may send.
func BodyLimit(bytes int64) gin.HandlerFunc {
	return func(c *gin.Context) {
		c.Request.Body = http.MaxBytesReader(c.Writer, c.Request.Body, bytes)
	}
}

// Body is BodyLimit that reads all of the body at once, within patience: what stands behind it waits for no slow
// sender.
func Body(most int64, patience time.Duration) gin.HandlerFunc {
	limit := BodyLimit(most)
	return func(c *gin.Context) {
		limit(c)
		if c.Request.ContentLength == 0 {
			return
		}
		control := http.NewResponseController(c.Writer)
		_ = control.SetReadDeadline(time.Now().Add(patience)) // a server has it; a recorder of a test has all of the body
		b, err := io.ReadAll(c.Request.Body)
		if errors.Is(err, os.ErrDeadlineExceeded) {
			Fail(c, ErrInvalidArgs.Because(err))
			return
		}
		_ = control.SetReadDeadline(time.Time{})
		if err == nil {
			err = io.EOF
		}
		c.Request.Body = io.NopCloser(io.MultiReader(bytes.NewReader(b), cut{err}))
	}
}

// cut ends a body as its sender, or the limit, has ended it.
type cut struct{ err error }

// Read implements io.Reader.
func (c cut) Read([]byte) (int, error) { return 0, c.err }

// Deadline bounds a request's work.
func Deadline(d time.Duration) gin.HandlerFunc {
	return func(c *gin.Context) {
		ctx, cancel := context.WithTimeout(c.Request.Context(), d)
		defer cancel()
		c.Request = c.Request.WithContext(ctx)
		c.Next()
	}
}

// InFlight bounds how many requests of one edition run at once; more get 503 and a time to come again. Those that are
// free need nothing but memory and take no place.
func (g *Running) InFlight(free func(*gin.Context) bool) gin.HandlerFunc {
	return func(c *gin.Context) {
		if free(c) {
			return
		}
		id := editionID(c.Request.Context())
		if !g.enter(id) {
			Fail(c, ErrOverloaded)
			return
		}
		defer g.leave(id)
		c.Next()
	}
}

// Package web adapts handlers that return an error to Gin, answers errors in one place, and
// holds the middleware that stands in front of every module.
package web

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"log/slog"
	"mime"
	"net/http"
	"strconv"
	"strings"

	"github.com/gin-gonic/gin"

	"example.org/broadsheet/platform/fault"
	"example.org/broadsheet/platform/pagecache"
	"example.org/broadsheet/platform/paper/edition"
)

// What any endpoint can answer.
var (
	ErrInvalidArgs   = fault.New(fault.Malformed, "INVALID_ARGS")
	ErrRequirement   = fault.New(fault.Malformed, "INVALID_REQUIREMENT") // something that the call needs is missing
	ErrUnknownHost   = fault.New(fault.Misdirected, "UNKNOWN_EDITION")
	ErrTooLarge      = fault.New(fault.TooLarge, "BODY_TOO_LARGE")
	ErrNotJSON       = fault.New(fault.Unsupported, "NOT_JSON")
	ErrCrossOrigin   = fault.New(fault.Forbidden, "CROSS_ORIGIN")
	ErrNotFound      = fault.New(fault.NotFound, "NOT_FOUND")
	ErrMethod        = fault.New(fault.Method, "METHOD_NOT_ALLOWED") // who answers it sets Allow
	ErrLink          = fault.New(fault.Invalid, "LINK_NOT_ALLOWED")  // a text that may be mailed to anybody has an address
	ErrTooMany       = fault.New(fault.TooMany, "TOO_MANY_REQUESTS")
	ErrOverloaded    = fault.New(fault.Unavailable, "OVERLOADED")
	ErrForeignUserID = fault.New(fault.Forbidden, "FOREIGN_USER")
	ErrNotSignedIn   = fault.New(fault.Unauthorized, "INVALID_TOKEN") // the call needs a reader's session
)

// Do turns a handler that returns an error into Gin's.
func Do(h func(*gin.Context) error) gin.HandlerFunc {
	return func(c *gin.Context) {
		if err := h(c); err != nil {
			Fail(c, err)
		}
	}
}

// Fault is fault.From for the edge, where running out of the time of a request is known for what it is.
func Fault(err error) *fault.Error {
	f := fault.From(err)
	if f.Kind == fault.Internal && errors.Is(err, context.DeadlineExceeded) {
		return ErrOverloaded.Because(err)
	}
	return f
}

// statusLeft is what the log and the metrics have of a request nobody waited for; nobody reads it (nginx calls it 499).
const statusLeft = 499

// Left tells that whoever asked has gone, and that err says no more than that: nothing has failed.
func Left(c *gin.Context, err error) bool {
	return errors.Is(err, context.Canceled) && errors.Is(c.Request.Context().Err(), context.Canceled)
}

// Fail is the only place where an error becomes an answer. Anything that is not a fault is
// ERROR: it is logged here, once, and its text never leaves.
func Fail(c *gin.Context, err error) {
	ctx := c.Request.Context()
	if Left(c, err) {
		c.AbortWithStatus(statusLeft)
		return
	}
	if errors.Is(err, ErrNotSignedIn) {
		err = NotSignedIn(ctx)
	}
	f := Fault(err)
	id := RequestID(ctx)
	switch {
	case errors.Is(err, edition.ErrNone) || f.Kind == fault.Internal:
		slog.ErrorContext(ctx, "request failed", "request_id", id, "edition", editionID(ctx), "route",
			c.FullPath(), "error", err)
	case f.Kind == fault.Unavailable:
		c.Header("Retry-After", "2")
		slog.WarnContext(ctx, "request refused", "request_id", id, "edition", editionID(ctx), "route",
			c.FullPath(), "error", err)
	}
	if c.Writer.Written() {
		return
	}
	c.Header("Cache-Control", "private, no-store")
	unknownCall := IsCall(c.Request.URL.Path) && (f.Kind == fault.NotFound || f.Kind == fault.Method)
	if navigates(c.Request) && !unknownCall {
		if ed, none := edition.From(ctx); none == nil {
			ErrorPage(c, ed, f)
			return
		}
		if errors.Is(err, ErrUnknownHost) {
			unknownHostPage(c)
			return
		}
	}
	body := gin.H{"success": false, "error": f.Code, "status": int(f.Kind)}
	if f.Field != "" {
		body["field"] = f.Field
	}
	if len(f.Params) > 0 {
		body["params"] = f.Params
	}
	if id != "" {
		body["request_id"] = id
	}
	c.AbortWithStatusJSON(int(f.Kind), body)
}

// Bind reads a JSON body into v. It checks the media type, the size (see BodyLimit), that all of it is text, and the
// shape; the module's parsers check the values. Unknown members are left alone: old
// clients send more than they need.
func Bind(c *gin.Context, v any) error {
	media, _, err := mime.ParseMediaType(c.GetHeader("Content-Type"))
	if err != nil || media != "application/json" {
		return ErrNotJSON
	}
	body, err := io.ReadAll(c.Request.Body)
	if err != nil {
		var tooLarge *http.MaxBytesError
		if errors.As(err, &tooLarge) {
			return ErrTooLarge
		}
		return ErrInvalidArgs.Because(err)
	}
	if !isText(body) {
		return ErrInvalidArgs.Becausef("the body has bytes or escapes that are no text")
	}
	d := json.NewDecoder(bytes.NewReader(body))
	if err := d.Decode(v); err != nil {
		var wrong *json.UnmarshalTypeError
		if errors.As(err, &wrong) {
			return ErrInvalidArgs.On(memberName(wrong.Field)).Because(err)
		}
		return ErrInvalidArgs.Because(err)
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return ErrInvalidArgs.Becausef("more than one JSON value")
	}
	return nil
}

// memberName is a path of members as callers write it: a field without a tag is known by its name in Go.
func memberName(path string) string {
	parts := strings.Split(path, ".")
	for i, part := range parts {
		parts[i] = strings.ToLower(part[:min(1, len(part))]) + part[min(1, len(part)):]
	}
	return strings.Join(parts, ".")
}

// BindNothing is for a call that needs no words: it takes a plain form or JSON, and no text in the place of JSON, which
// another site could send.
func BindNothing(c *gin.Context) error {
	if IsForm(c) {
		return nil
	}
	return Bind(c, new(struct{}))
}

// OK answers 200 with v as JSON, for this client alone.
func OK(c *gin.Context, v any) error {
	if c.Writer.Header().Get("Cache-Control") == "" {
		c.Header("Cache-Control", "private, no-store")
	}
	return writeJSON(c, v)
}

// Shared answers 200 with v as JSON that caches may keep as long as a page.
func Shared(c *gin.Context, v any) error {
	c.Header("Cache-Control", pagecache.Public)
	c.Header("Vary", "Cookie")
	return writeJSON(c, v)
}

// writeJSON answers 200 with v, compressed where it is long and the client takes that.
func writeJSON(c *gin.Context, v any) error {
	body, err := json.Marshal(v)
	if err != nil {
		return err
	}
	body, coding := pagecache.Compress(c.Request, body)
	if coding != "" {
		c.Header("Content-Encoding", coding)
	}
	c.Writer.Header().Add("Vary", "Accept-Encoding")
	c.Data(http.StatusOK, "application/json; charset=utf-8", body)
	return nil
}

// Int reads a query parameter between low and high; absent means fallback, anything else INVALID_ARGS.
func Int(c *gin.Context, name string, fallback, low, high int) (int, error) {
	s := c.Query(name)
	if s == "" {
		return fallback, nil
	}
	n, err := strconv.Atoi(s)
	if err != nil || n < low || n > high {
		return 0, ErrInvalidArgs.On(name).Becausef("%q is not a number from %d to %d", s, low, high)
	}
	return n, nil
}

// ID reads a path parameter that is a positive number; anything else is a page that does not exist.
func ID(c *gin.Context, name string) (int64, error) {
	n, err := strconv.ParseInt(c.Param(name), 10, 64)
	if err != nil || n <= 0 {
		return 0, ErrNotFound
	}
	return n, nil
}

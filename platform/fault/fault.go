// Package fault carries the errors a reader may see: a stable CODE, a Kind that
// fixes the HTTP status, and never a human sentence. Words live in locales/.
package fault

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"sync"
)

// Kind groups codes by HTTP status.
type Kind int

// The whole list; a module may not invent a status. NotFound is for missing
// pages alone: browsers treat a 404 as a missing page and swallow its code.
const (
	Malformed    Kind = 400
	Unauthorized Kind = 401
	Forbidden    Kind = 403
	NotFound     Kind = 404
	Method       Kind = 405
	Conflict     Kind = 409
	Gone         Kind = 410
	TooLarge     Kind = 413
	Unsupported  Kind = 415
	Misdirected  Kind = 421
	Invalid      Kind = 422
	TooMany      Kind = 429
	Internal     Kind = 500
	Unavailable  Kind = 503
)

// Error is one answer that is not a success.
type Error struct {
	Kind   Kind
	Code   string
	Field  string         // the form field at fault, or ""
	Params map[string]any // public values that the words may name
	cause  error
}

var (
	mu    sync.Mutex
	codes = map[string]Kind{}
)

// New declares a code at package level; a code declared twice panics at start.
func New(kind Kind, code string) *Error {
	mu.Lock()
	defer mu.Unlock()
	if _, dup := codes[code]; dup {
		panic("fault: duplicate code " + code)
	}
	codes[code] = kind
	return &Error{Kind: kind, Code: code}
}

// Codes lists every declared code with its kind.
func Codes() map[string]Kind {
	mu.Lock()
	defer mu.Unlock()
	return maps.Clone(codes)
}

func (e *Error) Error() string {
	s := e.Code
	if e.Field != "" {
		s += " (" + e.Field + ")"
	}
	if e.cause != nil {
		s += ": " + e.cause.Error()
	}
	return s
}

// Unwrap returns the cause, which is logged and never shown.
func (e *Error) Unwrap() error { return e.cause }

// Is matches by code, so errors.Is works on annotated copies.
func (e *Error) Is(target error) bool {
	t, ok := target.(*Error)
	return ok && t.Code == e.Code
}

// On returns a copy that names the field at fault.
func (e *Error) On(field string) *Error { c := *e; c.Field = field; return &c }

// With returns a copy with one more public parameter.
func (e *Error) With(key string, v any) *Error {
	c := *e
	c.Params = maps.Clone(e.Params)
	if c.Params == nil {
		c.Params = map[string]any{}
	}
	c.Params[key] = v
	return &c
}

// Because returns a copy that keeps the private cause.
func (e *Error) Because(err error) *Error { c := *e; c.cause = err; return &c }

// Becausef is Because with a formatted cause.
func (e *Error) Becausef(format string, args ...any) *Error {
	return e.Because(fmt.Errorf(format, args...))
}

// ErrInternal is what anything undeclared becomes.
var ErrInternal = New(Internal, "ERROR")

// From returns the fault in err, or ERROR if there is no fault in it. A refusal that is joined with an error of another
// kind is ERROR too: the reader did nothing wrong, and the error has to be logged.
func From(err error) *Error {
	var e *Error
	if !errors.As(err, &e) || e.Kind < Internal && joinsOther(err) {
		return ErrInternal.Because(err)
	}
	return e
}

// joinsOther reports whether err joins several errors of which one has no fault in it.
func joinsOther(err error) bool {
	var e *Error
	switch err := err.(type) { //nolint:errorlint // the tree itself is looked at
	case *Error:
		return false
	case interface{ Unwrap() []error }:
		return slices.ContainsFunc(err.Unwrap(), func(part error) bool { return !errors.As(part, &e) || joinsOther(part) })
	case interface{ Unwrap() error }:
		return joinsOther(err.Unwrap())
	}
	return false
}

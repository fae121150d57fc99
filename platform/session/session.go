// Package session says which reader a request speaks for.
package session

import "context"

// Session is one signed-in browser.
type Session struct {
	ID       int64
	ReaderID int64
	Handle   string // public handle of the session; authenticates nothing alone
}

type key struct{}

// With returns ctx speaking for s.
func With(ctx context.Context, s Session) context.Context { return context.WithValue(ctx, key{}, s) }

// From returns the session of ctx; false means an anonymous visitor.
func From(ctx context.Context) (Session, bool) {
	s, ok := ctx.Value(key{}).(Session)
	return s, ok
}

// ReaderID returns the id of the session's reader, or 0 for a visitor.
func ReaderID(ctx context.Context) int64 {
	s, _ := From(ctx)
	return s.ReaderID
}

// Anonymous returns ctx speaking for a visitor, whoever it spoke for.
func Anonymous(ctx context.Context) context.Context { return context.WithValue(ctx, key{}, nil) }

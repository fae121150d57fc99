package web

import (
	"context"

	"example.org/broadsheet/platform/paper/edition"
)

type requestKey struct{}

// request is what the middleware knows of a request.
type request struct {
	id      string
	nonce   string
	visitor uint64
}

// RequestID returns the id that answers and logs of this request carry.
func RequestID(ctx context.Context) string {
	if r, ok := ctx.Value(requestKey{}).(*request); ok {
		return r.id
	}
	return ""
}

// Nonce returns the value that an inline script of this answer must carry. Cached pages have
// no inline script: a nonce that is used twice is none.
func Nonce(ctx context.Context) string {
	if r, ok := ctx.Value(requestKey{}).(*request); ok {
		return r.nonce
	}
	return ""
}

func editionID(ctx context.Context) string {
	if ed, err := edition.From(ctx); err == nil {
		return ed.ID
	}
	return ""
}

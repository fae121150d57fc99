package web

import (
	"context"
	"net/http"
	"net/netip"

	"github.com/gin-gonic/gin"

	"example.org/broadsheet/platform/paper/edition"
)

type requestKey struct{}

// request is what the middleware knows of a request.
type request struct {
	id       string
	from     *http.Request // nil where a visitor is set
	clientIP func(*http.Request) netip.Addr
	visitor  uint64 // set by WithVisitor

	fast *FastPath // that may answer the next one like it; nil for none
	each []func(context.Context)
}

// RequestID returns the id that answers and logs of this request carry.
func RequestID(ctx context.Context) string {
	if r, ok := ctx.Value(requestKey{}).(*request); ok {
		return r.id
	}
	return ""
}

// Edition returns the edition of a request. The middleware Editions lets no request pass without one.
func Edition(c *gin.Context) *edition.Edition {
	ed, err := edition.From(c.Request.Context())
	if err != nil {
		panic(err)
	}
	return ed
}

func editionID(ctx context.Context) string {
	if ed, err := edition.From(ctx); err == nil {
		return ed.ID
	}
	return ""
}

package web

import (
	"log/slog"

	"github.com/gin-gonic/gin"
)

// TrapField is the field of forms that anybody may send, which people do not see.
const TrapField = "website"

// Honeypot reports whether the hidden field of a form is filled in, and logs it: that was a program, whose request is
// dropped and answered like any other, so that it does not learn that it was noticed.
func Honeypot(c *gin.Context, typed string) bool {
	if typed == "" {
		return false
	}
	ctx := c.Request.Context()
	slog.InfoContext(ctx, "a form was left out: its trap is filled in", "security", true, "request_id", RequestID(ctx),
		"edition", editionID(ctx), "route", c.FullPath())
	return true
}

package web

import (
	"log/slog"

	"github.com/gin-gonic/gin"
)

// TrapField is the field of forms that anybody may send, which people do not see.
const TrapField = "website"

// Trapped tells whether the trap of a form is filled in, and notes it: that was a program, whose wish is left out and
// answered like any other, so that it does not learn that it was noticed.
func Trapped(c *gin.Context, typed string) bool {
	if typed == "" {
		return false
	}
	ctx := c.Request.Context()
	slog.InfoContext(ctx, "a form was left out: its trap is filled in", "security", true, "request_id", RequestID(ctx),
		"edition", editionID(ctx), "route", c.FullPath())
	return true
}

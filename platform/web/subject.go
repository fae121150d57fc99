package web

import (
	"log/slog"
	"strconv"
	"strings"

	"github.com/gin-gonic/gin"

	"example.org/broadsheet/platform/session"
)

// UserID is a user_id in a body, a number or its text; 0 when it is absent, null or empty.
type UserID int64

// UnmarshalJSON reads 7, "7", "" and null.
func (u *UserID) UnmarshalJSON(b []byte) error {
	s := strings.Trim(string(b), `"`)
	if s == "" || s == "null" {
		*u = 0
		return nil
	}
	n, err := strconv.ParseInt(s, 10, 64)
	if err != nil || n < 0 {
		return ErrInvalidArgs.On("user_id")
	}
	*u = UserID(n)
	return nil
}

// Subject returns the session's reader, 0 for a visitor. A body may name the reader too (claimed, 0 if it does not):
// another one is refused, and noted as a security event.
func Subject(c *gin.Context, claimed UserID) (int64, error) {
	ctx := c.Request.Context()
	reader := session.ReaderID(ctx)
	if claimed == 0 || int64(claimed) == reader {
		return reader, nil
	}
	slog.WarnContext(ctx, "a call names another reader", "security", true, "request_id", RequestID(ctx), "edition",
		editionID(ctx),
		"route", c.FullPath(), "reader", reader, "claimed", int64(claimed))
	if reader == 0 {
		return 0, NotSignedIn(ctx)
	}
	return 0, ErrForeignUserID
}

// Reader is Subject for a call that visitors cannot make.
func Reader(c *gin.Context, claimed UserID) (int64, error) {
	reader, err := Subject(c, claimed)
	if err == nil && reader == 0 {
		return 0, NotSignedIn(c.Request.Context())
	}
	return reader, err
}

package web

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"log/slog"
	"net/http"
	"strconv"
	"strings"

	"github.com/gin-gonic/gin"

	"example.org/broadsheet/platform/fault"
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

// Claim is the account that a body names: that of the page which sent it. Both members may be left out.
type Claim struct {
	UserID UserID `json:"user_id"`
	Handle string `json:"user_token"` // public name of the session
}

type refusedClaimKey struct{}

// Claims is middleware that holds whatever is sent to the account of its page. If a body names another account or
// session than the request's, or one where there is none, the request comes from a visitor: a call that needs a reader
// answers FOREIGN_USER or INVALID_TOKEN (NotSignedIn), and so does one that visitors can make too (MaybeReader). Either
// is noted as a security event.
func Claims(c *gin.Context) {
	if c.Request.Method != http.MethodPost {
		return
	}
	claim, err := claimOf(c)
	if err == nil {
		err = claim.check(c)
	}
	if err != nil {
		ctx := session.Anonymous(c.Request.Context())
		c.Request = c.Request.WithContext(context.WithValue(ctx, refusedClaimKey{}, err))
	}
}

// claimOf returns the claim of a form or of a JSON object, which it leaves to be read again; an empty one for any other
// body. It returns INVALID_ARGS for a claim that is malformed.
func claimOf(c *gin.Context) (claim Claim, err error) {
	if IsForm(c) {
		claim.Handle = c.PostForm("user_token")
		return claim, claim.UserID.UnmarshalJSON([]byte(c.PostForm("user_id")))
	}
	if c.ContentType() != "application/json" {
		return claim, nil
	}
	body, err := io.ReadAll(c.Request.Body)
	rest := io.Reader(bytes.NewReader(body))
	if err != nil {
		rest = io.MultiReader(rest, cut{err})
	}
	c.Request.Body = io.NopCloser(rest)
	err = json.Unmarshal(body, &claim)
	var wrong *json.UnmarshalTypeError
	switch {
	case errors.As(err, &wrong) && wrong.Field != "":
		return claim, ErrInvalidArgs.On(wrong.Field)
	case fault.From(err).Is(ErrInvalidArgs):
		return claim, err
	}
	return claim, nil // no JSON object: the call says so
}

// check returns FOREIGN_USER if the claim names another reader or session than the request's, or INVALID_TOKEN if it
// names one and there is no session.
func (cl Claim) check(c *gin.Context) error {
	ctx := c.Request.Context()
	s, ok := session.From(ctx)
	if (cl.UserID == 0 || int64(cl.UserID) == s.ReaderID) && (cl.Handle == "" || ok && cl.Handle == s.Handle) {
		return nil
	}
	slog.WarnContext(ctx, "a call names another reader or session", "security", true, "request_id", RequestID(ctx),
		"edition", editionID(ctx), "route", c.FullPath(), "reader", s.ReaderID, "claimed", int64(cl.UserID))
	if !ok {
		return ErrNotSignedIn
	}
	return ErrForeignUserID
}

// MaybeReader returns the session's reader, 0 for a visitor. It returns FOREIGN_USER or INVALID_TOKEN if the body names
// another account or session (Claims).
func MaybeReader(c *gin.Context) (int64, error) {
	ctx := c.Request.Context()
	if err, _ := ctx.Value(refusedClaimKey{}).(error); err != nil {
		return 0, err
	}
	return session.ReaderID(ctx), nil
}

// Reader is MaybeReader for a call that visitors cannot make.
func Reader(c *gin.Context) (int64, error) {
	reader, err := MaybeReader(c)
	if err == nil && reader == 0 {
		return 0, NotSignedIn(c.Request.Context())
	}
	return reader, err
}

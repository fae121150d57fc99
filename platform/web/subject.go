package web

import (
	"log/slog"
	"net/url"
	"strconv"
	"strings"

	"github.com/gin-gonic/gin"

	"example.org/broadsheet/platform/paper/edition"
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

// FormClaim reads the claim of a plain form.
func FormClaim(c *gin.Context) (claim Claim, err error) {
	claim.Handle = c.PostForm("user_token")
	return claim, claim.UserID.UnmarshalJSON([]byte(c.PostForm("user_id")))
}

// FormReader is Claim.Reader for a plain form.
func FormReader(c *gin.Context) (int64, error) {
	claim, err := FormClaim(c)
	if err != nil {
		return 0, err
	}
	return claim.Reader(c)
}

// LoginAgain is the path of the login for a reader whose session is over: it leads back, and says so.
func LoginAgain(ed *edition.Edition, back string) string {
	return WithStatus(ed.Href(edition.Login)+"?referrer="+url.QueryEscape(back), ErrNotSignedIn.Code)
}

// Visitor returns the session's reader, 0 for a visitor. It returns FOREIGN_USER if the body names the account or the
// session of another reader, or INVALID_TOKEN if it names one and there is no session; either is a security event.
func (cl Claim) Visitor(c *gin.Context) (int64, error) {
	reader, err := Subject(c, cl.UserID)
	if err != nil || cl.Handle == "" {
		return reader, err
	}
	ctx := c.Request.Context()
	s, ok := session.From(ctx)
	if ok && cl.Handle == s.Handle {
		return reader, nil
	}
	slog.WarnContext(ctx, "a call names another session", "security", true, "request_id", RequestID(ctx), "edition",
		editionID(ctx), "route", c.FullPath(), "reader", reader)
	if !ok {
		return 0, NotSignedIn(ctx)
	}
	return 0, ErrForeignUserID
}

// Reader is Visitor for a call that visitors cannot make.
func (cl Claim) Reader(c *gin.Context) (int64, error) {
	reader, err := cl.Visitor(c)
	if err == nil && reader == 0 {
		return 0, NotSignedIn(c.Request.Context())
	}
	return reader, err
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

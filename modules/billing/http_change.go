package billing

import (
	"errors"
	"strconv"
	"time"

	"github.com/gin-gonic/gin"

	"example.org/broadsheet/modules/billing/access"
	"example.org/broadsheet/modules/billing/subscription"
	"example.org/broadsheet/platform/paper/edition"
	"example.org/broadsheet/platform/web"
)

// postChange changes the reader's subscription, for a script or for a plain form.
func (m *Module) postChange(c *gin.Context) error {
	if web.IsForm(c) {
		return m.changeForm(c)
	}
	var in struct {
		Action  string    `json:"action"`
		Product string    `json:"product_type"`
		Periods int       `json:"periods"`
		Amount  int64     `json:"amount"`
		At      time.Time `json:"at"`
	}
	if err := web.Bind(c, &in); err != nil {
		return err
	}
	reader, err := web.Reader(c)
	if err != nil {
		return err
	}
	if err := m.Subscriptions.Change(c.Request.Context(), reader,
		subscription.Change{
			Kind: in.Action, Product: in.Product, Periods: in.Periods, Amount: in.Amount,
			At: in.At,
		}); err != nil {
		return err
	}
	return web.OK(c, gin.H{"success": true})
}

// changeForm leads to the profile, which shows what has changed, or back to the choice of a plan with the sum of now.
func (m *Module) changeForm(c *gin.Context) error {
	ed := web.Edition(c)
	want, err := parseChange(c.PostForm)
	profile := ed.Href(edition.Profile)
	back := profile
	if want.Kind == access.ChangeSwitch {
		back = ed.Href(edition.Focus) + "?type=" + subscription.FocusPlan
	}
	reader, refused := web.Reader(c)
	if refused != nil {
		err = refused
	}
	if err == nil {
		err = m.Subscriptions.Change(c.Request.Context(), reader, want)
	}
	switch {
	case err == nil:
		return web.SeeOther(c, profile)
	case errors.Is(err, subscription.ErrProviderAway):
		return web.SeeOther(c, web.WithStatus(back, "CONNECTION_FAILED"))
	}
	return m.cookies.RefuseForm(c, m.db.Now(), back, err)
}

// parseChange reads the fields of a form; one that is empty is not there.
func parseChange(field func(string) string) (c subscription.Change, err error) {
	c = subscription.Change{Kind: field("action"), Product: field("product_type")}
	if s := field("periods"); s != "" {
		if c.Periods, err = strconv.Atoi(s); err != nil {
			return c, web.ErrInvalidArgs.On("periods")
		}
	}
	if s := field("amount"); s != "" {
		if c.Amount, err = strconv.ParseInt(s, 10, 64); err != nil {
			return c, web.ErrInvalidArgs.On("amount")
		}
	}
	if s := field("at"); s != "" {
		if c.At, err = time.Parse(time.RFC3339, s); err != nil {
			return c, web.ErrInvalidArgs.On("at")
		}
	}
	return c, nil
}

package web

import (
	"context"
	"encoding/base64"
	"time"
	"unicode/utf8"

	"github.com/gin-gonic/gin"
)

// formTTL is how long a refused form can be shown with what was typed into it.
const formTTL = 2 * time.Minute

// formKey is the name of a cookie that keeps a form.
type formKey string

// SaveForm keeps what somebody has typed into a plain form that was refused, for the page that shows the form again;
// "" removes it. It must not be in a URL, which is logged and sent on. Browsers refuse a cookie of more than 4
// KiB: about 2900 bytes of text.
func (k Cookies) SaveForm(c *gin.Context, cookie, text string, now time.Time) {
	k.SaveFormFor(c, cookie, text, now, formTTL)
}

// SaveFormFor is SaveForm for a form that is shown again only after another step, such as a login.
func (k Cookies) SaveFormFor(c *gin.Context, cookie, text string, now time.Time, ttl time.Duration) {
	name := k.HostName(cookie)
	if text != "" {
		k.Set(c, name, base64.RawURLEncoding.EncodeToString([]byte(text)), now.Add(ttl), true)
	} else if _, none := c.Request.Cookie(name); none == nil {
		k.Set(c, name, "", now, true)
	}
}

// StickyForm is middleware that hands pages the forms kept in cookies, each with the most bytes that it may hold.
func (k Cookies) StickyForm(most map[string]int) gin.HandlerFunc {
	return func(c *gin.Context) {
		for cookie, limit := range most {
			ck, err := c.Request.Cookie(k.HostName(cookie))
			if err != nil {
				continue
			}
			text, err := base64.RawURLEncoding.DecodeString(ck.Value)
			if err == nil && len(text) <= limit && utf8.Valid(text) {
				c.Request = c.Request.WithContext(WithStickyForm(c.Request.Context(), cookie, string(text)))
			}
		}
	}
}

// WithStickyForm is a context in which a cookie has kept a text.
func WithStickyForm(ctx context.Context, cookie, text string) context.Context {
	return context.WithValue(ctx, formKey(cookie), text)
}

// SavedForm is what this browser has typed into a form that was refused, right or wrong; "" for nothing.
func SavedForm(ctx context.Context, cookie string) string {
	text, _ := ctx.Value(formKey(cookie)).(string)
	return text
}

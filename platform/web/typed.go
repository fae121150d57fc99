package web

import (
	"context"
	"encoding/base64"
	"time"
	"unicode/utf8"

	"github.com/gin-gonic/gin"
)

// typedLife is how long a refused form can be shown with what was typed into it.
const typedLife = 2 * time.Minute

// typedKey is the name of the cookie that kept a text.
type typedKey string

// SaveForm keeps what somebody has typed into a plain form that was refused, for the page that shows the form again;
// "" takes it away. It has no place in an URL, which is logged and sent on. Browsers refuse a cookie of more than 4
// KiB: about 2900 bytes of text.
func (k Cookies) SaveForm(c *gin.Context, cookie, text string, now time.Time) {
	name := k.HostName(cookie)
	if text != "" {
		k.Set(c, name, base64.RawURLEncoding.EncodeToString([]byte(text)), now.Add(typedLife), true)
	} else if _, none := c.Request.Cookie(name); none == nil {
		k.Set(c, name, "", now, true)
	}
}

// StickyForm hands pages what was kept in cookies, each with the most bytes that it may hold. It stands before them.
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
	return context.WithValue(ctx, typedKey(cookie), text)
}

// TypedOf is what this browser has typed into a form that was refused, right or wrong; "" for nothing.
func TypedOf(ctx context.Context, cookie string) string {
	text, _ := ctx.Value(typedKey(cookie)).(string)
	return text
}

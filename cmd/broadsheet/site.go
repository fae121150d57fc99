package main

import (
	"html"
	"net/http"
	"strings"
	"unicode/utf8"

	"github.com/gin-gonic/gin"

	"example.org/broadsheet/platform/edition"
	"example.org/broadsheet/platform/web"
)

// envVars is the public part of the settings, member by member: nothing gets here by being added elsewhere.
func envVars(c *gin.Context) error {
	ed, err := edition.From(c.Request.Context())
	if err != nil {
		return err
	}
	return web.Shared(c, gin.H{"ENV_HOST": ed.ID, "ENV_LOCALE": ed.Locale})
}

// robots keeps crawlers out of what belongs to one reader.
func robots(c *gin.Context) error {
	ed, err := edition.From(c.Request.Context())
	if err != nil {
		return err
	}
	var b strings.Builder
	b.WriteString("User-agent: *\n")
	for _, r := range []edition.Route{edition.Account, edition.Logout, edition.SecurityCheck, edition.PaymentSuccess, edition.PaymentFailure} {
		b.WriteString("Disallow: " + ed.Href(r) + "\n")
	}
	b.WriteString("Disallow: /api/\nDisallow: /fns/\nDisallow: /user/\n")
	return text(c, "text/plain; charset=utf-8", b.String())
}

// favicon is the edition's initial on its colour.
func favicon(c *gin.Context) error {
	ed, err := edition.From(c.Request.Context())
	if err != nil {
		return err
	}
	colour, ok := map[string]string{"sk": "#a3182b", "at": "#0f5a4a", "ch": "#123f7a"}[ed.Theme]
	if !ok {
		colour = "#14161a"
	}
	initial, _ := utf8.DecodeRuneInString(ed.Name)
	return text(c, "image/svg+xml", `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 64 64"><rect width="64" height="64" rx="6" fill="`+colour+
		`"/><text x="32" y="47" font-family="Georgia,serif" font-size="44" font-weight="600" text-anchor="middle" fill="#fffdfa">`+html.EscapeString(string(initial))+`</text></svg>`)
}

func text(c *gin.Context, media, body string) error {
	c.Header("Cache-Control", "public, max-age=3600")
	c.Data(http.StatusOK, media, []byte(body))
	return nil
}

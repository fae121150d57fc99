package web

import (
	"crypto/sha256"
	"encoding/base64"
	"html"
	"net/http"
	"strings"

	"github.com/gin-gonic/gin"

	"example.org/broadsheet/platform/edition"
	"example.org/broadsheet/platform/fault"
	"example.org/broadsheet/platform/i18n"
)

// navigates tells a browser that goes to a page, or sends a plain form, from a script's call: only the former asks for HTML.
func navigates(r *http.Request) bool { return strings.Contains(r.Header.Get("Accept"), "text/html") }

// Apologise answers a fault as a page in the edition's language: small, without scripts, never kept.
func Apologise(c *gin.Context, ed *edition.Edition, f *fault.Error) {
	words, again := sorry[ed.Locale].title, sorry[ed.Locale].again
	if words == "" {
		words, again = sorry["en"].title, sorry["en"].again
	}
	if said, known := i18n.Status(ed, f.Code); known && f.Kind != fault.Internal {
		words = said
	}
	link := ""
	if c.Request.Method == http.MethodGet { // what a form has sent is the browser's to send again
		link = "<p><a href=\"" + html.EscapeString(c.Request.URL.EscapedPath()) + "\">" + again + "</a></p>"
	}
	c.Header("Cache-Control", "private, no-store")
	c.Header("Content-Security-Policy", sorryPolicy)
	if int(f.Kind) >= http.StatusInternalServerError {
		c.Header("Retry-After", "5")
	}
	c.Data(int(f.Kind), "text/html; charset=utf-8", []byte("<!doctype html><html lang=\""+ed.IntlLocale+"\"><meta charset=utf-8>"+
		"<meta name=viewport content=\"width=device-width\"><meta name=robots content=noindex><title>"+html.EscapeString(ed.Name)+"</title>"+
		"<style>"+sorryStyle+"</style>"+
		"<h1>"+html.EscapeString(ed.Name)+"</h1><p>"+html.EscapeString(words)+"</p>"+link+"</html>"))
	c.Abort()
}

// sorryStyle stands on the page itself, because a file might not come either; the policy of this page knows it by its hash.
const sorryStyle = ":root{color-scheme:light dark}body{font:18px/1.6 Georgia,serif;max-width:34em;margin:20vh auto;padding:0 20px}"

var sorryPolicy = func() string {
	sum := sha256.Sum256([]byte(sorryStyle))
	return "default-src 'none'; style-src 'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'; base-uri 'none'; form-action 'none'; frame-ancestors 'self'"
}()

// The words of last resort: they must not depend on anything that can fail.
var sorry = map[string]struct{ title, again string }{
	"sk": {"Stránku sa práve nepodarilo zobraziť. Skúste to, prosím, o chvíľu znova.", "Skúsiť znova"},
	"de": {"Die Seite lässt sich gerade nicht anzeigen. Bitte versuchen Sie es gleich noch einmal.", "Noch einmal versuchen"},
	"en": {"This page can not be shown right now. Please try again in a moment.", "Try again"},
}

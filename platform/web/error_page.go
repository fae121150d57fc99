package web

import (
	"crypto/sha256"
	"encoding/base64"
	"html"
	"net/http"
	"strings"

	"github.com/gin-gonic/gin"
	"golang.org/x/text/language"

	"example.org/broadsheet/platform/fault"
	"example.org/broadsheet/platform/i18n"
	"example.org/broadsheet/platform/paper/edition"
)

// navigates tells a browser that goes to a page, or sends a plain form, from a script's call: only the former asks for
// HTML.
func navigates(r *http.Request) bool { return strings.Contains(r.Header.Get("Accept"), "text/html") }

// ErrorPage answers a fault as a page in the edition's language: small, without scripts, never kept.
func ErrorPage(c *gin.Context, ed *edition.Edition, f *fault.Error) {
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
	if int(f.Kind) >= http.StatusInternalServerError {
		c.Header("Retry-After", "5")
	}
	smallPage(c, int(f.Kind), ed.IntlLocale, html.EscapeString(ed.Name), "<p>"+html.EscapeString(words)+"</p>"+link)
}

// unknownHostPage answers a browser at a host that is no edition's, in the first language of its reader that has
// words. It says nothing of what else this server answers.
func unknownHostPage(c *gin.Context) {
	lang := "en"
	wanted, _, _ := language.ParseAcceptLanguage(c.GetHeader("Accept-Language")) // what cannot be read names none
	for _, tag := range wanted {
		if base, _ := tag.Base(); nowhere[base.String()].title != "" {
			lang = base.String()
			break
		}
	}
	smallPage(c, int(fault.Misdirected), lang, nowhere[lang].title, "<p>"+nowhere[lang].text+"</p>")
}

// smallPage writes a page of its own that no cache keeps. title and body are HTML.
func smallPage(c *gin.Context, status int, lang, title, body string) {
	c.Header("Cache-Control", "private, no-store")
	c.Header("Content-Security-Policy", sorryPolicy)
	c.Data(status, "text/html; charset=utf-8", []byte("<!doctype html><html lang=\""+lang+"\"><meta charset=utf-8>"+
		"<meta name=viewport content=\"width=device-width\"><meta name=robots content=noindex><title>"+title+"</title>"+
		"<style>"+sorryStyle+"</style><h1>"+title+"</h1>"+body+"</html>"))
	c.Abort()
}

// The words at a host that is no edition's; there is no document of one to take them from.
var nowhere = map[string]struct{ title, text string }{
	"sk": {"Táto adresa nepatrí žiadnym novinám", "Skontrolujte, či je v adrese správny názov stránky."},
	"de": {
		"Unter dieser Adresse erscheint keine Zeitung",
		"Bitte prüfen Sie, ob der Name der Website in der Adresse stimmt.",
	},
	"en": {"There is no newspaper at this address", "Please check the name of the site in the address."},
}

// sorryStyle stands on the page itself, because a file might not come either; the policy of this page knows it by its
// hash.
const sorryStyle = ":root{color-scheme:light dark}body{font:18px/1.6 Georgia,serif;max-width:34em;margin:20vh " +
	"auto;padding:0 20px}"

var sorryPolicy = func() string {
	sum := sha256.Sum256([]byte(sorryStyle))
	return "default-src 'none'; style-src 'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) +
		"'; base-uri 'none'; form-action 'none'; frame-ancestors 'self'"
}()

// The words of last resort: they must not depend on anything that can fail.
var sorry = map[string]struct{ title, again string }{
	"sk": {"Stránku sa práve nepodarilo zobraziť. Skúste to, prosím, o chvíľu znova.", "Skúsiť znova"},
	"de": {
		"Die Seite lässt sich gerade nicht anzeigen. Bitte versuchen Sie es gleich noch einmal.",
		"Noch einmal versuchen",
	},
	"en": {"This page cannot be shown right now. Please try again in a moment.", "Try again"},
}

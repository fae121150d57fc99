package web

import (
	"mime"
	"net/http"
	"strings"

	"github.com/gin-gonic/gin"
)

// IsForm tells the post of a plain HTML form, which wants to be led to a page, from a script's call.
func IsForm(c *gin.Context) bool {
	media, _, err := mime.ParseMediaType(c.GetHeader("Content-Type"))
	return err == nil && media == "application/x-www-form-urlencoded"
}

// SeeOther leads a form's sender to a local path with a GET.
func SeeOther(c *gin.Context, to string) error {
	c.Header("Cache-Control", "private, no-store")
	c.Redirect(http.StatusSeeOther, to)
	return nil
}

// agents are what a User-Agent may show, the more special name first.
var agents = [2][][2]string{
	{
		{"Edg", "Edge"},
		{"OPR/", "Opera"},
		{"SamsungBrowser", "Samsung Internet"},
		{"Firefox", "Firefox"},
		{"FxiOS", "Firefox"},
		{"CriOS", "Chrome"},
		{"Chrome", "Chrome"},
		{"Safari", "Safari"},
	},
	{
		{"Android", "Android"},
		{"iPhone", "iOS"},
		{"iPad", "iOS"},
		{"Windows", "Windows"},
		{"Mac OS X", "macOS"},
		{"CrOS", "ChromeOS"},
		{"Linux", "Linux"},
	},
}

// Agent names the families of a request's browser and system, "Firefox, Linux", or "": enough for people to
// know their own devices by, too little to know people by.
func Agent(r *http.Request) string {
	var found []string
	for _, list := range agents {
		for _, a := range list {
			if strings.Contains(r.UserAgent(), a[0]) {
				found = append(found, a[1])
				break
			}
		}
	}
	return strings.Join(found, ", ")
}

// IsPrefetch reports whether a request is a prefetch, or a check that reads no body, and no visit: it must not cost a
// reader anything.
func IsPrefetch(r *http.Request) bool {
	purpose := r.Header.Get("Sec-Purpose") + r.Header.Get("Purpose")
	return r.Method == http.MethodHead || strings.Contains(purpose, "prefetch") || strings.Contains(purpose, "prerender")
}

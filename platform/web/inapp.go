package web

import (
	"net/http"
	"strings"
)

// apps open links in a browser of their own; by what its User-Agent says, the more special name first.
var apps = []struct{ name, mark string }{
	{"Instagram", "Instagram"},
	{"Facebook", "FBAN/"},
	{"Facebook", "FBAV/"},
	{"Facebook", "FB_IAB/"},
	{"LinkedIn", "LinkedInApp"},
	{"WhatsApp", "WhatsApp/"},
	{"Telegram", "Telegram"},
	{"X", "Twitter"},
}

// InApp names the app in whose built-in browser a request was made, "Instagram", or "". Such a browser shares no
// cookies with the one that opens links of mails.
func InApp(r *http.Request) string {
	agent := r.UserAgent()
	if !strings.HasPrefix(agent, "Mozilla/") || IsAutomated(r) { // what looks at a link for the app's preview of it
		return ""
	}
	for _, a := range apps {
		if strings.Contains(agent, a.mark) {
			return a.name
		}
	}
	return ""
}

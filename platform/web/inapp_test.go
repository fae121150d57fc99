package web

import (
	"net/http"
	"testing"
)

func TestInApp(t *testing.T) {
	t.Parallel()
	const (
		iPhone = "Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) " +
			"Mobile/15E148"
		android = "Mozilla/5.0 (Linux; Android 15; Pixel 9 Build/AP3A; wv) AppleWebKit/537.36 (KHTML, like Gecko) " +
			"Version/4.0 Chrome/131.0.6778.39 Mobile Safari/537.36"
	)
	for name, c := range map[string]struct{ agent, want string }{
		"Facebook, iOS": {
			iPhone + " [FBAN/FBIOS;FBAV/489.0.0.40.79;FBBV/658;FBDV/iPhone16,1;FBLC/de_AT]",
			"Facebook",
		},
		"Facebook, Android":     {android + " [FB_IAB/FB4A;FBAV/489.0.0.66.81;IABMV/1;]", "Facebook"},
		"Messenger":             {iPhone + " [FBAN/MessengerForiOS;FBAV/488.0.0.46.102]", "Facebook"},
		"Instagram, iOS":        {iPhone + " Instagram 357.1.0.18.98 (iPhone16,1; iOS 18_1; de_CH; scale=3.00)", "Instagram"},
		"Instagram, Android":    {android + " Instagram 357.0.0.48.101 Android (35/15; 420dpi)", "Instagram"},
		"Instagram of Facebook": {iPhone + " Instagram 357.1.0.18.98 [FBAN/FBIOS;FBAV/489.0]", "Instagram"},
		"X, iOS":                {iPhone + " Twitter for iPhone/10.67", "X"},
		"X, Android":            {android + " TwitterAndroid", "X"},
		"LinkedIn":              {iPhone + " [LinkedInApp]/9.30.1821", "LinkedIn"},
		"WhatsApp":              {iPhone + " WhatsApp/24.22.83", "WhatsApp"},
		"Telegram": {
			android + " Telegram-Android/11.4.2 (Google Pixel 9; Android 15; SDK 35; HIGH)",
			"Telegram",
		},

		"Safari": {iPhone + " Version/18.1 Safari/604.1", ""},
		"Chrome, Android": {"Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) " +
			"Chrome/131.0.0.0 Mobile Safari/537.36", ""},
		"Firefox":              {"Mozilla/5.0 (X11; Linux x86_64; rv:133.0) Gecko/20100101 Firefox/133.0", ""},
		"none":                 {"", ""},
		"preview of Facebook":  {"facebookexternalhit/1.1 (+http://www.facebook.com/externalhit_uatext.php)", ""},
		"preview of X":         {"Twitterbot/1.0", ""},
		"preview of WhatsApp":  {"WhatsApp/2.24.22.77 A", ""},
		"preview of Telegram":  {"TelegramBot (like TwitterBot)", ""},
		"preview of LinkedIn":  {"LinkedInBot/1.0 (compatible; Mozilla/5.0; Apache-HttpClient +http://www.linkedin.com)", ""},
		"preview in disguise":  {"Mozilla/5.0 (compatible; Twitterbot/1.0)", ""},
		"not the app's client": {"Telegram-Android/11.4.2", ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if got := InApp(&http.Request{Header: http.Header{"User-Agent": {c.agent}}}); got != c.want {
				t.Errorf("%q, not %q: %s", got, c.want, c.agent)
			}
		})
	}
}

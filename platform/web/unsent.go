package web

import (
	"bytes"
	"compress/flate"
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"html"
	"io"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"time"

	"github.com/gin-gonic/gin"

	"example.org/broadsheet/platform/fault"
	"example.org/broadsheet/platform/i18n"
	"example.org/broadsheet/platform/paper/edition"
)

const (
	unsentCookie = "unsent"
	// unsentTTL is the time for a login by email.
	unsentTTL = 15 * time.Minute
	// maxUnsentCookie bounds the value of the cookie: browsers refuse one of more than 4 KiB.
	maxUnsentCookie = 3800
	// maxUnsent bounds what is unpacked from it.
	maxUnsent = 64 << 10
)

// Unsent is a plain form that was refused because the session was over: where it was sent, and what was typed.
type Unsent struct {
	Form   string     `json:"form"`
	Values url.Values `json:"values"`
}

// unsent is such a form with its reader.
type unsent struct {
	Reader int64 `json:"reader"` // of the page
	Unsent
}

type unsentKey struct{}

// LoginAgain is the path of the login for a reader whose session is over: it leads back, and says so.
func LoginAgain(ed *edition.Edition, back string) string {
	return WithStatus(ed.Href(edition.Login)+"?referrer="+url.QueryEscape(back), ErrNotSignedIn.Code)
}

// RefuseForm leads the sender of a plain form that was refused back to its page, with the reason in ?status. If the
// session is over, it leads to the login and from there to the page. What was typed is kept for the account of the page
// until then, or shown if it is too much to keep. It returns an error that is no refusal.
func (k Cookies) RefuseForm(c *gin.Context, now time.Time, back string, err error) error {
	if errors.Is(err, ErrNotSignedIn) {
		err = NotSignedIn(c.Request.Context())
	}
	f := fault.From(err)
	ed, to := Edition(c), WithStatus(back, f.Code)
	switch {
	case f.Kind == fault.Internal:
		return err
	case f.Is(ErrNotSignedIn):
		to = LoginAgain(ed, back)
	case !f.Is(ErrForeignUserID):
		return SeeOther(c, to)
	}
	if k.keepUnsent(c, now) {
		return SeeOther(c, to)
	}
	unsentPage(c, ed, f, to)
	return nil
}

// keepUnsent keeps a form in this browser for the account of its page. It reports false if what was typed is lost
// unless the answer shows it.
func (k Cookies) keepUnsent(c *gin.Context, now time.Time) bool {
	claim, err := claimOf(c)
	typed := typedIn(c)
	if len(typed) == 0 {
		return true
	}
	if err != nil || claim.UserID == 0 {
		return !isLong(typed)
	}
	text, err := pack(unsent{int64(claim.UserID), Unsent{Form: c.Request.URL.Path, Values: typed}})
	if err != nil || len(text) > maxUnsentCookie {
		return false
	}
	k.Set(c, k.HostName(unsentCookie), text, now.Add(unsentTTL), true)
	return true
}

// isLong reports whether a form has a text that nobody would like to write again.
func isLong(typed url.Values) bool {
	for _, all := range typed {
		if len(all[0]) > 200 {
			return true
		}
	}
	return false
}

// typedIn are the fields of a form that are not empty, without the claim of its page.
func typedIn(c *gin.Context) url.Values {
	typed := url.Values{}
	for name, all := range c.Request.PostForm {
		if name != "user_id" && name != "user_token" && len(all) > 0 && all[0] != "" {
			typed[name] = all
		}
	}
	return typed
}

// Unsent is middleware that hands pages the form that a reader could not send from this browser, until it is sent
// again.
func (k Cookies) Unsent(now func() time.Time) gin.HandlerFunc {
	return func(c *gin.Context) {
		ck, err := c.Request.Cookie(k.HostName(unsentCookie))
		if err != nil {
			return
		}
		form, ok := unpack(ck.Value)
		switch {
		case c.Request.Method != http.MethodPost && ok:
			c.Request = c.Request.WithContext(context.WithValue(c.Request.Context(), unsentKey{}, form))
		case c.Request.Method == http.MethodPost && form.Form == c.Request.URL.Path:
			k.Set(c, k.HostName(unsentCookie), "", now(), true)
		}
	}
}

// UnsentOf returns the form that a reader could not send from this browser because the session was over; nil for none.
func UnsentOf(ctx context.Context, reader int64) *Unsent {
	form, ok := ctx.Value(unsentKey{}).(unsent)
	if !ok || form.Reader != reader {
		return nil
	}
	return &form.Unsent
}

func pack(form unsent) (string, error) {
	raw, err := json.Marshal(form)
	if err != nil {
		return "", err
	}
	var out bytes.Buffer
	w, err := flate.NewWriter(&out, flate.BestCompression)
	if err != nil {
		return "", err
	}
	_, err = w.Write(raw)
	if err = errors.Join(err, w.Close()); err != nil {
		return "", err
	}
	return base64.RawURLEncoding.EncodeToString(out.Bytes()), nil
}

func unpack(text string) (form unsent, ok bool) {
	b, err := base64.RawURLEncoding.DecodeString(text)
	if err != nil {
		return form, false
	}
	raw, err := io.ReadAll(io.LimitReader(flate.NewReader(bytes.NewReader(b)), maxUnsent))
	if err != nil || json.Unmarshal(raw, &form) != nil || !isText(raw) {
		return unsent{}, false
	}
	_, zero := find(form.Values, hasZero)
	return form, form.Reader > 0 && !zero
}

// unsentPage shows what was typed into a form that was refused and is too much for a cookie, so that its reader can
// copy it before going on.
func unsentPage(c *gin.Context, ed *edition.Edition, f *fault.Error, to string) {
	said, _ := i18n.Status(ed, f.Code)
	body := "<p>" + html.EscapeString(said) + "</p><p>" + html.EscapeString(i18n.T(ed, "unsent.copy", nil)) + "</p>"
	typed := typedIn(c)
	for _, name := range slices.Sorted(maps.Keys(typed)) {
		for i, text := range typed[name] {
			if len(text) > 20 {
				body += "<textarea readonly rows=16 cols=40 aria-label=\"" + html.EscapeString(name+" "+strconv.Itoa(i+1)) +
					"\">\n" + html.EscapeString(text) + "</textarea>"
			}
		}
	}
	smallPage(c, int(f.Kind), ed.IntlLocale, html.EscapeString(ed.Name), body+"<p><a href=\""+html.EscapeString(to)+
		"\">"+html.EscapeString(i18n.T(ed, "unsent.on", nil))+"</a></p>")
}

package newsletter

import (
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"example.org/broadsheet/platform/sandbox/mailbox"
	"example.org/broadsheet/platform/testkit"
)

// A link to the settings works for thirty days, then its page mails another one to the same address, without saying
// which. A link to leave works for ever.
func TestLinksToSettingsExpire(t *testing.T) {
	t.Parallel()
	o := open(t)
	id := o.join1(eva, "morning", "topic")
	o.toMorning()
	o.schedule()
	o.work()
	mails := o.messages(eva)
	if len(mails) != 1 {
		t.Fatalf("%d emails", len(mails))
	}
	token := o.tokenOf(mails[0], stepSettings)
	testkit.Clock(o.d).Advance(settingsTTL - 2*time.Hour)
	if d, err := o.step(stepSettings, token); err != nil || d.Step != stepSettings || len(d.Lists) == 0 {
		t.Fatalf("before it expires: %+v, %v", d, err)
	}
	testkit.Clock(o.d).Advance(3 * time.Hour)
	text := strconv.FormatInt(id, 36) + "."
	old := o.key.Sign(o.ed.ID, string(toSettings), text) // as it was mailed before links expired
	for name, token := range map[string]string{"expired": token, "without an end": old} {
		if d, err := o.step(stepSettings, token); err != nil || d.Step != "expired" || d.Email != "" || len(d.Lists) != 0 ||
			d.Token != token {
			t.Errorf("%s: %+v, %v", name, d, err)
		}
		if w := o.post("/fns/newsletters/settings", fmt.Sprintf(`{"token":%q,"lists":[]}`, token),
			0); w.Code != http.StatusGone {
			t.Errorf("%s: saving: %d %s", name, w.Code, w.Body)
		}
	}
	if got := o.has(eva); len(got) != 2 {
		t.Fatalf("lists %v", got)
	}

	ask := func(token string) string {
		w := o.request(http.MethodPost, "/fns/newsletters/settings-link", "application/x-www-form-urlencoded",
			url.Values{"token": {token}}.Encode(), 0)
		o.work()
		if w.Code != http.StatusSeeOther {
			t.Fatalf("%d %s", w.Code, w.Body)
		}
		return w.Header().Get("Location")
	}
	for range 3 { // an impatient reader
		if to := ask(old); !strings.HasSuffix(to, "&saved=sent") || strings.Contains(to, "eva") {
			t.Error(to)
		}
	}
	mails = slices.DeleteFunc(o.messages(eva), func(m mailbox.Message) bool {
		return !strings.Contains(m.Subject, "Nastavenie newslettrov")
	})
	if len(mails) != 1 {
		t.Fatalf("%d emails with a new link", len(mails))
	}
	if d, err := o.step(stepSettings, o.tokenOf(mails[0], stepSettings)); err != nil || d.Step != stepSettings ||
		d.Email != "e…@reader.test" {
		t.Errorf("the new link: %+v, %v", d, err)
	}
	refused := ""
	for range 7 {
		testkit.Clock(o.d).Advance(2 * time.Minute)
		refused = ask(token)
	}
	if !strings.Contains(refused, "status=") {
		t.Errorf("emails are not limited: %s", refused)
	}
	if to := ask(token[:len(token)-1]); !strings.Contains(to, "status=INVALID_LINK") {
		t.Errorf("a link that is none: %s", to)
	}

	testkit.Clock(o.d).Advance(5 * 365 * 24 * time.Hour)
	leaves := o.token(o.ed, toLeave, link{id: id, list: "morning"})
	if w := o.request(http.MethodPost, LeavePath+"?token="+url.QueryEscape(leaves), "application/x-www-form-urlencoded",
		"List-Unsubscribe=One-Click", 0); w.Code != http.StatusOK {
		t.Errorf("leaving, years later: %d %s", w.Code, w.Body)
	}
	if got := o.has(eva); !slices.Equal(got, []string{"topic"}) {
		t.Errorf("lists %v", got)
	}
}

package app

import (
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"testing"
	"time"
)

// Gateways fetch a link with every method there is, and some run the page's own script: neither uses it up.
func (a *target) scanLinks(t *testing.T) {
	const address = "scanned@example.org"
	home, machine := a.away(), a.away()
	code, hash := a.mailed(home, address)
	for range 20 {
		for _, method := range []string{http.MethodGet, http.MethodHead, http.MethodOptions} {
			for _, path := range []string{
				"/security-check?hash=" + hash, "/security-check%23hash=" + hash, "/security-check%2523hash=" + hash,
				"/api/security-login?user_hash=" + hash + "&confirm=true", "/api/login-code-validation?email=" +
					url.QueryEscape(address) + "&code=" + code,
			} {
				if r := machine.do(method, path, "", ""); len(r.Header.Values("Set-Cookie")) > 0 ||
					r.Status >= http.StatusInternalServerError {
					t.Fatalf("%s %s: %d, cookies %v", method, path, r.Status, r.Header.Values("Set-Cookie"))
				}
			}
		}
	}
	for range 5 { // one that runs scripts sends what the page sends by itself
		if r := machine.post("/api/security-login", map[string]any{"user_hash": hash}); r.Status != http.StatusOK ||
			!strings.Contains(r.Body, `"confirm":true`) || strings.Contains(r.Body, address) {
			t.Fatalf("%d %s", r.Status, r.Body)
		}
	}
	if n := a.sessions(address); n != 0 || machine.who() != "" {
		t.Fatalf("machines have opened %d sessions", n)
	}
	if r := home.post("/api/security-login", map[string]any{"user_hash": hash}); r.Status != http.StatusOK ||
		home.who() != address {
		t.Errorf("its reader: %d %s", r.Status, r.Body)
	}
}

// However many mails are asked for, from however many networks, under whatever false names of networks: a code is
// compared five times, the codes of an address ten times an hour and twenty a day. The link works all the while.
func (a *target) guessCodes(t *testing.T) {
	const address = "guessed@example.org"
	home := a.away()
	a.next(24 * time.Hour)
	day, hash := 0, ""
	for hour := range 3 {
		ofHour := 0
		for range 3 {
			var code string
			code, hash = a.mailed(home, address)
			ofCode := 0
			for _, guess := range []string{wrongCode(code), code} { // where nobody has asked for a mail, nothing is compared
				if refusal := a.away().enter(address, guess); refusal != "INVALID_CODE" {
					t.Fatalf("%s of %s by a stranger: %q", guess, code, refusal)
				}
			}
			for _, guess := range wrongCodes(12, code) {
				b := a.copyOf(home)
				b.header.Set("X-Forwarded-For", fmt.Sprintf("203.0.113.%d", ofCode))
				switch refusal := b.enter(address, guess); refusal {
				case "INVALID_CODE":
					ofCode++
				case "TOO_MANY_ATTEMPTS":
				default:
					t.Fatalf("a wrong code: %q", refusal)
				}
			}
			if ofCode > 5 {
				t.Errorf("a code was compared %d times", ofCode)
			}
			if refusal := a.copyOf(home).enter(address, code); refusal != "TOO_MANY_ATTEMPTS" {
				t.Errorf("the right code after too many wrong ones: %q", refusal)
			}
			ofHour += ofCode
			a.advance(2 * time.Minute) // a mail a minute
		}
		if want := []int{10, 10, 0}[hour]; ofHour != want {
			t.Errorf("hour %d: codes were compared %d times, want %d", hour+1, ofHour, want)
		}
		day += ofHour
		if hour < 2 {
			a.next(time.Hour)
		}
	}
	if day != 20 {
		t.Errorf("codes were compared %d times in a day", day)
	}
	if refusal := home.open(hash); refusal != "" || home.who() != address {
		t.Errorf("the link of an address whose codes are closed: %q", refusal)
	}

	// A network that claims to be many is one.
	a.next(time.Hour)
	b, compared := a.away(), 0
	for i := range 60 {
		for _, name := range []string{"X-Forwarded-For", "X-Real-Ip", "Forwarded", "True-Client-Ip", "Cf-Connecting-Ip"} {
			b.header.Set(name, fmt.Sprintf("198.51.100.%d", i))
		}
		if b.enter(fmt.Sprintf("nobody-%d@example.org", i), "123456") == "INVALID_CODE" {
			compared++
		}
	}
	if compared != 30 {
		t.Errorf("a network has tried %d codes in five minutes", compared)
	}
}

// Of fifty who use one link or one code at the same moment, one gets in.
func (a *target) useAtOnce(t *testing.T) {
	for name, use := range map[string]struct {
		address string
		try     func(b *browser, address, code, hash string) string
		lost    string
	}{
		"link": {"raced-link@example.org", func(b *browser, _, _, hash string) string { return b.open(hash) }, "TOKEN_USED"},
		"code": {"raced-code@example.org", func(b *browser, address, code, _ string) string {
			return b.enter(address, code)
		}, "CODE_USED"},
	} {
		home := a.away()
		code, hash := a.mailed(home, use.address)
		var wg sync.WaitGroup
		answers := make([]string, 50)
		start := make(chan struct{})
		for i := range answers {
			b := a.copyOf(home)
			wg.Go(func() {
				<-start
				answers[i] = use.try(b, use.address, code, hash)
			})
		}
		close(start)
		wg.Wait()
		counts := map[string]int{}
		for _, c := range answers {
			counts[c]++
		}
		if counts[""] != 1 || counts[use.lost] != 49 || a.sessions(use.address) != 1 {
			t.Errorf("%s: %v, %d sessions", name, counts, a.sessions(use.address))
		}
	}
}

// Every token that is no good is told why, the first reason that holds, and opens nothing.
func (a *target) useOldMails(t *testing.T) {
	const address = "stale@example.org"
	home := a.away()
	a.next(time.Hour)
	check := func(what string, got, want string) {
		t.Helper()
		if got != want {
			t.Errorf("%s: %q, want %q", what, got, want)
		}
	}
	code1, link1 := a.mailed(home, address)
	check("an altered link", a.away().open(strings.Repeat("A", 10)+link1[10:]), "INVALID_HASH")
	check("half a link", a.away().open(link1[:20]), "INVALID_HASH")
	check("a link with more", a.away().open(link1+"A"), "INVALID_HASH")
	check("no link at all", a.away().open("'; DROP TABLE identity_readers; --"), "INVALID_HASH")
	check("a wrong code", a.away().enter(address, wrongCode(code1)), "INVALID_CODE")
	check("half a code", a.away().enter(address, code1[:3]), "INVALID_CODE")
	check("the code of another address", a.away().enter("other-"+address, code1), "INVALID_CODE")
	for _, ed := range a.app.registry.All() {
		if ed.ID != a.id {
			b := a.browser(ed.ID)
			check("a link at "+ed.ID, b.open(link1), "INVALID_HASH")
			check("a code at "+ed.ID, b.enter(address, code1), "INVALID_CODE")
		}
	}
	a.advance(2 * time.Minute)
	code2, link2 := a.mailed(home, address)
	check("a superseded link", a.away().open(link1), "NOT_LAST_TOKEN")
	check("a superseded code", a.copyOf(home).enter(address, code1), "NOT_LAST_TOKEN")
	check("a superseded code in a stranger's browser", a.away().enter(address, code1), "INVALID_CODE")
	check("the newest link", a.away().open(link2), "")
	check("a used link", a.away().open(link2), "TOKEN_USED")
	check("the code beside a used link", a.copyOf(home).enter(address, code2), "")
	check("a used code", a.copyOf(home).enter(address, code2), "CODE_USED")
	check("a used code in a stranger's browser", a.away().enter(address, code2), "INVALID_CODE")
	check("a wrong one after it", a.away().enter(address, wrongCode(code2)), "INVALID_CODE")
	a.advance(2 * time.Minute)
	code3, link3 := a.mailed(home, address)
	check("a used link that was superseded", a.away().open(link2), "TOKEN_USED")
	for _, guess := range wrongCodes(5, code3)[:2] {
		check("a wrong code", a.copyOf(home).enter(address, guess), "INVALID_CODE")
	}
	a.advance(10 * time.Minute)
	check("an expired link", a.away().open(link3), "EXPIRED_TOKEN")
	check("an expired code", a.copyOf(home).enter(address, code3), "EXPIRED_TOKEN")
	check("an expired code in a stranger's browser", a.away().enter(address, code3), "INVALID_CODE")
	check("a wrong one after it", a.away().enter(address, wrongCode(code3)), "INVALID_CODE")
	check("a superseded link that has expired", a.away().open(link1), "NOT_LAST_TOKEN")
	check("a used link that has expired", a.away().open(link2), "TOKEN_USED")
	if n := a.sessions(address); n != 2 {
		t.Errorf("%d sessions instead of those of one link and one code", n)
	}
}

// Who asks for many addresses is stopped, be it by one network or for one address by many.
func (a *target) harvest(t *testing.T) {
	a.next(time.Hour)
	ask := func(b *browser, address string) bool {
		t.Helper()
		r := b.get("/user/exists?email=" + url.QueryEscape(address))
		if r.Status != http.StatusOK && r.Status != http.StatusTooManyRequests ||
			strings.Contains(r.Body, `"exists"`) != (r.Status == http.StatusOK) {
			t.Fatalf("%d %s", r.Status, r.Body)
		}
		return r.Status == http.StatusOK
	}
	hasty, answered := a.away(), 0
	for i := range 30 {
		hasty.header.Set("X-Forwarded-For", fmt.Sprintf("203.0.113.%d", i))
		if ask(hasty, fmt.Sprintf("hastily-%d@example.org", i)) {
			answered++
		}
	}
	if answered != 10 {
		t.Errorf("%d answers in a minute", answered)
	}
	one := a.away()
	answered = 0
	for minute := range 12 {
		for i := range 10 {
			one.header.Set("X-Forwarded-For", fmt.Sprintf("203.0.113.%d", i))
			if ask(one, fmt.Sprintf("harvested-%d-%d@example.org", minute, i)) {
				answered++
			}
		}
		a.advance(time.Minute)
	}
	if answered != 60 {
		t.Errorf("a network had %d answers in an hour", answered)
	}
	answered = 0
	for range 50 {
		if ask(a.away(), a.victim.address) {
			answered++
		}
	}
	if answered != 5 {
		t.Errorf("fifty networks had %d answers about one address", answered)
	}
	for _, site := range []string{"cross-site", "same-site"} {
		b := a.away()
		b.header.Set("Sec-Fetch-Site", site)
		if r := b.get("/user/exists?email=" + url.QueryEscape(a.victim.address)); r.Status != http.StatusForbidden {
			t.Errorf("%s: %d %s", site, r.Status, r.Body)
		}
	}
}

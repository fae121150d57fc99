package app

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"sync"
	"time"

	"example.org/broadsheet/platform/paper/edition"
	"example.org/broadsheet/platform/sandbox/mailbox"
)

// promises are what readers were told to be done.
type promises struct {
	mu         sync.Mutex
	mails      map[string]string // address of whom a login email was promised: edition
	readers    map[string]string // address of who is signed in: edition
	paid       map[string]string // address of who has paid: edition
	comments   map[string]string // text: edition
	opened     map[string][]int  // address: articles
	secrets    canaries
	refused    int             // comments of subscribers whom a serve did not know as such yet
	gaveUp     int             // readers whose answer was lost with what it held
	accessWait []time.Duration // from the payment to the access
}

func newPromises() promises {
	return promises{
		mails: map[string]string{}, readers: map[string]string{}, paid: map[string]string{}, comments: map[string]string{},
		opened: map[string][]int{}, secrets: canaries{},
	}
}

func (p *promises) note(in map[string]string, what string, ed *edition.Edition) {
	p.mu.Lock()
	defer p.mu.Unlock()
	in[what] = ed.ID
}

func (p *promises) String() string {
	p.mu.Lock()
	defer p.mu.Unlock()
	opened, longest := 0, time.Duration(0)
	for _, list := range p.opened {
		opened += len(list)
	}
	for _, d := range p.accessWait {
		longest = max(longest, d)
	}
	return fmt.Sprintf("promised: %d login emails, %d readers, %d payments, %d comments, %d articles for a credit; "+
		"%d readers would begin again; access at most %.1f s after a payment; %d comments of who had just paid were refused "+
		"at first",
		len(p.mails), len(p.readers), len(p.paid), len(p.comments), opened, p.gaveUp, longest.Seconds(), p.refused)
}

// stormBrowser reaches nginx, from a network of its own, and waits for ten seconds.
func (s *storm) stormBrowser(ed *edition.Edition, n int) *browser {
	b := s.browser(ed.ID)
	b.client.Timeout = 10 * time.Second
	b.header.Set("X-Forwarded-For", fmt.Sprintf("10.%d.%d.%d", n>>16&255, n>>8&255, n&255))
	return b
}

// insist asks until there is an answer that is no failure of the paper's, for two minutes.
func (b *browser) insist(method, path string, body any) (r response, tries int) {
	raw, err := json.Marshal(body)
	if err != nil {
		b.t.Error(err)
	}
	for end := time.Now().Add(2 * time.Minute); time.Now().Before(end); time.Sleep(200 * time.Millisecond) {
		tries++
		r, err = b.try(method, path, "application/json", string(raw))
		if err == nil && r.Status < http.StatusInternalServerError && r.Status != http.StatusTooManyRequests {
			return r, tries
		}
	}
	return response{}, tries
}

// read is a row of new readers, one after another.
func (s *storm) read(ctx context.Context, row int) {
	for n := row; ctx.Err() == nil; n += 2 {
		ed := s.app.registry.All()[n%len(s.app.registry.All())]
		if !s.reader(ed, n) {
			s.ledger.mu.Lock()
			s.ledger.gaveUp++
			s.ledger.mu.Unlock()
		}
	}
}

// reader registers, reads, pays and writes. It reports whether it came to the end: with the answer that holds a session
// it may lose its way, as a person would.
func (s *storm) reader(ed *edition.Edition, n int) bool {
	address := fmt.Sprintf("storm%d-%s@example.org", n, strings.ReplaceAll(ed.ID, "_", "-"))
	b := s.stormBrowser(ed, n)
	asked := time.Now()
	r, _ := b.insist(http.MethodPost, "/fns/user-login",
		map[string]any{"payload": map[string]string{"email": address, "referrer": "/"}, "type": "registration"})
	if r.Status != http.StatusOK {
		s.breaks("asking for an email as %s: %d %.200s", address, r.Status, r.Body)
		return false
	}
	s.ledger.note(s.ledger.mails, address, ed)
	wait, cancel := context.WithTimeout(context.Background(), 2*time.Minute)
	defer cancel()
	m, err := s.mail.Wait(wait, func(m mailbox.Message) bool {
		return len(m.To) == 1 && m.To[0] == address && m.Code != "" && m.Received.After(asked)
	})
	if err != nil {
		s.breaks("the email to %s did not come in two minutes", address)
		return false
	}
	s.ledger.mu.Lock()
	s.ledger.secrets.rememberEmail(m)
	s.ledger.mu.Unlock()
	r, tries := b.insist(http.MethodPost, "/api/login-code-validation",
		map[string]string{"email": address, "code": m.Code, "referrer": "/", "type": "registration"})
	if r.Status != http.StatusOK {
		if tries == 1 {
			s.breaks("the code of %s: %d %.200s", address, r.Status, r.Body)
		}
		return false
	}
	s.ledger.note(s.ledger.readers, address, ed)
	s.ledger.mu.Lock()
	for _, c := range cookies(b) {
		if len(c.Value) >= 20 { // what is shorter says what to show, and opens nothing
			s.ledger.secrets[address+"'s session"] = c.Value
		}
	}
	s.ledger.mu.Unlock()
	s.openArticles(b, ed, address)
	return s.pay(b, ed, address) && s.write(b, ed, n)
}

// openArticles spends the reader's credits.
func (s *storm) openArticles(b *browser, ed *edition.Edition, address string) {
	for i := range 5 {
		r, _ := b.insist(http.MethodGet, fmt.Sprintf("/%d/article-true-%d", i+1, i), nil)
		if r.Status != http.StatusOK {
			s.breaks("%s reads article %d: %d", address, i, r.Status)
		}
		if len(lockedTokens(r.Body)) > 0 {
			s.ledger.mu.Lock()
			s.ledger.opened[ed.ID+" "+address] = append(s.ledger.opened[ed.ID+" "+address], i+1)
			s.ledger.mu.Unlock()
		}
	}
}

func (s *storm) pay(b *browser, ed *edition.Edition, address string) bool {
	r, tries := b.insist(http.MethodPost, "/fns/stripe-payment",
		map[string]string{"product_type": "product_monthly", "payment_method": "card", "referrer": "/"})
	var bought struct {
		Data struct {
			Redirect string `json:"redirect"`
		} `json:"data"`
	}
	_ = json.Unmarshal([]byte(r.Body), &bought)
	u, err := url.Parse(bought.Data.Redirect)
	if err != nil || u.Path == "" {
		s.breaks("%s orders (%d tries): %d %.200s", address, tries, r.Status, r.Body)
		return false
	}
	form := goodCard()
	form.Set("email", address)
	req := httptest.NewRequest(http.MethodPost, u.RequestURI(), strings.NewReader(form.Encode()))
	req.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	w := httptest.NewRecorder()
	s.hosted.ServeHTTP(w, req)
	if w.Code >= http.StatusBadRequest {
		s.breaks("%s pays: %d", address, w.Code)
		return false
	}
	s.ledger.note(s.ledger.paid, address, ed)
	paid := time.Now()
	for time.Since(paid) < 3*time.Minute {
		r, _ := b.insist(http.MethodGet, "/user/me/", nil)
		if strings.Contains(r.Body, `"active_product":"product_monthly"`) {
			s.ledger.mu.Lock()
			s.ledger.accessWait = append(s.ledger.accessWait, time.Since(paid))
			s.ledger.mu.Unlock()
			return true
		}
		time.Sleep(100 * time.Millisecond)
	}
	s.breaks("%s has paid and has no access after three minutes", address)
	return false
}

func (s *storm) write(b *browser, ed *edition.Edition, n int) bool {
	name := []byte("Storm.")
	for k := n + 8; k > 0; k /= 8 {
		name = append(name, "bdfgkpst"[k%8]) // letters that do not pass for each other
	}
	named, _ := b.insist(http.MethodPost, "/fns/user-comment-name", map[string]string{"comment_name": string(name)})
	if named.Status != http.StatusOK {
		s.breaks("the name %s: %d %.200s", name, named.Status, named.Body)
		return false
	}
	for i := range 3 {
		text := fmt.Sprintf("Comment %d-%d of [%s]", n, i, ed.ID)
		r := s.comment(b, 1+i, text)
		if r.Status != http.StatusOK {
			s.breaks("%s: %d %.200s", text, r.Status, r.Body)
			return false
		}
		s.ledger.note(s.ledger.comments, text, ed)
	}
	return true
}

// deaf is how long a serve whose connections were lost in silence hears of nothing: it asks every ten seconds.
const deaf = 20 * time.Second

// comment writes one. A serve that is deaf may take a subscriber for none a while longer.
func (s *storm) comment(b *browser, post int, text string) (r response) {
	for began := time.Now(); time.Since(began) < deaf; time.Sleep(500 * time.Millisecond) {
		r, _ = b.insist(http.MethodPost, fmt.Sprintf("/api/discussion/%d", post), map[string]any{"text": text, "key": text})
		if r.Status != http.StatusForbidden {
			break
		}
		s.ledger.mu.Lock()
		s.ledger.refused++
		s.ledger.mu.Unlock()
	}
	return r
}

// visit asks for pages as people do who have no account, and looks at every answer.
func (s *storm) visit(ctx context.Context, row int) {
	all := s.app.registry.All()
	for n := row; ctx.Err() == nil; n++ {
		ed := all[n%len(all)]
		b := s.stormBrowser(ed, 1<<20+n%500)
		path := []string{
			"/", "/1/article-true-0", "/category/" + ed.Categories[0].Slug, "/3/article-true-2",
			fmt.Sprintf("/search/word%d", n), "/content/post/2", "/api/page?url=" + url.QueryEscape("/2/article-true-1"),
			ed.DiscussionPath(1),
		}[n/len(all)%8]
		s.mu.Lock()
		during := s.fault
		s.mu.Unlock()
		began := time.Now()
		r, err := b.try(http.MethodGet, path, "", "")
		took := time.Since(began)
		b.client.CloseIdleConnections()
		s.mu.Lock()
		v := s.visits[during]
		if v == nil {
			v = &visits{}
			s.visits[during] = v
		}
		v.asked++
		v.slowest = max(v.slowest, took)
		if err != nil || r.Status >= http.StatusInternalServerError {
			v.failed++
		}
		s.mu.Unlock()
		if found := lockedTokens(r.Body); len(found) > 0 {
			s.breaks("a visitor of %s%s is shown %v", ed.ID, path, found)
		}
		body := strings.ReplaceAll(r.Body, "Comment of [", "of [")
		if r.Status == http.StatusOK && holdsForeignText(body, ed.ID) {
			s.breaks("a visitor of %s%s is shown another edition's text", ed.ID, path)
		}
		time.Sleep(30 * time.Millisecond)
	}
}

func (s *storm) breaks(format string, a ...any) {
	s.mu.Lock()
	defer s.mu.Unlock()
	when := fmt.Sprintf("%5.1f s (%s): ", time.Since(s.wall).Seconds(), s.fault)
	s.broken = append(s.broken, when+fmt.Sprintf(format, a...))
}

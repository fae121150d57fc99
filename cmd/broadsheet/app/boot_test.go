package app

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"example.org/broadsheet/modules/content"
	"example.org/broadsheet/modules/content/catalog"
	"example.org/broadsheet/modules/content/post"
	"example.org/broadsheet/modules/content/topic"
	"example.org/broadsheet/platform/clock"
	"example.org/broadsheet/platform/config"
	"example.org/broadsheet/platform/paper/edition"
	"example.org/broadsheet/platform/sandbox/mailbox"
	"example.org/broadsheet/platform/testkit/wait"
)

// testApp is the whole paper, started as `dev` starts it, on a free port and in a folder of its own.
type testApp struct {
	*dev
	t   testing.TB
	url string // of the listener, without an edition

	stop func() // ends it before the test does
}

// startApp starts a paper and ends it with the test.
func startApp(t testing.TB) *testApp {
	t.Helper()
	return startAppWith(t, func(*config.Config) {})
}

// startAppWith is startApp with other settings.
func startAppWith(t testing.TB, set func(*config.Config)) *testApp {
	t.Helper()
	p, end, err := boot(dataFolder(t), set)
	if err != nil {
		t.Fatal(err)
	}
	p.t = t
	p.stop = sync.OnceFunc(func() {
		if err := end(); err != nil {
			t.Error("the paper ended with ", err)
		}
	})
	t.Cleanup(p.stop)
	return p
}

// boot starts a paper in a folder. end has it end, and returns how it did.
func boot(dir string, set func(*config.Config)) (p *testApp, end func() error, err error) {
	cfg, err := config.Load("")
	if err != nil {
		return nil, nil, err
	}
	cfg.Data.Dir, cfg.Web.Listen, cfg.Web.Admin = dir, "127.0.0.1:0", ""
	set(cfg)
	ctx, cancel := context.WithCancel(context.Background())
	ready, done := make(chan struct{}), make(chan error, 1)
	p = &testApp{dev: &dev{cfg: cfg, out: io.Discard, clock: &clock.Clock{}, ready: func() { close(ready) }}}
	go func() { done <- p.run(ctx, true) }()
	select {
	case <-ready:
		p.url = "http://127.0.0.1:" + p.port
		return p, func() error { cancel(); return <-done }, nil
	case err := <-done:
		cancel()
		return nil, nil, fmt.Errorf("the paper did not start: %w", err)
	case <-time.After(wait.Patience):
		cancel()
		return nil, nil, fmt.Errorf("the paper did not start in %s", wait.Patience)
	}
}

// sharedApp is one paper with two open articles in each edition, for all tests that change nothing but what a reader of
// their own has. It ends after the last test.
func sharedApp(t testing.TB) *testApp {
	t.Helper()
	sharing.Do(func() {
		var p *testApp
		var err error
		if sharing.dir, err = copyFolder(); err == nil {
			p, sharing.end, err = boot(sharing.dir, func(*config.Config) {})
		}
		if err != nil {
			t.Error(err)
			return
		}
		p.t = t
		p.publish(2, false)
		sharing.app = p
	})
	if sharing.app == nil {
		t.Fatal("the shared paper did not start")
	}
	return &testApp{dev: sharing.app.dev, t: t, url: sharing.app.url}
}

// sharing is what sharedApp shares.
var sharing struct {
	sync.Once
	dir string
	app *testApp
	end func() error
}

// endSharing ends the shared paper, if it has started, and removes its folder even if it has not.
func endSharing() error {
	var err error
	if sharing.end != nil {
		err = sharing.end()
	}
	return errors.Join(err, os.RemoveAll(sharing.dir))
}

// dataFolder is one of a paper that has been set up, and nothing else happened to it yet.
func dataFolder(t testing.TB) string {
	t.Helper()
	dir, err := copyFolder()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	return dir
}

// copyFolder makes such a folder.
func copyFolder() (dir string, err error) {
	first, err := templateFolder()
	if err != nil {
		return "", fmt.Errorf("no paper can be set up: %w", err)
	}
	if dir, err = makeFolder(); err != nil {
		return "", err
	}
	const cluster = "postgres"
	if out, err := exec.Command("cp", "-a", filepath.Join(first, cluster), filepath.Join(dir, cluster)).
		CombinedOutput(); err != nil {
		return "", errors.Join(fmt.Errorf("%w: %s", err, out), os.RemoveAll(dir))
	}
	return dir, nil
}

// makeFolder makes one that the database's account may enter, also where tests run as root.
func makeFolder() (string, error) {
	dir, err := os.MkdirTemp("", "broadsheet-test-")
	if err != nil {
		return "", err
	}
	return filepath.Clean(dir), os.Chmod(dir, 0o755)
}

// templateDir is a folder that goes with the last test.
var templateDir string

// templateFolder is where a paper was set up from nothing. The others are copies of its database: to make one takes
// longer than most tests.
var templateFolder = sync.OnceValues(func() (string, error) {
	dir, err := makeFolder()
	if err != nil {
		return "", err
	}
	templateDir = dir
	cfg, err := config.Load("")
	if err != nil {
		return "", err
	}
	cfg.Database.URL, cfg.Redis.URL, cfg.Mail.URL, cfg.Stripe.APIBase = "", "", "", ""
	cfg.Data.Dir, cfg.Web.Listen, cfg.Web.Admin = dir, "127.0.0.1:0", ""
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	ready := false
	err = (&dev{cfg: cfg, out: io.Discard, clock: &clock.Clock{}, ready: func() { ready = true; cancel() }}).run(ctx, true)
	if err == nil && !ready {
		err = ctx.Err()
	}
	return dir, err
})

// browser is a reader's: it keeps cookies, follows no redirect by itself and always reaches the listener.
type browser struct {
	t      testing.TB
	client *http.Client
	origin string
	header http.Header
}

// userAgent is that of a browser, whose visitors are answered from memory in the shortest way.
const userAgent = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0"

func (p *testApp) browser(id string) *browser {
	p.t.Helper()
	ed, ok := p.app.registry.Get(id)
	if !ok {
		p.t.Fatalf("there is no edition %s", id)
	}
	jar, err := cookiejar.New(nil)
	if err != nil {
		p.t.Fatal(err)
	}
	d := &net.Dialer{Timeout: 5 * time.Second}
	return &browser{t: p.t, origin: ed.Origin, header: http.Header{"User-Agent": {userAgent}}, client: &http.Client{
		Jar: jar, Timeout: 30 * time.Second,
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
		Transport: &http.Transport{DialContext: func(ctx context.Context, network, _ string) (net.Conn, error) {
			return d.DialContext(ctx, network, "127.0.0.1:"+p.port)
		}},
	}}
}

// response is an answer, read.
type response struct {
	Status int
	Header http.Header
	Body   string
}

func (b *browser) do(method, path, media, body string) response {
	b.t.Helper()
	answer, err := b.try(method, path, media, body)
	if err != nil {
		b.t.Fatal(err)
	}
	return answer
}

// try is do for callers that expect that there may be no answer.
func (b *browser) try(method, path, media, body string) (response, error) {
	target := path
	if strings.HasPrefix(path, "/") {
		target = b.origin + path
	}
	req, err := http.NewRequestWithContext(context.Background(), method, target, strings.NewReader(body))
	if err != nil {
		return response{}, err
	}
	if media != "" {
		req.Header.Set("Content-Type", media)
	}
	if method != http.MethodGet && method != http.MethodHead {
		req.Header.Set("Origin", b.origin)
	}
	for k, v := range b.header {
		req.Header[k] = v
	}
	res, err := b.client.Do(req)
	if err != nil {
		return response{}, err
	}
	defer res.Body.Close() //nolint:errcheck // read to the end
	raw, err := io.ReadAll(res.Body)
	return response{res.StatusCode, res.Header, string(raw)}, err
}

func (b *browser) get(path string) response { b.t.Helper(); return b.do(http.MethodGet, path, "", "") }

func (b *browser) post(path string, v any) response {
	b.t.Helper()
	raw, err := json.Marshal(v)
	if err != nil {
		b.t.Fatal(err)
	}
	return b.do(http.MethodPost, path, "application/json", string(raw))
}

func (b *browser) form(path string, v url.Values) response {
	b.t.Helper()
	return b.do(http.MethodPost, path, "application/x-www-form-urlencoded", v.Encode())
}

// json decodes an answer's body.
func (r response) json(t testing.TB, into any) {
	t.Helper()
	if err := json.Unmarshal([]byte(r.Body), into); err != nil {
		t.Fatalf("status %d, not JSON: %v: %.300s", r.Status, err, r.Body)
	}
}

// signIn registers or logs in by the mailed code.
func (p *testApp) signIn(b *browser, address string) {
	p.t.Helper()
	asked := time.Now()
	if r := b.post("/fns/user-login",
		map[string]any{
			"payload": map[string]string{"email": address, "referrer": "/"},
			"type":    "login",
		}); r.Status != http.StatusOK {
		p.t.Fatalf("asking for a code: %d %s", r.Status, r.Body)
	}
	if r := b.post("/api/login-code-validation",
		map[string]string{
			"email": address, "code": p.mailWithCode(address, asked).Code, "referrer": "/",
			"type": "login",
		}); r.Status != http.StatusOK {
		p.t.Fatalf("entering the code: %d %s", r.Status, r.Body)
	}
}

// mailTo waits for an email that came after an instant.
func (p *testApp) mailTo(address string, after time.Time) mailbox.Message {
	p.t.Helper()
	return p.mailOf(address, after, func(mailbox.Message) bool { return true })
}

// mailWithCode waits for one that has a code; others may come between.
func (p *testApp) mailWithCode(address string, after time.Time) mailbox.Message {
	p.t.Helper()
	return p.mailOf(address, after, func(m mailbox.Message) bool { return m.Code != "" })
}

func (p *testApp) mailOf(address string, after time.Time, is func(mailbox.Message) bool) mailbox.Message {
	p.t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), 20*time.Second)
	defer cancel()
	m, err := p.mail.Wait(ctx, func(m mailbox.Message) bool {
		return len(m.To) == 1 && m.To[0] == address && m.Received.After(after) && is(m)
	})
	if err != nil {
		p.t.Fatalf("no email came to %s: %v", address, err)
	}
	return m
}

// token marks a paragraph, so that one glance at any bytes tells whose they are.
func token(editionID string, post, paragraph int) string {
	return fmt.Sprintf("TOKEN-%s-%d-%d.", strings.ReplaceAll(editionID, "_", "-"), post, paragraph)
}

// word is one that stands in one paragraph alone, and is like no other.
func word(editionID string, post, paragraph int) string {
	sum := sha256.Sum256([]byte(token(editionID, post, paragraph)))
	b := make([]byte, 0, 12)
	for i := 0; len(b) < cap(b); i += 2 {
		b = append(b, "bdfghklmprstvz"[sum[i]%14], "aeiou"[sum[i+1]%5])
	}
	return string(b)
}

// publish writes n articles with eight marked paragraphs into every edition: the same slugs and ids everywhere.
func (p *testApp) publish(n int, locked bool) {
	p.t.Helper()
	for _, ed := range p.app.registry.All() {
		ctx := edition.With(context.Background(), ed)
		if err := p.app.content.SyncCategories(ctx); err != nil {
			p.t.Fatal(err)
		}
		if _, err := p.app.content.SaveAuthor(ctx, catalog.Author{Slug: "leak", Name: "Lea K."}); err != nil {
			p.t.Fatal(err)
		}
		if _, err := p.app.content.SaveTag(ctx,
			topic.Tag{Slug: "leak", Name: "A topic", Published: p.app.clock.Now().Add(-time.Hour)}); err != nil {
			p.t.Fatal(err)
		}
		if _, err := p.app.content.SavePosts(ctx, p.articles(ed, n, locked)); err != nil {
			p.t.Fatal(err)
		}
	}
}

// articles are so many of an edition, the newest first, with a token in each paragraph.
func (p *testApp) articles(ed *edition.Edition, n int, locked bool) (drafts []content.Draft) {
	for i := range n {
		var body strings.Builder
		for par := range 8 {
			fmt.Fprintf(&body, "<p>%s Paragraph %d of article %d: %s.</p>", token(ed.ID, i, par+1), par+1, i,
				word(ed.ID, i, par+1))
		}
		drafts = append(drafts, content.Draft{
			Source: "test", SourceID: fmt.Sprintf("%t-%d", locked, i), Type: post.TypeArticle,
			Status: post.StatusPublished,
			Slug:   fmt.Sprintf("article-%t-%d", locked, i), Title: fmt.Sprintf("Article %d of [%s]", i, ed.ID),
			Excerpt: "What it is about.",
			Body:    body.String(), Locked: locked, Categories: []string{ed.Categories[0].Slug}, Authors: []string{"leak"},
			Tags: []string{"leak"}, Featured: i + 1, Published: p.app.clock.Now().Add(-time.Duration(i+1) * time.Minute),
		})
	}
	return drafts
}

package app

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"example.org/broadsheet/modules/identity"
	"example.org/broadsheet/platform/paper/edition"
	"example.org/broadsheet/platform/testkit/wait"
)

// writer signs a reader in who may write, under a name.
func (p *testApp) writer(t *testing.T, id, address, name string) *browser {
	t.Helper()
	b := p.browser(id)
	p.signIn(b, address)
	buy(t, b)
	wait.Until(t, "the subscription counts", func() bool { return subscribed(b) })
	if r := b.post("/fns/user-comment-name", map[string]string{"comment_name": name}); r.Status != http.StatusOK {
		p.t.Fatalf("the name %s: %d %s", name, r.Status, r.Body)
	}
	return b
}

// say writes a comment and returns its number.
func (b *browser) say(post int64, text string) int64 {
	b.t.Helper()
	r := b.post(fmt.Sprintf("/api/discussion/%d", post), map[string]any{"text": text, "key": text})
	var out struct {
		ID int64 `json:"id"`
	}
	r.json(b.t, &out)
	if out.ID == 0 {
		b.t.Fatalf("%d %s", r.Status, r.Body)
	}
	return out.ID
}

// reactions is how many comments the paper says that a post has.
func (b *browser) reactions(post int64) int {
	b.t.Helper()
	var out struct {
		Reactions int `json:"reactions"`
	}
	b.get(fmt.Sprintf("/wp-json/standard/v1/standard-post-react/?id=%d", post)).json(b.t, &out)
	return out.Reactions
}

// Discussions of three editions with equal ids never mix, everybody may read those of locked articles, which show
// nothing of the text, and their number is told.
func TestDiscussionsStayApart(t *testing.T) {
	t.Parallel()
	p := startApp(t)
	p.publish(3, true)
	all := p.app.registry.All()
	const post = 1
	ids := map[string]int64{}
	for _, ed := range all {
		b := p.writer(t, ed.ID, "reader@"+strings.ReplaceAll(ed.ID, "_", "-")+".example.org", "Same.Name")
		ids[ed.ID] = b.say(post, "Comment of ["+ed.ID+"] <script>alert(1)</script>")
		if r := b.get("/user/me/"); !strings.Contains(r.Body, `"comment_name":"Same.Name"`) {
			t.Errorf("%s: %s", ed.ID, r.Body)
		}
	}
	for _, ed := range all {
		visitor := p.browser(ed.ID)
		wait.Until(t, "the comment is counted", func() bool { return visitor.reactions(post) == 1 })
		path := ed.DiscussionPath(post)
		for name, r := range map[string]response{
			"page": visitor.get(path),
			"data": visitor.get("/api/page?url=" + url.QueryEscape(path)),
		} {
			if r.Status != http.StatusOK || !strings.Contains(r.Body, "Comment of ["+ed.ID+"]") ||
				holdsForeignText(strings.ReplaceAll(r.Body, "Comment of [", "of ["), ed.ID) {
				t.Errorf("%s of %s: %d %.300s", name, ed.ID, r.Status, r.Body)
			}
			if found := lockedTokens(r.Body); len(found) > 0 {
				t.Errorf("%s of %s shows %v", name, ed.ID, found)
			}
			if strings.Contains(r.Body, "<script>alert") {
				t.Errorf("%s of %s runs a comment", name, ed.ID)
			}
		}
		if r := visitor.get(path); !strings.Contains(r.Header.Get("Content-Security-Policy"), "frame-ancestors 'self'") {
			t.Errorf("%s: anybody may frame it: %v", ed.ID, r.Header)
		}
		for _, other := range all {
			if to := other.DiscussionPath(post); to != path && visitor.get(to).Status != http.StatusNotFound {
				t.Errorf("%s answers at %s", ed.ID, to)
			}
		}
	}
}

// What one reader is shown is never another's: not from a cache, and not for whoever asks at the same moment.
func TestDiscussionsArePersonal(t *testing.T) {
	t.Parallel()
	p := startApp(t)
	p.publish(1, false)
	const id = "standard"
	ed, _ := p.app.registry.Get(id)
	path := ed.DiscussionPath(1)
	a, b := p.writer(t, id, "a@example.org", "Anna.A"), p.writer(t, id, "b@example.org", "Boris.B")
	comment := a.say(1, "Hers alone.")
	for range 3 {
		for who, c := range map[string]struct {
			*browser
			own, foreign string
		}{
			"a": {a, `"name":"Anna.A","key"`, `"name":"Boris.B"`}, "b": {b, `"name":"Boris.B","key"`, `"mine":true`},
			"nobody": {p.browser(id), `"state":"anonymous"`, `"mine":true`},
		} {
			r := c.get("/api/page?url=" + url.QueryEscape(path))
			if !strings.Contains(r.Body, c.own) || strings.Contains(r.Body, c.foreign) {
				t.Errorf("%s is shown %s", who, r.Body)
			}
			if shared := strings.HasPrefix(r.Header.Get("Cache-Control"), "public"); shared != (who == "nobody") {
				t.Errorf("%s: %s", who, r.Header.Get("Cache-Control"))
			}
		}
	}
	for _, action := range []string{"edit", "remove"} {
		if r := b.post(fmt.Sprintf("/api/comment/%d/%s", comment, action),
			map[string]string{"text": "His"}); r.Status != http.StatusGone {
			t.Errorf("%s by another: %d %s", action, r.Status, r.Body)
		}
	}
	b.header.Set("Origin", "https://evil.example")
	b.header.Set("Sec-Fetch-Site", "cross-site")
	if r := b.form("/api/discussion/1", url.Values{"text": {"Forged"}, "key": {"x"}}); r.Status != http.StatusForbidden {
		t.Errorf("another site's form: %d %s", r.Status, r.Body)
	}
}

// The command line hides, restores, bans and lets write again, says in a dry run what it would do, and notes all of it.
func TestDiscussionCommands(t *testing.T) {
	t.Parallel()
	p := startApp(t)
	p.publish(1, false)
	const id = "standard"
	ed, _ := p.app.registry.Get(id)
	path := ed.DiscussionPath(1)
	author, visitor := p.writer(t, id, "a@example.org", "Anna.A"), p.browser(id)
	comment := author.say(1, "Something rude.")
	run := func(want string, args ...string) {
		t.Helper()
		var out bytes.Buffer
		c := NewCommand()
		c.SetOut(&out)
		c.SetErr(&out)
		c.SetArgs(append(append([]string{"discussion"}, args...), "--edition", id, "--data", p.cfg.Data.Dir))
		err := c.ExecuteContext(context.Background())
		if got := out.String() + fmt.Sprint(err); !strings.Contains(got, want) {
			t.Errorf("%v: %s, want %s", args, got, want)
		}
	}
	number := fmt.Sprint(comment)
	sees := func(text string) bool { return strings.Contains(visitor.get(path).Body, text) }
	if r := author.post("/api/comment/"+number+"/hide", map[string]string{}); r.Status != http.StatusForbidden {
		t.Errorf("a reader hides: %d", r.Status)
	}
	run("is not the number", "hide", "x")
	run("COMMENT_GONE", "hide", "999")
	run("dry run", "hide", number, "--dry-run")
	if !sees("Something rude.") {
		t.Error("a dry run has hidden it")
	}
	run("is hidden now", "hide", number, "--reason", "Rude")
	wait.Until(t, "nobody sees it", func() bool { return !sees("Something rude.") })
	run("is hidden already", "hide", number)
	run("is shown now", "restore", number)
	wait.Until(t, "everybody sees it", func() bool { return sees("Something rude.") })
	run("INVALID_REQUIREMENT", "ban", "a@example.org", "--days", "7")
	run("USER_NOT_EXISTS", "ban", "nobody@example.org", "--days", "7", "--reason", "Rude")
	run("may not write until", "ban", "a@example.org", "--days", "7", "--reason", "Rude")
	if r := author.post("/api/discussion/1",
		map[string]string{"text": "More.", "key": "m"}); r.Status != http.StatusForbidden ||
		!strings.Contains(r.Body, "DISCUSSION_BANNED") {
		t.Errorf("banned: %d %s", r.Status, r.Body)
	}
	run("may write again", "unban", number)
	author.say(1, "More.")
	run("is a moderator now", "moderator", "a@example.org")
	p.signIn(author, "a@example.org") // the new role has ended the session
	if r := author.post("/api/comment/"+number+"/hide", map[string]string{}); r.Status != http.StatusOK {
		t.Errorf("a moderator hides: %d %s", r.Status, r.Body)
	}
	run("is no moderator any more", "moderator", "a@example.org", "--remove")
	run("0 comments wait", "reports")
	var log []string
	pool, err := p.app.DB.Pool(id)
	if err != nil {
		t.Fatal(err)
	}
	if err := pool.NewRaw("SELECT action FROM discussion_log ORDER BY id").Scan(context.Background(), &log); err != nil {
		t.Fatal(err)
	}
	if got := strings.Join(log, " "); got != "hide restore ban unban appoint hide dismiss" {
		t.Errorf("the log says %s", got)
	}
}

// enter signs a reader in from a network of their own: one network may ask for twenty mails an hour.
func (p *testApp) enter(ctx context.Context, b *browser, address string) {
	p.t.Helper()
	asked := time.Now()
	if _, err := p.app.Identity.Ask(ctx, identity.Asked{Email: address, Network: address, Browser: address}); err != nil {
		p.t.Fatal(err)
	}
	o, err := p.app.Identity.SignIn(ctx, address, p.mailWithCode(address, asked).Code,
		identity.Visitor{Network: address, Browser: address})
	if err != nil {
		p.t.Fatal(err)
	}
	at, err := url.Parse(b.origin)
	if err != nil {
		p.t.Fatal(err)
	}
	b.client.Jar.SetCookies(at, []*http.Cookie{{Name: "session", Value: o.Token, Path: "/"}})
}

// BenchmarkDiscussion is 200 readers who write at the same moment, over HTTP; the client shares the machine.
func BenchmarkDiscussion(b *testing.B) {
	p := startApp(b)
	p.publish(1, false)
	const id, readers = "standard", 200
	ed, _ := p.app.registry.Get(id)
	ctx := edition.With(context.Background(), ed)
	var browsers []*browser
	for i := range readers {
		address := fmt.Sprintf("r%d@example.org", i)
		if _, err := p.app.Billing.Subscriptions.GrantTrials(ctx, false, address); err != nil {
			b.Fatal(err)
		}
		r := p.browser(id)
		p.enter(ctx, r, address)
		if a := r.post("/fns/user-comment-name",
			map[string]string{"comment_name": fmt.Sprintf("Reader.%d", i)}); a.Status != http.StatusOK {
			b.Fatal(a.Status, a.Body)
		}
		browsers = append(browsers, r)
	}
	var all []time.Duration
	took := make([]time.Duration, readers)
	for n := range b.N + 1 { // the first round opens the connections, and does not count
		start, done := make(chan struct{}), make(chan int, readers)
		for i, r := range browsers {
			go func() {
				<-start
				body, _ := json.Marshal(map[string]any{"text": fmt.Sprintf("Round %d", n), "key": fmt.Sprint(n)})
				began := time.Now()
				a := r.do(http.MethodPost, "/api/discussion/1", "application/json", string(body))
				took[i] = time.Since(began)
				if a.Status != http.StatusOK {
					b.Error(a.Status, a.Body)
				}
				done <- i
			}()
		}
		close(start)
		for range readers {
			<-done
		}
		if n == 0 {
			b.ResetTimer()
			continue
		}
		all = append(all, took...)
		if n%10 == 9 { // readers write ten in five minutes
			b.StopTimer()
			p.clock.Advance(5 * time.Minute)
			b.StartTimer()
		}
	}
	b.StopTimer()
	percentiles(b, all)
	var written int
	pool, err := p.app.DB.Pool(id)
	if err != nil {
		b.Fatal(err)
	}
	if err := pool.NewRaw("SELECT count(*) FROM discussion_comments").Scan(context.Background(), &written); err != nil ||
		written != readers*(b.N+1) {
		b.Errorf("%d comments of %d, %v", written, readers*(b.N+1), err)
	}
}

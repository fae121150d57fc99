package wordpress

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"example.org/broadsheet/platform/advisory"
)

func TestSyncFollows(t *testing.T) {
	t.Parallel()
	h, p, o := newSync(t)
	m := p.upload("/wp-content/uploads/most.png", picture(t, 10), "Most")
	a := p.write("posts", "Most & rieka", paragraph("Voda stúpa.")+"<!-- wp:acme/river {\"level\":3} --><div "+
		"class=\"river\"><p>Hladina 3 m</p></div><!-- /wp:acme/river -->")
	a.Author, a.Categories, a.Media = 5, []int64{1}, m.id
	b := p.write("posts", "Prístav", paragraph("Lode stoja."))
	o.User, o.Password = "desk", deskPassword
	r := h.round(o, 1)
	if r.Counts["post"][Taken] != 2 || r.Counts["picture"][Taken] != 1 {
		t.Errorf("the first round: %v", r.Counts)
	}
	if g := reason(r, "block acme/river", "its text was kept"); g == nil || g.ID != fmt.Sprint(a.ID) || g.Link != a.Link {
		t.Errorf("the unknown block: %v", g)
	}
	if got := h.value("SELECT 1, html FROM content_bodies b JOIN content_posts p ON p.id = b.post_id WHERE source_id = ?",
		fmt.Sprint(a.ID)); got != "<p>Voda stúpa.</p>\n<p>Hladina 3 m</p>" {
		t.Errorf("its text: %s", got)
	}
	s, kill, err := h.start(h.ctx, o)
	if err != nil {
		t.Fatal(err)
	}
	defer kill()
	step := func(what string, change func(), query, want string) {
		t.Helper()
		p.mu.Lock()
		change()
		p.mu.Unlock()
		if _, err := s.Round(h.ctx); err != nil {
			t.Fatalf("%s: %v", what, err)
		}
		if got := h.value(query); got != want {
			t.Errorf("%s: %q, want %q", what, got, want)
		}
	}
	state := "SELECT id, status FROM content_posts"
	step("nothing", func() {}, state, "published published")
	step("twice within a second, once", func() {
		p.pass(time.Minute)
		a.title = "Prvý"
		p.touch(a)
	}, "SELECT 1, title FROM content_posts WHERE slug LIKE 'clanok-"+fmt.Sprint(a.ID)+"'", "Prvý")
	step("twice within a second, again", func() {
		a.title = "Druhý"
		p.touch(a)
	}, "SELECT 1, title FROM content_posts WHERE slug LIKE 'clanok-"+fmt.Sprint(a.ID)+"'", "Druhý")
	step("another address", func() { p.pass(time.Hour); a.Slug = "nova-adresa"; p.touch(a) },
		"SELECT path, path || '>' || slug FROM content_redirects r JOIN content_posts p ON p.id = r.post_id WHERE path "+
			"LIKE '/clanok-"+fmt.Sprint(a.ID)+"'", "/clanok-"+fmt.Sprint(a.ID)+">nova-adresa")
	step("taken down", func() { p.pass(time.Minute); b.Status = "draft"; p.touch(b) }, state, "published withdrawn")
	step("back again", func() { p.pass(time.Minute); b.Status = "publish"; p.touch(b) }, state, "published published")
	step("behind a password", func() { b.password = "x"; p.touch(b) }, state, "published withdrawn")
	step("deleted", func() { p.pass(time.Minute); delete(p.posts, b.ID) }, state, "published withdrawn")
	step("the name of an author", func() {
		p.users[5].Name = "Hana Nová"
	}, "SELECT 1, name || ' ' || slug FROM content_authors", "Hana Nová hana-brezova")
	step("words of a picture", func() {
		p.pass(time.Minute)
		m.alt, m.modified = "Nový most", p.now
	}, "SELECT 1, alt FROM content_pictures", "Nový most")
	before := h.value("SELECT 1, picture_id FROM content_posts WHERE slug = 'nova-adresa'")
	step("another picture of the same address", func() {
		p.pass(time.Minute)
		p.files[m.path], m.modified = picture(t, 90), p.now
	},
		"SELECT 1, picture_id <> '"+before+"' FROM content_posts WHERE slug = 'nova-adresa'", "true")
	step("marked on top, undated", func() {
		a.Sticky = true
	}, "SELECT 1, pick FROM content_posts WHERE slug = 'nova-adresa'", "1")
}

func TestSyncWithoutLoginSeesWhatIsScheduledAppear(t *testing.T) {
	t.Parallel()
	h, p, o := newSync(t)
	for range 30 {
		p.pass(time.Second)
		p.write("posts", "Článok", paragraph("Text."))
	}
	a := p.write("posts", "Zajtra", paragraph("Text."))
	a.Date = p.stamp(p.now.Add(24 * time.Hour))
	p.touch(a)
	s, kill, err := h.start(h.ctx, o)
	if err != nil {
		t.Fatal(err)
	}
	defer kill()
	for _, want := range []string{"30", "31"} {
		if _, err := s.Round(h.ctx); err != nil {
			t.Fatal(err)
		}
		if got := h.value("SELECT 1, count(*) FROM content_posts WHERE status = 'published'"); got != want {
			t.Errorf("%s posts are out, want %s", got, want)
		}
		p.mu.Lock()
		p.pass(25 * time.Hour)
		p.asked = nil
		p.mu.Unlock()
	}
}

func TestSyncAsksAgainBeforeItEmptiesAnEdition(t *testing.T) {
	t.Parallel()
	h, p, o := newSync(t)
	for range 50 {
		p.write("posts", "Článok", paragraph("Text."))
	}
	h.round(o, 1)
	p.mu.Lock()
	clear(p.posts)
	p.mu.Unlock()
	s, kill, err := h.start(h.ctx, o)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := s.Round(h.ctx); err == nil || !strings.Contains(err.Error(), "--emptied") {
		t.Errorf("got %v", err)
	}
	kill()
	if got := h.value("SELECT status, status FROM content_posts GROUP BY status"); got != "published" {
		t.Errorf("they are %s", got)
	}
	o.Emptied = true
	h.round(o, 1)
	if got := h.value("SELECT status, status FROM content_posts GROUP BY status"); got != "withdrawn" {
		t.Errorf("they are %s", got)
	}
}

func TestOnePostThatTheSiteCanNotShowHoldsUpNoOther(t *testing.T) {
	t.Parallel()
	h, p, o := newSync(t)
	for range 12 {
		p.write("posts", "Článok", paragraph("Text."))
	}
	ill := true
	p.before = func(w http.ResponseWriter, r *http.Request) bool {
		include := "," + r.URL.Query().Get("include") + ","
		if !ill || r.URL.Query().Get("_embed") == "" || !strings.Contains(include, ",7,") {
			return false
		}
		http.Error(w, "<html>There has been a critical error on this website.</html>", http.StatusInternalServerError)
		return true
	}
	r := h.round(o, 1)
	if r.Counts["post"][Taken] != 11 || reason(r, "post", "cannot show it") == nil {
		t.Errorf("%v", r.Counts)
	}
	p.mu.Lock()
	ill = false
	p.mu.Unlock()
	if r := h.round(o, 1); r.Counts["post"][Taken] != 1 {
		t.Errorf("once it is well: %v", r.Counts)
	}
}

func TestTwoSyncsOfOneEdition(t *testing.T) {
	t.Parallel()
	h, _, o := newSync(t)
	_, kill, err := h.start(h.ctx, o)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := OpenSync(h.ctx, o); !errors.Is(err, ErrSyncing) {
		t.Errorf("the second: %v", err)
	}
	kill()
	s, _, err := h.start(h.ctx, o)
	if err != nil {
		t.Fatalf("after the first was killed: %v", err)
	}
	s.Close(h.ctx)
	if s, err = OpenSync(h.ctx, o); err != nil {
		t.Fatalf("after the second has ended: %v", err)
	}
	s.Close(h.ctx)
}

func TestASyncThatLostItsLockWritesNothing(t *testing.T) {
	t.Parallel()
	h, p, o := newSync(t)
	s, err := OpenSync(h.ctx, o)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close(h.ctx)
	p.write("posts", "Článok", paragraph("Text."))
	holder, err := advisory.HolderOf(h.ctx, h.db.Core(), lockName("test_sk"))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := h.db.Core().NewRaw("SELECT pg_terminate_backend(?)", holder.PID).Exec(h.ctx); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Round(h.ctx); err == nil || h.posts() != "0" {
		t.Errorf("%v, and %s posts", err, h.posts())
	}
}

func TestPicturesOfASync(t *testing.T) {
	t.Parallel()
	h, p, o := newSync(t)
	inner := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		_, _ = w.Write(picture(t, 50))
	}))
	defer inner.Close()
	m := p.upload("/wp-content/uploads/a.png", picture(t, 10), "A")
	p.write("posts", "Obrázky", paragraph("Text.")+imageBlock(m, p.url)+
		`<figure><img src="`+inner.URL+`/x.png"/></figure><figure><img src="file:///etc/passwd"/></figure>`)
	r := h.round(o, 1)
	if r.Counts["picture"][Taken] != 1 || reason(r, "image", "not a public one") == nil ||
		reason(r, "image", "not one of the web") == nil {
		t.Errorf("%v %v", r.Counts, r.Groups)
	}
	// One that does not come through is asked for again when all is compared.
	n := p.upload("/wp-content/uploads/b.png", picture(t, 30), "B")
	b := p.write("posts", "Výpadok", paragraph("Text."))
	b.Media = n.id
	p.before = func(w http.ResponseWriter, r *http.Request) bool {
		if strings.HasSuffix(r.URL.Path, ".png") {
			w.WriteHeader(http.StatusBadGateway)
			return true
		}
		return false
	}
	head := "SELECT 1, coalesce(picture_id, 'none') FROM content_posts WHERE source_id = '" + fmt.Sprint(b.ID) + "'"
	if h.round(o, 1); h.value(head) != "none" {
		t.Errorf("it is %s", h.value(head))
	}
	p.mu.Lock()
	p.pass(time.Hour)
	p.write("posts", "Neskorší", paragraph("Text.")) // no round reads the other one for its date after this
	p.mu.Unlock()
	h.round(o, 1)
	p.mu.Lock()
	p.before = nil
	p.mu.Unlock()
	if h.round(o, 1); h.value(head) == "none" {
		t.Error("it was not asked for again")
	}
	// A folder stands before the net.
	c := p.upload("/wp-content/uploads/2026/c.png", nil, "C")
	delete(p.files, c.path)
	d := p.write("posts", "Priečinok", paragraph("Text."))
	d.Media = c.id
	o.Media = folder(t, map[string][]byte{"2026/c.png": picture(t, 70)})
	if r := h.round(o, 1); r.Counts["picture"][Taken] != 1 {
		t.Errorf("from the folder: %v %v", r.Counts, r.Groups)
	}
}

func TestAuthorsOfASiteThatListsNone(t *testing.T) {
	t.Parallel()
	h, p, o := newSync(t)
	p.closed = true
	a := p.write("posts", "Článok", paragraph("Text."))
	a.Author = 5
	b := p.write("posts", "Bez autora", paragraph("Text."))
	b.Author = 99
	h.round(o, 1)
	if got := h.value("SELECT 1, name FROM content_post_authors x JOIN content_authors a ON a.id = x.author_id"); got !=
		"Hana Brezová" {
		t.Errorf("got %q", got)
	}
	p.mu.Lock()
	p.pass(time.Minute)
	p.users[5].Name = "Hana Nová"
	p.touch(a)
	p.mu.Unlock()
	if h.round(o, 1); h.value("SELECT 1, name FROM content_authors") != "Hana Nová" {
		t.Error("the new name did not come with the post")
	}
}

func TestPasswordFile(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	for name, c := range map[string]struct{ text, want string }{
		"good":  {deskPassword + "\n", deskPassword},
		"empty": {"\n", ""}, "two lines": {"a\nb\n", ""},
	} {
		file := filepath.Join(dir, name)
		if err := os.WriteFile(file, []byte(c.text), 0o600); err != nil {
			t.Fatal(err)
		}
		if got, err := ReadPassword(file); got != c.want || (err == nil) != (c.want != "") {
			t.Errorf("%s: %q, %v", name, got, err)
		}
	}
}

func TestReportOfARound(t *testing.T) {
	t.Parallel()
	h, p, o := newSync(t)
	a := p.write("posts", "Zamknutý", paragraph("Text."))
	a.password = "x"
	p.write("posts", "Otvorený", paragraph("Text."))
	var lines, words bytes.Buffer
	o.Lines = &lines
	r := h.round(o, 1)
	if err := r.WriteRound(&words); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"Synced with " + p.url, "it has a password there — Zamknutý, " + a.Link} {
		if !strings.Contains(words.String(), want) {
			t.Errorf("%q is not in:\n%s", want, words.String())
		}
	}
	if want := fmt.Sprintf(`"id":"%d","link":"%s","outcome":"left"`, a.ID,
		a.Link); !strings.Contains(lines.String(), want) {
		t.Errorf("%s is not in:\n%s", want, lines.String())
	}
	words.Reset()
	if err := h.round(o, 1).WriteRound(&words); err != nil ||
		!strings.Contains(words.String(), "Nothing has changed there") {
		t.Errorf("%v:\n%s", err, words.String())
	}
}

func TestRunGoesOnAfterFailures(t *testing.T) {
	t.Parallel()
	h, p, o := newSync(t)
	var waits []time.Duration
	failing := false
	p.before = func(w http.ResponseWriter, r *http.Request) bool {
		if failing {
			w.WriteHeader(http.StatusForbidden)
		}
		return failing
	}
	ctx, stop := context.WithCancel(h.ctx)
	o.wait = func(_ context.Context, d time.Duration) error { waits = append(waits, d); return ctx.Err() }
	s, kill, err := h.start(ctx, o)
	if err != nil {
		t.Fatal(err)
	}
	defer kill()
	var went []bool
	err = s.Run(ctx, time.Second, func(_ *Report, err error) {
		went = append(went, err == nil)
		p.mu.Lock()
		failing = len(went) > 0 && len(went) < 4
		p.mu.Unlock()
		if len(went) == 5 {
			stop()
		}
	})
	if !errors.Is(err, context.Canceled) || fmt.Sprint(went) != "[true false false false true]" {
		t.Errorf("%v, %v", went, err)
	}
	if len(waits) < 4 || waits[0] != time.Second || waits[3] <= waits[1] || waits[1] < 2*time.Second {
		t.Errorf("waits of %v", waits)
	}
}

func TestSubscribersPostsAndThoseWithoutACategory(t *testing.T) {
	t.Parallel()
	h, p, o := newSync(t)
	p.terms["tags"][50] = &restTerm{ID: 50, Name: "Plus", Slug: "plus"}
	a := p.write("posts", "Zamknutý", paragraph("Text."))
	a.Tags, a.Categories = []int64{50}, []int64{1}
	p.write("posts", "Otvorený", paragraph("Text."))
	state := "SELECT source_id::int, locked || ':' || coalesce((SELECT slug FROM content_post_categories x JOIN " +
		"content_categories c ON c.id = x.category_id WHERE x.post_id = p.id), '') FROM content_posts p"
	for _, c := range []struct{ locked, category, want string }{
		{"", "", "false: false:"},
		{"plus", "trhy", "true:trhy false:trhy"},
		{"", "trhy", "false:trhy false:trhy"},
	} {
		o.Locked, o.Category = c.locked, c.category // other words take all posts again
		if h.round(o, 1); h.value(state) != c.want {
			t.Errorf("%q: %s, want %s", c.locked, h.value(state), c.want)
		}
	}
	o.Category = "nikde"
	if _, _, err := h.start(h.ctx, o); err == nil || !strings.Contains(err.Error(), `no category "nikde"`) {
		t.Errorf("a category that is not there: %v", err)
	}
}

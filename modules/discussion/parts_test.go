package discussion

import (
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"example.org/broadsheet/platform/paper/edition"
	"example.org/broadsheet/platform/paper/page"
	"example.org/broadsheet/platform/session"
)

// ask loads the page of a post by a query, as a visitor (reader 0) or as a reader.
func (k *env) ask(reader, post int64, query string) *page.Page {
	k.t.Helper()
	q, err := url.ParseQuery(query)
	if err != nil {
		k.t.Fatal(err)
	}
	ctx, tier := k.ctx, page.Anonymous
	if reader != 0 {
		ctx, tier = session.With(ctx, session.Session{ReaderID: reader}), page.Member
	}
	path := k.ed.DiscussionPath(post)
	p, err := k.Pages()[edition.Discussion].Load(ctx, &page.Request{
		Edition: k.ed,
		Route:   edition.Discussion, Path: path, Query: q, Tier: tier,
		Params: map[string]string{"discussionSlug": strings.TrimPrefix(path, "/discussion/")},
	})
	if err != nil {
		k.t.Fatal(err)
	}
	return p
}

// A discussion has as many addresses as it has parts: every other one leads to its beginning and is rendered for
// nobody.
func TestOnlyPartsThatAreThereHaveAnAddress(t *testing.T) {
	t.Parallel()
	k := newEnv(t)
	first := k.write(1, 5, 0, "first")
	answer := k.write(2, 5, first, "an answer")
	second := k.write(3, 5, 0, "second")
	foreign := k.write(4, 6, 0, "about another article")
	for query, want := range map[string]string{
		"":                               fmt.Sprintf("%d %d[%d]", second, first, answer),
		fmt.Sprintf("before=%d", second): fmt.Sprintf("%d[%d]", first, answer),
		fmt.Sprintf("after=%d&thread=%d", answer, first): fmt.Sprint(first),
		fmt.Sprintf("before=%d", foreign):                "",
		fmt.Sprintf("before=%d", answer):                 "", // opens no thread
		"before=999999":                                  "",
		"before=":                                        "",
		"before=x":                                       "",
		"before=0":                                       "",
		"before=-1":                                      "",
		fmt.Sprintf("before=0%d", second):                "", // one address for a part
		fmt.Sprintf("before=%d&before=%d", second, second):        "",
		fmt.Sprintf("before=%d&thread=%d", second, first):         "",
		fmt.Sprintf("thread=%d", first):                           "",
		fmt.Sprintf("after=%d", answer):                           "",
		fmt.Sprintf("after=%d&thread=%d", answer, second):         "", // of another thread
		fmt.Sprintf("after=%d&thread=%d", first, first):           "",
		fmt.Sprintf("after=%d&thread=%d", answer, foreign):        "",
		fmt.Sprintf("before=%d&after=%d&thread=%d", second, 1, 1): "",
		fmt.Sprintf("reply=%d", first):                            "", // visitors have no forms
	} {
		p := k.ask(0, 5, query)
		if want == "" {
			if p.Redirect != k.ed.DiscussionPath(5) || p.Status != http.StatusFound {
				t.Errorf("%q: %d %q %v", query, p.Status, p.Redirect, p.Data)
			}
			continue
		}
		if p.Redirect != "" || outline(p.Data.(Data)) != want {
			t.Errorf("%q: %q %v; want %s", query, p.Redirect, p.Data, want)
		}
	}
	if p := k.ask(1, 5, fmt.Sprintf("reply=%d", first)); p.Redirect != "" || p.Data.(Data).Open == nil {
		t.Errorf("a reader's form does not open: %q %v", p.Redirect, p.Data)
	}
}

// However much is said in one thread, a page has so many of its answers, and every other one is on the pages that it
// leads to.
func TestThreadsAreShownInParts(t *testing.T) {
	t.Parallel()
	k := newEnv(t)
	long := k.write(1, 5, 0, "a question")
	var all []int64
	for i := range 2*repliesAThread + 1 {
		all = append(all, k.write(int64(2+i%20), 5, long, fmt.Sprint("answer ", i)))
	}
	short := k.write(1, 5, 0, "another")
	reply := k.write(2, 5, short, "one answer")

	d := k.ask(0, 5, "").Data.(Data)
	if len(d.Threads) != 2 || len(d.Threads[1].Replies) != repliesAThread || d.Threads[1].More == "" ||
		d.Threads[0].More != "" ||
		len(d.Threads[0].Replies) != 1 || d.Threads[0].Replies[0].ID != reply || d.Count != len(all)+3 || d.Whole != "" {
		t.Fatalf("the beginning: %s, more %q and %q, %d in all", outline(d), d.Threads[0].More, d.Threads[1].More, d.Count)
	}
	// Who wrote the last answer sees it on the first page.
	mine := k.ask(int64(2+(len(all)-1)%20), 5, "").Data.(Data).Threads[1]
	if n := len(mine.Replies); mine.Replies[n-1].ID != all[len(all)-1] || !mine.Replies[n-1].Mine ||
		mine.More != d.Threads[1].More {
		t.Errorf("the writer of the last answer sees %d, more %q", mine.Replies[n-1].ID, mine.More)
	}
	var seen []int64
	for d := d; ; {
		last := d.Threads[len(d.Threads)-1]
		if last.ID != long {
			t.Fatalf("a part of %d", last.ID)
		}
		for _, r := range last.Replies {
			seen = append(seen, r.ID)
		}
		if last.More == "" {
			if d.Whole != k.ed.DiscussionPath(5) || d.Next != "" || len(d.Threads) != 1 {
				t.Errorf("the last part leads to %q, next %q", d.Whole, d.Next)
			}
			break
		}
		_, query, _ := strings.Cut(last.More, "?")
		p := k.ask(0, 5, query)
		if p.Redirect != "" {
			t.Fatalf("%s leads to %s", last.More, p.Redirect)
		}
		d = p.Data.(Data)
	}
	if fmt.Sprint(seen) != fmt.Sprint(all) {
		t.Errorf("the parts have %v\nwant %v", seen, all)
	}
}

package discussion

import (
	"context"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"example.org/broadsheet/platform/i18n"
	"example.org/broadsheet/platform/paper/edition"
	"example.org/broadsheet/platform/paper/page"
	"example.org/broadsheet/platform/session"
	"example.org/broadsheet/platform/web"
)

// tag names the kept copies of a post's discussion.
func tag(postID int64) string { return tagPrefix + strconv.FormatInt(postID, 10) }

const tagPrefix = "discussion:"

// parseAddress reads "comment-17-at", the last part of such an address; 0 when it is none of this edition's.
func parseAddress(ed *edition.Edition, s string) int64 {
	number, ok := strings.CutPrefix(s, edition.DiscussionPrefix)
	if ed.Suffix != "" {
		var own bool
		number, own = strings.CutSuffix(number, "-"+ed.Suffix)
		ok = ok && own
	}
	id, err := strconv.ParseInt(number, 10, 64)
	if !ok || err != nil || id <= 0 || strconv.FormatInt(id, 10) != number {
		return 0
	}
	return id
}

// parts name the part of a discussion that an address asks for: the threads before one, or the answers of a thread
// after one.
var parts = []string{"before", "thread", "after"}

// forms are those that an address can ask for.
var forms = []string{"reply", "edit", "report", "moderate"}

// Pages is the page that stands in the frame below an article.
func (m *Module) Pages() page.Sources {
	query := slices.Concat(parts, forms)
	return page.Sources{edition.Discussion: {Load: m.load, Query: query, Spent: query, PersonalToReaders: true}}
}

func (m *Module) load(ctx context.Context, r *page.Request) (*page.Page, error) {
	ed := r.Edition
	id := parseAddress(ed, r.Params["discussionSlug"])
	if id == 0 || !ed.Flags[Flag] {
		return nil, web.ErrNotFound
	}
	title, path, err := m.posts.Headline(ctx, id)
	if err != nil {
		return nil, err
	}
	readerID := int64(0)
	if r.Tier != page.Anonymous {
		readerID = session.ReaderID(ctx)
	}
	w, ok := parseWindow(r.Query)
	if ok && readerID == 0 {
		ok = !slices.ContainsFunc(forms, r.Query.Has) // visitors have no forms, and the page without one is the same
	}
	if ok {
		ok, err = m.holds(ctx, id, w)
	}
	if err != nil {
		return nil, err
	}
	if !ok {
		return &page.Page{Status: http.StatusFound, Redirect: r.Path, Tags: []string{tag(id)}}, nil
	}
	d, more, err := m.view(ctx, id, readerID, w)
	if err != nil {
		return nil, err
	}
	d.Post, d.Longest = About{id, title, path}, maxText
	if ed.Conduct != "" {
		d.Code = ed.Href(edition.Static, ed.Conduct)
	}
	if more {
		d.Next = r.Path + "?before=" + strconv.FormatInt(d.Threads[len(d.Threads)-1].ID, 10)
	}
	for i := range d.Threads {
		if t := &d.Threads[i]; t.last != 0 {
			t.More = r.Path + "?after=" + strconv.FormatInt(t.last, 10) + "&thread=" + strconv.FormatInt(t.ID, 10)
		}
	}
	if w.thread != 0 {
		d.Whole = r.Path
	}
	for _, f := range forms {
		if c := number(r.Query, f); c != 0 && readerID != 0 {
			d.Open = &Open{f, c}
		}
	}
	words := map[string]any{"Title": title, "Name": ed.Name}
	return &page.Page{
		Data: d, NoStore: readerID != 0, Tags: []string{tag(id), "post:" + strconv.FormatInt(id, 10)},
		Meta: page.Meta{
			Title: i18n.T(ed, "page.discussion.title", words), Description: i18n.T(ed, "page.discussion.description", words),
			Canonical: ed.URL(path), Robots: "noindex",
		},
	}, nil
}

// parseWindow reads which part of a discussion an address asks for. Every part has one address: a page that could be
// asked for by any number of them would be rendered for each.
func parseWindow(q url.Values) (w window, ok bool) {
	for name, into := range map[string]*int64{"before": &w.before, "thread": &w.thread, "after": &w.after} {
		if !q.Has(name) {
			continue
		}
		if *into = number(q, name); *into == 0 || len(q[name]) > 1 || strconv.FormatInt(*into, 10) != q.Get(name) {
			return w, false
		}
	}
	return w, (w.thread != 0) == (w.after != 0) && (w.before == 0 || w.thread == 0)
}

func number(q url.Values, name string) int64 {
	n, err := strconv.ParseInt(q.Get(name), 10, 64)
	if err != nil || n < 0 {
		return 0
	}
	return n
}

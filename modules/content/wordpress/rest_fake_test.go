package wordpress

import (
	"cmp"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"example.org/broadsheet/modules/content/wordpress/blocks"
)

// press answers as the REST API of a WordPress does, with a clock of its own.
type press struct {
	t      *testing.T
	url    string
	mu     sync.Mutex
	now    time.Time
	last   int64 // id
	posts  map[int64]*pressPost
	terms  map[string]map[int64]*restTerm // "categories", "tags"
	users  map[int64]*restUser
	media  map[int64]*pressMedia
	files  map[string][]byte
	closed bool // the list of users is
	asked  []string
	before func(w http.ResponseWriter, r *http.Request) (answered bool) // faults
}

type pressPost struct {
	restListed
	kind, title, text, excerpt, password string
	links                                []string // all that it had while it could be read
}

type pressMedia struct {
	id, parent        int64
	modified          time.Time
	path, alt, legend string
}

const deskPassword = "abcd EFGH 1234"

func newPress(t *testing.T) *press {
	t.Helper()
	p := &press{
		t: t, now: time.Date(2026, 3, 1, 8, 0, 0, 0, time.UTC), posts: map[int64]*pressPost{}, users: map[int64]*restUser{},
		media: map[int64]*pressMedia{},
		terms: map[string]map[int64]*restTerm{
			"categories": {1: {ID: 1, Name: "Uncategorized", Slug: "uncategorized"}},
			"tags":       {},
		}, files: map[string][]byte{}, last: 1,
	}
	s := httptest.NewServer(p)
	t.Cleanup(s.Close)
	p.url = s.URL
	return p
}

func (p *press) id() int64 { p.last++; return p.last }

func (p *press) stamp(t time.Time) string { return t.Format("2006-01-02T15:04:05") }

// write adds a post that appears now.
func (p *press) write(kind, title, text string) *pressPost {
	post := &pressPost{kind: kind, title: title, text: text}
	post.ID, post.Status, post.Date = p.id(), "publish", p.stamp(p.now)
	post.Slug = fmt.Sprintf("clanok-%d", post.ID)
	p.posts[post.ID] = post
	p.touch(post)
	return post
}

// touch dates a change, and remembers the address.
func (p *press) touch(post *pressPost) {
	post.Modified = p.stamp(p.now)
	post.Link = p.url + "/" + post.Slug + "/"
	if post.Date > post.Modified && post.Status == "publish" {
		post.Status = "future"
	}
	p.remember(post)
}

func (p *press) remember(post *pressPost) {
	if (post.Status == "publish" || post.Status == "future") && post.password == "" &&
		!slices.Contains(post.links, post.Link) {
		post.links = append(post.links, post.Link)
	}
}

// pass lets time go by; what was scheduled appears, and WordPress does not call that a change.
func (p *press) pass(d time.Duration) {
	p.now = p.now.Add(d)
	for _, post := range p.posts {
		if post.Status == "future" && post.Date <= p.stamp(p.now) {
			post.Status = "publish"
			p.remember(post)
		}
	}
}

func (p *press) upload(path string, bytes []byte, alt string) *pressMedia {
	m := &pressMedia{id: p.id(), modified: p.now, path: path, alt: alt, legend: "Foto: " + alt}
	p.media[m.id], p.files[path] = m, bytes
	return m
}

func (p *press) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.asked = append(p.asked, r.URL.RequestURI())
	w.Header().Set("Date", p.now.Format(http.TimeFormat))
	if p.before != nil && p.before(w, r) {
		return
	}
	if file, ok := p.files[r.URL.Path]; ok {
		_, _ = w.Write(file)
		return
	}
	route, ok := strings.CutPrefix(r.URL.Path, "/wp-json")
	if !ok {
		http.NotFound(w, r)
		return
	}
	user, password, sent := r.BasicAuth()
	if sent && (user != "desk" || password != deskPassword) {
		p.refuse(w, http.StatusUnauthorized, "incorrect_password")
		return
	}
	if route == "/" {
		p.json(w, map[string]any{"name": "Riečny kuriér", "home": p.url, "namespaces": []string{"oembed/1.0", "wp/v2"}})
		return
	}
	q := r.URL.Query()
	if q.Get("context") == "edit" && !sent {
		p.refuse(w, http.StatusUnauthorized, "rest_forbidden_context")
		return
	}
	if q.Get("status") != "" && !sent {
		p.refuse(w, http.StatusBadRequest, "rest_invalid_param")
		return
	}
	p.list(w, strings.TrimPrefix(route, "/wp/v2/"), q)
}

func (p *press) refuse(w http.ResponseWriter, status int, code string) {
	w.Header().Set("Content-Type", "application/json; charset=UTF-8")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).
		Encode(map[string]any{"code": code, "message": "Sorry.", "data": map[string]any{"status": status}})
}

func (p *press) json(w http.ResponseWriter, v any) {
	w.Header().Set("Content-Type", "application/json; charset=UTF-8")
	_ = json.NewEncoder(w).Encode(v)
}

// thing is one row of any list, with what lists are sorted by.
type thing struct {
	id             int64
	date, modified string
	parent         int64
	fields         map[string]any
}

func (p *press) list(w http.ResponseWriter, route string, q url.Values) {
	edit := q.Get("context") == "edit"
	var all []thing
	switch route {
	case "posts", "pages":
		for _, post := range p.posts {
			if post.kind == route && (post.Status == "publish" || strings.Contains(q.Get("status"), post.Status)) {
				all = append(all, p.postThing(post, edit, q.Get("_embed") != ""))
			}
		}
	case "media":
		for _, m := range p.media {
			caption := map[string]any{"rendered": "<p>" + m.legend + "</p>\n"}
			if edit {
				caption["raw"] = m.legend
			}
			all = append(all, thing{id: m.id, modified: p.stamp(m.modified), parent: m.parent, fields: map[string]any{
				"id": m.id, "modified_gmt": p.stamp(m.modified), "source_url": p.url + m.path, "alt_text": m.alt,
				"caption": caption,
			}})
		}
	case "users":
		if p.closed {
			p.refuse(w, http.StatusUnauthorized, "rest_user_cannot_view")
			return
		}
		for _, u := range p.users {
			all = append(all, thing{id: u.ID, fields: fieldsOf(u)})
		}
	case "categories", "tags":
		for _, t := range p.terms[route] {
			all = append(all, thing{id: t.ID, fields: fieldsOf(t)})
		}
	default:
		p.refuse(w, http.StatusNotFound, "rest_no_route")
		return
	}
	all = slices.DeleteFunc(all, func(t thing) bool { return !asksFor(t, q) })
	slices.SortFunc(all, func(a, b thing) int {
		by := map[string]int{
			"date":     cmp.Compare(a.date, b.date),
			"modified": cmp.Compare(a.modified, b.modified),
		}[q.Get("orderby")]
		if by == 0 {
			by = cmp.Compare(a.id, b.id)
		}
		if q.Get("order") != "asc" {
			by = -by
		}
		return by
	})
	p.page(w, route, all, q)
}

func asksFor(t thing, q url.Values) bool {
	if after := q.Get("modified_after"); after != "" && t.modified <= strings.TrimSuffix(after, "Z") {
		return false
	}
	if parent := q.Get("parent"); parent != "" && parent != strconv.FormatInt(t.parent, 10) {
		return false
	}
	return q.Get("include") == "" || slices.Contains(strings.Split(q.Get("include"), ","), strconv.FormatInt(t.id, 10))
}

func (p *press) page(w http.ResponseWriter, route string, all []thing, q url.Values) {
	size, page := 10, 1
	if n, err := strconv.Atoi(q.Get("per_page")); err == nil {
		size = n
	}
	if n, err := strconv.Atoi(q.Get("page")); err == nil {
		page = n
	}
	if size < 1 || size > 100 {
		p.refuse(w, http.StatusBadRequest, "rest_invalid_param")
		return
	}
	if page > 1 && (page-1)*size >= len(all) {
		p.refuse(w, http.StatusBadRequest, "rest_"+strings.TrimSuffix(route, "s")+"_invalid_page_number")
		return
	}
	w.Header().Set("X-WP-Total", strconv.Itoa(len(all)))
	w.Header().Set("X-WP-TotalPages", strconv.Itoa((len(all)+size-1)/size))
	out := []map[string]any{}
	for _, t := range all[min(len(all), (page-1)*size):min(len(all), page*size)] {
		if names := q.Get("_fields"); names != "" {
			some := map[string]any{}
			for _, name := range strings.Split(names, ",") {
				if v, ok := t.fields[name]; ok {
					some[name] = v
				}
			}
			t.fields = some
		}
		out = append(out, t.fields)
	}
	p.json(w, out)
}

func fieldsOf(v any) (out map[string]any) {
	b, _ := json.Marshal(v)
	_ = json.Unmarshal(b, &out)
	return out
}

func (p *press) postThing(post *pressPost, edit, embed bool) thing {
	f := fieldsOf(post.restListed)
	if post.kind == "pages" {
		for _, name := range []string{"categories", "tags", "sticky"} {
			delete(f, name)
		}
	}
	shown, closed := post.text, post.password != ""
	if closed && !edit {
		shown = ""
	}
	content := map[string]any{"rendered": blockMarks.ReplaceAllString(shown, ""), "protected": closed && !edit}
	title := map[string]any{"rendered": strings.ReplaceAll(post.title, "&", "&#038;")}
	excerpt := map[string]any{"rendered": "<p>" + post.excerpt + "</p>\n", "protected": closed && !edit}
	if post.excerpt == "" {
		excerpt["rendered"] = "<p>" + blocks.Plain(blockMarks.ReplaceAllString(shown, "")) + " [&hellip;]</p>\n"
	}
	f["meta"] = []any{}
	if edit {
		content["raw"], title["raw"], excerpt["raw"], f["password"] = post.text, post.title, post.excerpt, post.password
	}
	f["title"], f["content"], f["excerpt"] = title, content, excerpt
	if embed {
		author := any(map[string]any{"code": "rest_user_invalid_id", "data": map[string]any{"status": 404}})
		if u := p.users[post.Author]; u != nil {
			author = u
		}
		f["_embedded"] = map[string]any{"author": []any{author}}
	}
	return thing{id: post.ID, date: post.Date, modified: post.Modified, fields: f}
}

// faults makes one answer in some fail in a way that sites do.
func faults(r *rand.Rand, w http.ResponseWriter) bool {
	switch r.IntN(30) {
	case 0:
		w.Header().Set("Retry-After", "7")
		http.Error(w, "slow down", http.StatusTooManyRequests)
	case 1:
		http.Error(w, "<html><title>Error</title></html>", http.StatusInternalServerError)
	case 2:
		w.Header().Set("Content-Length", "1000")
		_, _ = w.Write([]byte(`[{"id":`)) // and the line breaks
	case 3:
		w.Header().Set("Retry-After", time.Date(2026, 3, 1, 9, 0, 0, 0, time.UTC).Format(http.TimeFormat))
		http.Error(w, "maintenance", http.StatusServiceUnavailable)
	case 4:
		panic(http.ErrAbortHandler)
	default:
		return false
	}
	return true
}

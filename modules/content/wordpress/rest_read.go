package wordpress

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"example.org/broadsheet/modules/content/wordpress/blocks"
)

const (
	restPage  = 100     // the most that WordPress gives at once
	restPages = 100_000 // a site that never ends is no site
)

// restText is a text that has one form for the desk and one for readers.
type restText struct {
	Raw       *string `json:"raw"` // with context=edit only
	Rendered  string  `json:"rendered"`
	Protected bool    `json:"protected"`
}

func (t restText) either() string {
	if t.Raw != nil {
		return *t.Raw
	}
	return t.Rendered
}

// restListed is what lists tell of a post: enough to see that it has changed.
type restListed struct {
	ID         int64   `json:"id"`
	Date       string  `json:"date_gmt"`
	Modified   string  `json:"modified_gmt"`
	Slug       string  `json:"slug"`
	Status     string  `json:"status"`
	Link       string  `json:"link"`
	Author     int64   `json:"author"`
	Media      int64   `json:"featured_media"`
	Categories []int64 `json:"categories"`
	Tags       []int64 `json:"tags"`
	Sticky     bool    `json:"sticky"`
}

const listedFields = "id,date_gmt,modified_gmt,slug,status,link,author,featured_media,categories,tags,sticky"

func (l *restListed) modified() time.Time { return restTime(l.Modified) }

// restPost is a post or a page.
type restPost struct {
	restListed
	Title    restText        `json:"title"`
	Content  restText        `json:"content"`
	Excerpt  restText        `json:"excerpt"`
	Password string          `json:"password"`
	Meta     json.RawMessage `json:"meta"` // a list when it is empty
	Embedded struct {
		Authors []restUser `json:"author"`
	} `json:"_embedded"`
}

type restTerm struct {
	ID          int64  `json:"id"`
	Name        string `json:"name"`
	Slug        string `json:"slug"`
	Description string `json:"description"`
	Parent      int64  `json:"parent"`
}

type restUser struct {
	ID          int64  `json:"id"`
	Name        string `json:"name"`
	Slug        string `json:"slug"`
	Description string `json:"description"`
}

type restMedia struct {
	ID       int64    `json:"id"`
	Modified string   `json:"modified_gmt"`
	Source   string   `json:"source_url"`
	Alt      string   `json:"alt_text"`
	Caption  restText `json:"caption"`
}

const mediaFields = "id,modified_gmt,source_url,alt_text,caption"

// restBlock is a block that posts share.
type restBlock struct {
	ID      int64    `json:"id"`
	Content restText `json:"content"`
}

// restTime reads a date of the API, which is UTC without saying so; zero for none.
func restTime(s string) time.Time {
	for _, layout := range []string{"2006-01-02T15:04:05", time.RFC3339} {
		if t, err := time.Parse(layout, s); err == nil && t.Year() >= 1900 {
			return t.UTC()
		}
	}
	return time.Time{}
}

func stampOf(t time.Time) string { return t.UTC().Format("2006-01-02T15:04:05Z") }

func digest(v any) string {
	b, err := json.Marshal(v)
	if err != nil { // plain structs always have JSON
		panic(err)
	}
	sum := sha256.Sum256(b)
	return hex.EncodeToString(sum[:12])
}

// query makes the values of a question from pairs.
func query(pairs ...string) url.Values {
	q := url.Values{}
	for i := 0; i+1 < len(pairs); i += 2 {
		q.Set(pairs[i], pairs[i+1])
	}
	return q
}

func joinIDs(ids []int64) string {
	words := make([]string, len(ids))
	for i, id := range ids {
		words[i] = strconv.FormatInt(id, 10)
	}
	return strings.Join(words, ",")
}

// decode reads one page of things.
func decode[T any](a *restAnswer, route string) ([]T, error) {
	var out []T
	if err := json.Unmarshal(a.body, &out); err != nil {
		return nil, fmt.Errorf("%s: %w: %w", route, errNotREST, err)
	}
	return out, nil
}

// listAll reads all pages of a list. total is what the site says of their number, -1 when it says nothing.
func listAll[T any](ctx context.Context, s *site, route string, q url.Values) (out []T, total int, err error) {
	total = -1
	q.Set("per_page", strconv.Itoa(restPage))
	for page := 1; page <= restPages; page++ {
		q.Set("page", strconv.Itoa(page))
		a, err := s.get(ctx, route, q)
		var e *SiteError
		if page > 1 && errors.As(err, &e) && e.Status == http.StatusBadRequest {
			return out, total, nil // the list has become shorter in the meantime
		}
		if err != nil {
			return nil, -1, err
		}
		some, err := decode[T](a, route)
		if err != nil {
			return nil, -1, err
		}
		out, total = append(out, some...), a.total
		// A page may be shorter than it should: the site leaves out what this reader may not see.
		if len(some) == 0 || a.totalPages >= 0 && page >= a.totalPages {
			return out, total, nil
		}
	}
	return nil, -1, &SiteError{Reason: route + " has no last page"}
}

// named reads the things of some ids, those that are there.
func named[T any](ctx context.Context, s *site, route string, ids []int64, q url.Values) (out []T, err error) {
	for some := range slices.Chunk(ids, restPage) {
		q.Set("include", joinIDs(some))
		q.Set("per_page", strconv.Itoa(restPage))
		a, err := s.get(ctx, route, q)
		if err != nil {
			return nil, err
		}
		part, err := decode[T](a, route)
		if err != nil {
			return nil, err
		}
		out = append(out, part...)
	}
	return out, nil
}

// open finds the REST API and sees whether it lets us in.
func (s *site) open(ctx context.Context) error {
	var index struct {
		Name       string   `json:"name"`
		Home       string   `json:"home"`
		Namespaces []string `json:"namespaces"`
	}
	var first error
	for _, s.plain = range []bool{false, true} {
		a, err := s.get(ctx, "/", nil)
		if err == nil {
			if err = json.Unmarshal(a.body, &index); err == nil && slices.Contains(index.Namespaces, "wp/v2") {
				break
			}
			err = &SiteError{Status: http.StatusNotFound, Reason: s.link("/", nil) + " is not WordPress' REST API"}
		}
		var e *SiteError
		if ctx.Err() != nil || !errors.As(err, &e) || e.Status == 0 || e.Status >= http.StatusInternalServerError {
			return err
		}
		if first == nil || errors.As(first, &e) && e.Status == http.StatusNotFound {
			first = err
		}
		index.Namespaces = nil
	}
	if index.Namespaces == nil {
		return s.closed(first)
	}
	s.name = blocks.Plain(index.Name)
	home, err := url.Parse(index.Home)
	if err != nil || home.Host == "" {
		home = s.address
	}
	s.home = home
	if s.user == "" {
		return nil
	}
	if _, err := s.get(ctx, "/wp/v2/posts",
		query("context", "edit", "status", "publish,future", "per_page", "1", "_fields", "id")); err != nil {
		return s.closed(err)
	}
	return nil
}

// closed says what to do about an API that does not let us in.
func (s *site) closed(err error) error {
	var e *SiteError
	if !errors.As(err, &e) {
		return err
	}
	out := *e
	switch {
	case (e.Status == http.StatusUnauthorized || e.Status == http.StatusForbidden || e.Status == http.StatusBadRequest) &&
		s.user != "":
		out.Reason = fmt.Sprintf("%s: the site does not take the application password of %q, does not get to see it (its "+
			"web server may drop the Authorization header), "+
			"or the account may not edit posts: make one under Users, Profile, Application Passwords of an account with the "+
			"role Editor", e.Reason, s.user)
	case e.Status == http.StatusUnauthorized || e.Status == http.StatusForbidden:
		out.Reason = e.Reason + ": the REST API is closed to visitors: name an account with --user and --password-file (an " +
			"application password), or let this machine through where it is closed (a plugin or a firewall)"
	case e.Status == http.StatusNotFound:
		out.Reason = e.Reason + ": there is no REST API of a WordPress: check --url (the address of the site's front " +
			"page), and whether a plugin switches the API off"
	}
	return &out
}

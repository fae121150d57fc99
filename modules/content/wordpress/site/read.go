package site

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"example.org/broadsheet/modules/content/wordpress/blocks"
)

// PerPage is how many things WordPress gives at once, at most.
const PerPage = 100

// maxPages is more than any site has: one that never ends is no site.
const maxPages = 100_000

// Query makes the values of a question from pairs.
func Query(pairs ...string) url.Values {
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
func decode[T any](a *answer, route string) ([]T, error) {
	var out []T
	if err := json.Unmarshal(a.body, &out); err != nil {
		return nil, fmt.Errorf("%s: %w: %w", route, errNotREST, err)
	}
	return out, nil
}

// Page reads the first page of a list. total is what the site says of the number of all, -1 when it says nothing.
func Page[T any](ctx context.Context, s *Site, route string, q url.Values) (list []T, total int, err error) {
	a, err := s.get(ctx, route, q)
	if err != nil {
		return nil, -1, err
	}
	list, err = decode[T](a, route)
	return list, a.total, err
}

// List reads all pages of a list. total is what the site says of their number, -1 when it says nothing.
func List[T any](ctx context.Context, s *Site, route string, q url.Values) (out []T, total int, err error) {
	total = -1
	q.Set("per_page", strconv.Itoa(PerPage))
	for page := 1; page <= maxPages; page++ {
		q.Set("page", strconv.Itoa(page))
		a, err := s.get(ctx, route, q)
		var e *Error
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
	return nil, -1, &Error{Reason: route + " has no last page"}
}

// Named reads the things of some ids, those that are there.
func Named[T any](ctx context.Context, s *Site, route string, ids []int64, q url.Values) (out []T, err error) {
	for some := range slices.Chunk(ids, PerPage) {
		q.Set("include", joinIDs(some))
		q.Set("per_page", strconv.Itoa(PerPage))
		part, _, err := Page[T](ctx, s, route, q)
		if err != nil {
			return nil, err
		}
		out = append(out, part...)
	}
	return out, nil
}

// Open finds the REST API and sees whether it lets us in.
func (s *Site) Open(ctx context.Context) error {
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
			err = &Error{Status: http.StatusNotFound, Reason: s.link("/", nil) + " is not WordPress' REST API"}
		}
		var e *Error
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
	s.Home = home
	if s.user == "" {
		return nil
	}
	if _, err := s.get(ctx, "/wp/v2/posts",
		Query("context", "edit", "status", "publish,future", "per_page", "1", "_fields", "id")); err != nil {
		return s.closed(err)
	}
	return nil
}

// closed says what to do about an API that does not let us in.
func (s *Site) closed(err error) error {
	var e *Error
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

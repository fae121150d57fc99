// Package site reads a WordPress from outside: its REST API (rest.go asks one question until it is answered, read.go
// makes lists of the answers) and its pictures by their addresses (pictures.go). What the answers mean is for package
// wordpress.
//
// It imports platform, and what cleans texts; it knows no edition and no database.
package site

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"mime"
	"net/http"
	"net/netip"
	"net/url"
	"strconv"
	"strings"
	"time"

	"example.org/broadsheet/modules/content/markup"
	"example.org/broadsheet/modules/content/wordpress/blocks"
)

// How long a question is asked, and how much is read of its answer.
const (
	timeout    = time.Minute      // for one answer, to its last byte
	maxAnswer  = 32 << 20         // bytes of one answer
	tries      = 6                // of one question
	apartTries = 3                // of one that may fail because of a single post
	firstPause = time.Second      // doubled with every try
	LongPause  = 5 * time.Minute  // between two tries, unless the site asks for more
	AskedPause = 15 * time.Minute // the most that a site may ask for
)

// Error is an answer of a site that cannot be worked with. Its text says what to do about it.
type Error struct {
	Status int    // of HTTP; 0 when there was no answer
	Code   string // of WordPress: "rest_post_invalid_page_number"; "" when it said none
	Reason string
}

func (e *Error) Error() string { return e.Reason }

var (
	errTooLong = errors.New("its answer is too long")
	errNotREST = errors.New("its answer is not what WordPress' REST API gives")
)

// temporaryError is an error that may be gone the next time.
type temporaryError struct {
	error
	after time.Duration // the least to wait, by the site's own word
}

func (p *temporaryError) Unwrap() error { return p.error }

// IsTemporary reports whether an error may be gone the next time.
func IsTemporary(err error) bool {
	var later *temporaryError
	return errors.As(err, &later)
}

// Site is a WordPress as its REST API shows it.
type Site struct {
	client         *http.Client
	address        *url.URL // of its front page, as it was given
	plain          bool     // routes stand in the query: ?rest_route=/wp/v2/posts
	Home           *url.URL // as the site calls itself
	name           string
	user, password string
	clock          func() time.Time
	Wait           func(context.Context, time.Duration) error
	Now            time.Time // of the latest answer, by the site's clock
}

// answer is one page of JSON.
type answer struct {
	body       []byte
	total      int // of all pages; -1 when the site does not say
	totalPages int // -1 when the site does not say
}

// Options say which site is read, and as whom.
type Options struct {
	URL            string // of its front page
	User, Password string // of an application password; "" without one
	Clock          func() time.Time
	Wait           func(context.Context, time.Duration) error // between two tries; nil sleeps
}

// New is a site that nobody has asked anything so far.
func New(o Options) (*Site, error) {
	address, err := url.Parse(strings.TrimSpace(o.URL))
	if err == nil && address.Scheme == "" && address.Host == "" {
		address, err = url.Parse("https://" + strings.TrimSpace(o.URL))
	}
	if err != nil {
		return nil, fmt.Errorf("--url: %q cannot be read as an address", o.URL)
	}
	if err := checkAddress(address); err != nil {
		return nil, fmt.Errorf("--url %s: %w; give the address of the site's front page", o.URL, err)
	}
	if o.User != "" && address.Scheme != "https" && !loopback(address.Hostname()) {
		return nil, fmt.Errorf("--url %s: a password goes over https only", o.URL)
	}
	address.RawQuery, address.Fragment, address.Path = "", "",
		strings.TrimSuffix(strings.TrimSuffix(strings.TrimRight(address.Path, "/"), "/wp-json"), "/")
	s := &Site{address: address, user: o.User, password: o.Password, clock: o.Clock, Wait: o.Wait}
	if s.Wait == nil {
		s.Wait = pause
	}
	s.client = &http.Client{
		Timeout: timeout,
		Transport: &http.Transport{
			Proxy: http.ProxyFromEnvironment, TLSHandshakeTimeout: 10 * time.Second, ResponseHeaderTimeout: timeout,
			MaxIdleConnsPerHost: 2, IdleConnTimeout: time.Minute, MaxResponseHeaderBytes: 64 << 10, ForceAttemptHTTP2: true,
		},
		CheckRedirect: func(r *http.Request, via []*http.Request) error {
			from := via[len(via)-1].URL
			if len(via) > maxRedirects || blocks.BareHost(r.URL.Hostname()) != blocks.BareHost(from.Hostname()) ||
				from.Scheme == "https" && r.URL.Scheme != "https" {
				return &Error{Reason: fmt.Sprintf("%s sends to %s://%s: name that address with --url if it is the same site",
					s.address, r.URL.Scheme, r.URL.Host)}
			}
			return nil
		},
	}
	return s, nil
}

func loopback(host string) bool {
	a, err := netip.ParseAddr(host)
	return host == "localhost" || strings.HasSuffix(host, ".localhost") || err == nil && a.IsLoopback()
}

// pause waits, or returns the context's error.
func pause(ctx context.Context, d time.Duration) error {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-t.C:
		return nil
	}
}

// BackOff is how long to wait after a number of failures, give or take a quarter, so that many who wait do not come at
// once.
func BackOff(failures int) time.Duration {
	d := min(firstPause<<min(failures, 20), LongPause)
	return d*3/4 + rand.N(d/2) //nolint:gosec // spreads visits, keeps no secret
}

// IsOfOnePost reports whether an error may be that of one post among those that were asked for.
func IsOfOnePost(err error) bool {
	var e *Error
	return errors.As(err, &e) && e.Status == http.StatusInternalServerError || errors.Is(err, errTooLong) ||
		errors.Is(err, errNotREST)
}

// LoggedIn reports whether the site is read as somebody who edits it.
func (s *Site) LoggedIn() bool { return s.user != "" }

// get asks for a route, "/wp/v2/posts", until there is an answer or no hope for one.
func (s *Site) get(ctx context.Context, route string, q url.Values) (*answer, error) {
	for try := 0; ; try++ {
		a, err := s.ask(ctx, route, q)
		var later *temporaryError
		if err == nil || ctx.Err() != nil || !errors.As(err, &later) || try+1 == tries ||
			IsOfOnePost(err) && try+1 == apartTries {
			return a, cmp.Or(ctx.Err(), err)
		}
		if err := s.Wait(ctx, max(BackOff(try), min(later.after, AskedPause))); err != nil {
			return nil, err
		}
	}
}

func (s *Site) link(route string, q url.Values) string {
	u := *s.address
	if s.plain {
		if q == nil {
			q = url.Values{}
		}
		u.Path += "/"
		u.RawQuery = "rest_route=" + route + "&" + q.Encode()
		return u.String()
	}
	u.Path += "/wp-json" + route
	u.RawQuery = q.Encode()
	return u.String()
}

// ask asks once.
func (s *Site) ask(ctx context.Context, route string, q url.Values) (*answer, error) {
	link := s.link(route, q)
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, link, http.NoBody)
	if err != nil {
		return nil, err
	}
	req.Header.Set("Accept", "application/json")
	req.Header.Set("Cache-Control", "no-cache")
	req.Header.Set("User-Agent", "broadsheet-sync")
	if s.user != "" {
		req.SetBasicAuth(s.user, s.password)
	}
	res, err := s.client.Do(req)
	if err != nil {
		var e *Error
		if errors.As(err, &e) {
			return nil, e
		}
		return nil, &temporaryError{error: &Error{Reason: fmt.Sprintf("%s does not answer: %v", s.address,
			errors.Unwrap(err))}}
	}
	defer res.Body.Close() //nolint:errcheck // read only
	body, err := io.ReadAll(io.LimitReader(res.Body, maxAnswer+1))
	switch {
	case err != nil && res.StatusCode == http.StatusOK:
		return nil, &temporaryError{error: &Error{
			Status: res.StatusCode,
			Reason: fmt.Sprintf("%s: the answer broke off: %v", link, err),
		}}
	case len(body) > maxAnswer:
		return nil, fmt.Errorf("%s: %w: more than %d MB", link, errTooLong, maxAnswer>>20)
	}
	if t, err := http.ParseTime(res.Header.Get("Date")); err == nil {
		s.Now = t.UTC()
	} else {
		s.Now = s.clock()
	}
	if res.StatusCode != http.StatusOK {
		return nil, s.refused(link, res, body)
	}
	body = trimMark(body)
	if !json.Valid(body) {
		return nil, notJSON(link, res, body)
	}
	return &answer{body, count(res.Header, "X-WP-Total"), count(res.Header, "X-WP-TotalPages")}, nil
}

func trimMark(body []byte) []byte {
	return []byte(strings.TrimSpace(strings.TrimPrefix(string(body), "\ufeff")))
}

func count(h http.Header, name string) int {
	n, err := strconv.Atoi(h.Get(name))
	if err != nil || n < 0 {
		return -1
	}
	return n
}

// refused explains an answer that is no success.
func (s *Site) refused(link string, res *http.Response, body []byte) error {
	var said struct{ Code, Message string }
	_ = json.Unmarshal(trimMark(body), &said) // words, if it has any
	words := markup.Shorten(blocks.Plain(said.Message), 200)
	if said.Code != "" {
		words = strings.TrimSpace(said.Code + " " + words)
	} else if kind, _, _ := mime.ParseMediaType(res.Header.Get("Content-Type")); kind == "text/html" {
		words = "a web page" + titled(body)
	}
	e := &Error{
		Status: res.StatusCode, Code: said.Code,
		Reason: fmt.Sprintf("%s answers %d (%s)", link, res.StatusCode, cmp.Or(words, "no words")),
	}
	if res.StatusCode == http.StatusTooManyRequests || res.StatusCode >= http.StatusInternalServerError {
		return &temporaryError{error: e, after: s.retryAfter(res.Header.Get("Retry-After"))}
	}
	return e
}

// retryAfter reads seconds or a date.
func (s *Site) retryAfter(v string) time.Duration {
	if n, err := strconv.Atoi(strings.TrimSpace(v)); err == nil {
		return time.Duration(max(0, min(n, int(AskedPause/time.Second)))) * time.Second
	}
	if t, err := http.ParseTime(v); err == nil {
		return max(0, t.Sub(s.Now))
	}
	return 0
}

// notJSON explains a success that is none.
func notJSON(link string, res *http.Response, body []byte) error {
	var syntax *json.SyntaxError
	if err := json.Unmarshal(body, new(json.RawMessage)); errors.As(err, &syntax) && len(body) > 0 &&
		syntax.Offset >= int64(len(body)) && body[0] != '<' {
		return &temporaryError{error: &Error{Status: res.StatusCode, Reason: link + ": the answer ends in the middle"}}
	}
	what := fmt.Sprintf("something else (%q)", markup.Shorten(string(body[:min(len(body), 100)]), 60))
	if kind, _, _ := mime.ParseMediaType(res.Header.Get("Content-Type")); kind == "text/html" ||
		strings.HasPrefix(string(body), "<") {
		what = "a web page" + titled(body)
	}
	return &Error{
		Status: res.StatusCode, Code: "html",
		Reason: fmt.Sprintf("%s answers with %s where JSON was expected: "+
			"a login, a firewall, a maintenance page or a message of PHP stands before the REST API; let this machine "+
			"through, or switch it off", link, what),
	}
}

func titled(body []byte) string {
	_, rest, ok := strings.Cut(string(body[:min(len(body), 64<<10)]), "<title>")
	if !ok {
		return ""
	}
	title, _, _ := strings.Cut(rest, "</title>")
	return fmt.Sprintf(" called %q", markup.Shorten(blocks.Plain(title), 80))
}

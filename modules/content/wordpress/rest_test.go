package wordpress

import (
	"context"
	"errors"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"example.org/broadsheet/modules/content/wordpress/site"
)

func TestASiteThatCanNotBeReadSaysWhatToDo(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	say := func(status int, kind, body string) http.HandlerFunc {
		return func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", kind)
			w.WriteHeader(status)
			_, _ = w.Write([]byte(body))
		}
	}
	moved := func(w http.ResponseWriter, r *http.Request) {
		http.Redirect(w, r, "https://other.example/wp-json/", http.StatusMovedPermanently)
	}
	refusal := `{"code":"rest_login_required","message":"Only <b>members</b>."}`
	for name, c := range map[string]struct {
		answer http.HandlerFunc
		user   string
		want   []string
	}{
		"closed": {
			say(401, "application/json", refusal), "",
			[]string{"401", "rest_login_required Only members .", "--user"},
		},
		"forbidden": {
			say(403, "text/html", "<title>Wall &amp; Co</title>"), "",
			[]string{"403", `"Wall & Co"`, "firewall"},
		},
		"not there": {say(404, "text/html", "<title>Nothing</title>"), "", []string{"404", "check --url"}},
		"a web page": {
			say(200, "text/html", "<!doctype html><title>Sign in</title>"), "",
			[]string{"a web page", `"Sign in"`, "JSON was expected"},
		},
		"PHP's messages": {say(200, "application/json", "<br />\n<b>Notice</b>: x {}"), "", []string{"a message of PHP"}},
		"something else": {
			say(200, "application/json", `{"name":"x","namespaces":["oembed/1.0"]}`), "",
			[]string{"is not WordPress' REST API", "check --url"},
		},
		"wrong password": {
			say(401, "application/json", `{"code":"incorrect_password","message":"No."}`), "desk",
			[]string{"application password of \"desk\"", "Editor"},
		},
		"another site":     {moved, "", []string{"sends to https://other.example", "--url"}},
		"for ever too hot": {say(503, "text/html", "<title>Maintenance</title>"), "", []string{"503", `"Maintenance"`}},
	} {
		t.Run(name, func(t *testing.T) {
			s := httptest.NewServer(c.answer)
			defer s.Close()
			o := SyncOptions{
				Library: h.module, Images: h.o.Images, DB: h.db, URL: s.URL, User: c.user, Password: "x",
				wait: func(ctx context.Context, _ time.Duration) error {
					return ctx.Err()
				},
			}
			_, err := OpenSync(h.ctx, o)
			var e *site.Error
			if !errors.As(err, &e) {
				t.Fatalf("got %v", err)
			}
			for _, want := range c.want {
				if !strings.Contains(err.Error(), want) {
					t.Errorf("%q is not in: %s", want, err)
				}
			}
		})
	}
	for address, want := range map[string]string{
		"ftp://a.example": "not one of the web", "": "names no host", "https://u:p@a.example": "holds a password",
		"http://a.example": "https only", "https://a b": "cannot be read",
	} {
		if _, err := OpenSync(h.ctx, SyncOptions{DB: h.db, URL: address, User: "desk", Password: "x"}); err == nil ||
			!strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %s", address, err, want)
		}
	}
}

func TestASiteWithoutPrettyAddresses(t *testing.T) {
	t.Parallel()
	h, p, o := newSync(t)
	p.write("posts", "Článok", paragraph("Text."))
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		route := r.URL.Query().Get("rest_route")
		if r.URL.Path != "/blog/" || route == "" {
			http.NotFound(w, r)
			return
		}
		r.URL.Path = "/wp-json" + route
		p.ServeHTTP(w, r)
	}))
	defer s.Close()
	o.URL = s.URL + "/blog/"
	if r := h.round(o, 1); r.Counts["post"][Taken] != 1 {
		t.Errorf("%v", r.Counts)
	}
}

func TestBackOff(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name   string
		header string
		status int
		least  []time.Duration // of each wait
	}{
		{
			"by itself", "", 502,
			[]time.Duration{
				750 * time.Millisecond, 1500 * time.Millisecond, 3 * time.Second, 6 * time.Second,
				12 * time.Second,
			},
		},
		{"as the site asks", "90", 429, []time.Duration{90 * time.Second, 90 * time.Second}},
		{"until a date", "Sun, 01 Mar 2026 08:02:00 GMT", 503, []time.Duration{2 * time.Minute}},
		{"no longer than is sane", "86400", 503, []time.Duration{site.AskedPause}},
		{"with a word that is none", "soon", 429, []time.Duration{750 * time.Millisecond}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			h, p, o := newSync(t)
			fails := len(c.least)
			p.before = func(w http.ResponseWriter, _ *http.Request) bool {
				if fails--; fails < 0 {
					return false
				}
				w.Header().Set("Retry-After", c.header)
				w.WriteHeader(c.status)
				return true
			}
			var waits []time.Duration
			o.wait = func(_ context.Context, d time.Duration) error { waits = append(waits, d); return nil }
			s, err := OpenSync(h.ctx, o)
			if err != nil {
				t.Fatal(err)
			}
			s.Close(h.ctx)
			if len(waits) != len(c.least) {
				t.Fatalf("waits: %v", waits)
			}
			for i, d := range waits {
				if d < c.least[i] || d > 2*c.least[i] {
					t.Errorf("wait %d: %v, want about %v", i, d, c.least[i])
				}
			}
		})
	}
	for failures := range 100 {
		if d := site.BackOff(failures); d <= 0 || d > site.LongPause*5/4 {
			t.Errorf("after %d failures %v", failures, d)
		}
	}
}

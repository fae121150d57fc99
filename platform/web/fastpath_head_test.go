package web

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"regexp"
	"strings"
	"sync"
	"testing"

	"example.org/broadsheet/platform/onewrite"
	"example.org/broadsheet/platform/session"
)

// connected is a shortcut behind connections that take a head as it was prepared.
type connected struct {
	*shortcut
	mu sync.Mutex // held while a request is answered
	*httptest.Server
}

func newConnected(t *testing.T) *connected {
	t.Helper()
	c := &connected{shortcut: newShortcut(t)}
	c.Server = httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		c.mu.Lock()
		defer c.mu.Unlock()
		c.ServeHTTP(w, r)
	}))
	c.Listener = onewrite.Listener(c.Listener)
	c.Config.ConnContext, c.Config.ConnState = onewrite.Context, onewrite.Idle
	c.Start()
	t.Cleanup(c.Close)
	return c
}

// ask returns the head of an answer, without what is new each time, and its body.
func (c *connected) ask(t *testing.T, method string, header ...string) (head, body string) {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), method, c.URL+"/page", nil)
	if err != nil {
		t.Fatal(err)
	}
	r.Host = "sk.test"
	r.Header.Set("User-Agent", "Mozilla/5.0")
	for i := 0; i < len(header); i += 2 {
		r.Header.Set(header[i], header[i+1])
	}
	c.settle() // shows the handler what was changed
	res, err := c.Client().Transport.RoundTrip(r)
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close() //nolint:errcheck // all was read
	all, err := io.ReadAll(res.Body)
	if err != nil {
		t.Fatal(err)
	}
	c.settle()
	res.Header.Del("X-Request-Id")
	res.Header.Del("Date")
	return res.Status + "\n" + headerText(res.Header), string(all)
}

// settle returns once no request is being answered.
func (c *connected) settle() {
	c.mu.Lock()
	defer c.mu.Unlock()
}

// What goes out as it was prepared is what the long way sends: in each coding, for visitors and readers, with a tag.
func TestTheFastPathSendsTheSameHead(t *testing.T) {
	t.Parallel()
	c := newConnected(t)
	c.body = strings.Repeat("a page ", 10_000)
	c.sessions["one"], c.entitled[7] = session.Session{ID: 1, ReaderID: 7}, true
	c.sessions["plain"] = session.Session{ID: 3, ReaderID: visitorLike}
	for _, cookie := range []string{"choice=all", "session=one", "session=plain"} {
		for _, coding := range []string{"br", "gzip", "identity", "gzip, br", "br"} {
			name, header := cookie+", "+coding, []string{"Cookie", cookie, "Accept-Encoding", coding}
			c.cache.PurgeEdition(c.edition)
			c.ask(t, http.MethodGet, header...) // is made
			c.ask(t, http.MethodGet, header...)
			c.fast.known.InvalidateAll()
			c.long = 0
			head, body := c.ask(t, http.MethodGet, header...)
			if c.long != 1 || !strings.Contains(head, "X-Cache: hit") || !strings.Contains(head, "Etag: ") {
				t.Fatalf("%s: %d went the long way, want 1:\n%s", name, c.long, head)
			}
			for range 2 {
				if h, b := c.ask(t, http.MethodGet, header...); c.long != 1 || h != head || b != body {
					t.Errorf("%s: %d went the long way, want 1; got %d bytes, want %d, and\n%s\nwant\n%s", name, c.long,
						len(b), len(body), h, head)
				}
			}
			if h, b := c.ask(t, http.MethodHead, header...); c.long != 2 || h != head || b != "" {
				t.Errorf("%s, HEAD: got %d bytes and\n%s\nwant\n%s", name, len(b), h, head)
			}
			tag := regexp.MustCompile(`Etag: ("[^"]+")`).FindStringSubmatch(head)[1]
			h, b := c.ask(t, http.MethodGet, append(header, "If-None-Match", tag)...)
			if c.long != 2 || !strings.HasPrefix(h, "304") || b != "" || !strings.Contains(h, "Content-Security-Policy") {
				t.Errorf("%s, with the tag: got %d bytes and\n%s", name, len(b), h)
			}
		}
	}
}

// A page that was made anew has its own lines.
func TestTheFastPathSendsTheHeadOfNow(t *testing.T) {
	t.Parallel()
	c := newConnected(t)
	for _, size := range []int{10_000, 20_000, 100} {
		c.body = strings.Repeat("a page ", size)
		c.cache.PurgeEdition(c.edition)
		c.ask(t, http.MethodGet, "Accept-Encoding", "identity") // is made, and answered the long way once more at first
		c.ask(t, http.MethodGet, "Accept-Encoding", "identity")
		c.long = 0
		head, body := c.ask(t, http.MethodGet, "Accept-Encoding", "identity")
		if c.long != 0 || body != c.body || !strings.Contains(head, fmt.Sprintf("Content-Length: %d\r", len(c.body))) {
			t.Errorf("%d words: %d went the long way, want 0; got %d bytes and\n%s", size, c.long, len(body), head)
		}
	}
}

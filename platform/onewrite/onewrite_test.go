package onewrite_test

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"net"
	"net/http"
	"strconv"
	"strings"
	"testing"

	"example.org/broadsheet/platform/onewrite"
)

// added are header lines for AddHead.
const added = "X-First: one\r\nX-Second: two\r\n"

// serve answers /joined/N with N bytes in one write, /plain/N without asking for one, /file/N from a reader, and
// /added/N and /added-joined/N with lines added to the head.
func serve(t *testing.T) (address string) {
	t.Helper()
	l, err := new(net.ListenConfig).Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	s := &http.Server{
		ConnContext: onewrite.Context, ConnState: onewrite.Idle,
		Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			kind, size, _ := strings.Cut(strings.TrimPrefix(r.URL.Path, "/"), "/")
			n, err := strconv.Atoi(size)
			if err != nil {
				http.NotFound(w, r)
				return
			}
			w.Header().Set("Content-Length", size)
			if strings.HasPrefix(kind, "added") && !onewrite.AddHead(r.Context(), []byte(added)) {
				t.Error("lines cannot be added")
			}
			switch body := content(n); kind {
			case "joined", "added-joined":
				onewrite.Join(r.Context())
				_, _ = w.Write(body)
			case "plain", "added":
				_, _ = w.Write(body)
			case "file":
				onewrite.Join(r.Context())
				_, _ = io.Copy(w, bytes.NewReader(body))
			}
		}),
	}
	go func() { _ = s.Serve(onewrite.Listener(l)) }()
	t.Cleanup(func() { _ = s.Close() })
	return l.Addr().String()
}

func content(n int) []byte {
	b := make([]byte, n)
	for i := range b {
		b[i] = byte('a' + i%23)
	}
	return b
}

// Whatever is asked for on one connection comes whole and in order, also where head and body just fill the server's
// buffer, are shorter than it, or are asked for at once.
func TestAnswersAreWhole(t *testing.T) {
	t.Parallel()
	c, err := new(net.Dialer).DialContext(t.Context(), "tcp", serve(t))
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close() //nolint:errcheck // everything was read
	in := bufio.NewReader(c)
	sizes := []int{1, 100, 2 * onewrite.Buffer, 30_000, 300_000}
	for n := onewrite.Buffer - 200; n <= onewrite.Buffer+10; n++ {
		sizes = append(sizes, n)
	}
	for _, kind := range []string{"joined", "plain", "added", "file", "added-joined"} {
		for _, n := range sizes {
			ask := fmt.Sprintf("GET /%s/%d HTTP/1.1\r\nHost: a.test\r\n\r\n", kind, n)
			if _, err := io.WriteString(c, ask+ask); err != nil { // the second waits in the server's own buffer
				t.Fatal(err)
			}
			for range 2 {
				r, err := http.ReadResponse(in, nil)
				if err != nil {
					t.Fatalf("%s of %d bytes: %v", kind, n, err)
				}
				first, second := r.Header["X-First"], r.Header["X-Second"]
				if has := len(first) == 1 && len(second) == 1 && first[0] == "one" && second[0] == "two"; has !=
					strings.HasPrefix(kind, "added") {
					t.Fatalf("%s of %d bytes: got the lines %v", kind, n, r.Header)
				}
				got, err := io.ReadAll(r.Body)
				if err != nil || !bytes.Equal(got, content(n)) {
					t.Fatalf("%s: got %d bytes, %v; want %d", kind, len(got), err, n)
				}
				_ = r.Body.Close()
			}
		}
	}
}

// The first that a client can read of a long answer is more than what fills the server's buffer.
func TestHeadAndBodyComeAtOnce(t *testing.T) {
	t.Parallel()
	c, err := new(net.Dialer).DialContext(t.Context(), "tcp", serve(t))
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close() //nolint:errcheck // everything was read
	b := make([]byte, 64<<10)
	for range 20 {
		if _, err := io.WriteString(c, "GET /joined/20000 HTTP/1.1\r\nHost: a.test\r\n\r\n"); err != nil {
			t.Fatal(err)
		}
		n, err := c.Read(b)
		if err != nil || n <= 20_000 {
			t.Fatalf("got %d bytes at first, %v; want head and body", n, err)
		}
	}
}

// A server that closes the connection after its answer sends all of it, and the end.
func TestTheLastAnswerIsWhole(t *testing.T) {
	t.Parallel()
	for _, n := range []int{10, onewrite.Buffer - 150, onewrite.Buffer, 50_000} {
		c, err := new(net.Dialer).DialContext(t.Context(), "tcp", serve(t))
		if err != nil {
			t.Fatal(err)
		}
		if _, err := fmt.Fprintf(c, "GET /joined/%d HTTP/1.1\r\nHost: a.test\r\nConnection: close\r\n\r\n", n); err != nil {
			t.Fatal(err)
		}
		all, err := io.ReadAll(c)
		if err != nil || !bytes.HasSuffix(all, content(n)) || !bytes.HasPrefix(all, []byte("HTTP/1.1 200 OK\r\n")) {
			t.Errorf("got %d bytes, %v; want a head and %d bytes", len(all), err, n)
		}
		_ = c.Close()
	}
}

// A connection on which something else than a head is written gets nothing, rather than an answer without its lines.
func TestLinesAreNotLost(t *testing.T) {
	t.Parallel()
	l, err := new(net.ListenConfig).Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close() //nolint:errcheck // nothing else comes
	got := make(chan string, 1)
	go func() {
		c, err := net.Dial("tcp", l.Addr().String())
		if err != nil {
			got <- err.Error()
			return
		}
		all, _ := io.ReadAll(c)
		got <- string(all)
	}()
	c, err := onewrite.Listener(l).Accept()
	if err != nil {
		t.Fatal(err)
	}
	if !onewrite.AddHead(onewrite.Context(t.Context(), c), []byte(added)) {
		t.Error("lines cannot be added")
	}
	if n, err := io.WriteString(c, "a body\r\n"); n != 0 || err == nil {
		t.Errorf("got %d bytes, %v; want an error", n, err)
	}
	_ = c.Close()
	if s := <-got; s != "" {
		t.Errorf("the client got %q, want nothing", s)
	}
	if onewrite.AddHead(t.Context(), []byte(added)) {
		t.Error("lines were added where no connection is")
	}
}

package app

import (
	"context"
	"io"
	"net"
	"net/http"
	"sync"
	"testing"
	"time"
)

// slowListener accepts as a process does that gets little of the processor.
type slowListener struct{ *net.TCPListener }

func (l slowListener) Accept() (net.Conn, error) {
	time.Sleep(30 * time.Millisecond)
	return l.TCPListener.Accept()
}

// Who has connected before the end is answered, although nobody had accepted the connection so far.
func TestConnectionsThatWaitAreAnsweredAtTheEnd(t *testing.T) {
	t.Parallel()
	l, err := listen(t.Context(), "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	ctx, end := context.WithCancel(t.Context())
	ended := make(chan error)
	go func() {
		ended <- serveUntil(ctx, slowListener{l.(*net.TCPListener)}, http.HandlerFunc(
			func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusNoContent) },
		))
	}()
	var clients sync.WaitGroup
	for range 20 {
		c, err := net.Dial("tcp", l.Addr().String())
		if err != nil {
			t.Fatal(err)
		}
		clients.Go(func() {
			defer c.Close() //nolint:errcheck // read to the end
			_, _ = io.WriteString(c, "POST / HTTP/1.0\r\nContent-Length: 0\r\n\r\n")
			if answer, err := io.ReadAll(c); err != nil || len(answer) == 0 {
				t.Errorf("got %q, %v; want an answer", answer, err)
			}
		})
	}
	end()
	if err := <-ended; err != nil {
		t.Error(err)
	}
	clients.Wait()
	if c, err := net.DialTimeout("tcp", l.Addr().String(), time.Second); err == nil {
		c.Close() //nolint:errcheck // nothing was sent
		t.Error("a connection was made after the end")
	}
}

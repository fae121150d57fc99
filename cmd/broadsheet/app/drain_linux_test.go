package app

import (
	"errors"
	"net"
	"testing"
	"time"
)

// A connection made during the drain would be cut off with its request, so none may be made.
func TestNewConnectionsAreHeldBack(t *testing.T) {
	t.Parallel()
	l, err := listen(t.Context(), "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close() //nolint:errcheck // the test is over
	dialer := net.Dialer{Timeout: 300 * time.Millisecond}
	before, err := dialer.DialContext(t.Context(), "tcp", l.Addr().String())
	if err != nil {
		t.Fatalf("before: %v", err)
	}
	defer before.Close() //nolint:errcheck // the test is over
	accepted, err := l.Accept()
	if err != nil {
		t.Fatal(err)
	}
	defer accepted.Close() //nolint:errcheck // the test is over
	drain(l)
	during, err := dialer.DialContext(t.Context(), "tcp", l.Addr().String())
	if err == nil {
		_ = during.Close()
	}
	var failed net.Error
	if !errors.As(err, &failed) || !failed.Timeout() {
		t.Errorf("a connection during the drain: got %v, want a timeout", err)
	}
}

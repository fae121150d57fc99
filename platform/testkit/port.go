package testkit

import (
	"math/rand/v2"
	"net"
	"strconv"
	"sync"
	"testing"
)

// The ports that FreePort chooses from: above those of well-known services, and below those that systems give to
// outgoing connections, which come and go at any moment.
const firstPort, lastPort = 10000, 32000

// handedOut are the ports that FreePort has returned.
var handedOut sync.Map

// FreePort is a port of the loopback address on which nothing listens. It is returned once in a process, so a server
// that starts later, or again, still finds it free.
func FreePort(t testing.TB) string {
	t.Helper()
	for range 1000 {
		port := strconv.Itoa(firstPort + rand.IntN(lastPort-firstPort)) // #nosec G404 -- no secret
		if _, taken := handedOut.LoadOrStore(port, true); taken {
			continue
		}
		if l, err := net.Listen("tcp", net.JoinHostPort("127.0.0.1", port)); err == nil {
			_ = l.Close()
			return port
		}
	}
	t.Fatal("every port that was tried is in use")
	return ""
}

package app

import (
	"log/slog"
	"net"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// Handshakes that have begun end within handshakeTime; a listener that accepts empties its queue within drainQueue.
const (
	handshakeTime = 100 * time.Millisecond
	drainQueue    = 2 * time.Second
)

// onlyKnown lets pass what belongs to a connection that has begun, and drops the first packet of a new one: of the
// flags at offset 13 of a TCP header (RFC 9293, section 3.1), that has SYN and not ACK.
var onlyKnown = []unix.SockFilter{
	{Code: unix.BPF_LD | unix.BPF_B | unix.BPF_ABS, K: 13},
	{Code: unix.BPF_ALU | unix.BPF_AND | unix.BPF_K, K: 0x12},
	{Code: unix.BPF_JMP | unix.BPF_JEQ | unix.BPF_K, K: 0x02, Jf: 1},
	{Code: unix.BPF_RET | unix.BPF_K, K: 0},
	{Code: unix.BPF_RET | unix.BPF_K, K: 0xffffffff},
}

// drain returns when no connection waits to be accepted. Linux resets those that wait when a listener closes, and a
// proxy that has sent its request by then cannot send it again elsewhere. Who connects from now on gets no answer, asks
// again after a second, and is refused by then: that request has not been sent.
func drain(l net.Listener) {
	socket, ok := l.(syscall.Conn)
	if !ok {
		return
	}
	conn, err := socket.SyscallConn()
	if err != nil {
		return // closed
	}
	filter := unix.SockFprog{Len: uint16(len(onlyKnown)), Filter: &onlyKnown[0]}
	var failed error
	if err := conn.Control(func(fd uintptr) {
		failed = unix.SetsockoptSockFprog(int(fd), unix.SOL_SOCKET, unix.SO_ATTACH_FILTER, &filter)
	}); err != nil {
		return
	}
	if failed != nil {
		slog.Warn("new connections are not held back: one may be cut off", "error", failed)
	}
	time.Sleep(handshakeTime)
	for began := time.Now(); time.Since(began) < drainQueue && waiting(conn) > 0; {
		time.Sleep(handshakeTime / 10)
	}
}

// waiting is how many connections nobody has accepted so far.
func waiting(l syscall.RawConn) int {
	n := 0
	_ = l.Control(func(fd uintptr) {
		// For a listener, tcp_info(7) has the length of its queue where a connection has its unacknowledged segments.
		if info, err := unix.GetsockoptTCPInfo(int(fd), unix.IPPROTO_TCP, unix.TCP_INFO); err == nil {
			n = int(info.Unacked)
		}
	})
	return n
}

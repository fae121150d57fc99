// Package onewrite sends the head and the body of a long HTTP answer in one call of the system, and lines of a head as
// they were prepared. net/http has a buffer of 4 KiB for each connection: it sends what fills that, and then the rest.
// A server that listens with Listener and has Context and Idle among its hooks holds the first part back where a
// handler has called Join, until the second comes. Where one has called AddHead, the lines go out behind the status
// line: net/http would copy, sort and check them again for each answer.
package onewrite

import (
	"bytes"
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"sync"
)

// Buffer is the size of net/http's buffer: an answer of at least so many bytes is sent in two parts.
const Buffer = 4 << 10

// Listener gives connections that can join the parts of an answer.
func Listener(l net.Listener) net.Listener { return listener{l} }

type listener struct{ net.Listener }

// Accept implements net.Listener.
func (l listener) Accept() (net.Conn, error) {
	c, err := l.Listener.Accept()
	if tcp, ok := c.(*net.TCPConn); ok && err == nil {
		return &conn{TCPConn: tcp}, nil
	}
	return c, err
}

type contextKey struct{}

// Context is for http.Server's ConnContext: Join finds the connection in the context of a request.
func Context(ctx context.Context, c net.Conn) context.Context {
	if own, ok := c.(*conn); ok {
		return context.WithValue(ctx, contextKey{}, own)
	}
	return ctx
}

// Idle is for http.Server's ConnState: nothing is held back when a request has been answered.
func Idle(c net.Conn, s http.ConnState) {
	if own, ok := c.(*conn); ok && s == http.StateIdle {
		_ = own.flush() // an error shows at the next use
	}
}

// Join has the next write on the connection of a request wait for the one after it. Call it right before a body of at
// least Buffer bytes is written in one piece.
func Join(ctx context.Context) {
	if c, ok := ctx.Value(contextKey{}).(*conn); ok {
		c.mu.Lock()
		c.joins = true
		c.mu.Unlock()
	}
}

// AddHead has lines, each with its end as http.Header.Write makes them, sent in the head of the answer to a request. It
// reports whether that is possible; else they have to be set as usual. Call it right before the answer is written. None
// of the lines may be one that net/http has to know: those about the body and the connection.
func AddHead(ctx context.Context, lines []byte) bool {
	c, ok := ctx.Value(contextKey{}).(*conn)
	if ok {
		c.mu.Lock()
		c.lines = lines
		c.mu.Unlock()
	}
	return ok
}

// conn is a connection that can hold one write back. One goroutine writes to it; another may close it meanwhile, which
// ends a write that is under way.
type conn struct {
	*net.TCPConn
	mu    sync.Mutex // not held while anything is sent
	lines []byte     // for the head that the next write begins with
	joins bool       // the next write is held back
	held  []byte
	spare []byte // to hold the next one in
}

// Write implements net.Conn.
func (c *conn) Write(b []byte) (int, error) {
	first, rest, err := c.take(b)
	switch {
	case err != nil:
		return 0, err
	case first == nil && rest == nil:
		return len(b), nil
	case first == nil:
		return c.TCPConn.Write(rest)
	case rest == nil:
		_, err = c.TCPConn.Write(first)
	default:
		parts := net.Buffers{first, rest}
		_, err = parts.WriteTo(c.TCPConn)
	}
	c.reuse(first)
	if err != nil {
		return 0, err
	}
	return len(b), nil
}

// errNoHead ends a connection rather than leave out lines of a head.
var errNoHead = errors.New("onewrite: lines were added to a head, and something else was written")

var lineEnd = []byte("\r\n")

// take finds what is sent for a write of b: first what the connection has copied, then the rest. Both are nil where b
// is held back.
func (c *conn) take(b []byte) (first, rest []byte, err error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	lines, joins, held := c.lines, c.joins && len(b) <= Buffer, c.held
	c.lines, c.joins, c.held = nil, false, nil
	switch {
	case lines == nil && (held != nil || !joins):
		return held, b, nil
	case held != nil:
		return nil, nil, errNoHead
	}
	own := c.spare[:0] // b is the server's buffer, which it uses again
	c.spare = nil
	if lines != nil {
		status, after, found := bytes.Cut(b, lineEnd)
		if !found || !bytes.HasPrefix(status, []byte("HTTP/")) {
			return nil, nil, errNoHead
		}
		own = append(append(append(own, status...), lineEnd...), lines...)
		b = after
	}
	own = append(own, b...)
	if joins {
		c.held = own
		return nil, nil, nil
	}
	return own, nil, nil
}

func (c *conn) reuse(first []byte) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.spare = first
}

// ReadFrom implements io.ReaderFrom, by which net/http sends files without copying them.
func (c *conn) ReadFrom(r io.Reader) (int64, error) {
	if err := c.flush(); err != nil {
		return 0, err
	}
	return c.TCPConn.ReadFrom(r)
}

// CloseWrite ends what is sent.
func (c *conn) CloseWrite() error {
	_ = c.flush() // the other error says more
	return c.TCPConn.CloseWrite()
}

// Close implements net.Conn.
func (c *conn) Close() error {
	_ = c.flush()
	return c.TCPConn.Close()
}

func (c *conn) flush() error {
	c.mu.Lock()
	held := c.held
	c.held = nil
	c.mu.Unlock()
	if held == nil {
		return nil
	}
	_, err := c.TCPConn.Write(held)
	c.reuse(held)
	return err
}

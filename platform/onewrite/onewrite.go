// Package onewrite sends the head and the body of a long HTTP answer in one call of the system. net/http has a buffer
// of 4 KiB for each connection: it sends what fills that, and then the rest. A server that listens with Listener and
// has Context and Idle among its hooks holds the first part back where a handler has called Join, until the second
// comes.
package onewrite

import (
	"context"
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

// conn is a connection that can hold one write back. One goroutine writes to it; another may close it meanwhile, which
// ends a write that is under way.
type conn struct {
	*net.TCPConn
	mu    sync.Mutex // not held while anything is sent
	joins bool       // the next write is held back
	held  []byte
	spare []byte // to hold the next one in
}

// Write implements net.Conn.
func (c *conn) Write(b []byte) (int, error) {
	held, wait := c.take(b)
	if wait {
		return len(b), nil
	}
	if held == nil {
		return c.TCPConn.Write(b)
	}
	parts := net.Buffers{held, b}
	n, err := parts.WriteTo(c.TCPConn)
	c.reuse(held)
	return max(0, int(n)-len(held)), err
}

// take holds b back where that was asked for, or hands out what is held back.
func (c *conn) take(b []byte) (held []byte, wait bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	joins := c.joins
	c.joins = false
	if joins && c.held == nil && 0 < len(b) && len(b) <= Buffer { // b is the server's buffer, which it uses again
		c.spare = append(c.spare[:0], b...)
		c.held, c.spare = c.spare, nil
		return nil, true
	}
	held, c.held = c.held, nil
	return held, false
}

func (c *conn) reuse(held []byte) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.spare = held
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
	held, _ := c.take(nil)
	if held == nil {
		return nil
	}
	_, err := c.TCPConn.Write(held)
	c.reuse(held)
	return err
}

// Package stage runs the payment simulator and the mailbox of `dev` as processes of their own, for an installation that
// is as the real one in all else. It may import the platform alone. Start at Payments and Mailbox.
package stage

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"strings"
	"time"
)

// Door is where browsers reach a tool.
type Door struct {
	Listen string // host:port
	URL    string // as browsers have it, behind a proxy; empty: that of Listen
	Open   bool   // Listen may be an address that other machines reach
}

// check refuses a door that leads to other machines unless it was said to be open, and an address that is none.
func (d Door) check(addresses ...string) error {
	for _, address := range append(addresses, d.Listen) {
		host, _, err := net.SplitHostPort(address)
		if err != nil {
			return fmt.Errorf("%q is not host:port", address)
		}
		if !d.Open && !loopback(host) {
			return fmt.Errorf("%s can be reached by other machines, and this tool has no login: whoever reaches it "+
				"pays without money and reads every login code. Use 127.0.0.1, or --open in a network of your own", address)
		}
	}
	if u, err := url.Parse(d.URL); d.URL != "" && (err != nil || u.Host == "" ||
		u.Scheme != "http" && u.Scheme != "https" || strings.Trim(u.Path, "/") != "" || u.RawQuery != "") {
		return fmt.Errorf("%q is not like https://tools.example.org", d.URL)
	}
	return nil
}

func loopback(host string) bool {
	ip := net.ParseIP(host)
	return host == "localhost" || ip != nil && ip.IsLoopback()
}

// guard answers only requests that name this machine, or the door's own host: a page of elsewhere whose name leads here
// must not read the emails.
func (d Door) guard(next http.Handler) http.Handler {
	own := ""
	if u, err := url.Parse(d.URL); err == nil {
		own = u.Hostname()
	}
	listens, _, _ := net.SplitHostPort(d.Listen)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		host := r.Host
		if h, _, err := net.SplitHostPort(host); err == nil {
			host = h
		}
		host = strings.ToLower(strings.Trim(host, "[]"))
		if loopback(host) || strings.HasSuffix(host, ".localhost") || host == cmp.Or(own, listens) {
			next.ServeHTTP(w, r)
			return
		}
		http.Error(w, "This host is not known here; --url names the one that browsers use.", http.StatusMisdirectedRequest)
	})
}

// serve answers requests until ctx ends.
func serve(ctx context.Context, l net.Listener, h http.Handler) error {
	s := &http.Server{Handler: h, ReadHeaderTimeout: 10 * time.Second, IdleTimeout: 2 * time.Minute}
	failed := make(chan error, 1)
	go func() { failed <- s.Serve(l) }()
	select {
	case err := <-failed:
		return err
	case <-ctx.Done():
	}
	stop, cancel := context.WithTimeout(context.WithoutCancel(ctx), 5*time.Second)
	defer cancel()
	if err := s.Shutdown(stop); err != nil && !errors.Is(err, context.DeadlineExceeded) {
		return err
	}
	return s.Close() // who has not read the answer by now does not want it
}

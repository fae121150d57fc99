package site

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"syscall"
	"time"

	"example.org/broadsheet/platform/media"
)

const (
	fetchTimeout = 30 * time.Second // for one picture
	maxRedirects = 5
)

// errPrivate is an address that is not on the public net.
var errPrivate = errors.New("its address is not a public one")

// Pictures downloads pictures. It connects to public addresses only, whatever names and redirects say.
type Pictures struct {
	client *http.Client
	tries  int                                        // of one picture; 0 is one
	wait   func(context.Context, time.Duration) error // between two
}

// NewPictures reaches public addresses alone.
func NewPictures() *Pictures { return PicturesFrom(IsPublic, "") }

// PicturesFrom reaches the allowed addresses, and own ("host:port", or "") wherever that is: whoever runs the
// program has named it.
func PicturesFrom(allowed func(netip.Addr) bool, own string) *Pictures {
	free := &net.Dialer{Timeout: 10 * time.Second}
	dialer := &net.Dialer{Timeout: 10 * time.Second, Control: func(_, address string, _ syscall.RawConn) error {
		// Checked on the address that is dialled, after names are resolved, so no name can change its mind.
		ap, err := netip.ParseAddrPort(address)
		if err != nil || !allowed(ap.Addr().Unmap()) {
			return errPrivate
		}
		return nil
	}}
	dial := func(ctx context.Context, network, address string) (net.Conn, error) {
		if address == own {
			return free.DialContext(ctx, network, address)
		}
		return dialer.DialContext(ctx, network, address)
	}
	return &Pictures{client: &http.Client{
		Timeout: fetchTimeout,
		Transport: &http.Transport{
			DialContext: dial, TLSHandshakeTimeout: 10 * time.Second, ResponseHeaderTimeout: 15 * time.Second,
			MaxIdleConnsPerHost: 2, MaxResponseHeaderBytes: 64 << 10, ForceAttemptHTTP2: true,
		},
		CheckRedirect: func(r *http.Request, via []*http.Request) error {
			if len(via) > maxRedirects {
				return errors.New("too many redirects")
			}
			return checkAddress(r.URL)
		},
	}}
}

// notPublic are the ranges that netip has no word for: shared, benchmarking, documentation, reserved, translated.
var notPublic = func() (ps []netip.Prefix) {
	for _, s := range []string{
		"0.0.0.0/8", "100.64.0.0/10", "192.0.0.0/24", "192.0.2.0/24", "198.18.0.0/15", "198.51.100.0/24",
		"203.0.113.0/24", "240.0.0.0/4",
		"64:ff9b::/96", "64:ff9b:1::/48", "100::/64", "2001::/23", "2001:db8::/32", "2002::/16", "fec0::/10",
	} {
		ps = append(ps, netip.MustParsePrefix(s))
	}
	return ps
}()

// IsPublic reports whether an address is on the public net.
func IsPublic(a netip.Addr) bool {
	if !a.IsGlobalUnicast() || a.IsPrivate() || a.IsLoopback() || a.IsLinkLocalUnicast() {
		return false
	}
	for _, p := range notPublic {
		if p.Contains(a) {
			return false
		}
	}
	return true
}

func checkAddress(u *url.URL) error {
	switch {
	case u.Scheme != "http" && u.Scheme != "https":
		return errors.New("its address is not one of the web")
	case u.Hostname() == "":
		return errors.New("its address names no host")
	case u.User != nil:
		return errors.New("its address holds a password")
	}
	return nil
}

// Open begins a download; the error is a reason for the report, *passing where another time may do better.
func (f *Pictures) Open(ctx context.Context, address string) (io.ReadCloser, error) {
	for try := 0; ; try++ {
		body, err := f.once(ctx, address)
		var later *temporaryError
		if err == nil || try+1 >= f.tries || !errors.As(err, &later) || f.wait(ctx, BackOff(try)) != nil {
			return body, err
		}
	}
}

func (f *Pictures) once(ctx context.Context, address string) (io.ReadCloser, error) {
	u, err := url.Parse(address)
	if err != nil {
		return nil, errors.New("its address cannot be read")
	}
	if err := checkAddress(u); err != nil {
		return nil, err
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, u.String(), http.NoBody)
	if err != nil {
		return nil, errors.New("its address cannot be read")
	}
	req.Header.Set("Accept", "image/*")
	req.Header.Set("User-Agent", "broadsheet-import")
	res, err := f.client.Do(req)
	switch {
	case errors.Is(err, errPrivate):
		return nil, errPrivate
	case err != nil:
		return nil, &temporaryError{error: errors.New("it could not be fetched: the site does not answer")}
	case res.StatusCode == http.StatusTooManyRequests || res.StatusCode >= http.StatusInternalServerError:
		_ = res.Body.Close()
		return nil, &temporaryError{error: fmt.Errorf("it could not be fetched: the site answered %d", res.StatusCode)}
	case res.StatusCode != http.StatusOK:
		_ = res.Body.Close()
		return nil, fmt.Errorf("it could not be fetched: the site answered %d", res.StatusCode)
	case res.ContentLength > media.MaxBytes:
		_ = res.Body.Close()
		return nil, errors.New("the picture is too large")
	}
	return struct {
		io.Reader
		io.Closer
	}{io.LimitReader(res.Body, media.MaxBytes+1), res.Body}, nil
}

// Pictures downloads from the site's own address wherever that is, and from public ones.
func (s *Site) Pictures() *Pictures {
	f := PicturesFrom(IsPublic, hostPort(s.address))
	f.tries, f.wait = 3, s.Wait
	return f
}

func hostPort(u *url.URL) string {
	port := u.Port()
	if port == "" {
		port = map[string]string{"http": "80", "https": "443"}[u.Scheme]
	}
	return u.Hostname() + ":" + port
}

package app

import (
	"bufio"
	"context"
	"crypto/tls"
	"crypto/x509"
	"encoding/pem"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"example.org/broadsheet/modules/consent"
	"example.org/broadsheet/platform/testkit"
	"example.org/broadsheet/platform/testkit/wait"
)

// exampleNginx runs Debian's nginx with the files of configs/nginx, on other ports and folders, and returns a client
// whose requests all come to it.
func exampleNginx(t testing.TB, upstreams ...string) *http.Client {
	t.Helper()
	return exampleNginxFor(t, upstreams...)()
}

// exampleNginxFor is exampleNginx for several clients, each with connections of its own.
func exampleNginxFor(t testing.TB, upstreams ...string) (client func() *http.Client) {
	t.Helper()
	dir := t.TempDir()
	address := "127.0.0.1:" + testkit.FreePort(t)
	own := httptest.NewTLSServer(http.NotFoundHandler()) // for its certificate, which is of example.com and 127.0.0.1
	t.Cleanup(own.Close)
	writeCertificate(t, dir, own.TLS.Certificates[0])
	upstream := read(t, "configs/nginx/upstream.conf")
	site := read(t, "configs/nginx/broadsheet.conf")
	for _, change := range []struct{ from, to string }{
		{"listen 80 default_server;", "listen 127.0.0.1:" + testkit.FreePort(t) + ";"},
		{"listen [::]:80 default_server;", ""},
		{"listen 443 ssl http2 default_server;", "listen " + address + " ssl http2 default_server;"},
		{"listen [::]:443 ssl http2 default_server;", ""},
		{"127.0.0.1:8079", "127.0.0.1:" + testkit.FreePort(t)},
		{"/etc/broadsheet/tls/", dir + "/"},
		{"/var/cache/nginx-broadsheet", dir + "/cache"},
	} {
		if !strings.Contains(site, change.from) {
			t.Fatalf("the example has no %q", change.from)
		}
		site = strings.ReplaceAll(site, change.from, change.to)
	}
	for i, u := range upstreams {
		from := fmt.Sprintf("127.0.0.1:808%d", i+1)
		if !strings.Contains(upstream, from) {
			t.Fatalf("the example has no %s", from)
		}
		upstream = strings.ReplaceAll(upstream, from, u)
	}
	conf := fmt.Sprintf(`daemon off; master_process off; pid %[1]s/pid; error_log %[1]s/error.log;
events { worker_connections 768; }
http {
	access_log off;
	client_body_temp_path %[1]s/body; proxy_temp_path %[1]s/proxy; fastcgi_temp_path %[1]s/f; uwsgi_temp_path %[1]s/u; `+
		`scgi_temp_path %[1]s/s;
%[2]s
%[3]s
}
`, dir, upstream, site)
	file := filepath.Join(dir, "nginx.conf")
	if err := os.WriteFile(file, []byte(conf), 0o600); err != nil {
		t.Fatal(err)
	}
	nginx := programPath(t, "nginx")
	check := exec.Command(nginx, "-t", "-q", "-p", dir, "-c", file, "-e", filepath.Join(dir, "start.log"))
	if said, err := check.CombinedOutput(); err != nil || len(said) > 0 {
		t.Fatalf("nginx -t: %v: %s", err, said)
	}
	run(t, exec.Command(nginx, "-p", dir, "-c", file, "-e", filepath.Join(dir, "start.log")))
	wait.Until(t, "nginx listens", func() bool { return listens(address) })
	roots := x509.NewCertPool()
	roots.AddCert(own.Certificate())
	return func() *http.Client {
		c := &http.Client{Timeout: 60 * time.Second, Transport: &http.Transport{
			ForceAttemptHTTP2: true,
			TLSClientConfig:   &tls.Config{RootCAs: roots, ServerName: "example.com", MinVersion: tls.VersionTLS12},
			DialContext: func(ctx context.Context, network, _ string) (net.Conn, error) {
				return (&net.Dialer{}).DialContext(ctx, network, address)
			},
		}}
		t.Cleanup(c.CloseIdleConnections)
		return c
	}
}

// The example of nginx in front of two `serve`: encrypted, shared pages from its cache, nothing of a reader in it,
// streams at once, and pages for visitors even when no `serve` is left, also if they have cookies that change no page.
func TestTheExampleOfNginxWorks(t *testing.T) {
	t.Parallel()
	f := newFleet(t)
	f.settings = append(f.settings, "BROADSHEET_WEB_PUBLIC_URL=https://{host}", "BROADSHEET_WEB_TRUSTED_PROXIES=127.0.0.1")
	// A page shows the date, so no proxy may cache it shortly before midnight: midnight is hours away in this zone.
	zone := "UTC"
	if time.Now().UTC().Hour() >= 12 {
		zone = "Atlantic/South_Georgia" // two hours behind
	}
	text := mustRead(t, editedDocument(t, "Europe/Bratislava", zone))
	ed, err := f.app.registry.ApplyText(t.Context(), "standard.yaml", text)
	if err != nil {
		t.Fatal(err)
	}
	host := ed.Hosts[0]
	ms := []*member{f.member(t, "serve"), f.member(t, "serve")}
	for _, m := range ms {
		m.ready()
	}
	client := exampleNginx(t, ms[0].site, ms[1].site)
	ask := func(path, cookie string) *http.Response {
		t.Helper()
		r, err := http.NewRequest(http.MethodGet, "https://"+host+path, nil)
		if err != nil {
			t.Fatal(err)
		}
		r.Header.Set("User-Agent", userAgent)
		if cookie != "" {
			r.Header.Set("Cookie", cookie)
		}
		res, err := client.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		return res
	}
	for n, tc := range []struct{ path, cookie, want string }{
		{"/", "", "MISS"},
		{"/", "", "HIT"},
		{"/", "__Host-session=somebody", "BYPASS"},
		{"/", "gdpr_consent=all.1", "BYPASS"},
		{"/", "", "HIT"}, // what the one with a cookie got is not in it
		{"/user/me/", "", "MISS"},
		{"/user/me/", "", "MISS"}, // private, no-store
	} {
		res := ask(tc.path, tc.cookie)
		_ = res.Body.Close()
		if got := res.Header.Get("X-Proxy-Cache"); got != tc.want || res.ProtoMajor != 2 {
			t.Errorf("%d: %s with cookie %q: %s by HTTP/%d, status %d, want %s", n, tc.path, tc.cookie, got, res.ProtoMajor,
				res.StatusCode, tc.want)
		}
		if res.Header.Get("Strict-Transport-Security") == "" {
			t.Errorf("%s does not say that it is encrypted", tc.path)
		}
	}

	stream := ask("/api/discussion/1/live", "")
	line, err := bufio.NewReader(stream.Body).ReadString('\n') // would wait for the buffer to fill, were there one
	_ = stream.Body.Close()
	if err != nil || !strings.HasPrefix(line, "retry:") {
		t.Errorf("the stream begins with %q, status %d: %v", line, stream.StatusCode, err)
	}

	for _, m := range ms {
		m.signal(syscall.SIGKILL)
	}
	wait.Until(t, "both have ended", func() bool { return !listens(ms[0].site) && !listens(ms[1].site) })
	for cookie, want := range map[string]int{
		"": http.StatusOK,
		strings.Join(consent.InertCookies, "=x; ") + "=": http.StatusOK,
		"gdpr_consent=all.1":                             http.StatusOK,
		"consent_id=x; __Host-known=y":                   http.StatusOK,
		"__Host-session=x":                               http.StatusBadGateway,
		"gdpr_consent=all.1; __Host-session=x":           http.StatusBadGateway,
		"__Host-session=x; gdpr_consent=all.1":           http.StatusBadGateway,
		"logged_user=x; consent_id=y":                    http.StatusBadGateway,
		"gdpr_consent=all.1;session=x":                   http.StatusBadGateway,
		"xgdpr_consent=all.1":                            http.StatusBadGateway,
		"gdpr_consent":                                   http.StatusBadGateway,
	} {
		res := ask("/", cookie)
		_ = res.Body.Close()
		if got := res.StatusCode; got != want {
			t.Errorf("no serve is left: with cookie %q got %d, want %d", cookie, got, want)
		}
	}
	if res := ask("/user/me/", "gdpr_consent=all.1"); res.StatusCode != http.StatusBadGateway {
		t.Errorf("no serve is left: got %d for what belongs to a reader", res.StatusCode)
	}
	for _, m := range ms {
		if strings.Contains(m.log.String(), "X-Forwarded-For") {
			t.Errorf("the proxy is not trusted: %s", m.log.String())
		}
	}
}

func writeCertificate(t testing.TB, dir string, c tls.Certificate) {
	t.Helper()
	key, err := x509.MarshalPKCS8PrivateKey(c.PrivateKey)
	if err != nil {
		t.Fatal(err)
	}
	for name, block := range map[string]*pem.Block{
		"fullchain.pem": {Type: "CERTIFICATE", Bytes: c.Certificate[0]}, "privkey.pem": {Type: "PRIVATE KEY", Bytes: key},
	} {
		if err := os.WriteFile(filepath.Join(dir, name), pem.EncodeToMemory(block), 0o600); err != nil {
			t.Fatal(err)
		}
	}
}

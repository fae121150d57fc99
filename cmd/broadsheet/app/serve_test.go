package app

import (
	"context"
	"fmt"
	"io/fs"
	"maps"
	"net"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"example.org/broadsheet/frontend"
	"example.org/broadsheet/platform/testkit"
	"example.org/broadsheet/platform/testkit/wait"
)

// serve runs `broadsheet serve` on the parts of a running paper, and returns the paper with its listener in front.
func (p *testApp) serve(t *testing.T) *testApp {
	t.Helper()
	port := testkit.FreePort(t)
	for name, value := range map[string]string{
		"SECRET": p.cfg.Secret, "REDIS_URL": p.cfg.Redis.URL, "MAIL_URL": p.cfg.Mail.URL, "WEB_ADMIN": "",
		"WEB_STOP_DELAY": "0s",
		"WEB_LISTEN":     "127.0.0.1:" + port, "WEB_PUBLIC_URL": "http://{host}:" + port,
	} {
		t.Setenv("BROADSHEET_"+name, value)
	}
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() {
		c := NewCommand()
		c.PersistentPreRunE = nil // the log is the test's
		c.SetArgs([]string{"serve", "--data", p.cfg.Data.Dir})
		ended <- c.ExecuteContext(ctx)
	}()
	t.Cleanup(func() {
		cancel()
		if err := <-ended; err != nil {
			t.Error("serve ended with ", err)
		}
	})
	wait.Until(t, "serve listens", func() bool {
		conn, err := net.DialTimeout("tcp", "127.0.0.1:"+port, time.Second)
		if err == nil {
			_ = conn.Close()
		}
		return err == nil
	})
	parts := *p.dev
	parts.port = port
	return &testApp{dev: &parts, t: t, url: "http://127.0.0.1:" + port}
}

// tools are the addresses of development, each with a method that `dev` answers there.
var tools = map[string]string{
	"/_dev/mail": http.MethodGet, "/_dev/mail.json": http.MethodGet, "/_dev/mail/page.css": http.MethodGet,
	"/_dev/mail/page.js": http.MethodGet,
	"/_dev/clock":        http.MethodGet, "/_dev/stripe/faults": http.MethodGet,
	"/_dev/api": http.MethodGet, "/_dev/api.yaml": http.MethodGet, "/_dev/api/page.js": http.MethodGet,
}

// Development's tools read every email and move the clock: `serve` has none of them, whoever asks, and names none.
func TestServeHasNoTools(t *testing.T) {
	p := startApp(t)
	p.publish(2, false)
	s := p.serve(t)
	all := p.app.registry.All()

	t.Run("no answer", func(t *testing.T) {
		reader := p.browser(all[0].ID)
		p.signIn(reader, "reader@example.org")
		message := "/_dev/mail/" + p.mailTo("reader@example.org", time.Time{}).ID
		checkout := order(t, reader).RequestURI()
		for path, method := range tools {
			if r := reader.do(method, path, "", ""); r.Status != http.StatusOK {
				t.Errorf("dev answers %s %s with %d: this test asks for the wrong address", method, path, r.Status)
			}
		}
		for _, path := range []string{message, message + "/source", checkout} {
			if r := reader.get(path); r.Status != http.StatusOK {
				t.Errorf("dev answers %s with %d: this test asks for the wrong address", path, r.Status)
			}
		}
		paths := append(slices.Collect(maps.Keys(tools)), message, message+"/source", checkout,
			"/_dev", "/_dev/", "/_dev//mail", "/%5fdev/mail", "/_DEV/mail", "/x/../_dev/mail", "/_dev/mail/faults",
			"/_dev/stripe/", "/_dev/anything")
		methods := []string{
			http.MethodGet, http.MethodHead, http.MethodPost, http.MethodPut, http.MethodPatch, http.MethodDelete,
			http.MethodOptions,
			http.MethodTrace, "PROPFIND",
		}
		for _, ed := range all {
			b := s.browser(ed.ID)
			for _, path := range paths {
				for _, method := range methods {
					r := b.do(method, path, "application/json", `{"advance":"1h","webhooks":"drop","code":550}`)
					if r.Status == http.StatusMovedPermanently { // an address is tidied before it is looked for
						r = b.do(method, r.Header.Get("Location"), "application/json", "{}")
					}
					if r.Status != http.StatusNotFound {
						t.Errorf("%s: %s %s: %d", ed.ID, method, path, r.Status)
					}
				}
			}
		}
		if by := p.clock.Offset(); by != 0 {
			t.Errorf("the clock was moved by %v", by)
		}
		if f := p.stripe.Faults(); f.Webhooks != "none" || f.API != "none" {
			t.Errorf("faults were set: %v", f)
		}
	})

	t.Run("no mention", func(t *testing.T) {
		for _, ed := range all {
			reader := s.browser(ed.ID)
			s.signIn(reader, "another@example.org")
			for who, b := range map[string]*browser{"a visitor": s.browser(ed.ID), "a reader": reader} {
				crawl(t, s, b, ed, func(path string, r response) {
					if strings.Contains(r.Body+fmt.Sprint(r.Header), "/_dev/") {
						t.Errorf("%s to %s: %s names a tool", ed.ID, who, path)
					}
				})
			}
		}
		err := fs.WalkDir(frontend.Dist, "dist", func(path string, f fs.DirEntry, err error) error {
			if err != nil || f.IsDir() {
				return err
			}
			b, err := fs.ReadFile(frontend.Dist, path)
			if strings.Contains(string(b), "/_dev/") {
				t.Errorf("%s names a tool", path)
			}
			return err
		})
		if err != nil {
			t.Error(err)
		}
	})
}

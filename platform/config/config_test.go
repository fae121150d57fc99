package config

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
)

func write(t *testing.T, text string) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), "settings.yaml")
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return file
}

func TestDefaultsAreCompleteAndGood(t *testing.T) {
	t.Parallel()
	c, err := load("", nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range Describe() {
		if c.sources[s.Key] == "" {
			t.Errorf("%s has no default", s.Key)
		}
		if s.Doc == "" {
			t.Errorf("%s is not described", s.Key)
		}
	}
	if c.Web.Listen != "127.0.0.1:8080" || c.Render.Timeout != 2*time.Second || c.Database.MaxConns != 5 ||
		c.Database.WorkConns != 3 {
		t.Errorf("%+v", c)
	}
	if err := c.Production(); err == nil || strings.Count(err.Error(), "\n") != 2 ||
		!strings.Contains(err.Error(), "BROADSHEET_SECRET_FILE") {
		t.Errorf("ready for production: %v", err)
	}
}

// goodSecret is what `openssl rand -hex 20` gives.
const goodSecret = "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b"

func TestEachStandsOverTheOneBefore(t *testing.T) {
	t.Parallel()
	file := write(t, "web:\n  listen: 0.0.0.0:80\nlog:\n  level: debug\nrender:\n  timeout: 3s\n")
	secret := write(t, goodSecret+"\n")
	c, err := load("", map[string]string{
		"BROADSHEET_CONFIG": file, "BROADSHEET_LOG_LEVEL": "warn", "BROADSHEET_DATABASE_MAX_CONNS": "7",
		"BROADSHEET_RENDER_TIMEOUT":      "4s",
		"BROADSHEET_WEB_TRUSTED_PROXIES": "10.0.0.0/8, 127.0.0.1", "BROADSHEET_SECRET_FILE": secret,
		"BROADSHEET_PG_BIN":                        "/opt/pg",
		"BROADSHEET_STRIPE_STANDARD_AT_SECRET_KEY": "sk_at", "BROADSHEET_STRIPE_STANDARD_AT_WEBHOOK_SECRET_FILE": secret,
		"BROADSHEET_STRIPE_API_BASE": "http://127.0.0.1:12111", "BROADSHEET_TEST_DATABASE_URL": "whatever",
	})
	if err != nil {
		t.Fatal(err)
	}
	if c.Web.Listen != "0.0.0.0:80" || c.Log.Level != "warn" || c.Log.Format != "text" || c.Database.MaxConns != 7 ||
		c.Render.Timeout != 4*time.Second {
		t.Errorf("%+v", c)
	}
	if !slices.Equal(c.Web.TrustedProxies, []string{"10.0.0.0/8", "127.0.0.1"}) || c.Secret != goodSecret ||
		c.Database.BinDir != "/opt/pg" {
		t.Errorf("%+v", c)
	}
	if k := c.Stripe.Keys["standard_at"]; k.SecretKey != "sk_at" || k.WebhookSecret != goodSecret ||
		c.Stripe.APIBase != "http://127.0.0.1:12111" {
		t.Errorf("%+v", c.Stripe)
	}
}

func TestProblemsNameKeyAndSource(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		file string
		env  map[string]string
		want string
	}{
		"unknown key": {
			"web:\n  listen: a:1\n  lisen: b:2\n", nil,
			"settings.yaml:3: web.lisen: there is no such key",
		},
		"unknown section": {"wbe: {}\n", nil, "settings.yaml:1: wbe: there is no such key"},
		"wrong type in file": {
			"database:\n  max_conns: many\n", nil,
			`settings.yaml:2: database.max_conns: "many" must be a whole number`,
		},
		"bad value in file": {"log:\n  level: loud\n", nil, `settings.yaml:2: log.level: "loud" is none of`},
		"bad duration in file": {
			"render:\n  timeout: soon\n", nil,
			`settings.yaml:2: render.timeout: "soon" must be a duration`,
		},
		"no YAML": {"web: [\n", nil, "this is not YAML"},
		"unknown name": {
			"",
			map[string]string{"BROADSHEET_WEB_LISEN": "x"},
			"BROADSHEET_WEB_LISEN: there is no such setting",
		},
		"file of no secret": {
			"",
			map[string]string{"BROADSHEET_WEB_LISTEN_FILE": "x"},
			"BROADSHEET_WEB_LISTEN_FILE: there is no such setting",
		},
		"number": {
			"",
			map[string]string{"BROADSHEET_DATABASE_MAX_CONNS": "many"},
			`BROADSHEET_DATABASE_MAX_CONNS: "many" is not a whole number`,
		},
		"duration": {
			"",
			map[string]string{"BROADSHEET_RENDER_TIMEOUT": "2"},
			`BROADSHEET_RENDER_TIMEOUT: "2" is not a duration`,
		},
		"secret twice": {
			"",
			map[string]string{"BROADSHEET_SECRET": "a", "BROADSHEET_SECRET_FILE": "b"},
			"give one of them",
		},
		"file of secret absent": {
			"",
			map[string]string{"BROADSHEET_SECRET_FILE": "/nowhere/at/all"},
			"BROADSHEET_SECRET_FILE: open",
		},
		"short secret": {
			"",
			map[string]string{"BROADSHEET_SECRET": "short"},
			"BROADSHEET_SECRET: secret: it has fewer than 32",
		},
		"one character": {
			"",
			map[string]string{"BROADSHEET_SECRET": strings.Repeat("x", 32)},
			"BROADSHEET_SECRET: secret: it is easy to guess",
		},
		"few characters": {
			"",
			map[string]string{"BROADSHEET_SECRET": "00000000000000000000000001234567"[:31] + "1"},
			"openssl rand -hex 32",
		},
		"one word": {
			"",
			map[string]string{"BROADSHEET_SECRET": strings.Repeat("0123456789abcdef", 2)},
			"it is easy to guess",
		},
		"listen": {
			"",
			map[string]string{"BROADSHEET_WEB_LISTEN": "8080"},
			`BROADSHEET_WEB_LISTEN: web.listen: "8080" is not host:port`,
		},
		"admin is listen": {"", map[string]string{"BROADSHEET_WEB_ADMIN": "127.0.0.1:8080"}, "web.admin"},
		"public URL":      {"", map[string]string{"BROADSHEET_WEB_PUBLIC_URL": "{host}"}, "web.public_url"},
		"proxy": {
			"",
			map[string]string{"BROADSHEET_WEB_TRUSTED_PROXIES": "10.0.0.0/8,proxy"},
			`"proxy" is neither`,
		},
		"tracing": {
			"",
			map[string]string{"BROADSHEET_TRACING_ENDPOINT": "http://me:secret@collector:4318"},
			"BROADSHEET_TRACING_ENDPOINT: tracing.endpoint: this is not http://host:port",
		},
		"tracing over gRPC": {
			"",
			map[string]string{"BROADSHEET_TRACING_ENDPOINT": "collector:4317"},
			"tracing.endpoint: this is not an address",
		},
		"redis": {
			"",
			map[string]string{"BROADSHEET_REDIS_URL": "localhost:6379"},
			"redis.url: this is not an address",
		},
		"media": {
			"",
			map[string]string{"BROADSHEET_MEDIA_URL": "https://key:hunter2@storage/bucket"},
			"BROADSHEET_MEDIA_URL: media.url: this is not an address that begins with s3://",
		},
		"media twice": {
			"",
			map[string]string{"BROADSHEET_MEDIA_URL": "s3://key:hunter2@storage/bucket", "BROADSHEET_MEDIA_DIR": "/pictures"},
			"media.url: media.dir is set as well",
		},
		"mail": {
			"",
			map[string]string{"BROADSHEET_MAIL_URL": "imap://x"},
			"mail.url: this is not an address that begins with smtp:// or smtps://",
		},
		"database": {
			"",
			map[string]string{"BROADSHEET_DATABASE_URL": "postgres://u:hunter2@h:port/x"},
			"database.url: this is not",
		},
		"conns": {
			"",
			map[string]string{"BROADSHEET_DATABASE_MAX_CONNS": "0"},
			"database.max_conns: 0 is not between",
		},
		"conns of work": {
			"",
			map[string]string{"BROADSHEET_DATABASE_WORK_CONNS": "1"},
			"database.work_conns: 1 is not between",
		},
		"stop delay": {"", map[string]string{"BROADSHEET_WEB_STOP_DELAY": "1h"}, "web.stop_delay: 1h0m0s is not between"},
		"memory":     {"", map[string]string{"BROADSHEET_RENDER_MEMORY_MB": "1"}, "render.memory_mb"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			file := ""
			if tc.file != "" {
				file = write(t, tc.file)
			}
			_, err := load(file, tc.env)
			if err == nil || !strings.Contains(err.Error(), tc.want) {
				t.Errorf("got %v, want it to say %q", err, tc.want)
			}
			if err != nil && strings.Contains(err.Error(), "hunter2") {
				t.Error("a password is printed")
			}
		})
	}
	_, err := load("", map[string]string{
		"BROADSHEET_LOG_LEVEL": "loud", "BROADSHEET_LOG_FORMAT": "xml", "BROADSHEET_LOG_ACCESS": "some",
		"BROADSHEET_WEB_LISTEN": "x",
	})
	if err == nil || strings.Count(err.Error(), "\n") != 3 {
		t.Errorf("not all at once: %v", err)
	}
	if _, err := load("/nowhere/at/all.yaml", nil); err == nil {
		t.Error("a file that is not there")
	}
}

func TestKeysDiffer(t *testing.T) {
	t.Parallel()
	c := &Config{Secret: strings.Repeat("s", 32)}
	a := c.Key("session", "standard")
	if len(a) != 32 || !bytes.Equal(a, c.Key("session", "standard")) {
		t.Error("a key is not the same twice")
	}
	other := &Config{Secret: strings.Repeat("t", 32)}
	for _, b := range [][]byte{
		c.Key("session", "standard_at"), c.Key("code", "standard"),
		other.Key("session", "standard"), c.Key("sessionstandard", ""),
	} {
		if bytes.Equal(a, b) {
			t.Error("two keys are the same")
		}
	}
	defer func() {
		if recover() == nil {
			t.Error("a key without a secret")
		}
	}()
	(&Config{}).Key("session", "standard")
}

func TestSecretOfAFolder(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "data")
	var mu sync.Mutex
	found := map[string]bool{}
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			c := &Config{}
			if err := c.EnsureSecret(dir); err != nil {
				t.Error(err)
			}
			mu.Lock()
			found[c.Secret] = true
			mu.Unlock()
		})
	}
	all.Wait()
	if len(found) != 1 || found[""] {
		t.Errorf("%d secrets", len(found))
	}
	own := &Config{Secret: "own"}
	if err := own.EnsureSecret(dir); err != nil || own.Secret != "own" {
		t.Errorf("%s, %v", own.Secret, err)
	}
	if err := os.WriteFile(filepath.Join(dir, "secret"), []byte("x"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := (&Config{}).EnsureSecret(dir); err == nil {
		t.Error("a damaged secret is taken")
	}
}

func TestTable(t *testing.T) {
	t.Parallel()
	table := Table()
	for _, want := range []string{
		"| `web.listen` | `BROADSHEET_WEB_LISTEN` | `127.0.0.1:8080` |", "| `secret` | `BROADSHEET_SECRET` or " +
			"`BROADSHEET_SECRET_FILE` |",
		"`BROADSHEET_PG_BIN`", "`BROADSHEET_STRIPE_<EDITION>_SECRET_KEY`",
	} {
		if !strings.Contains(table, want) {
			t.Errorf("no %q in\n%s", want, table)
		}
	}
}

func TestAFileThatEverybodyMayReadIsNamed(t *testing.T) {
	t.Parallel()
	file := write(t, goodSecret)
	for mode, want := range map[os.FileMode]int{0o600: 0, 0o640: 0, 0o644: 1, 0o666: 1} {
		if err := os.Chmod(file, mode); err != nil {
			t.Fatal(err)
		}
		c, err := load("", map[string]string{"BROADSHEET_SECRET_FILE": file})
		if err != nil {
			t.Fatal(err)
		}
		if got := c.Advice(); len(got) != want || want > 0 && !strings.Contains(got[0], "BROADSHEET_SECRET_FILE") {
			t.Errorf("mode %o: %q, want %d", mode, got, want)
		}
	}
}

func TestARealKeyGoesToTheProviderAlone(t *testing.T) {
	t.Parallel()
	env := map[string]string{
		"BROADSHEET_SECRET": goodSecret, "BROADSHEET_REDIS_URL": "redis://127.0.0.1/0",
		"BROADSHEET_MAIL_URL": "smtp://127.0.0.1:25", "BROADSHEET_STRIPE_STANDARD_SECRET_KEY": "sk_live_1",
	}
	for base, good := range map[string]bool{"": true, "https://proxy.example": true, "http://127.0.0.1:4242": false} {
		env["BROADSHEET_STRIPE_API_BASE"] = base
		c, err := load("", env)
		if err != nil {
			t.Fatal(err)
		}
		if err := c.Production(); (err == nil) != good {
			t.Errorf("%q: %v", base, err)
		}
	}
}

func TestNamesOfSettingsAreKnown(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]bool{
		"BROADSHEET_WEB_LISTEN": true, "BROADSHEET_CONFIG": true, "BROADSHEET_SECRET_FILE": true, "ENV_LOCALE": true,
		"BROADSHEET_STRIPE_MORNING_SECRET_KEY_FILE": true, "BROADSHEET_WEB_LISTEN_FILE": false, "BROADSHEET_WEB": false,
	} {
		if Known(name) != want {
			t.Errorf("%s: %t", name, !want)
		}
	}
}

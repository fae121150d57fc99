package config

import (
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"
)

// settingValues has, for each setting, a value other than its default and the value that it becomes.
var settingValues = map[string]struct {
	text string
	want any
}{
	"web.listen":           {"0.0.0.0:80", "0.0.0.0:80"},
	"web.admin":            {"127.0.0.1:9191", "127.0.0.1:9191"},
	"web.admin_hosts":      {"ops.example, metrics.example", []string{"ops.example", "metrics.example"}},
	"web.public_url":       {"https://www.{host}", "https://www.{host}"},
	"web.stop_delay":       {"3s", 3 * time.Second},
	"web.trusted_proxies":  {"10.0.0.0/8,127.0.0.1", []string{"10.0.0.0/8", "127.0.0.1"}},
	"database.url":         {"postgres://u:p@h/n", "postgres://u:p@h/n"},
	"database.pooler_url":  {"postgres://h:6432/n", "postgres://h:6432/n"},
	"database.max_conns":   {"7", 7},
	"database.work_conns":  {"8", 8},
	"database.total_conns": {"90", 90},
	"database.bin_dir":     {"/opt/pg", "/opt/pg"},
	"redis.url":            {"redis://h:1/0", "redis://h:1/0"},
	"mail.url":             {"smtps://h:465", "smtps://h:465"},
	"mail.require_tls":     {"false", false},
	"mail.dkim_selector":   {"mail1", "mail1"},
	"stripe.api_base":      {"http://127.0.0.1:12111", "http://127.0.0.1:12111"},
	"vies.api_base":        {"https://vies.example", "https://vies.example"},
	"media.url":            {"s3://k:s@h/b", "s3://k:s@h/b"},
	"media.dir":            {"/srv/media", "/srv/media"},
	"data.dir":             {"/srv/data", "/srv/data"},
	"secret":               {goodSecret, goodSecret},
	"locale":               {"de", "de"},
	"log.level":            {"warn", "warn"},
	"log.format":           {"json", "json"},
	"log.access":           {"sampled", "sampled"},
	"tracing.endpoint":     {"http://collector:4318", "http://collector:4318"},
	"render.runtimes":      {"3", 3},
	"render.timeout":       {"4s", 4 * time.Second},
	"render.memory_mb":     {"256", 256},
	"cache.memory_mb":      {"16", 16},
	"process.memory_mb":    {"200", 200},
}

// valueOf returns the field of a Config that a key names.
func valueOf(c *Config, key string) any {
	v := reflect.ValueOf(c).Elem()
	for part := range strings.SplitSeq(key, ".") {
		t := v.Type()
		for i := range t.NumField() {
			if t.Field(i).Tag.Get("mapstructure") == part {
				v = v.Field(i)
				break
			}
		}
	}
	return v.Interface()
}

// Units and containers have the environment alone, so a setting that only a file can set is as good as missing.
func TestLoad_EachSetting(t *testing.T) {
	t.Parallel()
	listed := map[string]bool{}
	for _, s := range Describe() {
		listed[s.Key] = true
		value, known := settingValues[s.Key]
		if !known {
			t.Errorf("%s: got no value in settingValues, want one", s.Key)
			continue
		}
		check := func(t *testing.T, c *Config, err error) {
			t.Helper()
			if err != nil {
				t.Fatalf("got %v, want no error", err)
			}
			if got := valueOf(c, s.Key); !reflect.DeepEqual(got, value.want) {
				t.Errorf("got %#v, want %#v", got, value.want)
			}
		}
		env := map[string]string{}
		if s.Key == "database.pooler_url" { // which is in front of a server
			env["BROADSHEET_DATABASE_URL"] = "postgres://u:p@h/n"
		}
		with := func(name, text string) map[string]string {
			all := map[string]string{name: text}
			for k, v := range env {
				all[k] = v
			}
			return all
		}
		t.Run(s.Env, func(t *testing.T) {
			t.Parallel()
			c, err := load("", with(s.Env, value.text))
			check(t, c, err)
		})
		if s.Secret {
			t.Run(s.Env+"_FILE", func(t *testing.T) {
				t.Parallel()
				file := filepath.Join(t.TempDir(), "secret")
				if err := os.WriteFile(file, []byte(value.text+"\n"), 0o600); err != nil {
					t.Fatal(err)
				}
				c, err := load("", with(s.Env+"_FILE", file))
				check(t, c, err)
			})
		}
		t.Run(s.Key, func(t *testing.T) {
			t.Parallel()
			text := value.text
			if s.kind.Kind() == reflect.Slice {
				text = "[" + text + "]"
			} else if s.kind.Kind() == reflect.String {
				text = fmt.Sprintf("%q", text)
			}
			yaml, indent := "", ""
			for part := range strings.SplitSeq(s.Key, ".") {
				yaml += indent + part + ":"
				indent = strings.Repeat("  ", strings.Count(yaml, ":"))
				if strings.Count(yaml, ":") <= strings.Count(s.Key, ".") {
					yaml += "\n"
				}
			}
			c, err := load(write(t, yaml+" "+text+"\n"), env)
			check(t, c, err)
		})
	}
	for key := range settingValues {
		if !listed[key] {
			t.Errorf("%s: got a value in settingValues, want no value: there is no such setting", key)
		}
	}
}

func TestLoad_Bool(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]bool{
		"true": true, "1": true, "yes": true, "on": true, "TRUE": true, "false": false, "0": false, "no": false, "Off": false,
	} {
		c, err := load("", map[string]string{"BROADSHEET_MAIL_REQUIRE_TLS": text})
		if err != nil || c.Mail.RequireTLS != want {
			t.Errorf("%q: got %v, %v, want %t", text, c, err, want)
		}
	}
	for _, text := range []string{"", "maybe", "truefalse", "2"} {
		_, err := load("", map[string]string{"BROADSHEET_MAIL_REQUIRE_TLS": text})
		if err == nil || !strings.Contains(err.Error(), "BROADSHEET_MAIL_REQUIRE_TLS") {
			t.Errorf("%q: got %v, want an error that names the variable", text, err)
		}
	}
}

func TestValidate_GuessableSecret(t *testing.T) {
	t.Parallel()
	for _, secret := range []string{
		"passwordpasswordpasswordpassword1234", "broadsheetbroadsheetbroadsheet2026", strings.Repeat("changeme", 5) + "!",
		"abcabcabcabcabcabcabcabcabcabcabcabcx", strings.Repeat("0123456789abcdef", 2), strings.Repeat("x", 40),
	} {
		if _, err := load("", map[string]string{"BROADSHEET_SECRET": secret}); err == nil {
			t.Errorf("%q: got no error, want it refused as easy to guess", secret)
		}
	}
	for _, secret := range []string{
		goodSecret, "0f1e2d3c4b5a69788796a5b4c3d2e1f0", "correct horse battery staple, and a lamp",
		"kX8!vZ2#qL9@wR4$tY7%uI1^oP3&aS6*",
		"5f4dcc3b5aa765d61d8327deb882cf99e3b0c44298fc1c149afbf4c8996fb924",
	} {
		if _, err := load("", map[string]string{"BROADSHEET_SECRET": secret}); err != nil {
			t.Errorf("%q: got %v, want it taken", secret, err)
		}
	}
}

func TestAdvice_DangerousSettings(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		env  map[string]string
		want string // "" for no advice
	}{
		"every network trusted":      {web("TRUSTED_PROXIES", "0.0.0.0/0"), "web.trusted_proxies"},
		"half of all networks":       {web("TRUSTED_PROXIES", "10.0.0.1,128.0.0.0/1"), "128.0.0.0/1"},
		"every network of IPv6":      {web("TRUSTED_PROXIES", "::/0"), "web.trusted_proxies"},
		"every network, mapped":      {web("TRUSTED_PROXIES", "::ffff:0.0.0.0/96"), "web.trusted_proxies"},
		"a private network":          {web("TRUSTED_PROXIES", "10.0.0.0/8,fd00::/8"), ""},
		"a content delivery network": {web("TRUSTED_PROXIES", "104.16.0.0/13,2400:cb00::/32"), ""},
		"operators on all addresses": {web("ADMIN", "0.0.0.0:9090"), "web.admin"},
		"operators on any address":   {web("ADMIN", ":9090"), "web.admin"},
		"operators on IPv6":          {web("ADMIN", "[::]:9090"), "web.admin"},
		"operators on a public one":  {web("ADMIN", "203.0.113.9:9090"), "web.admin"},
		"operators on a private one": {web("ADMIN", "10.0.0.9:9090"), ""},
		"operators on this machine":  {web("ADMIN", "localhost:9090"), ""},
		"pages without encryption":   {web("PUBLIC_URL", "http://{host}"), "web.public_url"},
		"pages on this machine":      {web("PUBLIC_URL", "http://{host}.localhost:8080"), ""},
		"one secret key for two":     {keysOf("sk_test_1", "whsec_1", "sk_test_1", "whsec_2"), "secret_key"},
		"one webhook secret for two": {keysOf("sk_test_1", "whsec_1", "sk_test_2", "whsec_1"), "webhook_secret"},
		"keys of their own":          {keysOf("sk_test_1", "whsec_1", "sk_test_2", "whsec_2"), ""},
		"the defaults":               {nil, ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got, err := load("", c.env)
			if err != nil {
				t.Fatal(err)
			}
			list := strings.Join(got.Advice(), "\n")
			if c.want == "" && list != "" || !strings.Contains(list, c.want) {
				t.Errorf("got %q, want %q", list, c.want)
			}
			if strings.Contains(list, "sk_test_1") || strings.Contains(list, "whsec_1") {
				t.Errorf("got %q, want no key in it", list)
			}
		})
	}
}

func web(name, value string) map[string]string {
	return map[string]string{"BROADSHEET_WEB_" + name: value}
}

func keysOf(one, oneHook, other, otherHook string) map[string]string {
	return map[string]string{
		"BROADSHEET_STRIPE_STANDARD_SECRET_KEY": one, "BROADSHEET_STRIPE_STANDARD_WEBHOOK_SECRET": oneHook,
		"BROADSHEET_STRIPE_STANDARD_AT_SECRET_KEY": other, "BROADSHEET_STRIPE_STANDARD_AT_WEBHOOK_SECRET": otherHook,
	}
}

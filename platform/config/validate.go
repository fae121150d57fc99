package config

import (
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"net"
	"net/netip"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"
)

// shortestSecret is 128 bits written in hexadecimal.
const shortestSecret = 32

// Validate looks at what the settings say and lists everything that is wrong, by key and source.
func (c *Config) Validate() error {
	var errs []error
	fail := func(key, format string, args ...any) {
		source := c.sources[key]
		if source == "" {
			source = "settings"
		}
		errs = append(errs, fmt.Errorf("%s: %s: %s", source, key, fmt.Sprintf(format, args...)))
	}
	between := func(key string, n, low, high int) {
		if n < low || n > high {
			fail(key, "%d is not between %d and %d", n, low, high)
		}
	}
	scheme := func(key, v string, allowed ...string) {
		// The text itself may hold a password, so it is not repeated.
		if u, err := url.Parse(v); v != "" && (err != nil || !slices.Contains(allowed, u.Scheme)) {
			fail(key, "this is not an address that begins with %s://", strings.Join(allowed, ":// or "))
		}
	}
	if !address(c.Web.Listen) {
		fail("web.listen", "%q is not host:port", c.Web.Listen)
	}
	if c.Web.Admin != "" &&
		(!address(c.Web.Admin) || (c.Web.Admin == c.Web.Listen && !strings.HasSuffix(c.Web.Admin, ":0"))) {
		fail("web.admin", "%q is not host:port, other than web.listen", c.Web.Admin)
	}
	u, err := url.Parse(strings.ReplaceAll(c.Web.PublicURL, "{host}", "host.test"))
	if err != nil || (u.Scheme != "https" && u.Scheme != "http") || u.Host == "" || strings.Trim(u.Path, "/") != "" ||
		u.RawQuery != "" {
		fail("web.public_url", "%q is not like https://{host}", c.Web.PublicURL)
	}
	for _, p := range c.Web.TrustedProxies {
		if _, err := netip.ParsePrefix(p); err == nil {
			continue
		}
		if _, err := netip.ParseAddr(p); err != nil {
			fail("web.trusted_proxies", "%q is neither an address nor a network", p)
		}
	}
	if c.Database.URL != "" {
		if _, err := pgx.ParseConfig(c.Database.URL); err != nil {
			fail("database.url", "this is not postgres://user:password@host/name")
		}
	}
	if c.Database.PoolerURL != "" {
		if _, err := pgx.ParseConfig(c.Database.PoolerURL); err != nil {
			fail("database.pooler_url", "this is not postgres://host:port/name")
		} else if c.Database.URL == "" {
			fail("database.pooler_url", "database.url is missing: notices and locks need Postgres itself")
		}
	}
	between("database.max_conns", c.Database.MaxConns, 2, 1000)
	between("database.work_conns", c.Database.WorkConns, 2, 1000)
	between("database.total_conns", c.Database.TotalConns, 2, 10000)
	if c.Web.StopDelay < 0 || c.Web.StopDelay > 5*time.Minute {
		fail("web.stop_delay", "%s is not between 0s and 5m", c.Web.StopDelay)
	}
	scheme("redis.url", c.Redis.URL, "redis", "rediss", "redis-sentinel", "redis-socket")
	scheme("mail.url", c.Mail.URL, "smtp", "smtps")
	scheme("media.url", c.Media.URL, "s3")
	if c.Media.URL != "" && c.Media.Dir != "" {
		fail("media.url", "media.dir is set as well: pictures are in a bucket or in a folder")
	}
	scheme("stripe.api_base", c.Stripe.APIBase, "https", "http")
	scheme("vies.api_base", c.VIES.APIBase, "https", "http")
	scheme("tracing.endpoint", c.Tracing.Endpoint, "https", "http")
	if u, err := url.Parse(c.Tracing.Endpoint); err == nil && c.Tracing.Endpoint != "" && (u.Host == "" || u.User != nil) {
		fail("tracing.endpoint", "this is not http://host:port; a password belongs into OTEL_EXPORTER_OTLP_HEADERS")
	}
	if !slices.Contains([]string{"", "sk", "de", "en"}, c.Locale) {
		fail("locale", "%q is none of sk, de and en", c.Locale)
	}
	if c.Secret != "" && len(c.Secret) < shortestSecret {
		fail("secret", "it has fewer than %d characters", shortestSecret)
	} else if c.Secret != "" && guessable(c.Secret) {
		fail("secret", "it is easy to guess; take a random one: openssl rand -hex 32")
	}
	if err := new(slog.Level).UnmarshalText([]byte(c.Log.Level)); err != nil {
		fail("log.level", "%q is none of debug, info, warn, error", c.Log.Level)
	}
	if !slices.Contains([]string{"all", "sampled", "off"}, c.Log.Access) {
		fail("log.access", "%q is none of all, sampled, off", c.Log.Access)
	}
	if !slices.Contains([]string{"text", "json"}, c.Log.Format) {
		fail("log.format", "%q is none of text, json", c.Log.Format)
	}
	between("render.runtimes", c.Render.Runtimes, 0, 256)
	between("render.memory_mb", c.Render.MemoryMB, 32, 4096)
	between("cache.memory_mb", c.Cache.MemoryMB, 1, 1<<20)
	if c.Process.MemoryMB != 0 { // a limit below what is held would have the process do nothing but collect
		between("process.memory_mb", c.Process.MemoryMB, c.Cache.MemoryMB+64, 1<<20)
	}
	if c.Render.Timeout < 50*time.Millisecond || c.Render.Timeout > time.Minute {
		fail("render.timeout", "%s is not between 50ms and 1m", c.Render.Timeout)
	}
	return errors.Join(errs...)
}

// fewestDistinct is what a random secret has at least: of 32 hexadecimal digits, for one, eight are different all but
// always.
const fewestDistinct = 8

// guessable reports whether a secret has few characters, or repeats itself: less than two thirds of its sequences of
// three characters are different.
func guessable(secret string) bool {
	distinct, sequences := map[byte]bool{}, map[string]bool{}
	for i := range len(secret) {
		distinct[secret[i]] = true
		if i+3 <= len(secret) {
			sequences[secret[i:i+3]] = true
		}
	}
	return len(distinct) < fewestDistinct || 3*len(sequences) < 2*(len(secret)-2)
}

// Production says what is still missing for `serve` and `work`, where nothing is embedded but the database.
func (c *Config) Production() error {
	var errs []error
	for _, s := range []struct{ key, value, why string }{
		{"secret", c.Secret, "keys and passwords are derived from it"},
		{"redis.url", c.Redis.URL, "jobs are carried by it"},
		{"mail.url", c.Mail.URL, "emails go there"},
	} {
		if s.value == "" {
			name := prefix + strings.ToUpper(strings.ReplaceAll(s.key, ".", "_"))
			errs = append(errs, fmt.Errorf("%s: is not set (%s, or %s_FILE): %s", s.key, name, name, s.why))
		}
	}
	if u, err := url.Parse(c.Stripe.APIBase); c.Simulated() && (err != nil || u.Scheme != "https") {
		for _, id := range slices.Sorted(maps.Keys(c.Stripe.Keys)) {
			if LiveKey(c.Stripe.Keys[id].SecretKey) {
				errs = append(errs, fmt.Errorf("stripe.api_base: the key of %s is of the real provider, and would be sent "+
					"unencrypted to what is not the provider; a simulator takes keys that begin with sk_test_", id))
			}
		}
	}
	return errors.Join(errs...)
}

func address(v string) bool {
	host, port, err := net.SplitHostPort(v)
	if err != nil || strings.ContainsAny(host, " /") {
		return false
	}
	n, err := strconv.Atoi(port)
	return err == nil && n >= 0 && n <= 65535
}

package app

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/alicebob/miniredis/v2"
	"github.com/stripe/stripe-go/v76"

	"example.org/broadsheet/platform/sandbox/mailbox"
	"example.org/broadsheet/platform/testkit"
	"example.org/broadsheet/platform/testkit/s3server"
	"example.org/broadsheet/platform/testkit/wait"
)

// examined runs the doctor, and returns what it has found by check, and whether it has called that well.
func examined(t *testing.T) (found map[string]string, well bool) {
	t.Helper()
	var out bytes.Buffer
	c := NewCommand()
	c.PersistentPreRunE = nil
	c.SetOut(&out)
	c.SilenceErrors, c.SilenceUsage = true, true
	c.SetArgs([]string{"doctor", "--json"})
	err := c.ExecuteContext(t.Context())
	var report struct {
		OK       bool
		Findings []struct{ Check, Status, Text, Advice string }
	}
	if e := json.Unmarshal(out.Bytes(), &report); e != nil || report.OK != (err == nil) {
		t.Fatalf("%v, and its exit says %v:\n%s", e, err, &out)
	}
	found = map[string]string{}
	for _, f := range report.Findings {
		found[f.Check] += f.Status + " " + f.Text + " " + f.Advice + "\n"
	}
	return found, report.OK
}

// redisServer starts a Redis with settings of its own.
func redisServer(t *testing.T, settings ...string) (url string) {
	t.Helper()
	port := testkit.FreePort(t)
	run(t, exec.Command(programPath(t, "redis-server"), append([]string{
		"--port", port, "--bind", "127.0.0.1", "--dir", t.TempDir(),
	}, settings...)...))
	wait.Until(t, "Redis listens", func() bool { return listens("127.0.0.1:" + port) })
	return "redis://127.0.0.1:" + port + "/0"
}

// provider is the payment provider as far as the doctor asks it: an account of a version, with an endpoint and a clock
// that is so far ahead of ours.
func provider(version, endpoint string, ahead time.Duration) func(*testing.T) {
	return func(t *testing.T) {
		t.Helper()
		s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Stripe-Version", version)
			w.Header().Set("Date", time.Now().Add(ahead).UTC().Format(http.TimeFormat))
			_, _ = fmt.Fprintf(w, `{"data":[{"url":%q,"status":"enabled","enabled_events":["*"],"api_version":null}]}`, endpoint)
		}))
		t.Cleanup(s.Close)
		t.Setenv("BROADSHEET_STRIPE_API_BASE", s.URL)
	}
}

// healthy sets up all that one edition needs.
func healthy(t *testing.T) *testkit.Cluster {
	t.Helper()
	c := testkit.NewCluster(t)
	founded(t, c)
	c.Run(t, t.TempDir(), `psql -qd broadsheet -c 'REVOKE CONNECT ON DATABASE postgres, template1 FROM PUBLIC'`)
	mail, err := mailbox.New(mailbox.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = mail.Close() })
	production(t, c.DSN(t))
	for name, value := range map[string]string{
		"REDIS_URL": redisServer(t, "--maxmemory-policy", "noeviction", "--appendonly", "yes"),
		"MAIL_URL":  mail.URL(), "WEB_TRUSTED_PROXIES": "127.0.0.1",
		"STRIPE_STANDARD_SECRET_KEY": "sk_test_standard", "STRIPE_STANDARD_WEBHOOK_SECRET": "whsec_standard",
		"STRIPE_API_BASE": "http://127.0.0.1:1",
	} {
		t.Setenv("BROADSHEET_"+name, value)
	}
	return c
}

// Each mistake of an operator is found and named, with what to do; where there is none, nothing is said to be wrong.
func TestDoctor(t *testing.T) {
	c := healthy(t)
	sql := func(statements ...string) func(*testing.T) {
		return func(t *testing.T) {
			t.Helper()
			c.Run(t, t.TempDir(), `psql -v ON_ERROR_STOP=1 -qd broadsheet -c "`+strings.Join(statements, `" -c "`)+`"`)
		}
	}
	set := func(name, value string) func(*testing.T) {
		return func(t *testing.T) {
			t.Helper()
			t.Setenv("BROADSHEET_"+name, value)
		}
	}
	never := func(*testing.T) {}
	pictures := s3server.Start(t)
	bucket := func(old, changed string, fault s3server.Fault) func(*testing.T) {
		return func(t *testing.T) {
			t.Helper()
			t.Setenv("BROADSHEET_MEDIA_DIR", "")
			t.Setenv("BROADSHEET_MEDIA_URL", strings.Replace(pictures.Address("paper"), old, changed, 1))
			pictures.Break(fault)
		}
	}
	readOnly := func(w http.ResponseWriter, r *http.Request) bool {
		if r.Method != http.MethodPut {
			return false
		}
		s3server.Refuse(w, http.StatusForbidden, "AccessDenied")
		return true
	}
	found, _ := examined(t)
	for check, text := range found {
		if check != "payment provider" && strings.Contains(text, "problem ") {
			t.Errorf("%s of a paper that is well: %s", check, text)
		}
	}
	const history = "ed_standard.bun_migrations"
	for name, tc := range map[string]struct {
		make, mend func(*testing.T)
		check      string
		want       []string // in the text
	}{
		"a damaged invoice": {
			sql("INSERT INTO ed_standard.billing_documents (source, issuer, kind, year, n, number, reader_id, total, " +
				"currency, issued_at, snapshot) VALUES ('x', 'x', 'FV', 2026, 7, 'FV-2026-000007', 7, 1, 'EUR', now(), '{}')"),
			sql("SET session_replication_role = replica; DELETE FROM ed_standard.billing_documents"), "invoices",
			[]string{"problem standard: 1 invoices cannot be drawn or mailed: FV-2026-000007", "invoice redraw --dry-run"},
		},
		"no folder of pictures": {
			set("MEDIA_DIR", "/nowhere/pictures"), never, "media", []string{"problem /nowhere/pictures is not there", "mkdir"},
		},
		"a file for a folder": {
			func(t *testing.T) {
				file := filepath.Join(t.TempDir(), "file")
				if err := os.WriteFile(file, nil, 0o600); err != nil {
					t.Fatal(err)
				}
				t.Setenv("BROADSHEET_MEDIA_DIR", file)
			}, never, "media", []string{"problem ", "is no folder"},
		},
		"another folder of pictures": {
			sql("INSERT INTO ed_standard.content_pictures VALUES (repeat('a', 32), 10, 10)",
				"INSERT INTO ed_standard.content_posts (type, status, slug, title, paragraphs, locked, published_at, modified_at, "+
					"picture_id, hash) VALUES ('article', 'published', 'a', 'A', 1, false, now(), now(), repeat('a', 32), '')"),
			sql("DELETE FROM ed_standard.content_posts"), "media",
			[]string{"problem standard: the picture aaaa", "media.dir"},
		},
		"a bucket that is well": {bucket("", "", nil), never, "media", []string{"ok bucket pictures at ", "can be written"}},
		"no such bucket": {
			bucket("/pictures", "/photos", nil), never, "media",
			[]string{"problem bucket photos at ", "NoSuchBucket", "media.url"},
		},
		"a key that may only read": {
			bucket("", "", readOnly), never, "media", []string{"problem ", "cannot be written", "AccessDenied", "s3:PutObject"},
		},
		"the bucket's service is away": {
			bucket(strings.TrimPrefix(pictures.URL, "http://"), "127.0.0.1:1", nil), never, "media",
			[]string{"problem ", "does not answer", "media.url"},
		},
		"another bucket": {
			func(t *testing.T) {
				bucket("", "", nil)(t)
				sql("INSERT INTO ed_standard.content_pictures VALUES (repeat('b', 32), 10, 10)",
					"INSERT INTO ed_standard.content_posts (type, status, slug, title, paragraphs, locked, published_at, "+
						"modified_at, picture_id, hash) VALUES ('article', 'published', 'b', 'B', 1, false, now(), now(), "+
						"repeat('b', 32), '')")(t)
			}, sql("DELETE FROM ed_standard.content_posts"), "media",
			[]string{"problem standard: the picture bbbb", "not in bucket pictures", "prefix"},
		},
		"a refused login": {
			sql("ALTER ROLE ed_standard NOLOGIN"), sql("ALTER ROLE ed_standard LOGIN"), "logins of editions",
			[]string{"problem standard: ", "BROADSHEET_SECRET"},
		},
		"a schema that is older": {
			sql("CREATE TABLE kept AS SELECT * FROM "+history, "DELETE FROM "+history+" WHERE id = (SELECT max(id) FROM "+
				history+")"),
			sql("DELETE FROM "+history, "INSERT INTO "+history+" SELECT * FROM kept", "DROP TABLE kept"), "migrations",
			[]string{"problem standard: the schema is older", "broadsheet migrate"},
		},
		"a schema that is newer": {
			sql("INSERT INTO " + history + " (name, group_id) VALUES ('29990101000000', 99)"),
			sql("DELETE FROM " + history + " WHERE group_id = 99"), "migrations",
			[]string{"warning standard: the schema is newer", "29990101000000"},
		},
		"an owner without rights": {
			sql("ALTER ROLE broadsheet NOCREATEROLE", "ALTER DATABASE broadsheet OWNER TO postgres"),
			sql("ALTER ROLE broadsheet CREATEROLE", "ALTER DATABASE broadsheet OWNER TO broadsheet"), "rights in Postgres",
			[]string{
				"problem broadsheet may not create roles", "problem broadsheet may not create schemas", "OWNER TO broadsheet",
			},
		},
		"an open database": {
			sql("GRANT CONNECT ON DATABASE postgres TO PUBLIC"), sql("REVOKE CONNECT ON DATABASE postgres FROM PUBLIC"),
			"other databases",
			[]string{"warning ", "REVOKE CONNECT ON DATABASE postgres FROM PUBLIC"},
		},
		"more connections than there are": {
			func(t *testing.T) {
				t.Setenv("BROADSHEET_DATABASE_MAX_CONNS", "500")
				t.Setenv("BROADSHEET_DATABASE_TOTAL_CONNS", "500")
			}, never, "connections", []string{"warning ", "max_connections"},
		},
		"a failed migration": {
			sql("UPDATE core.editions SET state = 'failed', error = 'a lock'"),
			sql("UPDATE core.editions SET state = 'live', error = ''"), "editions",
			[]string{"problem standard is failed: a lock"},
		},
		"a restore that nobody has confirmed": {
			sql("INSERT INTO core.settings VALUES ('restored:standard', '2026-11-01T03:00:00Z')"),
			sql("DELETE FROM core.settings WHERE key = 'restored:standard'"), "editions",
			[]string{"warning standard was restored from the backup of 2026-11-01T03:00:00Z", "restore confirm"},
		},
		"a restore that was stopped": {
			sql("CREATE SCHEMA ed_half", "INSERT INTO core.settings VALUES ('restoring:half', '2026-11-01T03:00:00Z')"),
			sql("DROP SCHEMA ed_half", "DELETE FROM core.settings WHERE key = 'restoring:half'"), "editions",
			[]string{"problem the restore of half has not ended", "broadsheet restore", "edition remove half --drop --yes"},
		},
		"a schema of no edition": {
			sql("CREATE SCHEMA ed_stray"), sql("DROP SCHEMA ed_stray"), "schemas",
			[]string{"warning the schema ed_stray is of no edition", "edition apply"},
		},
		"an edition without its schema": {
			sql("ALTER SCHEMA ed_standard RENAME TO aside"), sql("ALTER SCHEMA aside RENAME TO ed_standard"), "schemas",
			[]string{"problem standard is in the registry, and its schema is not there", "--drop"},
		},
		"a table of the login": {
			sql("ALTER TABLE ed_standard.outbox OWNER TO ed_standard"),
			sql("ALTER TABLE ed_standard.outbox OWNER TO owner_ed_standard",
				"GRANT SELECT, INSERT, UPDATE, DELETE ON ed_standard.outbox TO ed_standard"), "roles of editions",
			[]string{"problem standard: not all of its schema belongs to owner_ed_standard", "broadsheet migrate"},
		},
		"another clock of Redis": {
			func(t *testing.T) {
				r := miniredis.RunT(t)
				r.SetTime(time.Now().Add(5 * time.Minute))
				t.Setenv("BROADSHEET_REDIS_URL", "redis://"+r.Addr())
			}, never, "clock", []string{"problem this machine's and that of Redis differ by", "time server"},
		},
		"another clock of the provider": {
			provider(stripe.APIVersion, "https://sk.localhost/webhooks/stripe", -time.Hour), never,
			"payment provider",
			[]string{"problem this machine's and that of the payment provider differ by"},
		},
		"another version of the provider's": {
			provider("2025-01-01", "https://sk.localhost/webhooks/stripe", 0), never, "payment provider",
			[]string{"warning standard: the account speaks version 2025-01-01", "endpoint anew"},
		},
		"webhooks of a simulator": {
			provider(stripe.APIVersion, "http://127.0.0.1:8081/webhooks/stripe", 0), never, "payment provider",
			[]string{"ok each account answers (1)"},
		},
		"no webhooks": {
			provider(stripe.APIVersion, "https://elsewhere.example/", 0), never, "payment provider",
			[]string{"warning standard: the provider sends no messages to https://sk.localhost/webhooks/stripe", "endpoint"},
		},
		"keys that were taken for each other": {
			func(t *testing.T) {
				t.Setenv("BROADSHEET_STRIPE_STANDARD_SECRET_KEY", "whsec_standard")
				t.Setenv("BROADSHEET_STRIPE_STANDARD_WEBHOOK_SECRET", "sk_test_standard")
			}, never, "payment keys", []string{
				"problem BROADSHEET_STRIPE_STANDARD_SECRET_KEY has 14 characters",
				"problem BROADSHEET_STRIPE_STANDARD_WEBHOOK_SECRET has 16 characters", "whole",
			},
		},
		"a short secret": {set("SECRET", "0123456789"), never, "settings", []string{"problem ", "fewer than 32"}},
		"Redis is away":  {set("REDIS_URL", "redis://127.0.0.1:1/0"), never, "redis", []string{"problem ", "refused"}},
		"Redis drops what it has": {
			func(t *testing.T) {
				t.Setenv("BROADSHEET_REDIS_URL", redisServer(t, "--maxmemory-policy", "allkeys-lru", "--save", ""))
			}, never, "redis", []string{"warning maxmemory-policy is allkeys-lru", "noeviction", "keeps nothing on disk"},
		},
		"no Redis": {set("REDIS_URL", ""), never, "redis", []string{"problem none is set", "BROADSHEET_REDIS_URL"}},
		"no mail server": {
			set("MAIL_URL", ""), never, "mail server", []string{"problem none is set", "BROADSHEET_MAIL_URL"},
		},
		"the mail server is away": {
			set("MAIL_URL", "smtp://127.0.0.1:1"), never, "mail server", []string{"problem ", "refused"},
		},
		"no keys": {
			set("STRIPE_STANDARD_SECRET_KEY", ""), never, "payment keys",
			[]string{"problem standard sells", "BROADSHEET_STRIPE_STANDARD_SECRET_KEY"},
		},
		"keys of nobody": {
			set("STRIPE_STANDRAD_SECRET_KEY", "sk_test_x"), never, "payment keys", []string{`warning `, `"standrad"`},
		},
		"the provider is away": {never, never, "payment provider", []string{"problem standard: ", "refused"}},
		"nobody is trusted": {
			set("WEB_TRUSTED_PROXIES", ""), never, "proxies", []string{"warning ", "WEB_TRUSTED_PROXIES"},
		},
		"every proxy is trusted": {
			set("WEB_TRUSTED_PROXIES", "0.0.0.0/0"), never, "settings", []string{"warning ", "web.trusted_proxies: 0.0.0.0/0"},
		},
		"operators for everybody": {
			set("WEB_ADMIN", "0.0.0.0:9090"), never, "settings", []string{"warning ", "web.admin: 0.0.0.0:9090"},
		},
		"readers without encryption": {
			set("WEB_PUBLIC_URL", "http://{host}"), never, "settings", []string{"warning ", "web.public_url: http://{host}"},
		},
		"keys of another edition": {
			func(t *testing.T) {
				t.Setenv("BROADSHEET_STRIPE_STANDARD_AT_SECRET_KEY", "sk_test_standard")
				t.Setenv("BROADSHEET_STRIPE_STANDARD_AT_WEBHOOK_SECRET", "whsec_standard")
			}, never, "payment keys", []string{
				"problem stripe.keys: standard and standard_at have the same secret_key",
				"problem stripe.keys: standard and standard_at have the same webhook_secret",
			},
		},
		"too few events": {
			func(t *testing.T) {
				s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
					_, _ = io.WriteString(w, `{"data":[{"url":"https://sk.localhost/webhooks/stripe","status":"enabled",`+
						`"enabled_events":["invoice.paid"]}]}`)
				}))
				t.Cleanup(s.Close)
				t.Setenv("BROADSHEET_STRIPE_API_BASE", s.URL)
			}, never, "payment provider", []string{"warning standard: ", "is not sent", "customer.subscription.deleted"},
		},
		"a secret for everybody": {
			func(t *testing.T) {
				file := filepath.Join(t.TempDir(), "secret")
				if err := os.WriteFile(file, []byte(os.Getenv("BROADSHEET_SECRET")), 0o600); err != nil {
					t.Fatal(err)
				}
				if err := os.Chmod(file, 0o666); err != nil {
					t.Fatal(err)
				}
				t.Setenv("BROADSHEET_SECRET", "") // set again at the end
				if err := os.Unsetenv("BROADSHEET_SECRET"); err != nil {
					t.Fatal(err)
				}
				t.Setenv("BROADSHEET_SECRET_FILE", file)
			}, never, "secrets", []string{"warning BROADSHEET_SECRET_FILE", "0666", "chmod 600"},
		},
		"a name that is no setting": {
			set("REDIS_ULR", "x"), never, "settings", []string{"problem ", "BROADSHEET_REDIS_ULR"},
		},
		"another password": {
			set("DATABASE_URL", strings.Replace(c.DSN(t), "broadsheet@", "nobody@", 1)), never, "database",
			[]string{"problem ", "BROADSHEET_DATABASE_URL"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			tc.make(t)
			found, well := examined(t)
			tc.mend(t)
			for _, want := range tc.want {
				if !strings.Contains(found[tc.check], want) {
					t.Errorf("%q is not said:\n%s", want, found[tc.check])
				}
			}
			if well && strings.Contains(tc.want[0], "problem ") {
				t.Error("its exit code says that all is well")
			}
		})
	}
}

// Another secret than that of the day when the edition was added gives its login another password.
func TestDoctorFindsAnotherSecret(t *testing.T) {
	c := healthy(t)
	if err := execute(t.Context(), "migrate", "--new-secret"); err != nil {
		t.Fatal(err)
	}
	c.AskPasswords(t, "ed_standard")
	if found, _ := examined(t); !strings.HasPrefix(found["logins of editions"], "ok ") {
		t.Fatalf("with the secret of before: %s", found["logins of editions"])
	}
	t.Setenv("BROADSHEET_SECRET", "9876543210, another secret that is good for tests")
	found, well := examined(t)
	if text := found["logins of editions"]; well || !strings.Contains(text, "problem standard: ") ||
		!strings.Contains(text, "migrate --new-secret") {
		t.Errorf("with another: %v %s", well, text)
	}
}

// A program that starts on the schema of the version before says so, and what to do.
func TestAnOldSchemaIsNamed(t *testing.T) {
	said := captureLog(t)
	c := testkit.NewCluster(t)
	founded(t, c)
	c.Run(t, t.TempDir(), `psql -qd broadsheet -c "DELETE FROM ed_standard.bun_migrations WHERE id = (SELECT max(id) `+
		`FROM ed_standard.bun_migrations)"`)
	starting(t, c.DSN(t), "serve")
	wait.Until(t, "the old schema is named", func() bool {
		return strings.Contains(said(), "older than this program: run `broadsheet migrate`\" edition=standard")
	})
}

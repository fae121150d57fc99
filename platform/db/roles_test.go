package db_test

import (
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"example.org/broadsheet/platform/clock"
	"example.org/broadsheet/platform/db"
	"example.org/broadsheet/platform/testkit"
)

// paper opens a database as the owner of a paper does whose editions have passwords that begin with a secret.
func paper(t *testing.T, dsn, secret string, change ...func(*db.Options)) *db.DB {
	t.Helper()
	o := db.Options{Password: func(id string) string { return secret + id }}
	for _, c := range change {
		c(&o)
	}
	d, err := db.Open(dsn, &clock.Clock{}, o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = d.Close() })
	return d
}

// A paper takes no login that another database uses with another password, in whatever way it uses it.
func TestProvision_RoleOfAnotherDatabase(t *testing.T) {
	t.Parallel()
	c := testkit.NewCluster(t)
	c.CreateDatabase(t)
	c.AskPasswords(t, "ed_shared")
	second := c.CreateSecondDatabase(t, "second")
	d := paper(t, c.DSN(t), "one-")
	if err := d.Provision(t.Context(), d.Core(), "shared"); err != nil {
		t.Fatal(err)
	}
	none := func(o *db.Options) { o.Password = nil }
	sql := func(database string, statements ...string) {
		t.Helper()
		c.Run(t, t.TempDir(), `psql -v ON_ERROR_STOP=1 -qd `+database+` -c "`+strings.Join(statements, `" -c "`)+`"`)
	}
	secrets := func() (s string) {
		t.Helper()
		dir := t.TempDir()
		c.Run(t, dir, `test "$(psql -Atqd postgres -c "SELECT md5(rolpassword) FROM pg_authid WHERE rolname = 'ed_shared'" `+
			`| tee secret)"`)
		return dir
	}
	same := func(before string) {
		t.Helper()
		c.Run(t, secrets(), "cmp secret "+before+"/secret")
	}
	for name, tc := range map[string]struct {
		secret string
		change func(*db.Options)
		make   []string
		mend   []string
		want   error
	}{
		"another password": {secret: "two-", want: db.ErrRoleTaken},
		"no password":      {change: none, want: db.ErrRoleTaken},
		"the same one":     {secret: "one-"},
		"a login that is closed": {
			secret: "one-", make: []string{"ALTER ROLE ed_shared NOLOGIN"}, mend: []string{"ALTER ROLE ed_shared LOGIN"},
			want: db.ErrRoleTaken,
		},
		"a schema of an earlier version": {
			secret: "two-", make: []string{"DROP OWNED BY ed_shared", "ALTER SCHEMA ed_shared OWNER TO ed_shared"},
			mend: []string{"ALTER SCHEMA ed_shared OWNER TO owner_ed_shared", "GRANT USAGE ON SCHEMA ed_shared TO ed_shared"},
			want: db.ErrRoleTaken,
		},
		"a table of the login": {
			secret: "two-",
			make: []string{
				"DROP OWNED BY ed_shared", "ALTER SCHEMA ed_shared RENAME TO aside", "CREATE TABLE aside.a ()",
				"ALTER SCHEMA aside OWNER TO broadsheet", "ALTER TABLE aside.a OWNER TO ed_shared",
			},
			mend: []string{
				"DROP TABLE aside.a", "ALTER SCHEMA aside RENAME TO ed_shared", "ALTER SCHEMA ed_shared OWNER TO owner_ed_shared",
				"GRANT USAGE ON SCHEMA ed_shared TO ed_shared",
			},
			want: db.ErrRoleTaken,
		},
	} {
		t.Run(name, func(t *testing.T) {
			change := func(*db.Options) {}
			if tc.change != nil {
				change = tc.change
			}
			if len(tc.make) > 0 {
				sql("broadsheet", tc.make...)
				defer sql("broadsheet", tc.mend...)
			}
			other, before := paper(t, second, tc.secret, change), secrets()
			if err := other.RolesFree(t.Context(), other.Core(), "new", "shared"); !errors.Is(err, tc.want) {
				t.Errorf("RolesFree: got %v, want %v", err, tc.want)
			}
			err := other.Provision(t.Context(), other.Core(), "shared")
			if !errors.Is(err, tc.want) || err != nil && !strings.Contains(err.Error(), "ed_shared") {
				t.Errorf("Provision: got %v, want %v", err, tc.want)
			}
			same(before)
			if there, err := other.Schemas(t.Context()); err != nil || slices.Contains(there, "shared") != (tc.want == nil) {
				t.Errorf("schemas: got %v, %v, want one only without an error", there, err)
			}
			// Its end takes nothing from the other paper either.
			if err := other.Deprovision(t.Context(), other.Core(), "shared"); err != nil {
				t.Error(err)
			}
			same(before)
		})
	}
	t.Run("TakeRoles", func(t *testing.T) {
		other := paper(t, second, "two-", func(o *db.Options) { o.TakeRoles = true })
		if err := other.Provision(t.Context(), other.Core(), "shared"); err != nil {
			t.Fatal(err)
		}
		if err := d.RolesFree(t.Context(), d.Core(), "shared"); !errors.Is(err, db.ErrRoleTaken) {
			t.Errorf("the login after it was taken: %v", err)
		}
		if names, err := d.OtherDatabases(t.Context(), "shared"); err != nil || !slices.Equal(names, []string{"second"}) {
			t.Errorf("other databases: got %v, %v, want second", names, err)
		}
	})
}

// The limits of an edition's login behind a pooler are those of its database: another paper with the same login has its
// own.
func TestPooledSettings_OfTheDatabase(t *testing.T) {
	t.Parallel()
	c := testkit.NewCluster(t)
	c.CreateDatabase(t)
	limit := func(d time.Duration) func(*db.Options) {
		return func(o *db.Options) { o.PoolerDSN, o.StatementTimeout = "postgres://127.0.0.1:1/x", d }
	}
	one, two := paper(t, c.DSN(t), "one-", limit(3*time.Second)),
		paper(t, c.CreateSecondDatabase(t, "second"), "one-", limit(9*time.Second))
	for _, d := range []*db.DB{one, two} {
		if err := d.Provision(t.Context(), d.Core(), "shared"); err != nil {
			t.Fatal(err)
		}
		d.Attach("shared", "ed_shared")
	}
	for _, d := range []*db.DB{one, two} {
		if lacking, err := d.LacksPooledSettings(t.Context()); err != nil || len(lacking) != 0 {
			t.Errorf("editions without limits: got %v, %v, want none", lacking, err)
		}
	}
}

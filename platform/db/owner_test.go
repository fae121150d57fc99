package db_test

import (
	"context"
	"net/url"
	"strings"
	"testing"
	"time"

	"example.org/broadsheet/platform/db"
	"example.org/broadsheet/platform/paper/edition"
	"example.org/broadsheet/platform/testkit"
)

// Whoever has an edition's login, or gets SQL of their own into its sessions, changes no table, no trigger and no
// right.
func TestAnEditionsLoginChangesNoTables(t *testing.T) {
	t.Parallel()
	ctx, d := testkit.Edition(t)
	for _, sql := range []string{
		"CREATE TABLE mine (id int)",
		"CREATE FUNCTION mine() RETURNS int LANGUAGE sql AS 'SELECT 1'",
		"CREATE TRIGGER mine BEFORE INSERT ON outbox FOR EACH ROW EXECUTE FUNCTION billing_documents_are_final()",
		"ALTER TABLE outbox ADD COLUMN mine int",
		"ALTER TABLE billing_documents DISABLE TRIGGER USER",
		"ALTER TABLE billing_documents OWNER TO CURRENT_USER",
		"ALTER FUNCTION billing_documents_are_final() RENAME TO mine",
		"ALTER SCHEMA ed_test_sk RENAME TO mine",
		"DROP TRIGGER billing_documents_final ON billing_documents",
		"DROP FUNCTION billing_documents_are_final CASCADE",
		"DROP TABLE outbox",
		"DROP SCHEMA ed_test_sk CASCADE",
		"TRUNCATE outbox",
		"CREATE INDEX ON outbox (event)",
		"SET session_replication_role = replica",
		"SET ROLE owner_ed_test_sk",
		"SET SESSION AUTHORIZATION owner_ed_test_sk",
		"UPDATE bun_migrations SET name = ''",
		"DELETE FROM bun_migrations",
		"INSERT INTO bun_migration_locks (table_name) VALUES ('mine')",
	} {
		if err := exec(ctx, d, sql); state(err) != "42501" {
			t.Errorf("%s: %v", sql, err)
		}
	}
	// A grant of what one may not give is no error, and gives nothing.
	_ = exec(ctx, d, "GRANT ALL ON billing_documents TO CURRENT_USER")
	if err := exec(ctx, d, "TRUNCATE billing_documents, billing_voids"); state(err) != "42501" {
		t.Errorf("after granting itself all: %v", err)
	}
	if err := exec(ctx, d, "SELECT name FROM bun_migrations"); err != nil {
		t.Error(err)
	}
	var extra []string
	err := d.Core().NewRaw(`SELECT c.relname || ' ' || a.privilege_type FROM pg_class c, aclexplode(c.relacl) a
		WHERE c.relnamespace = 'ed_test_sk'::regnamespace AND pg_get_userbyid(a.grantee) = 'ed_test_sk'
			AND a.privilege_type NOT IN ('SELECT', 'INSERT', 'UPDATE', 'DELETE', 'USAGE')`).Scan(t.Context(), &extra)
	if err != nil || len(extra) != 0 {
		t.Errorf("%v, %v", extra, err)
	}
	// Functions that run as the owner are the edition's login's alone, by a path that nobody sets for them.
	var loose []string
	err = d.Core().NewRaw(`SELECT p.proname FROM pg_proc p WHERE p.pronamespace = 'ed_test_sk'::regnamespace AND
		p.prosecdef
		AND (NOT coalesce(p.proconfig, '{}') @> '{"search_path=ed_test_sk, pg_temp"}' OR NOT
		has_function_privilege('ed_test_sk', p.oid, 'EXECUTE')
			OR EXISTS (SELECT FROM aclexplode(coalesce(p.proacl, acldefault('f', p.proowner))) a WHERE a.grantee = 0))`).
		Scan(t.Context(), &loose)
	if err != nil || len(loose) != 0 {
		t.Errorf("%v, %v", loose, err)
	}
}

// A role can always change its own settings; what sessions of the application see does not come from there.
func TestSettingsOfTheLoginDoNotMoveItsSessions(t *testing.T) {
	t.Parallel()
	d, id := fresh(t)
	if err := testkit.Process(t, d, files("CREATE TABLE a (x int)")).Migrate(t.Context(), id); err != nil {
		t.Fatal(err)
	}
	d.Attach(id, edition.SchemaOf(id))
	ctx := edition.With(t.Context(), &edition.Edition{Document: edition.Document{ID: id}})
	for _, s := range []string{"search_path = ''", "statement_timeout = 1", "lock_timeout = 1"} {
		if err := exec(ctx, d, "ALTER ROLE CURRENT_USER SET "+s); err != nil {
			t.Fatal(err)
		}
	}
	if err := d.Detach(id); err != nil {
		t.Fatal(err)
	}
	d.Attach(id, edition.SchemaOf(id))
	if err := exec(ctx, d, "SELECT x, pg_sleep(0.05) FROM a"); err != nil {
		t.Error(err)
	}
}

// former makes an edition as earlier versions did: its login owns schema and tables.
func former(t *testing.T, d *db.DB, id string) {
	t.Helper()
	role := edition.SchemaOf(id)
	conn := session(t, d)
	query(t, conn, "CREATE ROLE "+role+" LOGIN PASSWORD '"+d.Password(id)+"'", "GRANT "+role+" TO CURRENT_USER",
		"ALTER ROLE "+role+" SET search_path = "+role+", pg_temp", "CREATE SCHEMA "+role+" AUTHORIZATION "+role, "SET ROLE "+
			role, "SET search_path = "+role,
		"CREATE TABLE bun_migrations (id bigserial PRIMARY KEY, name varchar UNIQUE, group_id bigint, migrated_at "+
			"timestamptz NOT NULL DEFAULT current_timestamp)",
		"CREATE TABLE bun_migration_locks (id bigserial PRIMARY KEY, table_name varchar UNIQUE)",
		"CREATE TABLE a (id bigint GENERATED ALWAYS AS IDENTITY, x serial)", "INSERT INTO a VALUES (DEFAULT, DEFAULT)",
		"CREATE FUNCTION one() RETURNS int LANGUAGE sql AS 'SELECT 1'", "REVOKE ALL ON FUNCTION one() FROM PUBLIC",
		"INSERT INTO bun_migrations (name) VALUES ('1')")
	t.Cleanup(func() {
		if err := d.Deprovision(context.Background(), d.Core(), id); err != nil {
			t.Error(err)
		}
	})
}

// An edition of an earlier version, whose login owns its tables, is taken over while its processes work on; tables of
// later migrations are as the earlier ones.
func TestMigrateTakesOverWhatTheLoginOwned(t *testing.T) {
	t.Parallel()
	c := testkit.NewCluster(t)
	c.CreateDatabase(t)
	for name, d := range map[string]*db.DB{"a superuser": testkit.Empty(t), "who may create roles": c.Open(t)} {
		t.Run(name, func(t *testing.T) {
			id := testkit.Name("paper")
			former(t, d, id)
			d.Attach(id, edition.SchemaOf(id))
			ctx := edition.With(t.Context(), &edition.Edition{Document: edition.Document{ID: id}})
			works := func() {
				t.Helper()
				for _, sql := range []string{
					"INSERT INTO a VALUES (DEFAULT, DEFAULT)", "UPDATE a SET x = 7", "SELECT one()",
					"SELECT id FROM a FOR UPDATE",
				} {
					if err := exec(ctx, d, sql); err != nil {
						t.Errorf("%s: %v", sql, err)
					}
				}
			}
			works()
			now := testkit.Process(t, d, files("SELECT 1"))
			for range 2 {
				if err := now.Migrate(t.Context(), id); err != nil {
					t.Fatal(err)
				}
				works()
			}
			if err := exec(ctx, d, "ALTER TABLE a ADD COLUMN y int"); state(err) != "42501" {
				t.Errorf("it owns its tables: %v", err)
			}
			if err := exec(ctx, d, "DELETE FROM bun_migrations"); state(err) != "42501" {
				t.Errorf("it writes the history: %v", err)
			}
			later := testkit.Process(t, d,
				files("SELECT 1", "CREATE TABLE b (id bigint GENERATED ALWAYS AS IDENTITY, x serial)"))
			if err := later.Migrate(t.Context(), id); err != nil {
				t.Fatal(err)
			}
			works()
			if err := exec(ctx, d, "INSERT INTO b (x) VALUES (DEFAULT)"); err != nil {
				t.Error(err)
			}
			if err := exec(ctx, d, "TRUNCATE b"); state(err) != "42501" {
				t.Errorf("it empties a later table: %v", err)
			}
			var owners []string
			err := d.Core().NewRaw("SELECT DISTINCT pg_get_userbyid(relowner) FROM pg_class WHERE relnamespace = "+
				"?::regnamespace", edition.SchemaOf(id)).
				Scan(t.Context(), &owners)
			if err != nil || len(owners) != 1 || owners[0] != db.OwnerOf(id) {
				t.Errorf("owners %v, %v", owners, err)
			}
			if err := d.Detach(id); err != nil {
				t.Error(err)
			}
		})
	}
}

// Taking over needs every table at once: one that a reader holds is waited for, and who loses a deadlock tries again.
func TestTakingOverIsTriedAgain(t *testing.T) {
	t.Parallel()
	d, id := testkit.Empty(t), testkit.Name("paper")
	former(t, d, id)
	reader, admin := session(t, d), session(t, d)
	query(t, reader, "BEGIN", "SELECT FROM "+edition.SchemaOf(id)+".a")
	now, ended := testkit.Process(t, d, files("SELECT 1")), make(chan error, 1)
	go func() { ended <- now.Migrate(t.Context(), id) }()
	for cancelled := false; !cancelled; time.Sleep(20 * time.Millisecond) {
		err := admin.QueryRow(t.Context(), `SELECT coalesce(bool_or(pg_cancel_backend(pid)), false) FROM pg_stat_activity
			WHERE datname = current_database() AND wait_event_type = 'Lock' AND query LIKE 'REASSIGN%'`).Scan(&cancelled)
		if err != nil {
			t.Fatal(err)
		}
	}
	query(t, reader, "COMMIT")
	if err := <-ended; err != nil {
		t.Error(err)
	}
}

// A start on an edition that is up to date waits for nobody and changes nothing: the edition's login alone finds it
// out.
func TestMigrateOfAnUpToDateEditionNeedsNoLockAndNoRight(t *testing.T) {
	t.Parallel()
	d, id := fresh(t)
	steps := files("CREATE TABLE a (x int)")
	if err := testkit.Process(t, d, steps).Migrate(t.Context(), id); err != nil {
		t.Fatal(err)
	}
	holder := session(t, d)
	query(t, holder, "SELECT pg_advisory_lock(hashtextextended('broadsheet.migrate."+id+"', 0))",
		"CREATE ROLE "+id+" LOGIN")
	t.Cleanup(func() {
		if _, err := holder.Exec(context.Background(), "DROP ROLE "+id); err != nil {
			t.Error(err)
		}
	})
	u, err := url.Parse(d.Config().ConnString())
	if err != nil {
		t.Fatal(err)
	}
	u.User = url.User(id)
	o := db.Options{Password: d.Password}
	steps(&o)
	limited, err := db.Open(u.String(), d.Clock(), o)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
	defer cancel()
	if err := limited.Migrate(ctx, id); err != nil {
		t.Error(err)
	}
	if err := limited.Close(); err != nil {
		t.Error(err)
	}
}

// What a role is left with when its edition is dropped is nothing.
func TestDeprovisionLeavesNoRole(t *testing.T) {
	t.Parallel()
	c := testkit.NewCluster(t)
	c.CreateDatabase(t)
	d := c.Open(t)
	const id = "gone"
	if err := d.Provision(t.Context(), d.Core(), id); err != nil {
		t.Fatal(err)
	}
	if err := testkit.Process(t, d, files("CREATE TABLE a (x int)")).Migrate(t.Context(), id); err != nil {
		t.Fatal(err)
	}
	if err := d.Deprovision(t.Context(), d.Core(), id); err != nil {
		t.Fatal(err)
	}
	var left []string
	err := d.Core().NewRaw("SELECT rolname FROM pg_roles WHERE rolname LIKE '%gone%' UNION SELECT nspname FROM "+
		"pg_namespace WHERE nspname LIKE '%gone%'").
		Scan(t.Context(), &left)
	if err != nil || len(left) != 0 {
		t.Errorf("%v are left, %v", left, err)
	}
}

// Operators learn of the databases that an edition's login can connect to besides its own.
func TestOpenDatabases(t *testing.T) {
	t.Parallel()
	c := testkit.NewCluster(t)
	c.CreateDatabase(t)
	d := c.Open(t)
	for _, want := range []string{"postgres template1", ""} {
		names, err := d.OpenDatabases(t.Context())
		if err != nil || strings.Join(names, " ") != want {
			t.Errorf("%v, not %q: %v", names, want, err)
		}
		c.Run(t, t.TempDir(), "psql -qd postgres -c 'REVOKE CONNECT ON DATABASE postgres, template1 FROM PUBLIC'")
	}
}

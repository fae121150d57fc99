package migrations_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/uptrace/bun"

	"example.org/broadsheet/platform/paper/edition"
	"example.org/broadsheet/platform/testkit"
)

// citusRules are what Citus 12 and later ask of a schema that is to be a shard of its own (docs/scaling.md). Each query
// lists what breaks its rule in the schema ?0; breaks is a statement that does so in the schema S, beside the schema
// other. "Source" is Citus' schema_based_sharding.c, "documentation" its page "SQL Support and Workarounds".
var citusRules = []struct{ rule, query, breaks string }{
	{
		// Source: foreign keys point to the same schema or to reference tables; nothing points in from another one. Views,
		// functions, types and defaults are held to the same, because the other schema may be on another machine.
		"nothing reaches into another schema, or is reached from one", leaving,
		"ALTER TABLE S.outbox ADD COLUMN x bigint REFERENCES other.t",
	},
	{"a view reaches into the schema", leaving, "CREATE VIEW other.v AS SELECT id FROM S.outbox"},
	{"a default comes from another schema", leaving, "ALTER TABLE S.outbox ALTER attempts SET DEFAULT nextval('other.s')"},
	{"a type is of another schema", leaving, "ALTER TABLE S.outbox ADD COLUMN x other.kind"},
	{
		"a trigger runs a function of another schema", leaving,
		"CREATE TRIGGER x BEFORE INSERT ON S.outbox FOR EACH ROW EXECUTE FUNCTION other.f()",
	},
	{
		// The catalogs do not know what the body of a function names.
		"a body of a function names another schema",
		`SELECT p.proname FROM pg_proc p JOIN pg_namespace n ON n.oid = p.pronamespace WHERE n.nspname = ?0
			AND (p.prosrc ~ (SELECT '\m(' || string_agg(nspname, '|') || ')\.' FROM pg_namespace WHERE nspname NOT IN (?0,
				'pg_catalog', 'information_schema') AND nspname !~ '^pg_'))`,
		"CREATE FUNCTION S.x() RETURNS bigint LANGUAGE plpgsql AS 'BEGIN RETURN (SELECT n FROM other.t); END'",
	},
	{
		"a function looks for names in another schema", paths,
		"CREATE FUNCTION S.x() RETURNS void LANGUAGE plpgsql SET search_path = other AS 'BEGIN END'",
	},
	{
		// Source: no foreign table. Documentation: a materialised view is a table of the coordinator alone. Temporary tables
		// are in a schema of their own; what is not logged is empty after a machine has fallen.
		"only logged tables, views, sequences and indexes",
		`SELECT c.relname FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace WHERE n.nspname = ?0
			AND (c.relkind NOT IN ('r', 'p', 'v', 'S', 'i', 'I', 'c') OR c.relpersistence <> 'p')`,
		"CREATE UNLOGGED TABLE S.x (id bigint)",
	},
	{
		// Source: tables cannot inherit or be inherited; partitions may be, in the schema of their parent. Documentation:
		// partitions of partitions are not supported.
		"partitions of one level, and nothing else that inherits", inheriting,
		"CREATE TABLE S.x () INHERITS (S.outbox)",
	},
	{
		"a partition in another schema", inheriting,
		"CREATE TABLE other.x PARTITION OF S.logging_events FOR VALUES FROM ('2001-01-01') TO ('2001-02-01')",
	},
	{
		// Documentation: the rule system is not supported.
		"no rules but those of views",
		`SELECT r.rulename FROM pg_rewrite r JOIN pg_class c ON c.oid = r.ev_class
			JOIN pg_namespace n ON n.oid = c.relnamespace
			WHERE n.nspname = ?0 AND c.relkind <> 'v'`,
		"CREATE RULE x AS ON DELETE TO S.outbox DO INSTEAD NOTHING",
	},
	{
		// Documentation: a sequence that is smaller than bigint fails on the workers, because the machine's number is part of
		// what it gives.
		"sequences and identities are bigint",
		`SELECT c.relname FROM pg_sequence s JOIN pg_class c ON c.oid = s.seqrelid
			JOIN pg_namespace n ON n.oid = c.relnamespace
			WHERE n.nspname = ?0 AND s.seqtypid <> 'bigint'::regtype`,
		"CREATE TABLE S.x (id integer GENERATED ALWAYS AS IDENTITY)",
	},
	{
		// citus.enable_unsafe_triggers allows triggers; they run where the rows are. There a table has another name
		// (outbox_102008), and others may be elsewhere: so they look at their row alone.
		"triggers look at their row alone", triggers,
		`CREATE FUNCTION S.x() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN PERFORM 1 FROM S.jobs_x; RETURN NEW; END';
			CREATE TRIGGER x BEFORE INSERT ON S.outbox FOR EACH ROW EXECUTE FUNCTION S.x()`,
	},
	{
		"a trigger compares the name of its table", triggers,
		`CREATE FUNCTION S.x() RETURNS trigger LANGUAGE plpgsql AS
			'BEGIN IF TG_TABLE_NAME = ''outbox'' THEN RETURN NULL; END IF; RETURN NEW; END';
			CREATE TRIGGER x BEFORE INSERT ON S.outbox FOR EACH ROW EXECUTE FUNCTION S.x()`,
	},
	{
		// A notice of a function or trigger would be sent on the machine that has the rows, where nobody listens.
		"no notice is sent by the schema",
		`SELECT p.proname FROM pg_proc p JOIN pg_namespace n ON n.oid = p.pronamespace WHERE n.nspname = ?0
			AND p.prosrc ~* '\m(pg_notify|NOTIFY|LISTEN)\M'`,
		"CREATE FUNCTION S.x() RETURNS void LANGUAGE plpgsql AS 'BEGIN NOTIFY a; END'",
	},
	{
		// Source: a schema of an extension, or with a table of one, cannot be distributed.
		"nothing of an extension",
		`SELECT e.extname FROM pg_extension e JOIN pg_namespace n ON n.oid = e.extnamespace WHERE n.nspname = ?0
			UNION ALL SELECT t.typname FROM pg_attribute a JOIN pg_class c ON c.oid = a.attrelid
			JOIN pg_namespace n ON n.oid = c.relnamespace JOIN pg_type t ON t.oid = a.atttypid
			JOIN pg_depend d ON d.objid = t.oid AND d.deptype = 'e' WHERE n.nspname = ?0`,
		"ALTER EXTENSION plpgsql SET SCHEMA pg_catalog; UPDATE pg_extension SET extnamespace = 'S'::regnamespace",
	},
	{
		// Large objects lie in a catalog of the machine, which no shard takes along.
		"no large objects",
		`SELECT c.relname || '.' || a.attname FROM pg_attribute a JOIN pg_class c ON c.oid = a.attrelid
			JOIN pg_namespace n ON n.oid = c.relnamespace WHERE n.nspname = ?0 AND a.attnum > 0 AND a.atttypid = 'oid'::regtype`,
		"ALTER TABLE S.outbox ADD COLUMN x oid",
	},
}

// leaving lists what depends on something of another schema, in either direction. What PostgreSQL itself has, and the
// files of long values, are no schema of ours.
const leaving = `
WITH ours AS (
	SELECT 'pg_class'::regclass AS class, c.oid, n.nspname FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
	UNION ALL SELECT 'pg_proc'::regclass, p.oid, n.nspname FROM pg_proc p JOIN pg_namespace n ON n.oid = p.pronamespace
	UNION ALL SELECT 'pg_type'::regclass, t.oid, n.nspname FROM pg_type t JOIN pg_namespace n ON n.oid = t.typnamespace
	UNION ALL SELECT 'pg_constraint'::regclass, k.oid, n.nspname FROM pg_constraint k
			JOIN pg_class c ON c.oid = k.conrelid
		JOIN pg_namespace n ON n.oid = c.relnamespace
	UNION ALL SELECT 'pg_attrdef'::regclass, f.oid, n.nspname FROM pg_attrdef f JOIN pg_class c ON c.oid = f.adrelid
		JOIN pg_namespace n ON n.oid = c.relnamespace
	UNION ALL SELECT 'pg_trigger'::regclass, t.oid, n.nspname FROM pg_trigger t JOIN pg_class c ON c.oid = t.tgrelid
		JOIN pg_namespace n ON n.oid = c.relnamespace
	UNION ALL SELECT 'pg_rewrite'::regclass, r.oid, n.nspname FROM pg_rewrite r JOIN pg_class c ON c.oid = r.ev_class
		JOIN pg_namespace n ON n.oid = c.relnamespace
)
SELECT pg_describe_object(d.classid, d.objid, d.objsubid) || ' needs ' ||
	pg_describe_object(d.refclassid, d.refobjid, d.refobjsubid)
FROM pg_depend d JOIN ours a ON (a.class, a.oid) = (d.classid, d.objid)
JOIN ours b ON (b.class, b.oid) = (d.refclassid, d.refobjid)
WHERE ?0 IN (a.nspname, b.nspname) AND a.nspname <> b.nspname
	AND a.nspname NOT IN ('pg_catalog', 'pg_toast') AND b.nspname NOT IN ('pg_catalog', 'pg_toast')`

// Queries of rules that can be broken in more than one way.
const (
	inheriting = `SELECT c.relname FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid
			JOIN pg_class p ON p.oid = i.inhparent
			JOIN pg_namespace n ON n.oid IN (c.relnamespace, p.relnamespace) WHERE n.nspname = ?0
			AND c.relkind IN ('r', 'p') AND (NOT c.relispartition OR c.relkind = 'p' OR c.relnamespace <> p.relnamespace)`
	triggers = `SELECT t.tgname FROM pg_trigger t JOIN pg_class c ON c.oid = t.tgrelid
			JOIN pg_namespace n ON n.oid = c.relnamespace
			JOIN pg_proc p ON p.oid = t.tgfoid WHERE n.nspname = ?0 AND NOT t.tgisinternal
			AND (p.prosrc ~* '\m(SELECT|INTO|PERFORM|EXECUTE|FROM|TG_RELNAME|NOTIFY|PG_NOTIFY)\M'
				OR p.prosrc ~* 'TG_TABLE_NAME\s*(=|<>|!=|IN\M)' OR t.tgconstraint <> 0)`
	paths = `SELECT p.proname FROM pg_proc p JOIN pg_namespace n ON n.oid = p.pronamespace, unnest(p.proconfig) c
			WHERE n.nspname = ?0 AND c LIKE 'search\_path=%'
			AND c NOT IN ('search_path=' || ?0 || ', pg_temp', 'search_path=pg_catalog')`
)

// The schemas of an edition and of the platform keep to the rules.
func TestSchemasSuitCitus(t *testing.T) {
	t.Parallel()
	ctx, d := testkit.Edition(t)
	own := edition.SchemaOf(testkit.EditionOf(ctx, t).ID)
	for _, r := range citusRules {
		for _, schema := range []string{own, "core"} {
			if found := broken(ctx, t, d.Core(), r.query, schema); len(found) > 0 {
				t.Errorf("%s: %s: %s", schema, r.rule, strings.Join(found, ", "))
			}
		}
	}
}

// Each rule finds what breaks it.
func TestCitusRulesBite(t *testing.T) {
	t.Parallel()
	ctx, d := testkit.Edition(t)
	own := edition.SchemaOf(testkit.EditionOf(ctx, t).ID)
	for _, r := range citusRules {
		errUndo := errors.New("undone")
		err := d.Core().RunInTx(ctx, nil, func(ctx context.Context, tx bun.Tx) error {
			for _, s := range []string{
				"CREATE SCHEMA other", "CREATE SEQUENCE other.s", "CREATE TABLE other.t (n bigint PRIMARY KEY)",
				"CREATE TYPE other.kind AS ENUM ('a')",
				"CREATE FUNCTION other.f() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NEW; END'",
				strings.NewReplacer("S.", own+".", "'S'", "'"+own+"'").Replace(r.breaks),
			} {
				if _, err := tx.ExecContext(ctx, s); err != nil {
					return err
				}
			}
			if len(broken(ctx, t, tx, r.query, own)) == 0 {
				t.Errorf("%s: nothing is found after %s", r.rule, r.breaks)
			}
			return errUndo
		})
		if !errors.Is(err, errUndo) {
			t.Errorf("%s: %v", r.rule, err)
		}
	}
}

func broken(ctx context.Context, t *testing.T, q bun.IDB, query, schema string) (found []string) {
	t.Helper()
	if err := q.NewRaw(query, schema).Scan(ctx, &found); err != nil {
		t.Fatalf("%s: %v", query, err)
	}
	return found
}

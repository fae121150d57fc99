// Package testkit gives each test a newspaper of its own on a real Postgres. A test that cannot have one fails; it
// is never skipped. The server is the one of BROADSHEET_TEST_DATABASE_URL (its user may create databases and roles),
// else one that starts with the first test of a package and ends with its process.
package testkit

import (
	"context"
	"crypto/rand"
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"example.org/broadsheet/platform/clock"
	"example.org/broadsheet/platform/db"
	"example.org/broadsheet/platform/paper/edition"
)

// Origin is the template of the test editions' absolute addresses.
const Origin = "https://{host}"

// Edition returns a context that speaks for a fresh, migrated edition, and its database. change may alter anything of
// the document but its id. The clock is the test's own.
func Edition(t testing.TB, change ...func(*edition.Document)) (context.Context, *db.DB) {
	t.Helper()
	ctxs, d := Editions(t, 1, change...)
	return ctxs[0], d
}

// Editions is Edition for n editions (at most MaxEditions) of one database, with equal ids in all of them.
func Editions(t testing.TB, n int, change ...func(*edition.Document)) ([]context.Context, *db.DB) {
	t.Helper()
	if n < 1 || n > MaxEditions {
		t.Fatalf("testkit: %d editions asked, 1 to %d can be had", n, MaxEditions)
	}
	d := database(t, n)
	ctxs := make([]context.Context, n)
	for i := range ctxs {
		doc := Document(i)
		for _, f := range change {
			f(&doc)
		}
		if doc.ID != Document(i).ID {
			t.Fatalf("testkit: the id of a test's edition is fixed, %q is not %q", doc.ID, Document(i).ID)
		}
		ed, err := edition.New(doc, Origin)
		if err != nil {
			t.Fatalf("testkit: %v", err)
		}
		d.Attach(ed.ID, ed.Schema)
		ctxs[i] = edition.With(t.Context(), ed)
	}
	return ctxs, d
}

// EditionOf is the edition of a context that Edition or Editions made.
func EditionOf(ctx context.Context, t testing.TB) *edition.Edition {
	t.Helper()
	ed, err := edition.From(ctx)
	if err != nil {
		t.Fatal(err)
	}
	return ed
}

// Empty returns a database with the platform's own schema and no edition, for tests that add some.
func Empty(t testing.TB) *db.DB {
	t.Helper()
	return database(t, 0)
}

// Process opens d's database once more, as another process would, with the same clock. change may alter its options.
func Process(t testing.TB, d *db.DB, change ...func(*db.Options)) *db.DB {
	t.Helper()
	o := options()
	for _, f := range change {
		f(&o)
	}
	other, err := db.Open(d.Config().ConnString(), d.Clock(), o)
	if err != nil {
		t.Fatalf("testkit: %v", err)
	}
	t.Cleanup(func() {
		if err := other.Close(); err != nil {
			t.Errorf("testkit: %v", err)
		}
	})
	return other
}

// Open opens a test's database by its address (db.DB.Config().ConnString()), for whoever runs as a process of its own.
func Open(dsn string, c *clock.Clock) (*db.DB, error) { return open(dsn, c) }

// Clock is the clock that stamps d's transactions; a test moves it with Advance.
func Clock(d *db.DB) *clock.Clock { return d.Clock() }

// Name makes an id that no other test uses: roles are shared by all databases of a server.
func Name(prefix string) string { return prefix + "_" + strings.ToLower(rand.Text()[:10]) }

// Date is the variable that names the day on which the clock of every test starts, as 2028-02-29. Empty is tomorrow.
const Date = "BROADSHEET_TEST_DATE"

// morning is a clock that runs from ten o'clock (UTC) of the day in Date on: budgets of an hour or a day turn at the
// full hour and at midnight, and a test that ran at that time would see others than one at noon.
func morning() (*clock.Clock, error) {
	const day = 24 * time.Hour
	c := &clock.Clock{}
	now := c.Now()
	first := now.Truncate(day).Add(day)
	if text := os.Getenv(Date); text != "" {
		var err error
		if first, err = time.Parse(time.DateOnly, text); err != nil {
			return nil, fmt.Errorf("%s: %w", Date, err)
		}
		if first.Before(now) {
			return nil, fmt.Errorf("%s: %s is over, and clocks of tests only go forward", Date, text)
		}
	}
	c.Advance(first.Add(10 * time.Hour).Sub(now))
	return c, nil
}

// database copies a template and opens the copy for the length of the test.
func database(t testing.TB, editions int) *db.DB {
	t.Helper()
	s, err := start()
	if err != nil {
		t.Fatalf("testkit: %v", err)
	}
	template, err := s.template(editions)
	if err != nil {
		t.Fatalf("testkit: %v", err)
	}
	now, err := morning()
	if err != nil {
		t.Fatalf("testkit: %v", err)
	}
	name := pgx.Identifier{Name("broadsheet_case")}.Sanitize()
	s.exec(t, "CREATE DATABASE "+name+" TEMPLATE "+pgx.Identifier{template}.Sanitize()+copyFiles)
	d, err := open(s.dsn(strings.Trim(name, `"`)), now)
	if err != nil {
		t.Fatalf("testkit: %v", err)
	}
	t.Cleanup(func() {
		if err := d.Close(); err != nil {
			t.Errorf("testkit: %v", err)
		}
		s.exec(t, "DROP DATABASE "+name+" WITH (FORCE)")
	})
	return d
}

// exec runs one statement outside any test's database.
func (s *server) exec(t testing.TB, statement string) {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	var conn *pgx.Conn
	select {
	case conn = <-s.idle:
	default:
		var err error
		if conn, err = pgx.Connect(ctx, s.dsn("postgres")); err != nil {
			t.Fatalf("testkit: %v", err)
		}
	}
	if _, err := conn.Exec(ctx, statement); err != nil {
		_ = conn.Close(ctx) // the statement's own error is the one that counts
		t.Fatalf("testkit: %v", err)
	}
	select {
	case s.idle <- conn:
	default:
		_ = conn.Close(ctx) // there are enough
	}
}

package db_test

import (
	"context"
	"testing"

	"github.com/uptrace/bun"

	"example.org/broadsheet/platform/paper/edition"
	"example.org/broadsheet/platform/testkit"
)

func ident(id string) bun.Ident { return bun.Ident(edition.SchemaOf(id)) }

// A crash after a file's commit must not make the next run repeat it: a history that cannot be written takes the
// file back with it.
func TestHistoryIsWrittenWithTheFile(t *testing.T) {
	t.Parallel()
	d, id := fresh(t)
	steps := files("CREATE TABLE a (x int)", "CREATE TABLE b (x int); ALTER TABLE bun_migrations ADD CONSTRAINT closed "+
		"CHECK (name <> '11')")
	if err := testkit.Process(t, d, steps).Migrate(t.Context(), id); err == nil {
		t.Fatal("the history was closed")
	}
	if got := tables(t, d, id); got != "a" {
		t.Errorf("tables %s", got)
	}
	if err := testkit.Process(t, d, files("CREATE TABLE a (x int)", "CREATE TABLE b (x int)")).
		Migrate(context.Background(), id); err != nil {
		t.Error(err)
	}
}

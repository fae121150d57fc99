package testkit

import (
	"context"
	"testing"

	"github.com/uptrace/bun"

	"example.org/broadsheet/platform/db"
	"example.org/broadsheet/platform/paper/edition"
)

// OwnerOf opens a session as the owner of the tables of ctx's edition, for tests that change them: the edition's own
// login may not. It ends with the test.
func OwnerOf(ctx context.Context, t testing.TB, d *db.DB) *bun.DB {
	t.Helper()
	ed, err := edition.From(ctx)
	if err != nil {
		t.Fatalf("testkit: %v", err)
	}
	owner := d.OpenOwner(ed.ID)
	t.Cleanup(func() {
		if err := owner.Close(); err != nil {
			t.Errorf("testkit: %v", err)
		}
	})
	return owner
}

// Alter runs statements as the owner of the tables of ctx's edition.
func Alter(ctx context.Context, t testing.TB, d *db.DB, statements ...string) {
	t.Helper()
	owner := OwnerOf(ctx, t, d)
	for _, s := range statements {
		if _, err := owner.ExecContext(ctx, s); err != nil {
			t.Fatalf("testkit: %s: %v", s, err)
		}
	}
}

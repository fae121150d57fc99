package testkit

import (
	"context"
	"testing"

	"example.org/broadsheet/platform/db"
	"example.org/broadsheet/platform/retention"
)

// Retain enforces rules on the edition of ctx, as the night does.
func Retain(ctx context.Context, t testing.TB, d *db.DB, rules []retention.Rule) {
	t.Helper()
	for _, r := range rules {
		if _, err := retention.Enforce(ctx, d, r); err != nil {
			t.Fatal(err)
		}
	}
}

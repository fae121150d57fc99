package testkit_test

import (
	"context"
	"testing"
	"time"

	"example.org/broadsheet/platform/db"
	"example.org/broadsheet/platform/paper/edition"
	"example.org/broadsheet/platform/testkit"
)

func TestEditionsAreFreshAndTheTestsOwn(t *testing.T) {
	t.Parallel()
	for range 3 {
		t.Run("case", func(t *testing.T) {
			t.Parallel()
			ctxs, d := testkit.Editions(t, 3)
			for _, ctx := range ctxs {
				err := d.InTx(ctx, func(ctx context.Context, tx db.Tx) error {
					var id int64
					err := tx.NewRaw(`INSERT INTO outbox (event, payload, created_at, due_at, next_at) VALUES ('test', '{}', ?0, ?0,`+
						` ?0) RETURNING id`, tx.Now).Scan(ctx, &id)
					if id != 1 {
						t.Errorf("%s: the first row has id %d", tx.Edition.ID, id)
					}
					return err
				})
				if err != nil {
					t.Fatal(err)
				}
			}
		})
	}
}

func TestChangeAndClock(t *testing.T) {
	t.Parallel()
	ctx, d := testkit.Edition(t, func(doc *edition.Document) { doc.Meter.Limit = 7 })
	before := d.Now()
	testkit.Clock(d).Advance(72 * time.Hour)
	err := d.Run(ctx, func(_ context.Context, tx db.Tx) error {
		if tx.Edition.Meter.Limit != 7 {
			t.Errorf("limit %d", tx.Edition.Meter.Limit)
		}
		if tx.Now.Sub(before) < 72*time.Hour {
			t.Errorf("the clock went from %s to %s", before, tx.Now)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

func BenchmarkEdition(b *testing.B) {
	for b.Loop() {
		testkit.Edition(b)
	}
}

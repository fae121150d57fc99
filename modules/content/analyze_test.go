package content

import (
	"context"
	"testing"

	"example.org/broadsheet/platform/db"
)

// Nothing counts by itself in the tests' server, so what is known of a table is what Analyze found.
func TestAnalyzeCounts(t *testing.T) {
	t.Parallel()
	ctx, d, m := house(t, &meter{})
	save(t, ctx, m, draft("1"))
	known := func() (n float64) {
		err := d.Run(ctx, func(ctx context.Context, tx db.Tx) error {
			return tx.NewRaw("SELECT min(reltuples) FROM pg_class WHERE oid IN ('content_posts'::regclass, "+
				"'content_search'::regclass)").Scan(ctx, &n)
		})
		if err != nil {
			t.Fatal(err)
		}
		return n
	}
	if n := known(); n > 0 {
		t.Fatalf("%v rows are known of before", n)
	}
	if err := m.Analyze(ctx); err != nil || known() < 1 {
		t.Errorf("%v: %v rows", err, known())
	}
}

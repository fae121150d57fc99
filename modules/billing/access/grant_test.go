package access

import (
	"context"
	"testing"
	"time"

	"example.org/broadsheet/platform/db"
	"example.org/broadsheet/platform/testkit"
)

// Access is given away to a reader, for a reason, and for no longer than two years.
func TestGrants(t *testing.T) {
	t.Parallel()
	ctx, d := testkit.Edition(t)
	given := func() (n int) {
		t.Helper()
		err := d.Run(ctx, func(ctx context.Context, tx db.Tx) error {
			return tx.NewRaw("SELECT count(*) FROM billing_grants WHERE reader_id = 7").Scan(ctx, &n)
		})
		if err != nil {
			t.Fatal(err)
		}
		return n
	}
	good := Grant{ReaderID: 7, Until: d.Now().AddDate(0, 1, 0), Reason: "a prize"}
	for name, change := range map[string]func(*Grant){
		"nobody":         func(g *Grant) { g.ReaderID = 0 },
		"for no reason":  func(g *Grant) { g.Reason = " \t" },
		"until now":      func(g *Grant) { g.Until = d.Now() },
		"until long ago": func(g *Grant) { g.Until = d.Now().AddDate(-1, 0, 0) },
		"for ever":       func(g *Grant) { g.Until = d.Now().Add(maxGrant + time.Hour) },
		"without an end": func(g *Grant) { g.Until = time.Time{} },
	} {
		g := good
		change(&g)
		if err := Give(ctx, d, g); err == nil {
			t.Errorf("%s: access is given", name)
		}
		if n := given(); n != 0 {
			t.Fatalf("%s: %d grants", name, n)
		}
	}
	if err := Give(ctx, d, good); err != nil {
		t.Fatal(err)
	}
	if n := given(); n != 1 {
		t.Errorf("%d grants", n)
	}
}

package reconcile

import (
	"context"
	"testing"

	"example.org/broadsheet/platform/db"
	"example.org/broadsheet/platform/testkit"
	"example.org/broadsheet/platform/testkit/wait"
)

// Two rounds that find the same things, in opposite orders, both write them down.
func TestRoundsDoNotDeadlock(t *testing.T) {
	t.Parallel()
	edition, d := testkit.Edition(t)
	s := NewService(Deps{DB: d})
	first, second := Drift{"sub_1", driftMissing, ""}, Drift{"sub_2", driftMissing, ""}
	other := make(chan error, 1)
	err := d.InTx(edition, func(ctx context.Context, tx db.Tx) error {
		if err := putDrift(ctx, tx, first); err != nil {
			return err
		}
		go func() { other <- s.savePosition(edition, &Run{Name: RunAll}, []Drift{second, first}) }()
		wait.Until(t, "the other round waits", func() bool {
			var waits bool
			err := d.Core().QueryRow("SELECT count(*) > 0 FROM pg_stat_activity WHERE datname = current_database() AND " +
				"wait_event_type = 'Lock'").Scan(&waits)
			return err == nil && waits
		})
		return putDrift(ctx, tx, second)
	})
	if err != nil {
		t.Error("the first round: ", err)
	}
	if err := <-other; err != nil {
		t.Error("the other round: ", err)
	}
	var open []Drift
	if err := d.Run(edition, func(ctx context.Context, tx db.Tx) (err error) {
		open, err = listDrift(ctx, tx)
		return err
	}); err != nil || len(open) != 2 {
		t.Errorf("got %v, %v; want both", open, err)
	}
}

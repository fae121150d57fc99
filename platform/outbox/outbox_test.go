package outbox_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"example.org/broadsheet/platform/db"
	"example.org/broadsheet/platform/outbox"
	"example.org/broadsheet/platform/paper/event"
	"example.org/broadsheet/platform/testkit"
)

type row struct {
	Event     string
	Payload   string
	DueAt     time.Time
	NextAt    time.Time
	CreatedAt time.Time
}

func rows(ctx context.Context, t *testing.T, d *db.DB) (list []row) {
	t.Helper()
	err := d.Run(ctx, func(ctx context.Context, tx db.Tx) error {
		return tx.NewRaw("SELECT event, payload::text AS payload, due_at, next_at, created_at FROM outbox ORDER BY id").
			Scan(ctx, &list)
	})
	if err != nil {
		t.Fatal(err)
	}
	return list
}

func TestAFactSharesTheFateOfItsTransaction(t *testing.T) {
	t.Parallel()
	ctx, d := testkit.Edition(t)
	refused := errors.New("no")
	for _, verdict := range []error{refused, nil} {
		err := d.InTx(ctx, func(ctx context.Context, tx db.Tx) error {
			if err := outbox.Tell(ctx, tx, event.EntitlementChanged, event.Entitlement{ReaderID: 7}); err != nil {
				return err
			}
			return verdict
		})
		if !errors.Is(err, verdict) {
			t.Fatal(err)
		}
	}
	list := rows(ctx, t, d)
	if len(list) != 1 || list[0].Event != string(event.EntitlementChanged) || list[0].Payload != `{"reader_id": 7}` ||
		!list[0].DueAt.Equal(list[0].CreatedAt) {
		t.Errorf("got %+v", list)
	}
}

func TestLaterAndOnce(t *testing.T) {
	t.Parallel()
	ctx, d := testkit.Edition(t)
	at := d.Now().Add(72 * time.Hour).Truncate(time.Microsecond)
	for range 2 {
		err := d.InTx(ctx, func(ctx context.Context, tx db.Tx) error {
			if err := outbox.Later(ctx, tx, event.TrialEnding, event.TrialEnds{SubscriptionID: 1}, at); err != nil {
				return err
			}
			if err := outbox.LaterOnce(ctx, tx, event.PostDue, event.DuePost{PostID: 1, At: at}, at, "due:1"); err != nil {
				return err
			}
			return outbox.Once(ctx, tx, event.PaymentThanks, event.Paid{ReaderID: 1}, "thanks:1")
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	list := rows(ctx, t, d)
	if len(list) != 4 || !list[0].DueAt.Equal(at) || !list[0].NextAt.Equal(at) || !list[1].NextAt.Equal(at) ||
		list[2].Event != string(event.PaymentThanks) {
		t.Errorf("got %+v", list)
	}
}

func TestTellAll(t *testing.T) {
	t.Parallel()
	ctx, d := testkit.Edition(t)
	for _, readers := range [][]event.Entitlement{nil, {{ReaderID: 3}, {ReaderID: 1}, {ReaderID: 2}}} {
		if err := d.InTx(ctx, func(ctx context.Context, tx db.Tx) error {
			return outbox.TellAll(ctx, tx, event.EntitlementChanged, readers)
		}); err != nil {
			t.Fatal(err)
		}
	}
	list := rows(ctx, t, d)
	if len(list) != 3 || list[0].Payload != `{"reader_id": 3}` || list[1].Payload != `{"reader_id": 1}` ||
		list[2].Payload != `{"reader_id": 2}` {
		t.Fatalf("got %+v", list)
	}
	for _, r := range list {
		if r.Event != string(event.EntitlementChanged) || !r.DueAt.Equal(r.CreatedAt) || !r.NextAt.Equal(r.CreatedAt) {
			t.Errorf("got %+v", r)
		}
	}
}

package access

import (
	"context"
	"strconv"

	"example.org/broadsheet/platform/db"
	"example.org/broadsheet/platform/notify"
	"example.org/broadsheet/platform/outbox"
	"example.org/broadsheet/platform/paper/event"
)

// Changed tells modules and processes that readers may read more or less than before.
func Changed(ctx context.Context, tx db.Tx, readers ...int64) error {
	if len(readers) == 0 {
		return nil
	}
	events, ids := make([]event.Entitlement, len(readers)), make([]string, len(readers))
	for i, id := range readers {
		events[i], ids[i] = event.Entitlement{ReaderID: id}, strconv.FormatInt(id, 10)
	}
	if err := outbox.TellAll(ctx, tx, event.EntitlementChanged, events); err != nil {
		return err
	}
	return notify.Tell(ctx, tx, notify.Reader, ids...)
}

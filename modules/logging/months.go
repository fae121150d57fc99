package logging

import (
	"context"
	"strings"
	"time"

	"example.org/broadsheet/platform/db"
)

// monthsAhead have their tables before they begin.
const monthsAhead = 3

const partPrefix = "logging_events_"

// monthOf reads a partition's name; false for the one that takes what belongs nowhere else.
func monthOf(part string) (time.Time, bool) {
	t, err := time.Parse("200601", strings.TrimPrefix(part, partPrefix))
	return t, err == nil && strings.HasPrefix(part, partPrefix)
}

// isOver reports whether all of a month is older than a limit.
func isOver(month, limit time.Time) bool { return !month.AddDate(0, 1, 0).After(limit) }

// Months makes the tables of this month and those to come.
func (m *Module) Months(ctx context.Context) error {
	var made []string
	err := m.db.InTx(ctx, func(ctx context.Context, tx db.Tx) error {
		now := tx.Now.UTC()
		first := time.Date(now.Year(), now.Month(), 1, 0, 0, 0, 0, time.UTC)
		for i := range monthsAhead + 1 {
			month := first.AddDate(0, i, 0)
			fresh, err := makeMonth(ctx, tx, month)
			if err != nil {
				return err
			}
			if fresh {
				made = append(made, month.Format("2006-01"))
			}
		}
		return nil
	})
	if err == nil && len(made) > 0 {
		m.log.InfoContext(ctx, "months of events have their tables", "made", made)
	}
	return err
}

// dropMonths removes the tables of months of which nothing is kept any more, and counts their rows.
func dropMonths(ctx context.Context, tx db.Tx, limit time.Time) (removed int64, err error) {
	parts, err := listParts(ctx, tx)
	if err != nil {
		return 0, err
	}
	for _, part := range parts {
		month, ok := monthOf(part)
		if !ok || !isOver(month, limit) {
			continue
		}
		n, err := dropMonth(ctx, tx, month)
		if err != nil {
			return 0, err
		}
		removed += n
	}
	return removed, nil
}

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

// isOver tells whether all of a month is older than what is kept.
func isOver(month, now time.Time) bool { return !month.AddDate(0, 1, 0).After(now.Add(-eventsKept)) }

// Months makes the tables of this month and those to come, and drops those of which nothing is kept any more.
func (m *Module) Months(ctx context.Context) error {
	var made, dropped []string
	err := m.db.Update(ctx, func(ctx context.Context, tx db.Tx) error {
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
		parts, err := listParts(ctx, tx)
		if err != nil {
			return err
		}
		for _, part := range parts {
			if month, ok := monthOf(part); ok && isOver(month, now) {
				if err := dropPart(ctx, tx, part); err != nil {
					return err
				}
				dropped = append(dropped, month.Format("2006-01"))
			}
		}
		return nil
	})
	if err == nil && len(made)+len(dropped) > 0 {
		m.log.InfoContext(ctx, "months of events", "made", made, "dropped", dropped)
	}
	return err
}

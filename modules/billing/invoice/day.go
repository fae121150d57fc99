package invoice

import (
	"time"

	"example.org/broadsheet/platform/paper/edition"
)

// PeriodDays are the first and the last day of a period. The day on which the next one begins is not of this one.
func PeriodDays(ed *edition.Edition, from, to time.Time) (first, last string) {
	first, last = from.In(ed.Location).Format(time.DateOnly), to.In(ed.Location).AddDate(0, 0, -1).Format(time.DateOnly)
	return first, max(first, last)
}

// Day is the beginning of a day that was written down.
func Day(ed *edition.Edition, day string) time.Time {
	t, _ := time.ParseInLocation(time.DateOnly, day, ed.Location) // a day that we have written
	return t
}

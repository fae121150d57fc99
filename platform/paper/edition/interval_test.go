package edition_test

import (
	"testing"
	"time"

	"example.org/broadsheet/platform/paper/edition"
)

func TestInterval_Add(t *testing.T) {
	t.Parallel()
	bratislava, err := time.LoadLocation("Europe/Bratislava")
	if err != nil {
		t.Fatal(err)
	}
	week, month, year := "week", "month", "year"
	for _, c := range []struct {
		name  string
		from  string
		unit  string
		count int
		n     int
		want  string
	}{
		{"month from the 31st, in February", "2027-01-31 10:00", month, 1, 1, "2027-02-28 10:00"},
		{"month from the 31st, in a leap year", "2028-01-31 10:00", month, 1, 1, "2028-02-29 10:00"},
		{"month from the 30th, in February", "2027-01-30 10:00", month, 1, 1, "2027-02-28 10:00"},
		{"month from the 29th, in a leap year", "2028-01-29 10:00", month, 1, 1, "2028-02-29 10:00"},
		{"two months from the 31st", "2027-01-31 10:00", month, 1, 2, "2027-03-31 10:00"},
		{"a quarter from the 30th", "2027-11-30 10:00", month, 3, 1, "2028-02-29 10:00"},
		{"month from the 31st, to 30 days", "2027-08-31 10:00", month, 1, 1, "2027-09-30 10:00"},
		{"thirteen months", "2027-01-31 10:00", month, 1, 13, "2028-02-29 10:00"},
		{"month over the end of the year", "2027-12-31 10:00", month, 1, 2, "2028-02-29 10:00"},
		{"month over the change of the clock", "2027-03-15 08:30", month, 1, 1, "2027-04-15 08:30"},
		{"month that begins in the first minutes of a day", "2027-01-31 00:30", month, 1, 1, "2027-02-28 00:30"},
		{"year from 29 February", "2028-02-29 10:00", year, 1, 1, "2029-02-28 10:00"},
		{"four years from 29 February", "2028-02-29 10:00", year, 1, 4, "2032-02-29 10:00"},
		{"year to a leap year", "2027-02-28 10:00", year, 1, 1, "2028-02-28 10:00"},
		{"nothing", "2027-01-31 10:00", month, 1, 0, "2027-01-31 10:00"},
		{"a month back", "2027-03-31 10:00", month, 1, -1, "2027-02-28 10:00"},
		{"four weeks", "2027-01-31 10:00", week, 4, 1, "2027-02-28 10:00"},
		{"four weeks over the change of the clock", "2027-03-14 10:00", week, 4, 1, "2027-04-11 11:00"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			from, err := time.ParseInLocation("2006-01-02 15:04", c.from, bratislava)
			if err != nil {
				t.Fatal(err)
			}
			got := edition.Interval{Unit: c.unit, Count: c.count}.Add(from, c.n).Format("2006-01-02 15:04")
			if got != c.want {
				t.Errorf("got %s, want %s", got, c.want)
			}
		})
	}
}

func TestInterval_Next(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, anchor, from string
		unit               string
		n                  int
		want               string
	}{
		{"from the anchor", "2027-01-31", "2027-01-31", "month", 1, "2027-02-28"},
		{"from a short month", "2027-01-31", "2027-02-28", "month", 1, "2027-03-31"},
		{"two from a short month", "2027-01-31", "2027-02-28", "month", 2, "2027-04-30"},
		{"within a period", "2027-01-31", "2027-03-01", "month", 1, "2027-03-31"},
		{"years of 29 February", "2028-02-29", "2031-02-28", "year", 1, "2032-02-29"},
		{"an anchor that is still to come", "2027-03-31", "2027-02-28", "month", 1, "2027-03-28"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			day := func(s string) time.Time {
				at, err := time.Parse(time.DateOnly, s)
				if err != nil {
					t.Fatal(err)
				}
				return at
			}
			got := edition.Interval{Unit: c.unit, Count: 1}.Next(day(c.anchor), day(c.from), c.n).Format(time.DateOnly)
			if got != c.want {
				t.Errorf("got %s, want %s", got, c.want)
			}
		})
	}
}

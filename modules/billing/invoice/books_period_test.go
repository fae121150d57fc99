package invoice

import (
	"testing"
)

func TestBookPeriods(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		flags [5]string
		want  BookPeriod
	}{
		{[5]string{"2026"}, BookPeriod{"2026", "2026-01-01", "2026-12-31"}},
		{[5]string{"", "2028-02"}, BookPeriod{"2028-02", "2028-02-01", "2028-02-29"}},
		{[5]string{"", "", "2026-4"}, BookPeriod{"2026-Q4", "2026-10-01", "2026-12-31"}},
		{[5]string{"", "", "2026-Q1"}, BookPeriod{"2026-Q1", "2026-01-01", "2026-03-31"}},
		{[5]string{"", "", "", "2026-11-05", "2026-11-05"}, BookPeriod{"2026-11-05_2026-11-05", "2026-11-05", "2026-11-05"}},
	} {
		if got, err := ParseBookPeriod(c.flags[0], c.flags[1], c.flags[2], c.flags[3], c.flags[4]); err != nil ||
			got != c.want {
			t.Errorf("%q: %+v, %v", c.flags, got, err)
		}
	}
	for _, flags := range [][5]string{
		{},
		{"26"},
		{"year"},
		{"", "2026-13"},
		{"", "2026-1"},
		{"", "", "2026-5"},
		{"", "", "2026"},
		{"2026", "2026-11"},
		{"", "", "", "2026-11-05"},
		{"", "", "", "2026-11-05", "2026-11-04"},
		{"", "", "", "5.11.2026", "6.11.2026"},
	} {
		if got, err := ParseBookPeriod(flags[0], flags[1], flags[2], flags[3], flags[4]); err == nil {
			t.Errorf("%q is %+v", flags, got)
		}
	}
}

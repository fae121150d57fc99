package paywall

import (
	"encoding/json"
	"os"
	"testing"
	"time"
)

func TestDecide(t *testing.T) {
	t.Parallel()
	raw, err := os.ReadFile("testdata/vectors.json")
	if err != nil {
		t.Fatal(err)
	}
	var cases []struct {
		Name  string
		Facts facts
		Want  verdict
	}
	if err := json.Unmarshal(raw, &cases); err != nil {
		t.Fatal(err)
	}
	if len(cases) < 16 {
		t.Fatalf("only %d vectors", len(cases))
	}
	for _, c := range cases {
		if got := decide(c.Facts); got != c.Want {
			t.Errorf("%s: %+v, not %+v", c.Name, got, c.Want)
		}
	}
}

func TestPeriodKey(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ name, period, zone, at, want string }{
		{"new year in Bratislava, still the old one in UTC", month, "Europe/Bratislava", "2026-12-31T23:30:00Z", "2027-01"},
		{"last hour of the year", month, "Europe/Bratislava", "2026-12-31T22:59:59Z", "2026-12"},
		{"first days of 2027 belong to the last week of 2026", week, "Europe/Vienna", "2027-01-03T12:00:00Z", "2026-W53"},
		{"the first Monday begins week 1", week, "Europe/Vienna", "2027-01-03T23:00:00Z", "2027-W01"},
		{"last days of 2024 belong to the first week of 2025", week, "Europe/Zurich", "2024-12-30T12:00:00Z", "2025-W01"},
		{"Sunday before the clocks go forward", week, "Europe/Zurich", "2027-03-28T21:59:59Z", "2027-W12"},
		{"Monday after the clocks went forward begins at 22 UTC", week, "Europe/Zurich", "2027-03-28T22:00:00Z", "2027-W13"},
		{"Sunday on which the clocks go back ends at 23 UTC", week, "Europe/Vienna", "2026-10-25T22:59:59Z", "2026-W43"},
		{"Monday after it", week, "Europe/Vienna", "2026-10-25T23:00:00Z", "2026-W44"},
		{"end of March in summer time", month, "Europe/Bratislava", "2026-03-31T22:00:00Z", "2026-04"},
		{"leap day", month, "Europe/Bratislava", "2028-02-29T22:59:59Z", "2028-02"},
	} {
		zone, err := time.LoadLocation(c.zone)
		if err != nil {
			t.Fatal(err)
		}
		at, err := time.Parse(time.RFC3339, c.at)
		if err != nil {
			t.Fatal(err)
		}
		if got, err := periodKey(c.period, at, zone); got != c.want || err != nil {
			t.Errorf("%s: %s (%v), not %s", c.name, got, err, c.want)
		}
	}
	if _, err := periodKey("year", time.Unix(0, 0), time.UTC); err == nil {
		t.Error("a meter by the year was accepted")
	}
}

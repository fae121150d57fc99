package retention

import (
	"testing"
	"time"

	"example.org/broadsheet/platform/paper/edition"
)

// A night begins at three by the edition's own clock, also where that hour is skipped or comes twice.
func TestNightOf(t *testing.T) {
	t.Parallel()
	zone, err := time.LoadLocation("Europe/Bratislava")
	if err != nil {
		t.Fatal(err)
	}
	ed := &edition.Edition{Location: zone}
	for at, want := range map[string]string{
		"2026-11-21T01:59:59Z": "2026-11-20",
		"2026-11-21T02:00:00Z": "2026-11-21",
		"2026-11-21T22:59:59Z": "2026-11-21",
		"2026-11-21T23:00:00Z": "2026-11-21", // the day after, by the clock on the wall
		"2026-03-29T00:59:59Z": "2026-03-28",
		"2026-03-29T01:00:00Z": "2026-03-29", // two o'clock is three o'clock
		"2026-10-25T01:30:00Z": "2026-10-24", // half past two, for the second time
		"2026-10-25T02:00:00Z": "2026-10-25",
		"2027-01-01T00:00:00Z": "2026-12-31",
	} {
		now, err := time.Parse(time.RFC3339, at)
		if err != nil {
			t.Fatal(err)
		}
		if got := nightOf(now, ed); got != want {
			t.Errorf("%s: %s, not %s", at, got, want)
		}
	}
}

// What a law wants to be kept goes with a calendar year, in the edition's time zone.
func TestLimit(t *testing.T) {
	t.Parallel()
	zone, err := time.LoadLocation("Europe/Vienna")
	if err != nil {
		t.Fatal(err)
	}
	ed := &edition.Edition{Location: zone}
	now := time.Date(2026, 12, 31, 23, 30, 0, 0, time.UTC) // 2027 there
	law := Rule{Years: func(*edition.Edition) int { return 7 }}
	if got := law.Limit(now, ed); !got.Equal(time.Date(2020, 1, 1, 0, 0, 0, 0, zone)) {
		t.Errorf("the books of %s and later are kept", got)
	}
	if got := (Rule{Kept: time.Hour}).Limit(now, ed); !got.Equal(now.Add(-time.Hour)) {
		t.Errorf("an hour before %s is %s", now, got)
	}
	if !(Rule{Kept: time.Hour}).isPrompt() || law.isPrompt() || (Rule{Kept: 24 * time.Hour}).isPrompt() {
		t.Error("others go by night")
	}
}

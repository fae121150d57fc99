package billing

import (
	"strings"
	"testing"
	"time"

	"example.org/broadsheet/modules/billing/subscription"
	"example.org/broadsheet/platform/mail"
	"example.org/broadsheet/platform/paper/edition"
	"example.org/broadsheet/platform/testkit"
)

// A trial ends at the instant that was promised, and its emails come once, on the right day and with the right day in
// them: over the changes of the hour, a leap day and the turn of the year, in every zone, with two that sweep, after
// hours in which nobody did.
func TestTrialsWhereTimeIsOdd(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		end  string // of the trial, as the paper's clock shows it
		says string
	}{
		"the hour that is not there, at the reminder":   {"2027-03-31 02:30", "31.03.2027"},
		"the hour that is not there, between them":      {"2027-03-29 23:30", "29.03.2027"},
		"just after the hour that is not there":         {"2027-03-28 03:00", "28.03.2027"},
		"the hour that is there twice":                  {"2026-10-25 02:30", "25.10.2026"},
		"the hour that is there twice, at the reminder": {"2026-10-28 02:30", "28.10.2026"},
		"the last minute of a year":                     {"2027-12-31 23:59", "31.12.2027"},
		"the first minute of a year":                    {"2028-01-01 00:00", "01.01.2028"},
		"a leap day":                                    {"2028-02-29 00:30", "29.02.2028"},
		"reminded on a leap day":                        {"2028-03-03 00:30", "03.03.2028"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			for _, p := range newEnvs(t, testkit.MaxEditions, trialFor(edition.TrialForAll)) {
				end, err := time.ParseInLocation("2006-01-02 15:04", c.end, p.ed.Location)
				if err != nil {
					t.Fatal(err)
				}
				clock := testkit.Clock(p.db)
				clock.Stop(end.UTC().AddDate(0, 0, -28))
				p.begin(1)
				for _, look := range []struct {
					at              time.Time
					reminder, ended int
				}{
					{end.Add(-subscription.RemindBefore - time.Minute), 0, 0},
					{end.Add(-subscription.RemindBefore + 6*time.Hour), 1, 0}, // nobody has looked since
					{end.Add(-time.Minute), 1, 0},
					{end, 1, 1},
					{end.Add(6 * time.Hour), 1, 1},
				} {
					clock.Stop(look.at)
					p.shop.Access.ForgetAll()
					if until, _, _, _ := p.standing(1); until.IsZero() == look.at.Before(end) {
						t.Errorf("%s: at %s access is until %s", p.ed.ID, look.at, until)
					}
					p.sweep()
					if r, e := len(p.sent("trial_ending")), len(p.sent("access_ended")); r != look.reminder || e != look.ended {
						t.Errorf("%s: at %s there are %d reminders and %d emails about the end, want %d and %d", p.ed.ID, look.at, r, e,
							look.reminder, look.ended)
					}
				}
				for _, l := range p.emails {
					if !says(l, c.says) {
						t.Errorf("%s: %q does not say %s: %+v", p.ed.ID, l.Subject, c.says, l.Blocks)
					}
				}
			}
		})
	}
}

// says reports whether an email has some words.
func says(l mail.Message, words string) bool {
	for _, b := range l.Blocks {
		if strings.Contains(b.Text, words) {
			return true
		}
	}
	return false
}

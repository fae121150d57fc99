package app

import (
	"os"
	"strings"
	"testing"
	"time"

	"example.org/broadsheet/platform/clock"
)

// clockFile names a file that says how far the clock of a process is off: tests set it while the process runs.
const clockFile = "BROADSHEET_TEST_CLOCK"

func followClock(file string) {
	for ; ; time.Sleep(50 * time.Millisecond) {
		b, err := os.ReadFile(file)
		if err != nil {
			continue // nobody has set it yet
		}
		if by, err := time.ParseDuration(strings.TrimSpace(string(b))); err == nil {
			clock.Step(by)
		}
	}
}

// stepClock sets the clock of a process.
func stepClock(t testing.TB, file string, by time.Duration) {
	t.Helper()
	part := file + ".part" // a reader sees the old text or the new one
	if err := os.WriteFile(part, []byte(by.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Rename(part, file); err != nil {
		t.Fatal(err)
	}
}

// claimLimit is longer than every claim: of a job for 70 s, of an email for 90.
const claimLimit = 100 * time.Second

// expireClaims sets the clocks of all processes forward, so that nobody has to wait for the claims of workers that were
// killed. Those of live workers end too: at worst an email comes twice, with the same Message-ID.
func (s *storm) expireClaims() {
	s.t.Helper()
	for _, file := range s.clocks {
		stepClock(s.t, file, claimLimit)
	}
	s.ahead = claimLimit
}

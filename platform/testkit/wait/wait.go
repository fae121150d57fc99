// Package wait lets a test wait for what happens in real time. It imports nothing of this repository, so that every
// package's own tests may use it.
package wait

import (
	"testing"
	"time"
)

// Patience is enough on a machine that is busy with other tests, and less than the 70 seconds that the claim on a job
// lasts: what a test waits for must not come by that alone.
const Patience = time.Minute

const pause = 10 * time.Millisecond // between two looks

// Until returns once is reports true, and ends the test when that never happens.
func Until(t testing.TB, what string, is func() bool) {
	t.Helper()
	for deadline := time.Now().Add(Patience); !is(); time.Sleep(pause) {
		if time.Now().After(deadline) {
			t.Fatalf("never within %s: %s", Patience, what)
		}
	}
}

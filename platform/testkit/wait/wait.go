// Package wait lets a test wait for what happens in real time. It imports nothing of this repository, so that every
// package's own tests may use it.
package wait

import (
	"testing"
	"time"
)

// Patience is far more than anything takes on a machine that is busy with other tests: it ends a test that would never
// end, and says nothing about speed.
const Patience = 3 * time.Minute

// pause lies between two looks.
const pause = 10 * time.Millisecond

// Until returns once is reports true, and ends the test when that never happens.
func Until(t testing.TB, what string, is func() bool) {
	t.Helper()
	for deadline := time.Now().Add(Patience); !is(); time.Sleep(pause) {
		if time.Now().After(deadline) {
			t.Fatalf("never within %s: %s", Patience, what)
		}
	}
}

package audit

import "testing"

func TestAnActionIsDeclaredOnce(t *testing.T) {
	t.Parallel()
	New("test-once")
	defer func() {
		if recover() == nil {
			t.Error("got a second action of the same name, want a panic")
		}
	}()
	WithReason("test-once")
}

package lazytimeout

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"
)

type key struct{}

func TestLazyTimeout(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		parent, leave := context.WithCancel(context.WithValue(t.Context(), key{}, "value"))
		began := time.Now()
		late, cancelLate := New(parent, time.Second)
		defer cancelLate()
		time.Sleep(300 * time.Millisecond) // nobody has waited yet; the time runs all the same
		if until, ok := late.Deadline(); !ok || !until.Equal(began.Add(time.Second)) {
			t.Errorf("got a deadline at %s %t, want a second from the beginning", until, ok)
		}
		derived, cancelDerived := context.WithCancel(late)
		defer cancelDerived()
		if derived.Value(key{}) != "value" || late.Err() != nil {
			t.Errorf("got %v, %v, want the parent's value and no error", derived.Value(key{}), late.Err())
		}
		<-derived.Done()
		if took := time.Since(began); took != time.Second || !errors.Is(derived.Err(), context.DeadlineExceeded) {
			t.Errorf("got %v after %s, want the deadline after a second", derived.Err(), took)
		}

		waited, cancelWaited := New(parent, time.Hour)
		done := waited.Done()
		cancelWaited()
		<-done
		unwaited, cancelUnwaited := New(parent, time.Hour)
		cancelUnwaited()
		child, cancelChild := New(parent, time.Hour)
		defer cancelChild()
		if child.Err() != nil || child.Value(key{}) != "value" {
			t.Errorf("got %v, %v, want no error", child.Err(), child.Value(key{}))
		}
		leave()
		for what, ctx := range map[string]context.Context{
			"ended when waited for": waited, "ended before anybody waited": unwaited, "with its parent": child,
		} {
			if !errors.Is(ctx.Err(), context.Canceled) {
				t.Errorf("%s: got %v, want it canceled", what, ctx.Err())
			}
		}
	})
}

func BenchmarkLazyTimeout(b *testing.B) {
	b.Run("context", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			_, cancel := context.WithTimeout(b.Context(), time.Second)
			cancel()
		}
	})
	b.Run("lazy", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			_, cancel := New(b.Context(), time.Second)
			cancel()
		}
	})
}

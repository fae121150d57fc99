package app

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"
)

// A database that is slow but answers is there; one that is silent, or refuses, is not.
func TestSlowIsNotAway(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var s answers
		after := func(wait time.Duration, err error) error {
			ctx, cancel := context.WithTimeout(t.Context(), readyWithin)
			defer cancel()
			began := time.Now()
			got := <-s.probe(ctx, "standard", func(ctx context.Context) error {
				select {
				case <-time.After(wait):
					return err
				case <-ctx.Done():
					return ctx.Err()
				}
			})
			if took := time.Since(began); took > readyWithin {
				t.Errorf("the answer took %v", took)
			}
			return got
		}
		if err := after(2*readyWithin, nil); err == nil {
			t.Error("nothing has answered yet, and it counts as up")
		}
		time.Sleep(2 * readyWithin)
		for range 10 { // each answer comes too late for its own question
			if err := after(2*readyWithin, nil); err != nil {
				t.Errorf("slow: %v", err)
			}
			time.Sleep(2 * readyWithin)
		}
		if err := after(0, errors.New("refused")); err == nil {
			t.Error("a refusal counts as up")
		}
		for range 10 {
			_ = after(time.Hour, nil)
			time.Sleep(time.Second)
		}
		if err := after(time.Hour, nil); err == nil {
			t.Error("silence counts as up")
		}
		time.Sleep(staleAfter) // until the last question has ended
	})
}

package fault_test

import (
	"errors"
	"fmt"
	"testing"

	"example.org/broadsheet/platform/fault"
)

var (
	errRefusal = fault.New(fault.Conflict, "TEST_REFUSAL")
	errAway    = fault.New(fault.Unavailable, "TEST_AWAY")
)

func TestFrom(t *testing.T) {
	t.Parallel()
	failure := errors.New("a column is missing")
	for _, c := range []struct {
		name string
		err  error
		want string
	}{
		{"a refusal", errRefusal, "TEST_REFUSAL"},
		{"a refusal with its cause", errRefusal.Because(failure), "TEST_REFUSAL"},
		{"a refusal that is wrapped", fmt.Errorf("order 7: %w", errRefusal), "TEST_REFUSAL"},
		{"no fault", failure, "ERROR"},
		{"a failure and a refusal", errors.Join(failure, errRefusal), "ERROR"},
		{"a refusal and a failure", errors.Join(errRefusal, failure), "ERROR"},
		{"both, wrapped", fmt.Errorf("order 7: %w", errors.Join(failure, errRefusal)), "ERROR"},
		{"both in one format", fmt.Errorf("%w: %w", errRefusal, failure), "ERROR"},
		{"both, one level down", errors.Join(errRefusal, errors.Join(errRefusal, failure)), "ERROR"},
		{"two refusals", errors.Join(errRefusal, errRefusal.On("email")), "TEST_REFUSAL"},
		{"no failure and a refusal", errors.Join(nil, errRefusal), "TEST_REFUSAL"},
		{"an outage and a failure", errors.Join(errAway, failure), "TEST_AWAY"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			if got := fault.From(c.err).Code; got != c.want {
				t.Errorf("got %s, want %s", got, c.want)
			}
			if got := fault.From(c.err); c.want == "ERROR" && !errors.Is(got, failure) {
				t.Errorf("got %v, want one that keeps %v for the log", got, failure)
			}
		})
	}
}

package jobs

import (
	"errors"
	"strings"
	"testing"
)

func TestJoin(t *testing.T) {
	t.Parallel()
	good, now := Skip(errors.New("for good")), errors.New("for now")
	for name, c := range map[string]struct {
		errs  []error
		skips bool
	}{
		"nothing":   {[]error{nil, nil}, false},
		"for good":  {[]error{nil, good, good}, true},
		"for now":   {[]error{now, nil}, false},
		"both":      {[]error{good, now}, false},
		"and back":  {[]error{now, good}, false},
		"no errors": {nil, false},
	} {
		err := Join(c.errs...)
		if IsSkip(err) != c.skips {
			t.Errorf("%s: IsSkip of %v: got %t, want %t", name, err, IsSkip(err), c.skips)
		}
		for _, one := range c.errs {
			if one != nil && !strings.Contains(err.Error(), one.Error()) {
				t.Errorf("%s: got %v, want it to name %v", name, err, one)
			}
		}
	}
	if !errors.Is(Join(good, now), now) {
		t.Error("it does not wrap what is tried again")
	}
}

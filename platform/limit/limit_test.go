package limit_test

import (
	"context"
	"fmt"
	"testing"
	"time"

	"example.org/broadsheet/platform/db"
	"example.org/broadsheet/platform/limit"
	"example.org/broadsheet/platform/testkit"
)

// What a budget refuses uses up no other, and is over with its window; what is counted together is counted in any case.
func TestBudgets(t *testing.T) {
	t.Parallel()
	ctx, d := testkit.Edition(t)
	now := d.Now()
	testkit.Clock(d).Advance(now.Truncate(time.Hour).Add(time.Hour).Sub(now))
	small := limit.Budget{Name: "small", Max: 2, Window: time.Minute}
	large := limit.Budget{Name: "large", Max: 3, Window: time.Hour}
	spend := func(of func(context.Context, db.Tx, ...limit.Use) (bool, error), key string) (within bool) {
		t.Helper()
		err := d.InTx(ctx, func(ctx context.Context, tx db.Tx) (err error) {
			within, err = of(ctx, tx, limit.Use{Budget: small, Key: key}, limit.Use{Budget: large, Key: key})
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
		return within
	}
	for name, c := range map[string]struct {
		of       func(context.Context, db.Tx, ...limit.Use) (bool, error)
		answered int // of five tries in each of three minutes
	}{"in turn": {limit.SpendInTurn, 3}, "all": {limit.SpendAll, 2}} {
		answered := 0
		for range 3 {
			for range 5 {
				if spend(c.of, name) {
					answered++
				}
			}
			testkit.Clock(d).Advance(time.Minute)
		}
		if answered != c.answered {
			t.Errorf("%s: %d", name, answered)
		}
		if !spend(c.of, "another "+name) {
			t.Errorf("%s: another key has no budget of its own", name)
		}
	}
	testkit.Clock(d).Advance(time.Hour)
	if !spend(limit.SpendInTurn, "in turn") {
		t.Error("a window does not end")
	}
}

// What is many times the usual is refused beyond a floor, and does not become usual by being tried.
func TestWhatIsUsual(t *testing.T) {
	t.Parallel()
	ctx, d := testkit.Edition(t)
	b := limit.Budget{Name: "mails", Max: 5, Window: time.Hour, Usual: 10}
	window := func(tries int) (within int) {
		t.Helper()
		now := d.Now()
		testkit.Clock(d).Advance(now.Truncate(time.Hour).Add(time.Hour).Sub(now))
		for range tries {
			err := d.InTx(ctx, func(ctx context.Context, tx db.Tx) error {
				ok, err := limit.Spend(ctx, tx, b, "")
				if ok {
					within++
				}
				return err
			})
			if err != nil {
				t.Fatal(err)
			}
		}
		return within
	}
	for range 2 { // a flood
		if got := window(200); got != 5 {
			t.Errorf("%d of a new edition, the floor is 5", got)
		}
	}
	for range 166 { // two an hour, so that twenty are ten times the usual
		window(2)
	}
	if got := window(30); got != 20 {
		t.Errorf("%d, ten times the usual are 20", got)
	}
	testkit.Clock(d).Advance(8 * 24 * time.Hour)
	if got := window(30); got != 5 {
		t.Errorf("%d after a week without any, the floor is 5", got)
	}
}

// Whoever changes between the networks of an IPv6 /48 has five times the budget of one, and no more.
func TestNetworksOfOneSite(t *testing.T) {
	t.Parallel()
	ctx, d := testkit.Edition(t)
	testkit.Clock(d).Advance(d.Now().Truncate(time.Hour).Add(time.Hour).Sub(d.Now()))
	b := limit.Budget{Name: "mails", Max: 3, Window: time.Hour}
	spend := func(ip string) (within bool) {
		t.Helper()
		err := d.InTx(ctx, func(ctx context.Context, tx db.Tx) (err error) {
			within, err = limit.Spend(ctx, tx, b, limit.Network(ip))
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
		return within
	}
	count := func(tries int, address func(int) string) (within int) {
		for i := range tries {
			if spend(address(i)) {
				within++
			}
		}
		return within
	}
	for name, c := range map[string]struct {
		address func(int) string
		want    int // of forty
	}{
		"one network":           {func(int) string { return "2001:db8:1:1::1" }, 3},
		"one after the other":   {func(i int) string { return fmt.Sprintf("2001:db8:2:%x::1", i) }, 15},
		"of different sites":    {func(i int) string { return fmt.Sprintf("2001:db8:1%02x:1::1", i) }, 40},
		"of the older protocol": {func(i int) string { return fmt.Sprintf("192.0.2.%d", i) }, 40},
	} {
		if got := count(40, c.address); got != c.want {
			t.Errorf("%s: %d, want %d", name, got, c.want)
		}
	}
}

func TestNetwork(t *testing.T) {
	t.Parallel()
	for address, want := range map[string]string{
		"192.0.2.7": "192.0.2.7", "::ffff:192.0.2.7": "192.0.2.7", "2001:db8:1:2:3:4:5:6": "2001:db8:1:2::/64",
		"2001:db8:1:2::9": "2001:db8:1:2::/64", "x": "x",
	} {
		if got := limit.Network(address); got != want {
			t.Errorf("%s: %s, want %s", address, got, want)
		}
	}
}

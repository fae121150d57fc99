package invoice

import (
	"testing"
	"time"
)

func TestSplitGross(t *testing.T) {
	t.Parallel()
	rates := []int64{230, 50, 100, 200, 26, 81}
	for gross, nets := range map[int64][6]int64{
		100:   {81, 95, 91, 83, 97, 93},
		796:   {647, 758, 724, 663, 776, 736},
		8900:  {7236, 8476, 8091, 7417, 8674, 8233},
		9900:  {8049, 9429, 9000, 8250, 9649, 9158},
		99900: {81220, 95143, 90818, 83250, 97368, 92414},
	} {
		for i, rate := range rates {
			net, vat := splitGross(gross, rate)
			if net != nets[i] || net+vat != gross {
				t.Errorf("%d at %d: %d + %d, want %d", gross, rate, net, vat, nets[i])
			}
			if back, tax := splitGross(-gross, rate); back != -net || tax != -vat {
				t.Errorf("a credit of %d at %d: %d + %d", gross, rate, back, tax)
			}
			// In two pairs the VAT of the rounded base is a cent more or less than what is left of the sum.
			conflict := gross == 99900 && rate == 230 || gross == 100 && rate == 81
			if (vatOf(net, rate) != vat) != conflict {
				t.Errorf("%d at %d: the base's VAT is %d, the rest of the sum %d", gross, rate, vatOf(net, rate), vat)
			}
		}
	}
}

func TestRatesHoldFromADay(t *testing.T) {
	t.Parallel()
	rates, err := ParseRates("XX\tnewspaper\t2025-01-01\t230\nXX\tnewspaper\t2027-01-01\t190\n# a " +
		"note\nYY\tnewspaper\t2025-01-01\t0")
	if err != nil {
		t.Fatal(err)
	}
	zone := time.FixedZone("", 3600)
	for _, c := range []struct {
		country string
		day     time.Time
		want    int64
		ok      bool
	}{
		{"XX", time.Date(2024, 12, 31, 23, 59, 59, 0, zone), 0, false},
		{"XX", time.Date(2025, 1, 1, 0, 0, 0, 0, zone), 230, true},
		{"XX", time.Date(2026, 12, 31, 23, 59, 59, 0, zone), 230, true},
		{"XX", time.Date(2027, 1, 1, 0, 0, 0, 0, zone), 190, true},
		{"YY", time.Date(2026, 5, 1, 12, 0, 0, 0, zone), 0, true},
		{"ZZ", time.Date(2026, 5, 1, 12, 0, 0, 0, zone), 0, false},
	} {
		if got, ok := rateOf(rates, c.country, classNewspaper, c.day); got != c.want || ok != c.ok {
			t.Errorf("%s on %s: %d, %v", c.country, c.day, got, ok)
		}
	}
	for _, country := range []string{"SK", "AT", "CH"} {
		for _, class := range []string{classNewspaper, classService} {
			if _, ok := rateOf(VATRates, country, class, time.Date(2026, 11, 21, 0, 0, 0, 0, zone)); !ok {
				t.Errorf("no rate for %s, %s", country, class)
			}
		}
	}
	for _, bad := range []string{
		"XX\tnewspaper\t2025-01-01", "XX\tnewspaper\t2025-13-01\t230",
		"XX\tnewspaper\t2025-01-01\t1000", "XX\tnewspaper\t2025-01-01\t-1", "XX\tnewspaper\t2025-01-01\t2.5",
	} {
		if _, err := ParseRates(bad); err == nil {
			t.Errorf("%q is read", bad)
		}
	}
}

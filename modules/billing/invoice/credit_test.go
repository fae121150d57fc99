package invoice

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
)

// sold is an invoice over lines.
func sold(lines ...Line) *Document {
	d := &Document{Kind: TaxInvoice, Number: "FV-2026-000001", Snapshot: Snapshot{Lines: lines}}
	d.Sum()
	return d
}

func at(permille, gross int64) Line {
	category := VATStandard
	if permille == 0 {
		category = VATZero
	}
	return Line{Name: fmt.Sprint(permille), Category: category, Permille: permille, Gross: gross}
}

// creditAll gives an invoice back in parts, and says what is wrong.
func creditAll(of *Document, parts []int64) error {
	var before []Document
	var net, vat, rounding, total int64
	for i, part := range parts {
		c := Document{Kind: CreditNote, Snapshot: Snapshot{Lines: of.Credit(part, before, "back")}}
		c.Sum()
		if c.Total != part || c.Net+c.VAT+c.Rounding != part {
			return fmt.Errorf("part %d is %+v, want %d", i, c.Snapshot, part)
		}
		for _, tax := range c.Taxes {
			if off := tax.VAT - vatOf(tax.Net, tax.Permille); off > 2 || off < -2 || tax.Permille == 0 && tax.VAT != 0 {
				return fmt.Errorf("part %d: VAT of %d for %d at %d", i, tax.VAT, tax.Net, tax.Permille)
			}
		}
		before = append(before, c)
		net, vat, rounding, total = net+c.Net, vat+c.VAT, rounding+c.Rounding, total+c.Total
	}
	if net != of.Net || vat != of.VAT || rounding != of.Rounding || total != of.Total {
		return fmt.Errorf("parts are %d + %d + %d = %d, want %d + %d + %d = %d", net, vat, rounding, total, of.Net, of.VAT,
			of.Rounding, of.Total)
	}
	left, all := of.left(before)
	for _, r := range left {
		if r.left != (sums{}) || all != 0 {
			return fmt.Errorf("%+v and %d are left", r, all)
		}
	}
	if more := of.Credit(1, before, "back"); more != nil {
		return fmt.Errorf("a cent more is given back: %v", more)
	}
	return nil
}

// equal divides a sum into parts that differ by a cent at most.
func equal(sum int64, n int64) (parts []int64) {
	for i := range n {
		if part := sum*(i+1)/n - sum*i/n; part > 0 {
			parts = append(parts, part)
		}
	}
	return parts
}

var soldSamples = map[string][]Line{
	"a year":              {at(230, 8900)},
	"a sum that rounds":   {at(230, 99900)},
	"four weeks":          {at(100, 796)},
	"a cent":              {at(81, 1)},
	"Swiss":               {at(26, 9900)},
	"two rates":           {at(230, 8900), at(50, 1999)},
	"a year less a rest":  {at(230, 8900), at(230, -517)},
	"a rest at old rates": {at(230, 8900), at(190, -517), at(50, 333)},
	"a rest of the same":  {at(230, 8900), at(100, 517), at(100, -517)},
	"many small lines":    {at(230, 99), at(230, 99), at(230, 99), at(230, 99), at(50, 99), at(0, 300)},
	"no VAT":              {{Name: "a", Category: VATOutside, Gross: 8900}},
}

func TestCredit_PartsAddUp(t *testing.T) {
	t.Parallel()
	tried := 0
	for name, lines := range soldSamples {
		for _, n := range []int64{1, 2, 3, 6, 7, 12, 100} {
			of := sold(lines...)
			parts := equal(of.Total, n)
			for _, order := range []string{"as they are", "from the last", "mixed"} {
				switch order {
				case "from the last":
					slices.Reverse(parts)
				case "mixed":
					rand.New(rand.NewPCG(1, uint64(n))).Shuffle(len(parts), func(i, j int) {
						parts[i], parts[j] = parts[j], parts[i]
					})
				}
				tried++
				if err := creditAll(of, parts); err != nil {
					t.Errorf("%s in %d parts, %s: %v", name, n, order, err)
				}
			}
		}
	}
	t.Logf("%d refunds in parts tried", tried)
}

// Whatever is sold, and in whatever parts it goes back.
func FuzzCreditParts(f *testing.F) {
	f.Add(uint64(1), int64(8900), int64(1999), int64(-517), uint8(3))
	f.Add(uint64(7), int64(99900), int64(0), int64(0), uint8(100))
	f.Fuzz(func(t *testing.T, seed uint64, a, b, c int64, n uint8) {
		const most = 10_000_00
		rates := []int64{230, 190, 200, 100, 81, 70, 50, 26, 0}
		r := rand.New(rand.NewPCG(seed, 1))
		rate := func() int64 { return rates[r.IntN(len(rates))] }
		of := sold(at(rate(), a%most), at(rate(), b%most), at(rate(), c%most))
		if of.Total <= 0 || n == 0 {
			return
		}
		var parts []int64
		rest := of.Total
		for range n - 1 {
			part := 1 + r.Int64N(max(1, 2*of.Total/int64(n)))
			if part >= rest {
				break
			}
			parts, rest = append(parts, part), rest-part
		}
		if err := creditAll(of, append(parts, rest)); err != nil {
			t.Fatalf("%+v in %v: %v", of.Lines, parts, err)
		}
	})
}

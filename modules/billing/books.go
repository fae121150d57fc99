package billing

import (
	"archive/zip"
	"cmp"
	"context"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"time"

	"example.org/broadsheet/platform/db"
	"example.org/broadsheet/platform/edition"
	"example.org/broadsheet/platform/i18n"
	"example.org/broadsheet/platform/personal"
)

// Books says what is in the books of a year.
type Books struct {
	Documents int
	Totals    []BookTotal
	Missing   []string // numbers that a series should have
}

// BookTotal adds up the tax invoices less the credit notes of a currency, in minor units.
type BookTotal struct {
	Currency                  string
	Net, VAT, Rounding, Total int64
}

// cent is a sum in a file, which no spreadsheet takes for a text.
type cent int64

func (c cent) String() string { return decimal(int64(c)) }

// rateKey is what the VAT of a year is added up by.
type rateKey struct {
	Currency, Category string
	Permille           int64
}

// books are on their way into an archive.
type books struct {
	Books
	zip       *zip.Writer
	ed        *edition.Edition
	totals    map[string]*BookTotal
	rates     map[rateKey]*BookTotal
	invoices  personal.Table
	proformas personal.Table
	last      map[docKind]int64
}

// booksBatch is how many documents are read at once.
const booksBatch = 50

// ExportBooks writes the documents of a year for the accountant: a zip with PDF and XML of each, and with tables whose
// totals add up. It needs nothing of the module but the database.
func ExportBooks(ctx context.Context, d *db.DB, year int, w io.Writer) (Books, error) {
	ed, err := edition.From(ctx)
	if err != nil {
		return Books{}, err
	}
	columns := []string{
		"number", "kind", "issued", "delivered", "due", "refers_to", "customer", "customer_country", "customer_vat_number", "payment", "currency", "base", "vat", "rounding", "total", "void",
	}
	b := &books{
		zip: zip.NewWriter(w), ed: ed, totals: map[string]*BookTotal{}, rates: map[rateKey]*BookTotal{}, last: map[docKind]int64{},
		invoices: personal.Table{Name: "invoices", Columns: columns}, proformas: personal.Table{Name: "proforma", Columns: columns},
	}
	after := int64(0)
	for more := true; more; {
		var list []document
		err := d.View(ctx, func(ctx context.Context, tx db.Tx) (err error) {
			list, err = selectDocuments(ctx, tx, "d.year = ? AND d.id > ? ORDER BY d.id LIMIT ?", year, after, booksBatch)
			return err
		})
		if err != nil {
			return b.Books, err
		}
		for i := range list {
			if err := b.add(&list[i], year); err != nil {
				return b.Books, fmt.Errorf("billing: document %s: %w", list[i].Number, err)
			}
			after = list[i].ID
		}
		more = len(list) == booksBatch
	}
	return b.Books, b.finish(d.Now())
}

func (b *books) file(name string, at time.Time) (io.Writer, error) {
	return b.zip.CreateHeader(&zip.FileHeader{Name: name, Method: zip.Deflate, Modified: at})
}

func (b *books) add(d *document, year int) error {
	b.Documents++
	b.miss(d, year)
	f, err := b.file("pdf/"+d.Number+".pdf", d.IssuedAt)
	if err == nil {
		err = d.writePDF(f, b.ed)
	}
	if err == nil {
		f, err = b.file("xml/"+d.Number+".xml", d.IssuedAt)
	}
	if err == nil {
		err = d.writeUBL(f)
	}
	if err != nil {
		return err
	}
	sign, table := int64(1), &b.invoices
	switch d.Kind {
	case creditNote:
		sign = -1
	case proForma:
		table = &b.proformas
	}
	refers := ""
	if d.Refers != nil {
		refers = d.Refers.Number
	}
	table.Rows = append(table.Rows, []any{
		d.Number, i18n.T(b.ed, "invoice.title."+string(d.Kind), nil), d.Issued, d.delivered(), d.Due, refers, d.called(), d.Customer.Country, d.Customer.ICDPH, d.Method, d.Currency,
		cent(sign * d.Net), cent(sign * d.VAT), cent(sign * d.Rounding), cent(sign * d.Total), d.Void,
	})
	if d.Kind == proForma { // which is no sale
		return nil
	}
	one := BookTotal{d.Currency, sign * d.Net, sign * d.VAT, sign * d.Rounding, sign * d.Total}
	addTo(b.totals, d.Currency, one)
	for _, t := range d.Taxes {
		addTo(b.rates, rateKey{d.Currency, t.Category, t.Permille}, BookTotal{d.Currency, sign * t.Net, sign * t.VAT, 0, sign * (t.Net + t.VAT)})
	}
	return nil
}

// miss notes the numbers between the last document of a kind and this one.
func (b *books) miss(d *document, year int) {
	n := b.last[d.Kind] + 1
	for ; d.Kind.number(b.ed, year, n) < d.Number; n++ {
		b.Missing = append(b.Missing, d.Kind.number(b.ed, year, n))
	}
	b.last[d.Kind] = n
}

func addTo[K comparable](sums map[K]*BookTotal, key K, one BookTotal) {
	sum := sums[key]
	if sum == nil {
		sum = &BookTotal{Currency: one.Currency}
		sums[key] = sum
	}
	sum.Net, sum.VAT, sum.Rounding, sum.Total = sum.Net+one.Net, sum.VAT+one.VAT, sum.Rounding+one.Rounding, sum.Total+one.Total
}

// finish writes the tables. The totals of the documents and those of the rates are counted apart, and have to agree.
func (b *books) finish(at time.Time) error {
	rates := personal.Table{Name: "vat", Columns: []string{"currency", "category", "rate_percent", "base", "vat"}}
	keys := slices.SortedFunc(maps.Keys(b.rates), func(x, y rateKey) int {
		return cmp.Or(strings.Compare(x.Currency, y.Currency), strings.Compare(x.Category, y.Category), cmp.Compare(x.Permille, y.Permille))
	})
	left := map[string]BookTotal{}
	for _, currency := range slices.Sorted(maps.Keys(b.totals)) {
		t := *b.totals[currency]
		b.Totals, left[currency] = append(b.Totals, t), t
		b.invoices.Rows = append(b.invoices.Rows, []any{"total", "", "", "", "", "", "", "", "", "", currency, cent(t.Net), cent(t.VAT), cent(t.Rounding), cent(t.Total), ""})
	}
	for _, k := range keys {
		r, l := b.rates[k], left[k.Currency]
		rates.Rows = append(rates.Rows, []any{k.Currency, k.Category, percent(k.Permille), cent(r.Net), cent(r.VAT)})
		l.Net, l.VAT = l.Net-r.Net, l.VAT-r.VAT
		left[k.Currency] = l
	}
	for _, t := range b.Totals {
		if l := left[t.Currency]; l.Net != 0 || l.VAT != 0 || t.Net+t.VAT+t.Rounding != t.Total {
			return fmt.Errorf("billing: the totals in %s do not add up: %+v, %+v are left", t.Currency, t, l)
		}
	}
	for _, t := range []personal.Table{b.invoices, b.proformas, rates} {
		f, err := b.file(t.Name+".csv", at)
		if err == nil {
			err = t.CSV(f)
		}
		if err != nil {
			return err
		}
	}
	return b.zip.Close()
}

package invoice

import (
	"archive/zip"
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"example.org/broadsheet/platform/db"
	"example.org/broadsheet/platform/i18n"
	"example.org/broadsheet/platform/paper/edition"
	"example.org/broadsheet/platform/privacy"
	"example.org/broadsheet/platform/typed"
)

// Books says what is in the books of a period.
type Books struct {
	Documents int
	Totals    []BookTotal
	Missing   []string // numbers that a series should have
	Failed    []FailedDocument
}

// FailedDocument is a document that the books lack, or a file of it.
type FailedDocument struct {
	Number, Issued, Currency string
	Total                    int64
	Lacks                    string // "pdf", "xml", or "everything"
	Err                      error
}

// BookTotal adds up the tax invoices less the credit notes of a currency, in minor units.
type BookTotal struct {
	Currency                  string
	Documents                 int
	Net, VAT, Rounding, Total int64
}

// cent is a sum in a file, which no spreadsheet takes for a text.
type cent int64

func (c cent) String() string { return Decimal(int64(c)) }

// rateKey is what VAT is added up by. Month and Kind are allOf where those of all are added up.
type rateKey struct {
	Month, Kind, Currency, Category string
	Permille                        int64
}

// AllOf stands in a table where a row adds up the others. No month and no kind comes after it in the alphabet.
const AllOf = "total"

// series is what the numbers of documents count in.
type series struct {
	kind Kind
	year string
}

// books are on their way into an archive.
type books struct {
	Books
	zip       *zip.Writer
	ed        *edition.Edition
	totals    map[string]*BookTotal
	months    map[rateKey]*BookTotal // without rates
	rates     map[rateKey]*BookTotal
	invoices  privacy.Table
	proformas privacy.Table
	last      map[series]int64
	period    BookPeriod
}

// BooksBatch is how many documents are read at once.
const BooksBatch = 50

// ExportBooks writes the documents that were issued in a period for the accountant: a zip with PDF and XML of each, and
// with tables whose totals add up. A document that fails is named in the Books and in a table of the archive, and stops
// no other. It needs nothing of the module but the database.
func ExportBooks(ctx context.Context, d *db.DB, period BookPeriod, w io.Writer) (Books, error) {
	ed, err := edition.From(ctx)
	if err != nil {
		return Books{}, err
	}
	columns := []string{
		"number", "kind", "issued", "delivered", "due", "refers_to", "customer", "customer_country", "customer_vat_number",
		"payment", "currency", "base", "vat", "rounding", "total", "void",
	}
	b := &books{
		zip: zip.NewWriter(w), ed: ed, totals: map[string]*BookTotal{}, months: map[rateKey]*BookTotal{},
		rates: map[rateKey]*BookTotal{}, last: map[series]int64{}, period: period,
		invoices:  privacy.Table{Name: "invoices", Columns: columns},
		proformas: privacy.Table{Name: "proforma", Columns: columns},
	}
	err = eachDocument(ctx, d, Day(ed, period.From), Day(ed, period.To).AddDate(0, 0, 1), b.add)
	if err != nil {
		return b.Books, err
	}
	return b.Books, b.finish(d.Now())
}

func (b *books) file(name string, at time.Time) (io.Writer, error) {
	return b.zip.CreateHeader(&zip.FileHeader{Name: name, Method: zip.Deflate, Modified: at})
}

// add adds a document, or notes that it fails.
func (b *books) add(d *Document) error {
	b.Documents++
	if err := errors.Join(b.checkGaps(d), d.Check()); err != nil {
		b.fail(d, "everything", err)
		return nil
	}
	for _, file := range []struct {
		kind  string
		write func(io.Writer) error
	}{{"pdf", func(w io.Writer) error { return d.WritePDF(w, b.ed) }}, {"xml", d.WriteUBL}} {
		var whole bytes.Buffer
		if err := file.write(&whole); err != nil {
			b.fail(d, file.kind, err)
			continue
		}
		f, err := b.file(file.kind+"/"+d.Number+"."+file.kind, d.IssuedAt)
		if err == nil {
			_, err = whole.WriteTo(f)
		}
		if err != nil {
			return err
		}
	}
	table, d := &b.invoices, d.signed()
	if d.Kind == ProForma {
		table = &b.proformas
	}
	refers := ""
	if d.Refers != nil {
		refers = d.Refers.Number
	}
	table.Rows = append(table.Rows, []any{
		d.Number, i18n.T(b.ed, "invoice.title."+string(d.Kind), nil), d.Issued, d.delivered(), d.Due, refers, d.BuyerName(),
		d.Customer.Country, d.Customer.ICDPH, d.Method, d.Currency,
		cent(d.Net), cent(d.VAT), cent(d.Rounding), cent(d.Total), d.Void,
	})
	if d.Kind == ProForma { // which is no sale
		return nil
	}
	b.addUp(d)
	return nil
}

func (b *books) fail(d *Document, lacks string, err error) {
	b.Failed = append(b.Failed, FailedDocument{
		d.Number, d.IssuedAt.In(b.ed.Location).Format(time.DateOnly), d.Currency, d.signed().Total, lacks, err,
	})
}

// addUp adds a document to its month and kind, and to all of each.
func (b *books) addUp(d *Document) {
	one := BookTotal{d.Currency, 1, d.Net, d.VAT, d.Rounding, d.Total}
	addTo(b.totals, d.Currency, one)
	for _, month := range []string{d.Issued[:len("2006-01")], AllOf} {
		for _, kind := range []string{string(d.Kind), AllOf} {
			addTo(b.months, rateKey{Month: month, Kind: kind, Currency: d.Currency}, one)
			for _, t := range d.Taxes {
				addTo(b.rates, rateKey{month, kind, d.Currency, t.Category, t.Permille},
					BookTotal{d.Currency, 1, t.Net, t.VAT, 0, t.Net + t.VAT})
			}
		}
	}
}

// checkGaps notes the numbers between the last document of a series and this one. Before the first one of a period that
// begins within a year, nothing is known to be missing.
func (b *books) checkGaps(d *Document) error {
	year := d.IssuedAt.In(b.ed.Location).Year()
	n, err := strconv.ParseInt(d.Number[strings.LastIndexByte(d.Number, '-')+1:], 10, 64)
	if err != nil {
		return damaged("its number is %q", d.Number)
	}
	of := series{d.Kind, strconv.Itoa(year)}
	last, seen := b.last[of]
	if !seen && b.period.From > of.year+"-01-01" {
		last = n - 1
	}
	for at := last + 1; at < n; at++ {
		b.Missing = append(b.Missing, d.Kind.Number(b.ed, year, at))
	}
	b.last[of] = n
	return nil
}

func addTo[K comparable](sums map[K]*BookTotal, key K, one BookTotal) {
	sum := sums[key]
	if sum == nil {
		sum = &BookTotal{Currency: one.Currency}
		sums[key] = sum
	}
	sum.Documents += one.Documents
	sum.Net, sum.VAT, sum.Rounding, sum.Total = sum.Net+one.Net, sum.VAT+one.VAT, sum.Rounding+one.Rounding,
		sum.Total+one.Total
}

// sorted are the keys of a table in the order of its rows: months, in each its kinds, and what adds them up last.
func sorted(sums map[rateKey]*BookTotal) []rateKey {
	return slices.SortedFunc(maps.Keys(sums), func(x, y rateKey) int {
		return cmp.Or(
			strings.Compare(x.Month, y.Month), strings.Compare(x.Kind, y.Kind), strings.Compare(x.Currency, y.Currency),
			strings.Compare(x.Category, y.Category),
			cmp.Compare(x.Permille, y.Permille),
		)
	})
}

// finish writes the tables. The totals of the documents and those of the rates are counted apart, and have to agree.
func (b *books) finish(at time.Time) error {
	rates := privacy.Table{
		Name:    "vat",
		Columns: []string{"month", "kind", "currency", "category", "rate_percent", "base", "vat"},
	}
	months := privacy.Table{
		Name:    "months",
		Columns: []string{"month", "kind", "currency", "documents", "base", "vat", "rounding", "total"},
	}
	for _, k := range sorted(b.months) {
		m := b.months[k]
		months.Rows = append(months.Rows,
			[]any{k.Month, k.Kind, k.Currency, m.Documents, cent(m.Net), cent(m.VAT), cent(m.Rounding), cent(m.Total)})
	}
	left := map[string]BookTotal{}
	for _, currency := range slices.Sorted(maps.Keys(b.totals)) {
		t := *b.totals[currency]
		b.Totals, left[currency] = append(b.Totals, t), t
		b.invoices.Rows = append(b.invoices.Rows,
			[]any{
				"total", "", "", "", "", "", "", "", "", "", currency, cent(t.Net), cent(t.VAT), cent(t.Rounding),
				cent(t.Total), "",
			})
	}
	for _, k := range sorted(b.rates) {
		r, l := b.rates[k], left[k.Currency]
		rates.Rows = append(rates.Rows,
			[]any{k.Month, k.Kind, k.Currency, k.Category, percent(k.Permille), cent(r.Net), cent(r.VAT)})
		if k.Month != AllOf && k.Kind != AllOf {
			l.Net, l.VAT = l.Net-r.Net, l.VAT-r.VAT
			left[k.Currency] = l
		}
	}
	for _, t := range b.Totals {
		if l := left[t.Currency]; l.Net != 0 || l.VAT != 0 || t.Net+t.VAT+t.Rounding != t.Total {
			return fmt.Errorf("billing: the totals in %s do not add up: %+v, %+v are left", t.Currency, t, l)
		}
	}
	tables := []privacy.Table{b.invoices, b.proformas, months, rates}
	if len(b.Failed) > 0 {
		tables = append(tables, b.incomplete())
	}
	for _, t := range tables {
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

// incomplete is the table of what the archive lacks.
func (b *books) incomplete() privacy.Table {
	t := privacy.Table{
		Name: "incomplete", Columns: []string{"number", "issued", "currency", "total", "lacks", "reason"},
	}
	for _, f := range b.Failed {
		t.Rows = append(t.Rows, []any{f.Number, f.Issued, f.Currency, cent(f.Total), f.Lacks, typed.Shown(f.Err.Error())})
	}
	return t
}

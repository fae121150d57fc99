package billing

import (
	"archive/zip"
	"bytes"
	"context"
	"encoding/csv"
	"io"
	"strconv"
	"strings"
	"testing"
	"time"

	"example.org/broadsheet/modules/billing/invoice"
	"example.org/broadsheet/platform/db"
)

// opened are the files of an archive by their names.
func opened(t *testing.T, b []byte) map[string]string {
	t.Helper()
	z, err := zip.NewReader(bytes.NewReader(b), int64(len(b)))
	if err != nil {
		t.Fatal(err)
	}
	files := map[string]string{}
	for _, f := range z.File {
		r, err := f.Open()
		if err != nil {
			t.Fatal(err)
		}
		text, err := io.ReadAll(r)
		if err != nil || files[f.Name] != "" {
			t.Fatal(f.Name, err)
		}
		files[f.Name] = string(text)
	}
	return files
}

func tableOf(t *testing.T, text string) (rows [][]string) {
	t.Helper()
	rows, err := csv.NewReader(strings.NewReader(strings.TrimPrefix(text, "\uFEFF"))).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	return rows[1:]
}

// inCents reads a sum without any float in between.
func inCents(t *testing.T, s string) int64 {
	t.Helper()
	n, err := strconv.ParseInt(strings.Replace(s, ".", "", 1), 10, 64)
	if err != nil || !moneyShape.MatchString(s) {
		t.Fatal(s, err)
	}
	return n
}

func TestBooksOfAYearAddUp(t *testing.T) {
	t.Parallel()
	p := newEnv(t)
	var want int64
	n := invoice.BooksBatch + 7
	for i := range n {
		d := p.sold("invoice:"+strconv.Itoa(i), int64(100+i*37))
		d.Customer.Name = `=HYPERLINK("x";"Eva")`
		want += p.issue(d).Total
	}
	of := p.documents("d.number LIKE 'FV%'")[5]
	if err := p.db.InTx(p.ctx, func(ctx context.Context, tx db.Tx) error {
		return invoice.CreditRefund(ctx, tx, &of, invoice.Refund{ID: "re_1", Sum: 100, At: tx.Now})
	}); err != nil {
		t.Fatal(err)
	}
	want -= 100
	due := p.sold("order:1", 8900)
	due.Kind, due.Method, due.Paid = invoice.ProForma, invoice.ByTransfer, false
	p.issue(due)

	year := p.db.Now().In(p.ed.Location).Year()
	var b bytes.Buffer
	books, err := invoice.ExportBooks(p.ctx, p.db, invoice.BookYear(year), &b)
	if err != nil || books.Documents != n+2 || len(books.Missing) != 0 || len(books.Totals) != 1 ||
		books.Totals[0].Total != want {
		t.Fatalf("%+v, %v; %d", books, err, want)
	}
	files := opened(t, b.Bytes())
	if len(files) != 2*(n+2)+4 {
		t.Errorf("%d files", len(files))
	}
	for name, text := range files {
		if strings.HasSuffix(name, ".xml") {
			if broken := brokenRules([]byte(text)); len(broken) > 0 {
				t.Errorf("%s: %v", name, broken)
			}
		}
		if strings.HasSuffix(name, ".pdf") && !strings.HasPrefix(text, "%PDF-") {
			t.Errorf("%s: %.20s", name, text)
		}
	}
	var sums [4]int64
	rows := tableOf(t, files["invoices.csv"])
	for i, row := range rows {
		for at := range sums {
			v := inCents(t, row[11+at])
			if row[0] == "total" && i == len(rows)-1 {
				if v != sums[at] {
					t.Errorf("the total %d is %d, the lines are %d", at, v, sums[at])
				}
				continue
			}
			sums[at] += v
		}
		if row[0] != "total" && !strings.HasPrefix(row[6], "'=") {
			t.Errorf("a spreadsheet takes %s for a formula", row[6])
		}
	}
	if sums[0]+sums[1]+sums[2] != sums[3] || sums[3] != want {
		t.Errorf("%v, %d", sums, want)
	}
	var base, vat int64
	for _, row := range tableOf(t, files["vat.csv"]) {
		if row[0] != invoice.AllOf && row[1] != invoice.AllOf {
			base, vat = base+inCents(t, row[5]), vat+inCents(t, row[6])
		}
	}
	if base != sums[0] || vat != sums[1] {
		t.Errorf("by rates %d and %d, by documents %v", base, vat, sums)
	}
	if proformas := tableOf(t, files["proforma.csv"]); len(proformas) != 1 {
		t.Errorf("%v", proformas)
	}

	var none bytes.Buffer
	if books, err := invoice.ExportBooks(p.ctx, p.db, invoice.BookYear(year-1), &none); err != nil ||
		books.Documents != 0 ||
		len(opened(t, none.Bytes())) != 4 {
		t.Errorf("of a year without any: %+v, %v", books, err)
	}

	err = p.db.InTx(p.ctx, func(ctx context.Context, tx db.Tx) error { // as nobody can but who says so
		_, err := tx.NewRaw("SELECT set_config('billing.kept_since', '9999-01-01', true); DELETE FROM billing_documents "+
			"WHERE id = ?", of.ID).Exec(ctx)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	if books, err := invoice.ExportBooks(p.ctx, p.db, invoice.BookYear(year), io.Discard); err != nil ||
		len(books.Missing) != 1 ||
		books.Missing[0] != of.Number {
		t.Errorf("without %s: %v, %v", of.Number, books.Missing, err)
	}
	if err := p.shop.Invoices.CheckSeries(p.ctx); err == nil {
		t.Error("nobody misses a number")
	}
}

// A month has what was issued in it, by the edition's clock, and the months of a year add up to it: by kind, by rate
// and in all.
func TestBooksOfAMonth(t *testing.T) {
	t.Parallel()
	p := newEnv(t)
	year := p.db.Now().In(p.ed.Location).Year() + 1
	at := func(month time.Month, day, hour int) {
		p.t.Helper()
		p.advance(time.Date(year, month, day, hour, 0, 0, 0, p.ed.Location).Sub(p.db.Now()))
	}
	at(time.January, 10, 12)
	p.issue(p.sold("invoice:1", 8900))
	at(time.January, 31, 23)
	p.issue(p.sold("invoice:2", 796))
	at(time.February, 1, 0)
	of := p.issue(p.sold("invoice:3", 100))
	at(time.February, 28, 12)
	if err := p.db.InTx(p.ctx, func(ctx context.Context, tx db.Tx) error {
		return invoice.CreditRefund(ctx, tx, of, invoice.Refund{ID: "re_1", Sum: 40, At: tx.Now})
	}); err != nil {
		t.Fatal(err)
	}
	export := func(month, quarter, from, to string) (invoice.Books, map[string]string) {
		t.Helper()
		period, err := invoice.ParseBookPeriod("", month, quarter, from, to)
		if err != nil {
			t.Fatal(err)
		}
		var file bytes.Buffer
		books, err := invoice.ExportBooks(p.ctx, p.db, period, &file)
		if err != nil || len(books.Missing) > 0 {
			t.Fatal(books, err)
		}
		return books, opened(t, file.Bytes())
	}
	y := strconv.Itoa(year)
	for name, c := range map[string]struct {
		month, quarter, from, to string
		documents                int
		total                    int64
	}{
		"January":     {month: y + "-01", documents: 2, total: 9696},
		"February":    {month: y + "-02", documents: 2, total: 60},
		"March":       {month: y + "-03"},
		"the quarter": {quarter: y + "-1", documents: 4, total: 9756},
		"the next":    {quarter: y + "-2"},
		"two days":    {from: y + "-01-31", to: y + "-02-01", documents: 2, total: 896},
	} {
		books, _ := export(c.month, c.quarter, c.from, c.to)
		total := int64(0)
		for _, sum := range books.Totals {
			total += sum.Total
		}
		if books.Documents != c.documents || total != c.total {
			t.Errorf("%s: %+v", name, books)
		}
	}
	_, files := export("", y+"-1", "", "")
	var rows []string
	for _, row := range tableOf(t, files["months.csv"]) {
		rows = append(rows, strings.TrimPrefix(strings.Join(row, " "), y+"-"))
	}
	if want := strings.Join([]string{
		"01 FV EUR 2 78.83 18.13 0.00 96.96", "01 total EUR 2 78.83 18.13 0.00 96.96",
		"02 CN EUR 1 -0.32 -0.08 0.00 -0.40", "02 FV EUR 1 0.81 0.19 0.00 1.00", "02 total EUR 2 0.49 0.11 0.00 0.60",
		"total CN EUR 1 -0.32 -0.08 0.00 -0.40", "total FV EUR 3 79.64 18.32 0.00 97.96", "total total EUR 4 79.32 18.24 " +
			"0.00 97.56",
	}, "\n"); strings.Join(rows, "\n") != want {
		t.Errorf("months:\n%s\nnot\n%s", strings.Join(rows, "\n"), want)
	}
	if rows := tableOf(t, files["vat.csv"]); len(rows) != 8 ||
		strings.Join(rows[2], " ") != y+"-02 CN EUR S 23 -0.32 -0.08" ||
		strings.Join(rows[7], " ") != "total total EUR S 23 79.32 18.24" {
		t.Errorf("rates: %v", rows)
	}
}

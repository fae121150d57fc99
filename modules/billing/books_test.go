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
	p := newPaper(t)
	var want int64
	n := booksBatch + 7
	for i := range n {
		d := p.sold("invoice:"+strconv.Itoa(i), int64(100+i*37))
		d.Customer.Name = `=HYPERLINK("x";"Eva")`
		want += p.issue(d).Total
	}
	of := p.documents("d.number LIKE 'FV%'")[5]
	if err := p.db.Update(p.ctx, func(ctx context.Context, tx db.Tx) error {
		return creditRefund(ctx, tx, &of, refunded{"re_1", 100, tx.Now})
	}); err != nil {
		t.Fatal(err)
	}
	want -= 100
	due := p.sold("order:1", 8900)
	due.Kind, due.Method, due.Paid = proForma, byTransfer, false
	p.issue(due)

	year := p.db.Now().In(p.ed.Location).Year()
	var b bytes.Buffer
	books, err := ExportBooks(p.ctx, p.db, year, &b)
	if err != nil || books.Documents != n+2 || len(books.Missing) != 0 || len(books.Totals) != 1 || books.Totals[0].Total != want {
		t.Fatalf("%+v, %v; %d", books, err, want)
	}
	files := opened(t, b.Bytes())
	if len(files) != 2*(n+2)+3 {
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
		base, vat = base+inCents(t, row[3]), vat+inCents(t, row[4])
	}
	if base != sums[0] || vat != sums[1] {
		t.Errorf("by rates %d and %d, by documents %v", base, vat, sums)
	}
	if proformas := tableOf(t, files["proforma.csv"]); len(proformas) != 1 {
		t.Errorf("%v", proformas)
	}

	var none bytes.Buffer
	if books, err := ExportBooks(p.ctx, p.db, year-1, &none); err != nil || books.Documents != 0 || len(opened(t, none.Bytes())) != 3 {
		t.Errorf("of a year without any: %+v, %v", books, err)
	}

	err = p.db.Update(p.ctx, func(ctx context.Context, tx db.Tx) error { // as nobody can but who says so
		_, err := tx.NewRaw("SELECT set_config('billing.kept_since', '9999-01-01', true); DELETE FROM billing_documents WHERE id = ?", of.ID).Exec(ctx)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	if books, err := ExportBooks(p.ctx, p.db, year, io.Discard); err != nil || len(books.Missing) != 1 || books.Missing[0] != of.Number {
		t.Errorf("without %s: %v, %v", of.Number, books.Missing, err)
	}
	if err := p.shop.CheckSeries(p.ctx); err == nil {
		t.Error("nobody misses a number")
	}
}

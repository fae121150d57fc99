package billing

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"example.org/broadsheet/modules/billing/invoice"
	"example.org/broadsheet/platform/db"
	"example.org/broadsheet/platform/jobs"
	"example.org/broadsheet/platform/paper/event"
	"example.org/broadsheet/platform/testkit"
)

// damages are snapshots that no document was ever issued with.
var damages = map[string]string{
	"empty": `{}`, "a list": `[]`, "null": `null`, "lines are a text": `{"lines": "x"}`,
	"no lines": `{"issued": "2026-11-21", "lines": [], "taxes": []}`,
	"no day": `{"issued": "", "lines": [{"name": "a", "net": 1, "gross": 1, "category": "O"}],
		"taxes": [{"category": "O", "net": 1}], "net": 1, "total": 1}`,
	"sums": `{"issued": "2026-11-21", "lines": [{"name": "a", "net": 1, "gross": 1, "category": "O"}],
		"taxes": [{"category": "O", "net": 1}], "net": 2, "total": 3}`,
}

// damage stores a document of each damage, of reader 7, and returns their numbers.
func (p *env) damage() (numbers []string) {
	p.t.Helper()
	year := p.db.Now().In(p.ed.Location).Year()
	n := 100
	for _, snapshot := range damages {
		n++
		number := invoice.ProForma.Number(p.ed, year, int64(n))
		numbers = append(numbers, number)
		if err := p.db.InTx(p.ctx, func(ctx context.Context, tx db.Tx) error {
			_, err := tx.NewRaw(`INSERT INTO billing_documents (source, issuer, kind, year, n, number, reader_id, total,
				currency, issued_at, snapshot) VALUES (?0, 'x', 'PF', ?1, ?2, ?3, 7, 8900, 'EUR', ?4, ?5)`,
				"damaged:"+number, year, n, number, tx.Now, snapshot).Exec(ctx)
			return err
		}); err != nil {
			p.t.Fatal(err)
		}
	}
	return numbers
}

func TestExportBooks_DamagedDocuments(t *testing.T) {
	t.Parallel()
	p := newEnv(t)
	first := p.issue(p.sold("invoice:1", 8900))
	numbers := p.damage()
	smile := p.sold("invoice:2", 9900)
	smile.Customer.Name = "Ada 😀"
	second := p.issue(smile)
	month := p.db.Now().In(p.ed.Location).Format("2006-01")
	quarter := fmt.Sprintf("%s-%d", month[:4], (int(p.db.Now().In(p.ed.Location).Month())+2)/3)
	for _, flags := range [][3]string{{month[:4], "", ""}, {"", month, ""}, {"", "", quarter}} {
		period, err := invoice.ParseBookPeriod(flags[0], flags[1], flags[2], "", "")
		if err != nil {
			t.Fatal(err)
		}
		var out bytes.Buffer
		books, err := invoice.ExportBooks(p.ctx, p.db, period, &out)
		if err != nil {
			t.Fatalf("%s: %v", period.Name, err)
		}
		files := opened(t, out.Bytes())
		for _, d := range []*invoice.Document{first, second} {
			if files["pdf/"+d.Number+".pdf"] == "" || files["xml/"+d.Number+".xml"] == "" ||
				!strings.Contains(files["invoices.csv"], d.Number) {
				t.Errorf("%s: %s is missing", period.Name, d.Number)
			}
		}
		if len(books.Totals) != 1 || books.Totals[0].Total != 18800 {
			t.Errorf("%s: the totals are %+v", period.Name, books.Totals)
		}
		rows := map[string][]string{}
		for _, row := range tableOf(t, files["incomplete.csv"]) {
			rows[row[0]] = row
		}
		for _, n := range numbers {
			if row := rows[n]; len(row) != 6 || row[1] == "" || row[5] == "" {
				t.Errorf("%s: %s is not named: %v", period.Name, n, row)
			}
		}
		if len(books.Failed) < len(numbers) || len(rows) != len(numbers) {
			t.Errorf("%s: %d rows of %d failed, want %d", period.Name, len(rows), len(books.Failed), len(numbers))
		}
	}
}

// A damaged document is in none of its reader's way, and is found.
func TestDamagedDocuments(t *testing.T) {
	t.Parallel()
	p := newEnv(t)
	whole := p.issue(p.sold("invoice:1", 8900))
	numbers := p.damage()
	list, err := p.shop.Subscriptions.InvoiceList(p.ctx, 7)
	if err != nil || len(list) == 0 {
		t.Fatalf("the list of the reader: %v, %v", list, err)
	}
	for _, d := range p.allDocuments() {
		if d.Number == whole.Number {
			continue
		}
		if err := p.shop.Subscriptions.MailDocument(p.ctx, event.Document{DocumentID: d.ID}); !jobs.IsSkip(err) ||
			!errors.Is(err, invoice.ErrDamaged) {
			t.Errorf("the email about %s: %v", d.Number, err)
		}
	}
	failing, err := invoice.FindFailing(p.ctx, p.db)
	if err != nil || len(failing) != len(numbers) {
		t.Errorf("failing are %v, %v; want %v", failing, err, numbers)
	}
	if now, err := p.shop.Invoices.FailingNow(p.ctx); err != nil || len(now) != len(numbers) ||
		len(p.shop.Invoices.Failing()[p.ed.ID]) != len(numbers) {
		t.Errorf("FailingNow: %v, %v", now, err)
	}
	redrawn, err := invoice.Redraw(p.ctx, p.db, false, append(numbers, whole.Number)...)
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range redrawn {
		if (r.Err == nil) != (r.Number == whole.Number) || r.Mails {
			t.Errorf("redrawn: %+v", r)
		}
	}
	if _, err := invoice.Redraw(p.ctx, p.db, true, "FV-1999-000001"); err == nil {
		t.Error("a number that is not there is taken")
	}
}

func (p *env) allDocuments() (list []invoice.Document) {
	p.t.Helper()
	p.view(func(ctx context.Context, tx db.Tx) (err error) {
		list, err = invoice.SelectAll(ctx, tx, "true ORDER BY d.id")
		return err
	})
	return list
}

// Emails that an older program gave up, because it could not draw a letter, are sent once more, and once only.
func TestRedraw(t *testing.T) {
	t.Parallel()
	p := newEnv(t)
	for i, name := range []string{"Ada 😀", "𠮷野家", "𝓐𝓭𝓪", "Ján 🎁 Novák", "علي"} {
		d := p.sold(fmt.Sprint("invoice:", i), 8900)
		d.Customer.Name = name
		p.issue(d)
	}
	if err := p.db.InTx(p.ctx, func(ctx context.Context, tx db.Tx) error {
		_, err := tx.NewRaw(`UPDATE outbox SET dead_at = ?0, attempts = 600, last_error = 'outside the supported range'
			WHERE event = ?1`, tx.Now, string(event.DocumentIssued)).Exec(ctx)
		return err
	}); err != nil {
		t.Fatal(err)
	}
	if failing, err := invoice.FindFailing(p.ctx, p.db); err != nil || len(failing) != 5 {
		t.Errorf("failing before: %v, %v", failing, err)
	}
	for i, dry := range []bool{true, false, false} {
		list, err := invoice.Redraw(p.ctx, p.db, dry)
		want := 5
		if i == 2 {
			want = 0
		}
		if err != nil || len(list) != want {
			t.Errorf("call %d: %+v, %v", i, list, err)
		}
		for _, r := range list {
			if r.Err != nil || !r.Mails {
				t.Errorf("call %d: %+v", i, r)
			}
		}
		p.work()
		sent := len(p.sent("invoice"))
		if want := min(i, 1) * 5; sent != want {
			t.Errorf("after call %d, %d emails are sent, want %d", i, sent, want)
		}
	}
	if failing, err := invoice.FindFailing(p.ctx, p.db); err != nil || len(failing) != 0 {
		t.Errorf("failing after: %v, %v", failing, err)
	}
}

// Whoever orders by transfer is told how to pay, whatever the name is.
func TestOrderByTransfer_AnyName(t *testing.T) {
	t.Parallel()
	p := newEnv(t, takesTransfers)
	for i, name := range []string{"Ada 😀", "李小龙", "𝓐𝓭𝓪", "علي", "Zoë \u2764"} {
		reader := int64(i + 1)
		p.sets(reader, fmt.Sprintf(`"name":%q,"country":"SK","email":"reader%d@example.org"`, name, reader))
		o := p.orders(reader)
		p.work()
		to := fmt.Sprintf("reader%d@example.org", reader)
		found := false
		for _, m := range p.sent("proforma") {
			text := fmt.Sprint(m.Blocks)
			if found = found || m.To == to && strings.Contains(text, o.Reference) &&
				strings.Contains(strings.ReplaceAll(text, " ", ""), p.ed.Bank.IBAN) && len(m.Files) > 0; found {
				break
			}
		}
		if o.Reference == "" || !found {
			t.Errorf("%q: no email with the way to pay order %q", name, o.Reference)
		}
	}
	if failing, err := invoice.FindFailing(p.ctx, p.db); err != nil || len(failing) != 0 {
		t.Errorf("failing: %v, %v", failing, err)
	}
}

// An email whose PDF cannot be drawn goes without it, and once more with it when the document is drawn again.
func TestMailDocument_undrawn(t *testing.T) {
	t.Parallel()
	p := newEnv(t)
	of := p.issue(p.sold("invoice:1", 8900))
	p.work()
	if _, err := p.shop.Invoices.Correct(p.ctx, of.Number, toCompany, "", false); err != nil {
		t.Fatal(err)
	}
	list := p.documents("true")
	credit, fresh := list[1], list[2]
	snapshot := ""
	change := func(query string, args ...any) {
		t.Helper()
		if err := p.db.InTx(p.ctx, func(ctx context.Context, tx db.Tx) error {
			_, err := tx.NewRaw(query, args...).Exec(ctx)
			return err
		}); err != nil {
			t.Fatal(err)
		}
	}
	p.view(func(ctx context.Context, tx db.Tx) error {
		return tx.NewRaw("SELECT snapshot::text FROM billing_documents WHERE id = ?", credit.ID).Scan(ctx, &snapshot)
	})
	testkit.Alter(p.ctx, t, p.db, "ALTER TABLE billing_documents DISABLE TRIGGER USER") // documents are final
	change("UPDATE billing_documents SET snapshot = '{}' WHERE id = ?", credit.ID)
	about := event.Document{DocumentID: fresh.ID}
	for range 2 {
		err := p.shop.Subscriptions.MailDocument(p.ctx, about)
		if !errors.Is(err, invoice.ErrDamaged) || !jobs.IsSkip(err) {
			t.Errorf("got %v, want that the job is given up", err)
		}
	}
	emails := func() (all []string) {
		for _, m := range p.sent("invoice") {
			if strings.Contains(fmt.Sprint(m.Blocks), fresh.Number) {
				all = append(all, fmt.Sprintf("%t %d", strings.HasSuffix(m.Key, ":undrawn"), len(m.Files)))
			}
		}
		return all
	}
	if got, want := emails(), []string{"true 1"}; !slices.Equal(got, want) {
		t.Fatalf("got emails %q, want %q: one, with the invoice alone", got, want)
	}
	change(`UPDATE outbox SET dead_at = ?0, attempts = 1, last_error = 'damaged' WHERE event = ?1 AND
		payload->>'document_id' = ?2`, p.db.Now(), string(event.DocumentIssued), fmt.Sprint(fresh.ID))
	change("DELETE FROM outbox WHERE dead_at IS NULL")
	change("UPDATE billing_documents SET snapshot = ? WHERE id = ?", snapshot, credit.ID)
	for range 2 {
		if _, err := invoice.Redraw(p.ctx, p.db, false); err != nil {
			t.Fatal(err)
		}
		p.work()
		if got, want := emails(), []string{"true 1", "false 2"}; !slices.Equal(got, want) {
			t.Errorf("after redrawing: got emails %q, want %q", got, want)
		}
	}
}

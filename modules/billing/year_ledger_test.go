package billing

import (
	"bytes"
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"example.org/broadsheet/modules/billing/access"
	"example.org/broadsheet/modules/billing/invoice"
)

// access compares what readers may read with what the provider says that they have paid for: those who have just done
// something, and a twentieth of the others each time.
func (y *year) access(day int, busy []*life) {
	y.t.Helper()
	now := y.clock.Now()
	for _, p := range y.papers {
		p.shop.Access.ForgetAll() // what a notice would do
	}
	for i, l := range y.lives {
		if now.Before(l.from) || (i+day)%20 != 0 && !slices.Contains(busy, l) {
			continue
		}
		y.checked++
		want := l.entitled(now)
		if got, product, trial, _ := l.standing(l.reader); !got.Equal(want) {
			y.t.Errorf("%s: reader %d of %s (%s, since %s) reads until %s (%s, trial %v), and is entitled to until %s; the "+
				"rows are %+v", now.Format(time.DateTime), l.reader, l.ed.ID,
				l.kind.name, l.from.Format(time.DateOnly), got, product, trial, want, l.subscriptions(l.reader))
		}
	}
}

// entitled is until when a reader may read, by what the provider says and by what was given; zero: not at all.
func (l *life) entitled(now time.Time) (until time.Time) {
	l.t.Helper()
	extended := time.Time{}
	if l.trial.After(now) {
		until = l.trial
	}
	if customer := l.customer(); customer != "" {
		for _, s := range l.listed("subscriptions?limit=10&status=all&expand[]=data.latest_invoice.charge&customer=" +
			customer) {
			end, grace := paidUntil(s)
			until, extended = access.Later(until, end), access.Later(extended, grace)
		}
	}
	if !until.After(now) {
		until = extended
	}
	if l.given.After(until) {
		until = l.given
	}
	if !until.After(now) {
		return time.Time{}
	}
	return until
}

// paidUntil reads a subscription of the provider: until when it is paid for, and how long one waits for the next
// payment.
func paidUntil(s map[string]any) (end, grace time.Time) {
	at := func(name string) time.Time {
		epoch, _ := s[name].(float64)
		return time.Unix(int64(epoch), 0).UTC()
	}
	start, end := at("current_period_start"), at("current_period_end")
	in, _ := s["latest_invoice"].(map[string]any)
	charge, _ := in["charge"].(map[string]any)
	paid, _ := in["amount_paid"].(float64)
	back, _ := charge["amount_refunded"].(float64)
	if in["status"] == "void" || charge["disputed"] == true || back > 0 && back >= paid {
		return time.Time{}, time.Time{}
	}
	switch {
	case s["status"] == "trialing", s["status"] == "active" &&
		(s["cancel_at_period_end"] == true || s["pause_collection"] != nil):
		return end, end
	case s["status"] == "active":
		return end, end.AddDate(0, 0, 7)
	case s["status"] == "past_due":
		if week := start.AddDate(0, 0, 7); week.Before(end) {
			end = week
		}
		return end, end
	}
	return time.Time{}, time.Time{}
}

// all pages through a list of the provider.
func (p *env) all(path string) (list []map[string]any) {
	p.t.Helper()
	for cursor := ""; ; {
		page := p.listed(path + "&limit=100" + cursor)
		list = append(list, page...)
		if len(page) < 100 {
			return list
		}
		cursor = "&starting_after=" + fmt.Sprint(page[99]["id"])
	}
}

// emails compares what the mail server has got with what each reader's year asks for.
func (y *year) messages() {
	y.t.Helper()
	want, got := map[string]int{}, map[string]int{}
	for _, l := range y.lives {
		email, _, _ := l.Contact(l.ctx, l.reader)
		for kind, n := range l.kind.want {
			to := email
			if kind == "gift_bought" || kind == "withdrawal" && l.kind.want["gift_bought"] > 0 {
				to = l.giver()
			}
			want[l.ed.ID+" "+kind+" to "+to] += n
		}
	}
	copies := map[string]int{}
	for _, m := range y.mail.Messages() {
		copies[strings.Trim(m.Headers["Message-Id"][0], "<>")]++
	}
	for _, p := range y.papers {
		if len(p.emails) > 0 {
			y.t.Errorf("%d emails were sent while readers waited for a page", len(p.emails))
		}
		for _, d := range p.documents("true") {
			to := d.Customer.Email // of whoever has bought without an account
			if d.ReaderID != invoice.NoAccount {
				to, _, _ = p.Contact(p.ctx, d.ReaderID)
			}
			want[fmt.Sprintf("%s %s to %s", p.ed.ID, invoice.KindWords[d.Kind], to)]++
		}
		var log []struct{ Kind, Recipient, MessageID, State, DedupeKey string }
		p.rows(&log, "SELECT kind, recipient, message_id, state, dedupe_key FROM mail_log")
		for _, m := range log {
			got[p.ed.ID+" "+m.Kind+" to "+m.Recipient]++
			if m.State != "sent" {
				y.t.Errorf("%s of %s is %s", m.DedupeKey, p.ed.ID, m.State)
			}
			if copies[m.MessageID] == 0 {
				y.t.Errorf("%s of %s never came", m.DedupeKey, p.ed.ID)
			}
			y.extra += copies[m.MessageID] - 1
			delete(copies, m.MessageID)
		}
	}
	for id := range copies {
		y.t.Errorf("nobody has noted the email %s", id)
	}
	if y.extra > y.kills { // who dies between the server's yes and the note of it sends once more, under the same name
		y.t.Errorf("%d emails came twice, %d workers were killed", y.extra, y.kills)
	}
	all := maps.Clone(want)
	maps.Copy(all, got)
	for _, key := range slices.Sorted(maps.Keys(all)) {
		if want[key] != got[key] {
			y.t.Errorf("%s: %d, want %d (%s)", key, got[key], want[key], y.kindOf(key))
		}
	}
}

// kindOf names the lives that a line of emails is about.
func (y *year) kindOf(key string) string {
	for _, l := range y.lives {
		if strings.HasPrefix(key, l.ed.ID+" ") &&
			(strings.HasSuffix(key, fmt.Sprintf(" reader%d@example.org", l.reader)) || strings.HasSuffix(key, " "+l.giver())) {
			return fmt.Sprintf("%s, since %s", l.kind.name, l.from.Format(time.DateTime))
		}
	}
	return "nobody"
}

// ledger compares the documents with what the provider has taken and given back.
func (y *year) ledger() {
	y.t.Helper()
	for _, p := range y.papers {
		of := map[string]invoice.Document{}
		givenUntil, issued := p.giftPayments(), map[int]int64{} // by years
		var banked int64
		for _, d := range p.documents("d.snapshot->>'method' = 'transfer' AND d.kind = 'FV'") {
			banked += d.Total
			issued[d.IssuedAt.In(p.ed.Location).Year()] += d.Total
		}
		for _, d := range p.documents("d.snapshot->>'method' <> 'transfer'") {
			key, sum, local := cmp.Or(d.Provider, givenUntil[d.Number]), d.Total, d.IssuedAt.In(p.ed.Location)
			if d.Kind == invoice.CreditNote {
				key, sum = fmt.Sprintf("CN %s %d", d.Refers.Number, d.Total), -sum
			}
			issued[local.Year()] += sum
			if _, twice := of[key]; twice || d.Kind == invoice.ProForma {
				y.t.Errorf("%s has %s for %s, once more", p.ed.ID, d.Number, key)
			}
			of[key] = d
			if d.Issued != local.Format(time.DateOnly) ||
				!strings.HasPrefix(d.Number, fmt.Sprintf("%s-%d-", d.Kind, local.Year())) || d.Currency != p.ed.Billing.Currency {
				y.t.Errorf("%s of %s was issued at %s and says %s, in %s", d.Number, p.ed.ID, local, d.Issued, d.Currency)
			}
		}
		var taken, back int64
		charges := map[string]map[string]any{}
		for _, ch := range p.all("charges?expand[]=data.invoice") {
			if ch["status"] != "succeeded" {
				continue
			}
			charges[fmt.Sprint(ch["id"])] = ch
			sum := int64(ch["amount"].(float64))
			taken += sum
			key, paidAt := fmt.Sprint(ch["payment_intent"]), ch["created"] // of a gift, which has no invoice of the provider
			if in, _ := ch["invoice"].(map[string]any); in != nil {
				transitions, _ := in["status_transitions"].(map[string]any)
				key, paidAt = fmt.Sprint(in["id"]), transitions["paid_at"]
			}
			d, made := of[key]
			delete(of, key)
			epoch, _ := paidAt.(float64)
			if paid := time.Unix(int64(epoch), 0).UTC().In(p.ed.Location).Format(time.DateOnly); !made || d.Total != sum ||
				d.Delivered != paid {
				y.t.Errorf("%s: %d was paid on %s for %s; the document is %s, of %d, delivered on %s", p.ed.ID, sum, paid, key,
					d.Number, d.Total, d.Delivered)
			}
			charges[fmt.Sprint(ch["id"])]["number"] = d.Number
		}
		for _, r := range p.all("refunds?") {
			sum := int64(r["amount"].(float64))
			back += sum
			ch := charges[fmt.Sprint(r["charge"])]
			key := fmt.Sprintf("CN %s %d", ch["number"], sum)
			if _, made := of[key]; !made {
				y.t.Errorf("%s: %d of %s was given back, and there is no credit note", p.ed.ID, sum, ch["number"])
			}
			delete(of, key)
		}
		for key, d := range of {
			y.t.Errorf("%s: nobody has paid for %s (%s)", p.ed.ID, d.Number, key)
		}
		if total := issued[2027] + issued[2028]; total != taken-back+banked {
			y.t.Errorf("%s: documents of %d, the provider has taken %d and given back %d, and %d came by transfer", p.ed.ID,
				total, taken, back, banked)
		}
		if sent := int64(p.count("SELECT coalesce(sum(amount), 0) FROM billing_bank_lines WHERE state = 'matched'")); sent !=
			banked || banked == 0 {
			y.t.Errorf("%s: invoices of %d for transfers, and %d came", p.ed.ID, banked, sent)
		}
		y.books(p, issued)
		for what, query := range map[string]string{
			"jobs that are not done": "SELECT count(*) FROM outbox WHERE done_at IS NULL AND due_at " +
				"<= (SELECT max(done_at) FROM outbox)",
			"for a person": "SELECT count(*) FROM billing_parked WHERE resolved_at IS NULL " +
				"AND kind NOT IN ('dispute', 'known_card')",
			"orders without a pre-invoice": "SELECT count(*) FROM billing_transfers t WHERE NOT EXISTS " +
				"(SELECT FROM billing_documents d WHERE d.id = t.document_id AND d.kind = 'PF')",
			"pre-invoices that are void, and are not, unpaid": "SELECT count(*) FROM billing_transfers t WHERE (state = " +
				"'void') <> EXISTS (SELECT FROM billing_voids v WHERE v.document_id = t.document_id)",
			"that differ": "SELECT count(*) FROM billing_drift WHERE repaired_at IS NULL",
		} {
			if n := p.count(query); n != 0 {
				y.t.Errorf("%s: %d %s", p.ed.ID, n, what)
			}
		}
		y.t.Logf("%s: %d taken, %d given back, %d by transfer, in %s; %d documents", p.ed.ID, taken, back, banked,
			p.ed.Billing.Currency, p.count("SELECT count(*) FROM billing_documents"))
	}
}

// giftPayments are the payments of gifts by the numbers of their invoices.
func (p *env) giftPayments() map[string]string {
	p.t.Helper()
	var rows []struct{ Number, PaymentID string }
	p.rows(&rows, "SELECT d.number, g.payment_id FROM billing_gifts g JOIN billing_documents d ON d.source = 'gift:' || "+
		"g.id")
	all := map[string]string{}
	for _, r := range rows {
		all[r.Number] = r.PaymentID
	}
	return all
}

// books exports the new year for the accountant, and looks that no number is missing from either.
func (y *year) books(p *env, issued map[int]int64) {
	y.t.Helper()
	var file bytes.Buffer
	books, err := invoice.ExportBooks(p.ctx, p.db, invoice.BookYear(2028), &file)
	if err != nil || len(books.Missing) > 0 || len(books.Totals) != 1 ||
		books.Totals[0].Currency != p.ed.Billing.Currency || books.Totals[0].Total != issued[2028] || issued[2028] == 0 {
		y.t.Errorf("%s: the books of 2028 say %+v, the documents add up to %d: %v", p.ed.ID, books, issued[2028], err)
	}
	if err := p.shop.Invoices.CheckSeries(p.ctx); err != nil {
		y.t.Error(err)
	}
}

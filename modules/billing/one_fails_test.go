package billing

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"example.org/broadsheet/modules/billing/access"
	"example.org/broadsheet/modules/billing/transfer"
	"example.org/broadsheet/platform/db"
	"example.org/broadsheet/platform/jobs"
	"example.org/broadsheet/platform/paper/event"
	"example.org/broadsheet/platform/testkit"
	"example.org/broadsheet/platform/vies"
)

// failAt has the database refuse what is written of one row.
func (p *env) failAt(table, when, row string) {
	p.t.Helper()
	testkit.Alter(p.ctx, p.t, p.db, `CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
		IF `+row+` THEN RAISE 'this row is refused'; END IF; RETURN NEW; END $$`,
		"CREATE TRIGGER refuse BEFORE "+when+" ON "+table+" FOR EACH ROW EXECUTE FUNCTION refuse()")
}

// An order that cannot be made void is named, and the others are void.
func TestSweepTransfers_oneFails(t *testing.T) {
	t.Parallel()
	p := newEnv(t, takesTransfers)
	first, second, third := p.orders(1), p.orders(2), p.orders(3)
	p.failAt("billing_transfers", "UPDATE", fmt.Sprintf("NEW.state = 'void' AND NEW.id = %d", second.ID))
	p.advance(60 * day)
	err := p.shop.Transfers.Sweep(p.ctx)
	if err == nil || !strings.Contains(err.Error(), second.Reference) || strings.Contains(err.Error(), first.Reference) {
		t.Errorf("got %v, want an error that names order %s alone", err, second.Reference)
	}
	for reader, want := range map[int64]string{1: transfer.StateVoid, 2: transfer.StateOpen, 3: transfer.StateVoid} {
		if o := p.transferOf(reader); o.State != want {
			t.Errorf("order %s of reader %d: got %s, want %s (third is %s)", o.Reference, reader, o.State, want, third.Reference)
		}
	}
}

// A subscription whose price cannot be announced is named, and the others get theirs.
func TestSweepPrices_oneFails(t *testing.T) {
	t.Parallel()
	p := newEnv(t)
	var subs []access.Subscription
	for reader := range int64(3) {
		subs = append(subs, p.subscribe(reader+1, access.Monthly))
	}
	p.raise(access.Monthly, 896, p.db.Now())
	p.failAt("billing_price_changes", "INSERT", fmt.Sprintf("NEW.subscription_id = %d", subs[1].ID))
	err := p.shop.Subscriptions.SweepPrices(p.ctx)
	if err == nil || !strings.Contains(err.Error(), subs[1].Key()) || strings.Contains(err.Error(), subs[0].Key()) {
		t.Errorf("got %v, want an error that names %s alone", err, subs[1].Key())
	}
	var told []int64
	p.view(func(ctx context.Context, tx db.Tx) error {
		return tx.NewRaw("SELECT subscription_id FROM billing_price_changes ORDER BY 1").Scan(ctx, &told)
	})
	if want := []int64{subs[0].ID, subs[2].ID}; !slices.Equal(told, want) {
		t.Errorf("announced to %v, want %v", told, want)
	}
}

// partly is a register that does not answer for one country.
type partly struct {
	*register
	silent string
}

func (r partly) Check(ctx context.Context, number, asker string) (vies.Answer, error) {
	answer, err := r.register.Check(ctx, number, asker)
	if strings.HasPrefix(number, r.silent) {
		return vies.Answer{}, errors.New("MS_UNAVAILABLE")
	}
	return answer, err
}

// A country whose register does not answer is asked once, and the numbers of the others are renewed.
func TestCheckVATNumbers_oneCountryFails(t *testing.T) {
	t.Parallel()
	p := newEnv(t, takesTransfers)
	numbers := []string{"ATU37675002", "ATU15447707", "DE136695976"}
	r := &register{good: map[string]bool{numbers[0]: true, numbers[1]: true, numbers[2]: true}}
	p.shop.Invoices.Register = r
	for i, number := range numbers {
		country, postal := number[:2], map[string]string{"AT": "1010", "DE": "10115"}[number[:2]]
		if a := p.post(int64(i+1), "/fns/user-data-set", companyAs(country, postal, number)); a.Status != 200 {
			t.Fatal(a)
		}
		p.orders(int64(i + 1))
	}
	p.advance(25 * day)
	r.mu.Lock()
	r.asked = nil
	r.mu.Unlock()
	p.shop.Invoices.Register = partly{r, "AT"}
	err := p.shop.Invoices.CheckVATNumbers(p.ctx)
	if err == nil || !strings.Contains(err.Error(), "VAT number ATU") || strings.Contains(err.Error(), "DE136695976") {
		t.Errorf("got %v, want an error that names a number of AT alone", err)
	}
	if len(r.asked) != 2 || !slices.ContainsFunc(r.asked, func(s string) bool { return strings.HasPrefix(s, "DE") }) {
		t.Errorf("asked about %v, want one number of AT and one of DE", r.asked)
	}
}

// An address that takes no email keeps no other recipient of a document from getting theirs, and the job is given up
// only when nothing is left to try.
func TestMailDocument_oneRecipientFails(t *testing.T) {
	t.Parallel()
	for name, refusal := range map[string]error{
		"for good": jobs.Skip(errors.New("no such mailbox")), "for now": errors.New("come again"),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := newEnv(t, takesTransfers)
			p.sets(1, `"name":"Eva","country":"SK"`)
			p.refuse = map[string]error{"reader1@example.org": refusal}
			o := p.orders(1)
			err := p.shop.Subscriptions.MailDocument(p.ctx, event.Document{DocumentID: o.DocumentID})
			if !errors.Is(err, refusal) || jobs.IsSkip(err) != jobs.IsSkip(refusal) {
				t.Errorf("got %v, want %v", err, refusal)
			}
			to := map[string]bool{}
			for _, m := range p.sent("proforma") {
				to[m.To] = true
			}
			if !to["eva@example.org"] || len(to) != 1 {
				t.Errorf("sent to %v, want eva@example.org alone", to)
			}
		})
	}
}

package email

import (
	"time"

	"example.org/broadsheet/modules/billing/access"
	"example.org/broadsheet/modules/billing/invoice"
	"example.org/broadsheet/modules/billing/offer"
	"example.org/broadsheet/modules/billing/stripe"
	"example.org/broadsheet/modules/billing/terms"
	"example.org/broadsheet/modules/billing/transfer"
	"example.org/broadsheet/modules/billing/voucher"
	"example.org/broadsheet/platform/i18n"
	"example.org/broadsheet/platform/mail"
	"example.org/broadsheet/platform/paper/edition"
	"example.org/broadsheet/platform/payqr"
)

// Previews are all emails of the module with made-up contents.
func Previews(transfers *transfer.Service, ed *edition.Edition, to string, at time.Time) []mail.Preview {
	sub := &access.Subscription{
		ID: 1, ProviderID: "sub_preview", Product: access.Monthly, Status: stripe.Active, PeriodStart: at,
		PeriodEnd: at.AddDate(0, 0, 28),
	}
	if p := ed.Product(access.Monthly); p != nil {
		sub.Amount, sub.Paid = p.Amount, p.Amount
		if p.Intro != nil {
			sub.Paid = p.Intro.Amount
		}
	}
	given := func(from access.Source) Ending { return Ending{ID: "preview", Source: from, At: sub.PeriodEnd} }
	trial, ended := given(access.FromTrial), given(access.FromCard)
	trial.Intro, ended.At = true, at
	all := []mail.Preview{
		{Name: "payment", Message: confirmed(ed, Payment(ed, to, sub), sub.Product, at)},
		{Name: "trial-ending", Message: trial.Soon(ed, to)},
		{Name: "access-ended", Message: ended.Over(ed, to)},
		{Name: "code-ending", Message: given(access.FromCode).Soon(ed, to)},
		{Name: "code-ended", Message: given(access.FromCode).Over(ed, to)},
		{Name: "gift-ending", Message: given(access.FromGift).Soon(ed, to)},
		{Name: "gift-ended", Message: given(access.FromGift).Over(ed, to)},
		{Name: "grant-ending", Message: given(access.FromGrant).Soon(ed, to)},
		{Name: "grant-ended", Message: given(access.FromGrant).Over(ed, to)},
	}
	over := *sub
	over.Status = stripe.Canceled
	for _, turn := range []access.Turn{access.TurnShut, access.TurnHeld, access.TurnWon, access.TurnLost} {
		d := &access.Dispute{ProviderID: "preview", Amount: sub.Paid, Currency: ed.Billing.Currency, ShutAt: at}
		reads := time.Time{}
		if turn == access.TurnHeld || turn == access.TurnWon {
			reads = sub.PeriodEnd
		}
		all = append(all, mail.Preview{
			Name: "dispute-" + string(turn), Message: Disputed(ed, to, &over, d, turn, reads),
		})
		for _, recipient := range []bool{false, true} {
			g := voucher.GiftDisputed{
				Dispute: "preview", Turn: turn, Product: access.Monthly, URL: ed.URL(ed.Href(edition.Account)),
				Recipient: recipient,
			}
			if turn != access.TurnHeld {
				all = append(all, mail.Preview{
					Name:    "gift-dispute-" + string(turn) + map[bool]string{true: "-recipient"}[recipient],
					Message: g.Email(ed, to),
				})
			}
		}
	}
	p := ed.Product(access.Yearly)
	if p == nil {
		return all
	}
	later := *sub
	later.Product, later.Amount, later.Paid, later.Status, later.PaidFrom = p.Type, p.Amount, 0,
		stripe.Trialing, sub.PeriodEnd
	late, o := *sub, stripe.Due{Amount: sub.Amount, Currency: ed.Billing.Currency, URL: ed.URL(ed.Href(edition.Account))}
	late.Status = stripe.PastDue
	cancelled, paused, switches := *sub, *sub, *sub
	cancelled.CancelAtPeriodEnd, paused.Paused, paused.ResumesAt, switches.Next = true, true,
		sub.PeriodEnd.AddDate(0, 0, 28).Add(-access.BeforeRenewal), p.Type
	stopped := over
	stopped.EndedAt = at
	unpaid := stopped
	unpaid.Uncovered, unpaid.Paid = true, 0
	asks := o
	asks.Confirm = true
	all = append(
		all,
		mail.Preview{Name: "payment-later", Message: Payment(ed, to, &later)},
		mail.Preview{
			Name:    "beginning",
			Message: Renewal(ed, to, &later, &access.Renewal{Product: p, Amount: p.Amount, Begins: true}),
		},
		mail.Preview{Name: "payment-due", Message: PaymentDue(ed, to, &late, o, 0, at.AddDate(0, 0, 0))},
		mail.Preview{Name: "payment-due-confirm", Message: PaymentDue(ed, to, &late, asks, 3, at.AddDate(0, 0, 3))},
		mail.Preview{Name: "payment-due-last", Message: PaymentDue(ed, to, &late, o, 7, at.AddDate(0, 0, 7))},
		mail.Preview{
			Name: "price-change",
			Message: PriceChanging(ed, to, sub,
				&PriceChange{ID: 1, Amount: sub.Amount + 100, Was: sub.Amount, FromAt: at.AddDate(0, 0, 35)}),
		},
		mail.Preview{Name: "changed-end", Message: Ended(ed, to, &stopped, at, time.Time{}, false)},
		mail.Preview{Name: "changed-end-unpaid", Message: Ended(ed, to, &unpaid, at, sub.PeriodEnd, false)},
		mail.Preview{Name: "changed-cancel", Message: Change(ed, to, &cancelled, access.ChangeCancel, at, sub.PeriodEnd)},
		mail.Preview{Name: "changed-resume", Message: Change(ed, to, sub, access.ChangeResume, at, sub.PeriodEnd)},
		mail.Preview{Name: "changed-pause", Message: Change(ed, to, &paused, access.ChangePause, at, sub.PeriodEnd)},
		mail.Preview{Name: "changed-unpause", Message: Change(ed, to, sub, access.ChangeUnpause, at, sub.PeriodEnd)},
		mail.Preview{Name: "changed-switch", Message: Change(ed, to, sub, access.ChangeSwitch, at, sub.PeriodEnd)},
		mail.Preview{Name: "changed-later", Message: Change(ed, to, &switches, access.ChangeLater, at, sub.PeriodEnd)},
		mail.Preview{Name: "changed-stay", Message: Change(ed, to, sub, access.ChangeStay, at, sub.PeriodEnd)},
		mail.Preview{Name: "renewal", Message: Renewal(ed, to, sub, &access.Renewal{Product: p, Amount: p.Amount})},
		mail.Preview{
			Name:    "renewal-first",
			Message: Renewal(ed, to, sub, &access.Renewal{Product: p, Amount: p.Amount, First: true}),
		},
	)
	paid := Bill{
		Kind: invoice.TaxInvoice, Number: "FV-2026-000117", Product: p.Name, Total: p.Amount,
		Currency: ed.Billing.Currency, URL: ed.URL(ed.Href(edition.Invoice, "117")), Files: sampleFiles(ed, to, p, at),
	}
	due := paid
	day := func(later int) time.Time { // its beginning, as the database has it
		here := at.In(ed.Location)
		return time.Date(here.Year(), here.Month(), here.Day()+later, 0, 0, 0, 0, ed.Location).UTC()
	}
	due.Kind, due.Number, due.Due = invoice.ProForma, "PF-2026-000042", day(14)
	due.Pay = samplePay(ed, p, due)
	again, waits := due, &transfer.Order{
		ID: 42, Reference: due.Pay.Reference, DueAt: due.Due,
		VoidAt: day(14 + transfer.WaitDays + 1),
	}
	again.Renews = true
	appended := due
	appended.From, appended.To = sub.PeriodEnd, sub.PeriodEnd.AddDate(1, 0, 0)
	byBank := *sub
	byBank.Transfer, byBank.Product, byBank.Paid, byBank.PeriodEnd = true, p.Type, p.Amount, at.AddDate(1, 0, 0)
	credit, elsewhere := paid, paid
	elsewhere.Elsewhere = true
	corrected := paid
	corrected.Corrects, corrected.Credit = "FV-2026-000093", "CN-2026-000003"
	credit.Kind, credit.Number, credit.Product = invoice.CreditNote, "CN-2026-000003", paid.Number
	part := credit
	part.Total, part.Next = 500, sub
	mistake, guest := credit, paid
	mistake.Mistake, guest.Guest = true, true
	account := ed.URL(ed.Href(edition.Account))
	return append(
		all,
		mail.Preview{
			Name:    "payment-link",
			Message: PaymentLink{Key: "preview", Product: p, URL: account, Until: at.AddDate(0, 0, 7)}.Email(ed, to),
		},
		mail.Preview{Name: "invoice", Message: paid.Email(ed, to)},
		mail.Preview{Name: "invoice-corrected", Message: corrected.Email(ed, to)},
		mail.Preview{Name: "invoice-elsewhere", Message: elsewhere.Email(ed, to)},
		mail.Preview{Name: "proforma", Message: confirmed(ed, due.Email(ed, to), p.Type, at)},
		mail.Preview{Name: "proforma-appended", Message: confirmed(ed, appended.Email(ed, to), p.Type, at)},
		mail.Preview{Name: "proforma-renewal", Message: again.Email(ed, to)},
		mail.Preview{Name: "transfer-due", Message: transfers.DueEmail(ed, to, waits, due.Pay, waits.DueAt)},
		mail.Preview{
			Name:    "transfer-overdue",
			Message: transfers.DueEmail(ed, to, waits, due.Pay, waits.DueAt.AddDate(0, 0, 2)),
		},
		mail.Preview{Name: "payment-transfer", Message: confirmed(ed, Payment(ed, to, &byBank), p.Type, at)},
		mail.Preview{Name: "credit-note-mistake", Message: mistake.Email(ed, to)},
		mail.Preview{Name: "invoice-gift", Message: guest.Email(ed, to)},
		mail.Preview{Name: "credit-note", Message: credit.Email(ed, to)},
		mail.Preview{Name: "credit-note-part", Message: part.Email(ed, to)},
		mail.Preview{
			Name: "gift",
			Message: voucher.GiftEmail{
				Key: "preview", Code: "K7QF-2MXD-9TRW-4HZB-8VNE", Product: p.Name, URL: account,
				Until: at.AddDate(3, 0, 0), From: "Mara Kvetná", Message: "Krásne čítanie!",
			}.Email(ed, to),
		},
		mail.Preview{Name: "gift-bought", Message: confirmed(ed, voucher.GiftBought{
			Key: "preview", Code: "K7QF-2MXD-9TRW-4HZB-8VNE", Product: p.Name, Paid: p.Amount, Card: account,
			SendTo: "eva@example.org", SendAt: at.AddDate(0, 0, 33), Until: at.AddDate(3, 0, 0),
		}.Email(ed, to), p.Type, at)},
	)
}

// confirmed is an email that confirms an order, with the notice that it comes with.
func confirmed(ed *edition.Edition, l mail.Message, product string, at time.Time) mail.Message {
	l.Blocks = append(l.Blocks, terms.OrderNotice(ed, offer.Name(ed, product), at, i18n.Date(ed, at))...)
	return l
}

// sampleFiles are those of an invoice that was never issued.
func sampleFiles(ed *edition.Edition, to string, p *edition.Product, at time.Time) []mail.File {
	d := invoice.Draft{
		Kind: invoice.TaxInvoice, Customer: invoice.Buyer{ClientType: invoice.Individual, Name: "Mara Kvetná", Email: to},
		Currency: ed.Billing.Currency, Delivered: at,
		Lines: []invoice.Line{{Name: p.Name, Category: invoice.VATZero, Gross: p.Amount}}, Order: "000117", OrderedAt: at,
		Method: invoice.ByCard, Paid: true,
	}
	s, err := d.Snapshot(ed, at)
	if err != nil {
		return nil
	}
	files, err := Attachments(ed, &invoice.Document{Kind: d.Kind, Number: "FV-2026-000117", IssuedAt: at, Snapshot: s})
	if err != nil {
		return nil
	}
	return files
}

// samplePay is what a made-up pro-forma invoice asks for, with a reference of the form that the edition's bank has.
func samplePay(ed *edition.Edition, p *edition.Product, b Bill) *invoice.Document {
	s := invoice.Snapshot{
		Supplier: invoice.SupplierOf(ed), Lines: []invoice.Line{{Name: p.Name}}, Total: p.Amount, Currency: b.Currency,
		Due: b.Due.In(ed.Location).Format(time.DateOnly), Reference: "2026000042",
	}
	if kind, _ := invoice.ReferenceForm(s.Supplier.IBAN); kind == "rf" {
		s.Reference, _ = payqr.RF(s.Reference)
	} else if kind == "qrr" {
		s.Reference, _ = payqr.QRR(s.Reference)
	}
	return &invoice.Document{Kind: invoice.ProForma, Number: b.Number, IssuedAt: b.Due, Snapshot: s}
}

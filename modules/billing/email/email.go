// Package email writes the emails about subscriptions and documents: what is said of a payment, a renewal, a change or
// an invoice, in the edition's language. It sends nothing and asks nobody.
//
// Open bill.go next; preview.go shows each email with made-up contents. The package imports access, invoice, offer,
// stripe, terms, transfer and voucher.
package email

import (
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"example.org/broadsheet/modules/billing/access"
	"example.org/broadsheet/modules/billing/offer"
	"example.org/broadsheet/modules/billing/stripe"
	"example.org/broadsheet/platform/i18n"
	"example.org/broadsheet/platform/mail"
	"example.org/broadsheet/platform/paper/edition"
)

// Payment confirms a purchase.
func Payment(ed *edition.Edition, to string, s *access.Subscription) mail.Message {
	p, name := ed.Product(s.Product), s.Product
	if p != nil {
		name = p.Name
	}
	words := map[string]any{
		"Name": ed.Name, "Product": name, "Paid": i18n.MoneyIn(ed, s.Paid, access.CurrencyOf(ed, s)),
		"Next": i18n.MoneyIn(ed, s.NextPayment(s.Amount), access.CurrencyOf(ed, s)), "Date": i18n.Date(ed, s.PeriodEnd),
		"Email": ed.SupportEmail,
	}
	say := func(part string) string { return i18n.T(ed, "mail.payment."+part, words) }
	paid, next, preview := "paid", "next", "preview"
	switch {
	case s.Transfer:
		next, preview = "transfer", "previewTransfer"
	case s.Paid == 0 && !s.PaidFrom.IsZero():
		paid, next = "nothing", "begins"
	}
	l := mail.Message{
		Kind: "payment", Key: "payment:" + s.Key(), To: to, Subject: say("subject"), Preview: say(preview),
		Blocks: []mail.Block{
			mail.Heading(say("heading")), mail.Paragraph(say("bought")), mail.Paragraph(say(paid)), mail.Paragraph(say(next)),
		},
	}
	if p != nil && !s.Transfer {
		l.Blocks = append(l.Blocks, mail.Note(sentence(offer.PriceFor(ed, p, s.AtIntroPrice(p)))))
	}
	l.Blocks = append(l.Blocks, mail.Button(say("button"), ed.URL("/")))
	if !s.Transfer { // nothing goes on by itself
		l.Blocks = append(l.Blocks, mail.Note(say("leave")))
	}
	return l
}

// sentence begins a line of its own with a capital letter.
func sentence(text string) string {
	first, size := utf8.DecodeRuneInString(text)
	return string(unicode.ToUpper(first)) + text[size:]
}

// Change confirms what has changed in a subscription; kind is one of the kinds of changes in access. Its reader reads
// until an instant; zero: not now.
func Change(ed *edition.Edition, to string, s *access.Subscription, kind string, at, reads time.Time) mail.Message {
	words := map[string]any{
		"Name": ed.Name, "Product": offer.Name(ed, s.Product), "Next": offer.Name(ed, s.Next),
		"Until": i18n.Date(ed, s.PeriodEnd), "Date": i18n.Date(ed, s.PeriodEnd),
		"Amount": i18n.MoneyIn(ed, s.NextPayment(s.Amount), access.CurrencyOf(ed, s)), "Email": ed.SupportEmail,
	}
	if p := access.NextPaymentOf(*s, ed); p != nil {
		words["Date"], words["Amount"] = i18n.Date(ed, p.At), i18n.MoneyIn(ed, p.Amount, p.Currency)
	}
	text := "text"
	if kind == access.ChangePause {
		if words["Date"] = i18n.Date(ed, s.GoesOnAt()); s.GoesOnAt().IsZero() {
			text = "open"
		}
	}
	say := func(part string) string { return i18n.T(ed, "mail.changed."+kind+"."+part, words) }
	l := mail.Message{
		Kind: "subscription_changed", Key: changeKey(s, kind, at), To: to,
		Subject: say("subject"), Preview: say("preview"), Blocks: []mail.Block{mail.Heading(say("heading"))},
	}
	if kind == access.ChangeCancel && reads.IsZero() { // the bank took the payment back
		text, l.Preview = "shut", say("shut")
	}
	l.Blocks = append(l.Blocks, mail.Paragraph(say(text)))
	if kind == access.ChangeCancel && reads.After(s.PeriodEnd) {
		l.Preview = readsOn(ed, reads)
		l.Blocks = append(l.Blocks, mail.Paragraph(l.Preview))
	}
	l.Blocks = append(l.Blocks, mail.Paragraph(say("undo")),
		mail.Button(i18n.T(ed, "mail.renewal.button", nil), ed.URL(ed.Href(edition.Profile))),
		mail.Note(i18n.T(ed, "mail.changed.help", words)))
	return l
}

// changeKey is that of the email about a change.
func changeKey(s *access.Subscription, kind string, at time.Time) string {
	return "subscription_changed:" + strconv.FormatInt(s.ID, 10) + ":" + kind + ":" +
		strconv.FormatInt(at.UnixMicro(), 10)
}

// readsOn says that something else than the subscription opens articles, and until when.
func readsOn(ed *edition.Edition, until time.Time) string {
	return i18n.T(ed, "mail.changed.reads", map[string]any{"Date": i18n.Date(ed, until)})
}

// Ended says that a subscription has ended before its period was over, that nothing more is charged, and what a new one
// costs. Its reader reads until an instant all the same; zero: not any more.
func Ended(ed *edition.Edition, to string, s *access.Subscription, at, reads time.Time, intro bool) mail.Message {
	words := map[string]any{
		"Name": ed.Name, "Product": offer.Name(ed, s.Product),
		"Date": i18n.Date(ed, s.AccessEnded(ed.Billing.GraceDays)),
	}
	say := func(part string) string { return i18n.T(ed, "mail.changed.end."+part, words) }
	text, next := "text", say("locked")
	if since := s.UnpaidSince(); !since.IsZero() {
		text, words["From"] = "unpaid", i18n.Date(ed, since)
	}
	if !reads.IsZero() {
		next = readsOn(ed, reads)
	}
	l := mail.Message{
		Kind: "subscription_changed", Key: changeKey(s, access.ChangeEnd, at), To: to,
		Subject: say("subject"), Preview: say("preview"),
		Blocks: []mail.Block{
			mail.Heading(say("heading")), mail.Paragraph(say(text)), mail.Paragraph(next),
			mail.Paragraph(i18n.T(ed, "mail.ended.again", nil)),
		},
	}
	l.Blocks = append(l.Blocks, invitation(ed, intro)...)
	return l
}

// WaitForPayment is how long an unpaid period is waited for: until a day after the last email.
const WaitForPayment = 8 * 24 * time.Hour

// dueWords are the words of each day's email.
var dueWords = map[int]string{0: "first", 3: "second", 7: "last"}

// PaymentDue asks at an instant for a payment that has failed; day is the day after the beginning of the unpaid period
// on which that was due, which may be over if no job ran.
func PaymentDue(ed *edition.Edition, to string, s *access.Subscription, o stripe.Due, day int,
	at time.Time,
) mail.Message {
	name := s.Product
	if p := ed.Product(s.Product); p != nil {
		name = p.Name
	}
	until := s.PeriodStart.AddDate(0, 0, ed.Billing.GraceDays)
	words := map[string]any{
		"Name": ed.Name, "Product": name, "Amount": i18n.MoneyIn(ed, o.Amount, strings.ToUpper(o.Currency)),
		"Date": i18n.Date(ed, until), "Email": ed.SupportEmail,
		"End": i18n.Date(ed, s.PeriodStart.Add(WaitForPayment)),
	}
	say := func(part string) string { return i18n.T(ed, "mail.due."+part, words) }
	why, button, access := "failed", "pay", "until"
	if o.Confirm {
		why, button = "confirm", "confirmButton"
	}
	if !at.Before(until) {
		access = "over"
	}
	return mail.Message{
		Kind: "payment_due", Key: "payment_due:" + strconv.FormatInt(s.ID, 10) + ":" +
			strconv.FormatInt(s.PeriodEnd.Unix(), 10) + ":" + strconv.Itoa(day), To: to,
		ExpiresAt: s.PeriodStart.Add(WaitForPayment), Subject: say(dueWords[day] + ".subject"), Preview: say("preview"),
		Blocks: []mail.Block{
			mail.Heading(say(dueWords[day] + ".heading")), mail.Paragraph(say(why)), mail.Paragraph(say(access)),
			mail.Button(say(button), o.URL), mail.Note(say("help")),
		},
	}
}

// Renewal announces a renewal.
func Renewal(ed *edition.Edition, to string, s *access.Subscription, r *access.Renewal) mail.Message {
	words := map[string]any{
		"Name": ed.Name, "Product": r.Product.Name, "Amount": i18n.MoneyIn(ed, r.Amount, access.CurrencyOf(ed, s)),
		"Every": offer.Interval(ed, r.Product.Interval),
		"Date":  i18n.Date(ed, s.PeriodEnd), "Email": ed.SupportEmail,
	}
	group, text := "mail.renewal.", "text"
	switch {
	case r.Begins:
		words["Full"], group = i18n.MoneyIn(ed, s.Amount, access.CurrencyOf(ed, s)), "mail.beginning."
	case r.First:
		text = "first"
	}
	say := func(part string) string { return i18n.T(ed, group+part, words) }
	return mail.Message{
		Kind: "renewal", Key: "renewal:" + strconv.FormatInt(s.ID, 10) + ":" + strconv.FormatInt(s.PeriodEnd.Unix(), 10),
		To: to, ExpiresAt: s.PeriodEnd.Add(-time.Hour),
		Subject: say("subject"), Preview: say("preview"),
		Blocks: []mail.Block{
			mail.Heading(say("heading")), mail.Paragraph(say(text)), mail.Paragraph(say("leave")),
			mail.Button(say("button"), ed.URL(ed.Href(edition.Profile))), mail.Note(say("help")),
		},
	}
}

// PriceChanging announces another price.
func PriceChanging(ed *edition.Edition, to string, s *access.Subscription, c *PriceChange) mail.Message {
	name, often := s.Product, ""
	if p := ed.Product(s.Product); p != nil {
		name, often = p.Name, offer.Interval(ed, p.Interval)
	}
	words := map[string]any{
		"Name": ed.Name, "Product": name, "Every": often, "Date": i18n.Date(ed, c.FromAt), "Email": ed.SupportEmail,
		"Amount": i18n.MoneyIn(ed, c.Amount, access.CurrencyOf(ed, s)),
		"Was":    i18n.MoneyIn(ed, c.Was, access.CurrencyOf(ed, s)),
	}
	say := func(part string) string { return i18n.T(ed, "mail.price."+part, words) }
	return mail.Message{
		Kind: "price_change", Key: "price_change:" + strconv.FormatInt(c.ID, 10), To: to, ExpiresAt: c.FromAt.Add(-time.Hour),
		Subject: say("subject"), Preview: say("preview"),
		Blocks: []mail.Block{
			mail.Heading(say("heading")), mail.Paragraph(say("text")), mail.Paragraph(say("leave")),
			mail.Button(say("button"), ed.URL(ed.Href(edition.Profile))), mail.Note(say("help")),
		},
	}
}

// PriceChange is another price of a subscription, as it was announced.
type PriceChange struct {
	ID             int64
	SubscriptionID int64
	ProviderID     string
	Amount, Was    int64
	FromAt         time.Time
}

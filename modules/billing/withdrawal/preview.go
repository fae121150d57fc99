package withdrawal

import (
	"time"

	"example.org/broadsheet/modules/billing/access"
	"example.org/broadsheet/platform/mail"
	"example.org/broadsheet/platform/paper/edition"
)

// Previews are all emails of the package with made-up contents.
func Previews(ed *edition.Edition, to string, at time.Time) []mail.Preview {
	p := ed.Product(access.Yearly)
	if p == nil {
		return nil
	}
	account := ed.URL(ed.Href(edition.Account))
	return []mail.Preview{
		{Name: "withdrawal", Message: receipt{
			Key: "preview", Person: "Mara Kvetná", Contract: OfSubscription, Product: p.Name,
			Concluded: at.AddDate(0, 0, -3), Received: at, Amount: p.Amount, Currency: ed.Billing.Currency,
		}.message(ed, to)},
		{Name: "withdrawal-confirm", Message: receipt{
			Key: "preview", Person: "Mara Kvetná", Contract: OfSubscription, Product: p.Name,
			Concluded: at.AddDate(0, 0, -3), Received: at, Confirm: account,
		}.message(ed, to)},
		{Name: "withdrawal-unpaid", Message: receipt{
			Key: "preview", Person: "Mara Kvetná", Contract: OfSubscription, Product: p.Name,
			Concluded: at.AddDate(0, 0, -3), Received: at, Currency: ed.Billing.Currency,
		}.message(ed, to)},
		{Name: "withdrawal-review", Message: receipt{
			Key: "preview", Person: "Mara Kvetná", Contract: OfSubscription, Product: p.Name, State: InReview,
			Concluded: at.AddDate(0, 0, -3), Received: at, Amount: p.Amount, Currency: ed.Billing.Currency,
		}.message(ed, to)},
		{Name: "withdrawal-refused", Message: receipt{
			Key: "preview", Person: "Mara Kvetná", Contract: OfSubscription, Product: p.Name, State: Refused,
			Concluded: at.AddDate(0, 0, -3), Received: at, Amount: p.Amount, Currency: ed.Billing.Currency,
		}.message(ed, to)},
		{
			Name: "withdrawal-none",
			Message: receipt{
				Key: "preview", Person: "Mara Kvetná", Contract: OfSubscription,
				Received: at,
			}.message(ed, to),
		},
	}
}

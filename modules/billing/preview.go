package billing

import (
	"time"

	"example.org/broadsheet/platform/edition"
	"example.org/broadsheet/platform/mail"
)

// Previews are all letters of the module with made-up contents.
func (m *Module) Previews(ed *edition.Edition, to string, at time.Time) []mail.Preview {
	s := &subscription{ID: 1, ProviderID: "sub_preview", Product: Monthly, Status: active, PeriodStart: at, PeriodEnd: at.AddDate(0, 0, 28)}
	if p := ed.Product(Monthly); p != nil {
		s.Amount, s.Paid = p.Amount, p.Amount
		if p.Intro != nil {
			s.Paid = p.Intro.Amount
		}
	}
	return []mail.Preview{{Name: "payment", Letter: thanks(ed, to, s)}, {Name: "trial-ending", Letter: trialEnding(ed, to, s)}}
}

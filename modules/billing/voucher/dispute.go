package voucher

import (
	"context"
	"fmt"

	"example.org/broadsheet/modules/billing/access"
	"example.org/broadsheet/modules/billing/links"
	"example.org/broadsheet/modules/billing/offer"
	"example.org/broadsheet/modules/billing/stripe"
	"example.org/broadsheet/platform/db"
	"example.org/broadsheet/platform/i18n"
	"example.org/broadsheet/platform/jobs"
	"example.org/broadsheet/platform/mail"
	"example.org/broadsheet/platform/outbox"
	"example.org/broadsheet/platform/paper/edition"
	"example.org/broadsheet/platform/paper/event"
)

// noteDispute shuts the code of a gift of which the payment is disputed, opens it again if the dispute is won, and ends
// it if the dispute is lost. Gift and code are locked.
func (s *Service) noteDispute(ctx context.Context, tx db.Tx, g *Gift, code *coupon, f stripe.Charge,
	d stripe.Dispute,
) error {
	shuts := f.TakenBack() && g.State == GiftPaid && code.Open(tx.Now)
	until := tx.Now
	if shuts {
		until = code.ValidUntil
	}
	noted, turn, err := s.access.NoteDispute(ctx, tx, access.Dispute{
		ProviderID: d.ID, Charge: d.Charge, Paid: f.Payment, Amount: d.Amount, Currency: d.Currency, State: d.State,
		OpenedAt: d.OpenedAt,
	}, shuts, until)
	if err != nil || turn == access.TurnNone || noted.ShutAt.IsZero() { // a code that was redeemed stays so
		return err
	}
	switch {
	case turn == access.TurnWon && g.State == GiftPaid:
		if err := reopenCoupon(ctx, tx, g.CouponID, noted.ShutAt); err != nil {
			return err
		}
		if g.Email != "" { // it may have been due meanwhile
			if err := outbox.LaterOnce(ctx, tx, event.GiftDue, event.Gift{GiftID: g.ID}, access.Later(tx.Now, g.SendAt),
				fmt.Sprintf("gift_due:%d:%s", g.ID, d.ID)); err != nil {
				return err
			}
		}
	case turn == access.TurnLost && g.State == GiftPaid:
		err = EndGift(ctx, tx, g)
	default:
		err = shutCoupon(ctx, tx, g.CouponID, noted.ShutAt)
	}
	if err != nil {
		return err
	}
	return outbox.Once(ctx, tx, event.GiftDisputeTurned, event.Disputed{DisputeID: d.ID, GiftID: g.ID, Turn: string(turn)},
		fmt.Sprintf("dispute:%s:%s", d.ID, turn))
}

// MailDispute tells the buyer of a gift what a turn of a dispute means, and, if the code was mailed, the recipient.
func (s *Service) MailDispute(ctx context.Context, e event.Disputed) error {
	ed, err := edition.From(ctx)
	if err != nil {
		return err
	}
	var g *Gift
	var d *access.Dispute
	err = s.db.Run(ctx, func(ctx context.Context, tx db.Tx) (err error) {
		if d, err = access.FindDispute(ctx, tx, e.DisputeID); err != nil || d == nil {
			return err
		}
		g, err = FindGift(ctx, tx, false, "id = ?", e.GiftID)
		return err
	})
	turn := access.Turn(e.Turn)
	if err != nil || g == nil || d.State.Decided() != (turn == access.TurnWon || turn == access.TurnLost) {
		return err
	}
	var toBuyer, toRecipient error
	if g.BuyerEmail != "" {
		card := ed.URL(links.Sale(ed, links.StepGift, "card", s.links.Sign(ed, links.Gift, g.ID)))
		toBuyer = s.mailer.Send(ctx, GiftDisputed{d.ProviderID, turn, g.Product, card, false}.Email(ed, g.BuyerEmail))
	}
	if g.Email != "" && !g.SendAt.After(d.ShutAt) { // before, the recipient knows nothing of it
		toRecipient = s.mailer.Send(ctx, GiftDisputed{
			d.ProviderID, turn, g.Product, ed.URL(links.Sale(ed, links.StepCoupon)), true,
		}.Email(ed, g.Email))
	}
	return jobs.Join(toBuyer, toRecipient)
}

// GiftDisputed says that the code of a gift opens nothing for now, or again, or never.
type GiftDisputed struct {
	Dispute   string // the provider's id
	Turn      access.Turn
	Product   string
	URL       string // of the card, or where the code is redeemed
	Recipient bool   // else the buyer
}

// Email writes it.
func (g GiftDisputed) Email(ed *edition.Edition, to string) mail.Message {
	words := map[string]any{"Name": ed.Name, "Product": offer.Name(ed, g.Product), "Email": ed.SupportEmail}
	who, why := "giver", "mail.why.giftBought"
	if g.Recipient {
		who, why = "recipient", "mail.why.gift"
	}
	say := func(part string) string { return i18n.T(ed, "mail.giftDispute."+string(g.Turn)+"."+part, words) }
	l := mail.Message{
		Kind: "gift_dispute", Key: "gift_dispute:" + g.Dispute + ":" + string(g.Turn) + ":" + who, To: to,
		Subject: say("subject"), Preview: say("preview"), Why: i18n.T(ed, why, words),
		Blocks: []mail.Block{mail.Heading(say("heading")), mail.Paragraph(say(who))},
	}
	if g.Turn == access.TurnWon {
		button := map[bool]string{true: "mail.gift.button", false: "mail.giftBought.button"}[g.Recipient]
		l.Blocks = append(l.Blocks, mail.Button(i18n.T(ed, button, words), g.URL))
	}
	l.Blocks = append(l.Blocks, mail.Note(i18n.T(ed, "mail.trial.help", words)))
	return l
}

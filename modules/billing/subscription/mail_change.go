package subscription

import (
	"context"
	"fmt"
	"strconv"
	"time"

	"example.org/broadsheet/modules/billing/access"
	"example.org/broadsheet/modules/billing/offer"
	"example.org/broadsheet/platform/db"
	"example.org/broadsheet/platform/i18n"
	"example.org/broadsheet/platform/mail"
	"example.org/broadsheet/platform/outbox"
	"example.org/broadsheet/platform/paper/edition"
	"example.org/broadsheet/platform/paper/event"
)

// changeLater is a switch that comes with the next period; the other kinds are those of Change.
const changeLater = "later"

// changeOf names what has become of a subscription, whoever asked for it: its reader in the profile or at the provider,
// or support. It is "" where nothing was decided: a period has passed, a switch that was announced has come, or the
// subscription is over.
func changeOf(old, now access.Subscription) string {
	switch {
	case !old.Status.Live() || !now.Status.Live():
		return ""
	case now.CancelAtPeriodEnd != old.CancelAtPeriodEnd:
		return map[bool]string{true: ChangeCancel, false: ChangeResume}[now.CancelAtPeriodEnd]
	case now.Paused != old.Paused:
		return map[bool]string{true: ChangePause, false: ChangeUnpause}[now.Paused]
	case now.Product != old.Product && now.Product != old.Next:
		return ChangeSwitch
	case now.Next != old.Next && now.Next != "":
		return changeLater
	case now.Next != old.Next && now.Product == old.Product:
		return ChangeStay
	}
	return ""
}

// confirmChange has a change of a subscription confirmed by an email, in the transaction that writes it.
func confirmChange(ctx context.Context, tx db.Tx, old, now access.Subscription) error {
	kind := changeOf(old, now)
	if kind == "" {
		return nil
	}
	payload := event.SubscriptionChange{SubscriptionID: now.ID, Kind: kind, At: tx.Now}
	return outbox.Once(ctx, tx, event.SubscriptionChanged, payload,
		fmt.Sprintf("subscription_changed:%d:%s:%d", now.ID, kind, tx.Now.UnixMicro()))
}

// stillHolds reports whether a subscription is as a change has left it; where it is not, another email tells.
func stillHolds(s access.Subscription, kind string) bool {
	switch kind {
	case ChangeCancel:
		return s.CancelAtPeriodEnd
	case ChangePause:
		return s.Paused
	case changeLater:
		return s.Next != ""
	case ChangeResume, ChangeUnpause, ChangeStay:
		return !s.CancelAtPeriodEnd && !s.Paused && s.Next == ""
	}
	return true
}

// mailChange sends the email that confirms a change.
func (s *Service) mailChange(ctx context.Context, e event.SubscriptionChange) error {
	sub, ed, err := s.subscriptionForEmail(ctx, e.SubscriptionID)
	if err != nil || sub == nil || !sub.Status.Live() || !stillHolds(*sub, e.Kind) {
		return err
	}
	to, _, err := s.contacts.Contact(ctx, sub.ReaderID)
	if err != nil {
		return err
	}
	return s.mailer.Send(ctx, changed(ed, to, sub, e.Kind, e.At))
}

func changed(ed *edition.Edition, to string, s *access.Subscription, kind string, at time.Time) mail.Letter {
	words := map[string]any{
		"Name": ed.Name, "Product": offer.Name(ed, s.Product), "Next": offer.Name(ed, s.Next),
		"Until": i18n.Date(ed, s.PeriodEnd), "Date": i18n.Date(ed, s.PeriodEnd),
		"Amount": i18n.MoneyIn(ed, s.NextPayment(s.Amount), currencyOf(ed, s)), "Email": ed.SupportEmail,
	}
	if p := nextPaymentOf(*s, ed); p != nil {
		words["Date"], words["Amount"] = i18n.Date(ed, p.At), i18n.MoneyIn(ed, p.Amount, p.Currency)
	}
	text := "text"
	if kind == ChangePause {
		if words["Date"] = i18n.Date(ed, s.ResumesAt); s.ResumesAt.IsZero() {
			text = "open"
		}
	}
	say := func(part string) string { return i18n.T(ed, "mail.changed."+kind+"."+part, words) }
	return mail.Letter{
		Kind: "subscription_changed", Key: "subscription_changed:" + strconv.FormatInt(s.ID, 10) + ":" + kind + ":" +
			strconv.FormatInt(at.UnixMicro(), 10), To: to,
		Subject: say("subject"), Preview: say("preview"),
		Blocks: []mail.Block{
			mail.Heading(say("heading")), mail.Paragraph(say(text)), mail.Paragraph(say("undo")),
			mail.Button(i18n.T(ed, "mail.renewal.button", nil), ed.URL(ed.Href(edition.Profile))),
			mail.Note(i18n.T(ed, "mail.changed.help", words)),
		},
	}
}

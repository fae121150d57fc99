package subscription

import (
	"context"
	"strconv"
	"time"

	"example.org/broadsheet/modules/billing/access"
	"example.org/broadsheet/platform/i18n"
	"example.org/broadsheet/platform/mail"
	"example.org/broadsheet/platform/paper/edition"
	"example.org/broadsheet/platform/paper/event"
)

// MaxNoticeDelay is how long after the end of access its reader is told: later it is no news any more.
const MaxNoticeDelay = 7 * 24 * time.Hour

// mailAccessEnded sends the email about access that has ended, unless its reader has access again.
func (s *Service) mailAccessEnded(ctx context.Context, e event.AccessEnds) error {
	sub, ed, err := s.subscriptionForEmail(ctx, e.SubscriptionID)
	if err != nil || sub == nil {
		return err
	}
	if until, err := s.access.ActiveUntil(ctx, sub.ReaderID); err != nil || !until.IsZero() {
		return err
	}
	to, _, err := s.contacts.Contact(ctx, sub.ReaderID)
	if err != nil {
		return err
	}
	intro, err := s.mayHaveIntro(ctx, sub.ReaderID, to)
	if err != nil {
		return err
	}
	return s.mailer.Send(ctx, accessEnded(ed, to, sub, intro))
}

func accessEnded(ed *edition.Edition, to string, s *access.Subscription, intro bool) mail.Letter {
	words := map[string]any{
		"Name": ed.Name, "Date": i18n.Date(ed, s.AccessEnded(ed.Billing.GraceDays)),
		"Email": ed.SupportEmail,
	}
	say := func(part string) string { return i18n.T(ed, "mail.ended."+part, words) }
	l := mail.Letter{
		Kind: "access_ended", Key: "access_ended:" + strconv.FormatInt(s.ID, 10), To: to,
		ExpiresAt: s.EndedAt.Add(MaxNoticeDelay),
		Subject:   say("subject"), Preview: say("preview"),
		Blocks: []mail.Block{mail.Heading(say("heading")), mail.Paragraph(say("since")), mail.Paragraph(say("again"))},
	}
	l.Blocks = append(l.Blocks, invitation(ed, intro)...)
	return l
}

package identity

import (
	"context"
	"fmt"

	"example.org/broadsheet/platform/db"
	"example.org/broadsheet/platform/i18n"
	"example.org/broadsheet/platform/mail"
	"example.org/broadsheet/platform/paper/edition"
	"example.org/broadsheet/platform/paper/event"
)

// invitation is an address that may register.
type invitation struct {
	ID    int64
	Email string
}

// mailInvitation tells an address that it was invited, unless it has an account by now or was withdrawn.
func (m *Module) mailInvitation(ctx context.Context, e event.Invited) error {
	var in *invitation
	var ed *edition.Edition
	err := m.db.Run(ctx, func(ctx context.Context, tx db.Tx) (err error) {
		ed = tx.Edition
		in, err = findInvitation(ctx, tx, e.InvitationID)
		return err
	})
	if err != nil || in == nil {
		return err
	}
	return m.mailer.Send(ctx, invitationEmail(ed, in))
}

func invitationEmail(ed *edition.Edition, in *invitation) mail.Message {
	words := map[string]any{
		"Name": ed.Identity.MailAppName, "Email": ed.SupportEmail, "To": in.Email,
		"Days": ed.Billing.Trial.Days,
	}
	say := func(part string) string { return i18n.T(ed, "mail.invitation."+part, words) }
	l := mail.Message{
		Kind: "invitation", Key: fmt.Sprintf("invitation:%d", in.ID), To: in.Email, Subject: say("subject"),
		Preview: say("preview"), Why: say("why"),
		Blocks: []mail.Block{mail.Heading(say("heading")), mail.Paragraph(say("intro"))},
	}
	if t := ed.Billing.Trial; t.Days > 0 && (t.For == "invited" || t.For == "all") {
		l.Blocks = append(l.Blocks, mail.Paragraph(say("trial")))
	}
	l.Blocks = append(l.Blocks, mail.Button(say("button"), ed.URL(ed.Href(edition.Registration))),
		mail.Note(say("ignore")))
	return l
}

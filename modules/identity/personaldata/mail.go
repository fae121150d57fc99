package personaldata

import (
	"strconv"
	"time"

	"example.org/broadsheet/modules/identity/secret"
	"example.org/broadsheet/platform/i18n"
	"example.org/broadsheet/platform/mail"
	"example.org/broadsheet/platform/paper/edition"
)

// codeEmail has the code that deletes an account.
func codeEmail(ed *edition.Edition, l *request, to, code string) mail.Message {
	say := func(part string) string {
		return i18n.T(ed, "mail.leave."+part, map[string]any{
			"Name": ed.Identity.MailAppName, "Code": code[:3] + " " + code[3:], "Minutes": int(secret.TTL.Minutes()),
			"Time": i18n.Clock(ed, l.ExpiresAt),
		})
	}
	return mail.Message{
		Kind: "leave", Key: "leave:" + strconv.FormatInt(l.ID, 10), To: to, ExpiresAt: l.ExpiresAt,
		Subject: say("subject"), Preview: say("preview"),
		Blocks: []mail.Block{
			mail.Heading(say("heading")), mail.Paragraph(say("intro")), mail.Code(code),
			mail.Note(say("expires")), mail.Note(say("ignore")),
		},
	}
}

func receiptKey(readerID int64) string { return "erased:" + strconv.FormatInt(readerID, 10) }

// receiptEmail says that an account was deleted, and what the law has the paper keep.
func receiptEmail(ed *edition.Edition, readerID int64, to string, at time.Time) mail.Message {
	say := func(part string) string {
		return i18n.T(ed, "mail.erased."+part, map[string]any{
			"Name": ed.Identity.MailAppName, "Email": ed.SupportEmail, "Date": i18n.Date(ed, at), "Time": i18n.Clock(ed, at),
			"Years": ed.YearsOfAccounts(),
		})
	}
	return mail.Message{
		Kind: "erased", Key: receiptKey(readerID), To: to, Subject: say("subject"), Preview: say("preview"), Why: say("why"),
		Blocks: []mail.Block{
			mail.Heading(say("heading")), mail.Paragraph(say("intro")), mail.Paragraph(say("gone")), mail.Paragraph(say("kept")),
			mail.Paragraph(say("hash")), mail.Note(say("ignore")),
		},
	}
}

// Previews are the emails of the package with made-up contents. Their codes open nothing.
func (p *Service) Previews(ed *edition.Edition, to string, at time.Time) []mail.Preview {
	r := &request{ID: 1, Nonce: make([]byte, 16), ExpiresAt: at.Add(secret.TTL)}
	return []mail.Preview{
		{Name: "leave", Message: codeEmail(ed, r, to, p.code(ed.ID, r.Nonce))},
		{Name: "erased", Message: receiptEmail(ed, 1, to, at)},
	}
}

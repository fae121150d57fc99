package identity

import (
	"strconv"

	"example.org/broadsheet/platform/edition"
	"example.org/broadsheet/platform/i18n"
	"example.org/broadsheet/platform/mail"
)

// loginLetter is the mail of one attempt. The code stands in the subject, so that it can be read where mails are only
// announced, and phones can fill it in.
func (s secrets) loginLetter(ed *edition.Edition, a *attempt) mail.Letter {
	code := s.code(ed.ID, a.Nonce)
	say := func(part string) string {
		return i18n.T(ed, "mail."+string(a.Purpose)+"."+part, map[string]any{
			"Name": ed.Identity.MailAppName, "Code": code[:3] + " " + code[3:], "Email": ed.SupportEmail,
			"Minutes": int(attemptLife.Minutes()), "Time": i18n.Clock(ed, a.ExpiresAt),
		})
	}
	l := mail.Letter{
		Kind: string(a.Purpose), Key: "login:" + strconv.FormatInt(a.ID, 10), To: a.Email,
		Subject: say("subject"), Preview: say("preview"), ExpiresAt: a.ExpiresAt,
		Blocks: []mail.Block{mail.Heading(say("heading")), mail.Paragraph(say("intro"))},
	}
	if a.Purpose == Uninvited {
		return l
	}
	link := ed.URL(ed.Href(edition.SecurityCheck)) + "#hash=" + s.link(ed.ID, a.Nonce)
	l.Blocks = append(
		l.Blocks, mail.Code(code), mail.Paragraph(say("or")), mail.Button(say("button"), link),
		mail.Note(say("expires")), mail.Note(say("ignore")),
	)
	return l
}

package identity

import (
	"strconv"

	"example.org/broadsheet/modules/identity/emailaddr"
	"example.org/broadsheet/modules/identity/secret"
	"example.org/broadsheet/platform/i18n"
	"example.org/broadsheet/platform/mail"
	"example.org/broadsheet/platform/paper/edition"
)

// loginEmail is the email of one attempt. The code is in the subject, so that it can be read in a notification and
// filled in by a phone.
func loginEmail(s secret.Key, ed *edition.Edition, a *attempt) mail.Message {
	code := s.Code(ed.ID, a.Nonce)
	say := func(part string) string {
		return i18n.T(ed, "mail."+string(a.Purpose)+"."+part, map[string]any{
			"Name": ed.Identity.MailAppName, "Code": code[:3] + " " + code[3:], "Email": ed.SupportEmail,
			"Minutes": int(secret.TTL.Minutes()), "Time": i18n.Clock(ed, a.ExpiresAt),
		})
	}
	l := mail.Message{
		Kind: string(a.Purpose), Key: "login:" + strconv.FormatInt(a.ID, 10), To: a.Email,
		Subject: say("subject"), Preview: say("preview"), ExpiresAt: a.ExpiresAt,
		Blocks: []mail.Block{mail.Heading(say("heading")), mail.Paragraph(say("intro"))},
	}
	if a.Purpose != Login { // there is no account
		l.Why = i18n.T(ed, "mail.registration.why", map[string]any{"Name": ed.Identity.MailAppName})
	}
	if a.Purpose == Uninvited {
		return l
	}
	link := ed.URL(ed.Href(edition.SecurityCheck)) + "#hash=" + s.Link(ed.ID, a.Nonce)
	l.Blocks = append(
		l.Blocks, mail.Code(code), mail.Paragraph(say("or")), mail.Button(say("button"), link),
		mail.Note(say("expires")), mail.Note(say("ignore")),
	)
	return l
}

// addressEmail asks one address of a change to confirm it. An address of another reader is told that somebody asked,
// and has nothing to confirm.
func addressEmail(s secret.Key, ed *edition.Edition, a *addressChange, of side) mail.Message {
	code, to, words := addressCode(s, ed.ID, a.Nonce, of), a.OldEmail, "addressOld"
	switch {
	case of == newSide && a.Taken:
		to, words = a.NewEmail, "addressTaken"
	case of == newSide:
		to, words = a.NewEmail, "addressNew"
	}
	say := func(part string) string {
		return i18n.T(ed, "mail."+words+"."+part, map[string]any{
			"Name": ed.Identity.MailAppName, "Code": code[:3] + " " + code[3:], "Email": ed.SupportEmail,
			"From": emailaddr.Mask(a.OldEmail), "To": a.NewEmail, "Until": i18n.DateTime(ed, a.ExpiresAt),
		})
	}
	l := mail.Message{
		Kind: words, Key: "address:" + strconv.FormatInt(a.ID, 10) + ":" + string(of), To: to,
		Subject: say("subject"), Preview: say("preview"), ExpiresAt: a.ExpiresAt,
		Blocks: []mail.Block{mail.Heading(say("heading")), mail.Paragraph(say("intro"))},
	}
	if of == newSide && a.Taken {
		return l
	}
	link := ed.URL(addressPage(ed, addressLink(s, ed.ID, a.Nonce, of)))
	l.Blocks = append(
		l.Blocks, mail.Button(say("button"), link), mail.Paragraph(say("or")), mail.Code(code),
		mail.Note(say("expires")), mail.Note(say("ignore")),
	)
	return l
}

// addressChangedEmail tells the old address that it no longer belongs to the account.
func addressChangedEmail(ed *edition.Edition, a *addressChange) mail.Message {
	say := func(part string) string {
		return i18n.T(ed, "mail.addressChanged."+part,
			map[string]any{"Name": ed.Identity.MailAppName, "Email": ed.SupportEmail, "To": emailaddr.Mask(a.NewEmail)})
	}
	return mail.Message{
		Kind: "addressChanged", Key: "address:" + strconv.FormatInt(a.ID, 10) + ":done", To: a.OldEmail,
		Subject: say("subject"), Preview: say("preview"),
		Blocks: []mail.Block{mail.Heading(say("heading")), mail.Paragraph(say("intro")), mail.Note(say("ignore"))},
	}
}

package passkey

import (
	"strconv"
	"time"

	"example.org/broadsheet/platform/i18n"
	"example.org/broadsheet/platform/mail"
	"example.org/broadsheet/platform/paper/edition"
	"example.org/broadsheet/platform/paper/event"
)

// changeEmail says that a passkey was made or removed, and what to do when that was somebody else; undo is the page
// that removes a new one.
func changeEmail(ed *edition.Edition, e event.PasskeyChange, to, undo string) mail.Message {
	words, button, address := "passkeyRemoved", "button", ed.URL(ed.Href(edition.Profile))
	if e.Added {
		words, button, address = "passkeyAdded", "undo", undo
	}
	device := e.Device
	if device == "" {
		device = i18n.T(ed, "mail.passkey.unknown", nil)
	}
	say := func(part string) string {
		return i18n.T(ed, "mail."+words+"."+part, map[string]any{
			"Name": ed.Identity.MailAppName, "Email": ed.SupportEmail, "Device": device, "At": i18n.DateTime(ed, e.At),
		})
	}
	return mail.Message{
		Kind: words, Key: "passkey:" + strconv.FormatInt(e.PasskeyID, 10) + ":" + words, To: to,
		Subject: say("subject"), Preview: say("preview"),
		Blocks: []mail.Block{
			mail.Heading(say("heading")), mail.Paragraph(say("intro")), mail.Paragraph(say("ignore")),
			mail.Button(i18n.T(ed, "mail.passkey."+button, nil), address),
		},
	}
}

// Previews are the emails of the package with made-up contents.
func Previews(ed *edition.Edition, to string, at time.Time) []mail.Preview {
	return []mail.Preview{
		{
			Name: "passkey-added",
			Message: changeEmail(ed, event.PasskeyChange{PasskeyID: 1, Added: true, Device: "Firefox, Linux", At: at}, to,
				ed.URL(ed.Href(edition.EmailChange))+"?passkey=1"),
		},
		{Name: "passkey-removed", Message: changeEmail(ed, event.PasskeyChange{PasskeyID: 1, At: at}, to, "")},
	}
}

package help

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"example.org/broadsheet/platform/i18n"
	"example.org/broadsheet/platform/mail"
	"example.org/broadsheet/platform/paper/edition"
)

// email tells support what somebody has written. None of it stands in a header but the address for the answer,
// which was parsed; name and text are blocks of their own, so that no template reads them.
func email(ed *edition.Edition, h *storedMessage) mail.Message {
	say := func(part string) string {
		return i18n.T(ed, "mail.help."+part, map[string]any{
			"Name": ed.Name, "Number": strconv.FormatInt(h.ID, 10), "At": i18n.DateTime(ed, h.CreatedAt), "Email": h.Email,
		})
	}
	l := mail.Message{
		// Each refusal by support's mailbox makes it a new email: one of the same key is not tried again.
		Kind: "help", Key: fmt.Sprintf("help:%d:%d", h.ID, h.Tries), To: ed.SupportEmail, ReplyTo: h.Email,
		Subject: say("subject"), Preview: say("preview"), Why: say("why"),
		Blocks: []mail.Block{mail.Heading(say("heading")), mail.Paragraph(say("intro"))},
	}
	if h.Name != "" {
		l.Blocks = append(l.Blocks, mail.Section(say("name")), mail.Paragraph(h.Name))
	}
	l.Blocks = append(l.Blocks, mail.Section(say("text")))
	for line := range strings.SplitSeq(h.Text, "\n") {
		if strings.TrimSpace(line) != "" {
			l.Blocks = append(l.Blocks, mail.Paragraph(line))
		}
	}
	l.Blocks = append(l.Blocks, mail.Section(say("answer")), mail.Paragraph(say("reply")), mail.Note(say("beware")))
	return l
}

// previewText is what somebody may write, with what must not be taken for markup.
const previewText = "2023: <b>Abo</b> & Newsletter, jana@…?\n\n100 % · \"Nová\""

// Preview is the email of the package with made-up contents.
func Preview(ed *edition.Edition, to string, at time.Time) mail.Preview {
	return mail.Preview{
		Name:    "help",
		Message: email(ed, &storedMessage{ID: 17, Email: to, Name: "Jana Nová", Text: previewText, CreatedAt: at}),
	}
}

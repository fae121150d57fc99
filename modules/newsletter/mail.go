package newsletter

import (
	"fmt"
	"strings"
	"time"

	"example.org/broadsheet/platform/i18n"
	"example.org/broadsheet/platform/mail"
	"example.org/broadsheet/platform/paper/edition"
)

// emailKind is how the log of emails names them.
const emailKind = "newsletter"

// confirmation is the mail that asks an address whether it wants what somebody ordered for it.
func (m *Module) confirmation(ed *edition.Edition, r *request, to string) mail.Message {
	words := map[string]any{"Name": ed.Name, "Date": i18n.Date(ed, r.ExpiresAt)}
	say := func(part string) string { return i18n.T(ed, "mail.confirm."+part, words) }
	l := mail.Message{
		Kind: "newsletter_confirm", Key: fmt.Sprintf("newsletter_confirm:%d", r.ID), To: to, ExpiresAt: r.ExpiresAt,
		Subject: say("subject"), Preview: say("preview"), Why: say("why"),
		Blocks: []mail.Block{mail.Heading(say("heading")), mail.Paragraph(say("intro"))},
	}
	for _, id := range r.Lists {
		if n := ed.Newsletter(id); n != nil {
			l.Blocks = append(l.Blocks, mail.Paragraph("• "+n.Name+" – "+scheduleWords(ed, n)))
		}
	}
	l.Blocks = append(l.Blocks,
		mail.Button(say("button"), ed.URL(address(ed, stepConfirm, m.token(ed, toConfirm, link{id: r.ID})))),
		mail.Note(say("ignore")))
	return l
}

// issueEmail is an issue without its recipient.
func (m *Module) issueEmail(ed *edition.Edition, n *edition.Newsletter, i *issue, c *content) mail.Message {
	l := mail.Message{
		Kind: emailKind, ExpiresAt: i.DueAt.Add(usefulFor), List: &mail.List{ID: n.ID, Name: n.Name},
		Subject: subject(n, c), Preview: preview(c),
	}
	switch n.Kind {
	case edition.NewsletterTopic:
		l.Blocks = append(l.Blocks, mail.Note(n.Name), mail.Heading(c.Title))
		if c.Intro != "" {
			l.Blocks = append(l.Blocks, mail.Paragraph(c.Intro))
		}
	case edition.NewsletterBreaking:
		l.Blocks = append(l.Blocks, mail.Note(n.Name))
	default:
		l.Blocks = append(l.Blocks, mail.Heading(n.Name), mail.Note(longDate(ed, i.DueAt)))
	}
	for _, s := range c.Stories {
		l.Blocks = append(l.Blocks, story(ed, s))
	}
	if len(c.Short) > 0 {
		l.Blocks = append(l.Blocks, mail.Section(i18n.T(ed, "newsletter.short", nil)))
		for _, s := range c.Short {
			l.Blocks = append(l.Blocks, story(ed, s))
		}
	}
	to, label := c.URL, i18n.T(ed, "newsletter.topic", nil)
	if to == "" {
		to, label = "/", i18n.T(ed, "newsletter.more", map[string]any{"Name": ed.Name})
	}
	l.Blocks = append(l.Blocks, mail.Button(label, ed.URL(to)))
	return l
}

func story(ed *edition.Edition, s Story) mail.Block {
	note := ""
	if s.Locked {
		note = i18n.T(ed, "newsletter.locked", nil)
	}
	return mail.Story(s.Label, s.Title, s.Text, note, ed.URL(s.URL))
}

// subject is the first headline: what a mailbox shows is what there is to read.
func subject(n *edition.Newsletter, c *content) string {
	title := c.Title
	if title == "" {
		title = c.Stories[0].Title
	}
	return n.Name + ": " + strings.Join(strings.Fields(title), " ")
}

// preview is the headlines after the first.
func preview(c *content) string {
	var titles []string
	from := 1
	if c.Title != "" {
		from = 0
	}
	for _, s := range c.Stories[min(from, len(c.Stories)):] {
		if len(titles) < 3 {
			titles = append(titles, s.Title)
		}
	}
	if len(titles) == 0 && len(c.Stories) > 0 {
		return c.Stories[0].Text
	}
	return strings.Join(titles, " · ")
}

// longDate names the weekday too.
func longDate(ed *edition.Edition, t time.Time) string {
	day := strings.ToLower(t.In(ed.Location).Weekday().String())
	return i18n.T(ed, "newsletter.day."+day, map[string]any{"Date": i18n.Date(ed, t)})
}

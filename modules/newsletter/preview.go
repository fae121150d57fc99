package newsletter

import (
	"time"

	"example.org/broadsheet/platform/i18n"
	"example.org/broadsheet/platform/mail"
	"example.org/broadsheet/platform/paper/edition"
)

// Previews are all emails of the module with made-up contents, in the language of the edition.
func (m *Module) Previews(ed *edition.Edition, to string, at time.Time) []mail.Preview {
	lists := make([]string, len(ed.Newsletters))
	for i, n := range ed.Newsletters {
		lists[i] = n.ID
	}
	list := []mail.Preview{{
		Name:    "newsletter-confirm",
		Message: m.confirmation(ed, &request{ID: 1, Lists: lists, ExpiresAt: at.Add(requestTTL)}, to),
	}}
	list = append(list, mail.Preview{Name: "newsletter-link", Message: m.linkEmail(ed, &subscriber{ID: 1, Email: to}, at)})
	say := func(part string) string { return i18n.T(ed, "newsletter.sample."+part, nil) }
	stories := []Story{
		{Label: say("section"), Title: say("title1"), Text: say("text1"), URL: "/1/a"},
		{Label: say("section"), Title: say("title2"), Text: say("text2"), URL: "/2/b", Locked: true},
	}
	for i, n := range ed.Newsletters {
		c := &content{Stories: stories}
		switch n.Kind {
		case edition.NewsletterTopic:
			c.Title, c.Intro, c.URL = say("topic"), say("intro"), "/tema/a"
		case edition.NewsletterBreaking:
			c.Stories = stories[:1]
		default:
			c.Short = []Story{{Title: say("short"), URL: "/3/c"}}
		}
		one := &issue{ID: int64(i + 1), List: n.ID, DueAt: at}
		list = append(list,
			mail.Preview{
				Name:    "newsletter-" + n.Kind,
				Message: m.addressed(ed, m.issueEmail(ed, &n, one, c), one, &subscriber{ID: 1, Email: to}),
			})
	}
	return list
}

package sample

import (
	"regexp"
	"strings"
	"testing"
)

// hours and days are what news cannot name, since its own time is that of the first start.
var (
	hours = regexp.MustCompile(`\b\d{1,2}([.:]\d\d)? Uhr|\bo \d{1,2}\.\d\d\b`)
	days  = regexp.MustCompile(`\b(vo? (pondelok|utorok|stredu|štvrtok|piatok|sobotu|nedeľu)|` +
		`([Aa]m|seit|bis|auf|für) (Montag|Dienstag|Mittwoch|Donnerstag|Freitag|Samstag|Sonntag))\b`)
	habits = regexp.MustCompile(`am Freitag (22 von 30|Fenster)`) // of every week
)

// Whenever the sample is seeded, short news and what stands over today's articles is right about the time of day.
func TestTextsHoldOnAnyDay(t *testing.T) {
	t.Parallel()
	const today = 24 // articles, as published has it
	for _, id := range editions {
		l := shipped(t, id)
		for _, m := range l.Minutes {
			for _, text := range []string{m.Title, m.Text} {
				if at := hours.FindString(text) + days.FindString(habits.ReplaceAllString(text, "")); at != "" {
					t.Errorf("%s: short news names %q: %s", id, at, text)
				}
			}
		}
		for _, a := range l.Articles[:today] {
			first, _, _ := strings.Cut(a.Body, "\n\n")
			for _, text := range []string{a.Title, a.Excerpt, a.Caption, first} {
				if at := days.FindString(habits.ReplaceAllString(text, "")); at != "" {
					t.Errorf("%s: %s names %q: %s", id, a.Key, at, text)
				}
			}
		}
	}
}

// Editors recommend what is new, and two opinions that stand against each other have two authors.
func TestPicksAreNewAndOpinionsOppose(t *testing.T) {
	t.Parallel()
	for _, id := range editions {
		l := shipped(t, id)
		opposed := map[string][]Article{}
		for i, a := range l.Articles {
			if a.Pick && i > 40 {
				t.Errorf("%s: the pick %s is number %d of the articles", id, a.Key, i)
			}
			if a.Versus != "" {
				opposed[a.Versus] = append(opposed[a.Versus], a)
			}
		}
		if len(opposed) != 1 {
			t.Errorf("%s: %d questions have opposing opinions", id, len(opposed))
		}
		for question, both := range opposed {
			if len(both) != 2 || both[0].Authors[0] == both[1].Authors[0] || both[0].Type != "comment_article" {
				t.Errorf("%s: %q is answered by %+v", id, question, both)
			}
		}
	}
}

// At least six long pieces of an edition have what the template offers.
func TestLongPiecesAreRich(t *testing.T) {
	t.Parallel()
	for _, id := range editions {
		l := shipped(t, id)
		rich, charts, facts, quotes, related := 0, 0, 0, 0, 0
		for _, a := range l.Articles {
			if n := len(figures(a.Body)); n >= 2 && n <= 3 {
				rich++
			}
			charts += strings.Count(a.Body, "<table>")
			facts += strings.Count(a.Body, "<aside>")
			quotes += strings.Count(a.Body, "<figure>\n<blockquote>")
			related += len(links(a.Body))
		}
		if rich < 6 || charts < 3 || facts < 2 || quotes < 3 || related < 2 {
			t.Errorf("%s: %d pieces with pictures, %d charts, %d boxes, %d quotes, %d links", id, rich, charts, facts,
				quotes, related)
		}
	}
}

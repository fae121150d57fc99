package app

import (
	"context"
	"time"

	"example.org/broadsheet/modules/content"
	"example.org/broadsheet/modules/content/post"
	"example.org/broadsheet/modules/newsletter"
)

// Stories lets newsletters ask what there is to tell: cards, which hold no text of a body.
type Stories struct{ Content *content.Module }

// Since implements newsletter.Stories.
func (s Stories) Since(ctx context.Context, since time.Time, most,
	minutes int,
) (list, short []newsletter.Story, err error) {
	d, err := s.Content.DigestSince(ctx, since, most, minutes)
	for _, it := range d.Minutes {
		short = append(short, newsletter.Story{Title: it.Title, URL: it.URL})
	}
	return storiesOf(d.Stories), short, err
}

// Topic implements newsletter.Stories.
func (s Stories) Topic(ctx context.Context, articles int) (topic newsletter.Story, list []newsletter.Story, err error) {
	t, cards, err := s.Content.CurrentTopic(ctx, articles)
	if err != nil || t == nil {
		return topic, nil, err
	}
	return newsletter.Story{Title: t.Title, Text: t.Description, URL: t.URL}, storiesOf(cards), nil
}

// Post implements newsletter.Stories.
func (s Stories) Post(ctx context.Context, id int64) (newsletter.Story, error) {
	c, err := s.Content.CardOf(ctx, id)
	if err != nil || c == nil {
		return newsletter.Story{}, err
	}
	return storyOf(*c), nil
}

func storiesOf(cards []post.Card) []newsletter.Story {
	out := make([]newsletter.Story, len(cards))
	for i, c := range cards {
		out[i] = storyOf(c)
	}
	return out
}

func storyOf(c post.Card) newsletter.Story {
	s := newsletter.Story{Title: c.Title, Text: c.Excerpt, URL: c.URL, Locked: c.Locked}
	if c.Section != nil {
		s.Label = c.Section.Name
	}
	return s
}

package sample

import (
	"context"
	"fmt"
	"strconv"
	"strings"
	"time"

	"example.org/broadsheet/modules/content/post"
	"example.org/broadsheet/modules/content/topic"
)

func (s Seeder) saveTopics(ctx context.Context, l *Library, pictures map[string]post.Picture) error {
	now := s.Now()
	for _, t := range l.Topics {
		tag := topic.Tag{
			Slug: t.Slug, Name: t.Title, Description: t.Description,
			Published: now.AddDate(0, 0, -7*t.WeeksAgo).Add(-2 * time.Hour).Truncate(time.Minute),
		}
		for _, name := range t.Covers {
			tag.Covers = append(tag.Covers, pictures[Picture{Name: name}.file()].ID)
		}
		if _, err := s.Posts.SaveTag(ctx, tag); err != nil {
			return fmt.Errorf("topic %s: %w", t.Slug, err)
		}
	}
	return nil
}

// topicsOf are the weekly topics of each article, by its key.
func topicsOf(l *Library) map[string][]string {
	of := map[string][]string{}
	for _, t := range l.Topics {
		for _, k := range t.Articles {
			of[k] = append(of[k], t.Slug)
		}
	}
	return of
}

// secondsOf is the length that the name of a recording says.
func secondsOf(name string) (int, error) {
	_, length, _ := strings.Cut(strings.TrimSuffix(name, ".mp4"), "-")
	seconds, err := strconv.Atoi(length)
	if err != nil {
		return 0, fmt.Errorf("recording %s does not say how long it is: %w", name, err)
	}
	return seconds, nil
}

func (l *Library) checkTopics(keys map[string]bool) (errs []error) {
	slugs := map[string]bool{}
	for _, t := range l.Topics {
		if slugs[t.Slug] || t.Slug == "" || t.Title == "" || t.WeeksAgo < 0 {
			errs = append(errs, fmt.Errorf("topic %q: slug twice, or something is missing", t.Slug))
		}
		slugs[t.Slug] = true
		for _, k := range t.Articles {
			if !keys[k] {
				errs = append(errs, fmt.Errorf("topic %q: there is no article %q", t.Slug, k))
			}
		}
	}
	return errs
}

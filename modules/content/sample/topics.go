package sample

import (
	"context"
	"errors"
	"fmt"
	"image"
	"io/fs"
	"path"
	"slices"
	"strconv"
	"strings"
	"time"

	"example.org/broadsheet/modules/content"
	"example.org/broadsheet/modules/content/sample/illustration"
	"example.org/broadsheet/tenants"
)

// covers are the pictures of the weekly topics that no article has asked for.
func covers(l *Library, known []drawing, offset uint64) (list []drawing) {
	have := map[string]bool{}
	for _, d := range known {
		have[d.name] = true
	}
	for _, t := range l.Topics {
		for _, scene := range t.Covers {
			name := coverName(scene, offset)
			if have[name] {
				continue
			}
			have[name] = true
			list = append(list, drawing{name: name, alt: t.Title, draw: func() (image.Image, error) {
				return illustration.Draw(scene, offset, drawWidth, drawHeight)
			}})
		}
	}
	return list
}

func coverName(scene string, offset uint64) string { return fmt.Sprintf("%s:%d", scene, offset) }

func (s Seeder) saveTopics(ctx context.Context, l *Library, offset uint64, pictures map[string]content.Picture) error {
	now := s.Now()
	for _, t := range l.Topics {
		tag := content.Tag{Slug: t.Slug, Name: t.Title, Description: t.Description, Published: now.AddDate(0, 0, -7*t.WeeksAgo).Add(-2 * time.Hour).Truncate(time.Minute)}
		for _, scene := range t.Covers {
			tag.Covers = append(tag.Covers, pictures[coverName(scene, offset)].ID)
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

// keepRecordings puts the recordings that ship into the edition's library. A file is called by its scene and its
// length in seconds: harbour-7.mp4.
func (s Seeder) keepRecordings(ctx context.Context) ([]content.Video, error) {
	files, err := fs.Glob(tenants.FS, "sample/video/*.mp4")
	if err != nil {
		return nil, err
	}
	if len(files) == 0 {
		return nil, errors.New("there are no sample recordings")
	}
	var out []content.Video
	for _, name := range files {
		f, err := tenants.FS.Open(name)
		if err != nil {
			return nil, err
		}
		address, err := s.Images.IngestVideo(ctx, f)
		_ = f.Close() // read only
		if err != nil {
			return nil, fmt.Errorf("recording %s: %w", name, err)
		}
		_, length, _ := strings.Cut(strings.TrimSuffix(path.Base(name), ".mp4"), "-")
		seconds, err := strconv.Atoi(length)
		if err != nil {
			return nil, fmt.Errorf("recording %s does not say how long it is: %w", name, err)
		}
		out = append(out, content.Video{URL: address, Seconds: seconds})
	}
	return out, nil
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
		for _, scene := range t.Covers {
			if !slices.Contains(illustration.Scenes(), scene) {
				errs = append(errs, fmt.Errorf("topic %q: there is no scene %q", t.Slug, scene))
			}
		}
	}
	return errs
}

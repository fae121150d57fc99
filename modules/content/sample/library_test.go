package sample

import (
	"bytes"
	"image"
	"image/jpeg"
	"io/fs"
	"maps"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"example.org/broadsheet/tenants"
)

var editions = []string{"standard", "standard_at", "standard_com"}

// shipped is the sample content of an edition that ships.
func shipped(t *testing.T, id string) *Library {
	t.Helper()
	files, err := fs.Sub(tenants.FS, "sample")
	if err != nil {
		t.Fatal(err)
	}
	l, err := Read(files, id)
	if err != nil {
		t.Fatalf("%s: %v", id, err)
	}
	return l
}

// Every edition that ships has enough to look like a newspaper.
func TestLibrariesAreWhole(t *testing.T) {
	t.Parallel()
	for _, id := range editions {
		l := shipped(t, id)
		count := map[string]int{}
		for _, a := range l.Articles {
			count[a.Type]++
			if a.Locked {
				count["locked"]++
			}
			if a.Featured {
				count["featured"]++
			}
		}
		pictures := map[string]bool{}
		for _, a := range l.Articles {
			pictures[a.Picture] = true
		}
		if len(l.Authors) != 12 || len(l.Minutes) < 60 || count["article"]+count["comment_article"] < 120 ||
			count["comment_article"] < 12 || count["video"] < 6 ||
			count["locked"] < 40 || count["featured"] < 5 || len(pictures) < 60 {
			t.Errorf("%s: %d authors, %d minutes, %v, %d pictures", id, len(l.Authors), len(l.Minutes), count, len(pictures))
		}
	}
}

// Every edition has weekly topics of two calendar years, whatever the day, and the newest is complete.
func TestTopicsAreWhole(t *testing.T) {
	t.Parallel()
	for _, id := range editions {
		l := shipped(t, id)
		kinds, essays := map[string]string{}, 0
		for _, a := range l.Articles {
			kinds[a.Key] = a.Type
			if a.Type == "weekly_topic_article" {
				essays++
				if n := len(strings.Split(strings.TrimSpace(a.Body), "\n\n")); n < 7 || topicsOf(l)[a.Key] == nil {
					t.Errorf("%s: %s has %d parts, topics %v", id, a.Key, n, topicsOf(l)[a.Key])
				}
			}
		}
		videos, last := 0, l.Topics[len(l.Topics)-1]
		for _, k := range l.Topics[0].Articles {
			if kinds[k] == "video" {
				videos++
			}
		}
		if now := l.Topics[0]; len(l.Topics) < 8 || essays < 5 || now.WeeksAgo != 0 || len(now.Covers) != 3 ||
			len(now.Articles)-videos < 8 || videos != 2 || last.WeeksAgo < 53 {
			t.Errorf("%s: %d topics, %d essays, the newest %+v, the oldest %d weeks ago", id, len(l.Topics), essays,
				now, last.WeeksAgo)
		}
		for i := 1; i < len(l.Topics); i++ {
			if l.Topics[i].WeeksAgo <= l.Topics[i-1].WeeksAgo {
				t.Errorf("%s: topic %s is out of order", id, l.Topics[i].Slug)
			}
		}
	}
}

func TestReadRefuses(t *testing.T) {
	t.Parallel()
	const (
		author  = "- {key: a, name: A, short: x, bio: y}\n"
		article = "- {key: k, title: T, excerpt: e, category: c, authors: [a], picture: harbour, body: b}\n"
		album   = "- {name: harbour, sk: Prístav, de: Hafen}\n"
	)
	var picture bytes.Buffer
	if err := jpeg.Encode(&picture, image.NewGray(image.Rect(0, 0, 3, 2)), nil); err != nil {
		t.Fatal(err)
	}
	whole := func() map[string]string {
		return map[string]string{
			"pictures.yaml": album, "pictures/harbour.jpg": picture.String(), "portraits/a.jpg": picture.String(),
			"kurier/authors.yaml": author, "kurier/articles.yaml": article,
		}
	}
	read := func(change map[string]string) error {
		files := fstest.MapFS{}
		all := whole()
		maps.Copy(all, change)
		for name, text := range all {
			if text != "" {
				files[name] = &fstest.MapFile{Data: []byte(text)}
			}
		}
		_, err := Read(files, "kurier")
		return err
	}
	with := func(from, to string) map[string]string {
		return map[string]string{"kurier/articles.yaml": strings.Replace(article, from, to, 1)}
	}
	for name, change := range map[string]map[string]string{
		"no content":             {"kurier/authors.yaml": "", "kurier/articles.yaml": ""},
		"an unknown key":         with("title", "titel"),
		"an unknown author":      with("[a]", "[b]"),
		"an unknown picture":     with("harbour", "unicorn"),
		"an unknown figure":      with("body: b", "body: '![Loď](unicorn)'"),
		"an unknown link":        with("body: b", "body: '[tu](article:nowhere)'"),
		"a key that is used":     {"kurier/articles.yaml": article + article},
		"no file of a picture":   {"pictures/harbour.jpg": ""},
		"no picture in the file": {"pictures/harbour.jpg": "harbour"},
		"no portrait":            {"portraits/a.jpg": ""},
		"a focus of one number":  {"pictures.yaml": "- {name: harbour, focus: [5], sk: Prístav, de: Hafen}\n"},
		"no words in German":     {"pictures.yaml": "- {name: harbour, sk: Prístav}\n"},
	} {
		if err := read(change); err == nil {
			t.Errorf("%s was taken", name)
		}
	}
	if err := read(nil); err != nil {
		t.Error(err)
	}
}

// The newest comes first, nothing is in the future, and nothing is older than five weeks.
func TestPublishedSpreadsOverWeeks(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 11, 21, 9, 0, 0, 0, time.UTC)
	var all []time.Time
	for i := range 125 {
		all = append(all, published(now, i, 125, time.UTC, "key"))
	}
	if !slices.IsSortedFunc(all, func(a, b time.Time) int { return b.Compare(a) }) {
		t.Error("the order of the library is not the order of the dates")
	}
	if first, last := all[0], all[len(all)-1]; first.After(now) || now.Sub(first) > time.Hour ||
		now.Sub(last) > 36*24*time.Hour {
		t.Errorf("from %s to %s", first, last)
	}
}

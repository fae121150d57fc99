package sample

import (
	"context"
	"io"
	"io/fs"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"example.org/broadsheet/platform/media"
	"example.org/broadsheet/tenants"
)

// Every edition that ships has enough to look like a newspaper.
func TestLibrariesAreWhole(t *testing.T) {
	t.Parallel()
	for _, id := range []string{"standard", "standard_at", "standard_com"} {
		folder, err := fs.Sub(tenants.FS, "sample/"+id)
		if err != nil {
			t.Fatal(err)
		}
		l, err := Read(folder)
		if err != nil {
			t.Fatalf("%s: %v", id, err)
		}
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
		pictures, of := scenes(l, 0)
		if len(l.Authors) != 12 || len(l.Minutes) < 60 || count["article"]+count["comment_article"] < 120 || count["comment_article"] < 12 || count["video"] < 6 ||
			count["locked"] < 40 || count["featured"] < 5 || len(pictures) < 60 || len(of) != len(l.Articles) {
			t.Errorf("%s: %d authors, %d minutes, %v, %d pictures", id, len(l.Authors), len(l.Minutes), count, len(pictures))
		}
	}
}

// Every edition has weekly topics of two calendar years, whatever the day, and the newest is complete.
func TestTopicsAreWhole(t *testing.T) {
	t.Parallel()
	for _, id := range []string{"standard", "standard_at", "standard_com"} {
		folder, err := fs.Sub(tenants.FS, "sample/"+id)
		if err != nil {
			t.Fatal(err)
		}
		l, err := Read(folder)
		if err != nil {
			t.Fatal(err)
		}
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
		if now := l.Topics[0]; len(l.Topics) < 8 || essays < 5 || now.WeeksAgo != 0 || len(now.Covers) != 3 || len(now.Articles)-videos < 8 || videos != 2 || last.WeeksAgo < 53 {
			t.Errorf("%s: %d topics, %d essays, the newest %+v, the oldest %d weeks ago", id, len(l.Topics), essays, now, last.WeeksAgo)
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
	author := "- {key: a, name: A, portrait: woman, short: x, bio: y}\n"
	article := "- {key: k, title: T, excerpt: e, category: c, authors: [a], image: harbour, body: b}\n"
	for name, files := range map[string]fstest.MapFS{
		"nothing":            {},
		"an unknown key":     {"authors.yaml": {Data: []byte(author)}, "articles.yaml": {Data: []byte("- {key: k, titel: T}\n")}},
		"an unknown author":  {"authors.yaml": {Data: []byte(author)}, "articles.yaml": {Data: []byte("- {key: k, title: T, excerpt: e, category: c, authors: [b], image: harbour, body: b}\n")}},
		"an unknown scene":   {"authors.yaml": {Data: []byte(author)}, "articles.yaml": {Data: []byte("- {key: k, title: T, excerpt: e, category: c, authors: [a], image: unicorn, body: b}\n")}},
		"a key that is used": {"authors.yaml": {Data: []byte(author)}, "articles.yaml": {Data: []byte(article + article)}},
		"a face of no kind":  {"authors.yaml": {Data: []byte("- {key: a, name: A}\n")}},
	} {
		if _, err := Read(files); err == nil {
			t.Errorf("%s was taken", name)
		}
	}
	if _, err := Read(fstest.MapFS{"authors.yaml": {Data: []byte(author)}, "articles.yaml": {Data: []byte(article)}}); err != nil {
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
	if first, last := all[0], all[len(all)-1]; first.After(now) || now.Sub(first) > time.Hour || now.Sub(last) > 36*24*time.Hour {
		t.Errorf("from %s to %s", first, last)
	}
}

// shelf keeps no picture, and tells its number.
type shelf struct{}

func (shelf) IngestVideo(context.Context, io.Reader) (string, error) { return "", nil }

func (shelf) Ingest(_ context.Context, r io.Reader) (media.Image, error) {
	_, err := io.Copy(io.Discard, r)
	return media.Image{ID: "0", Width: 1, Height: 1}, err
}

func TestPicturesSayWhoseTheyAre(t *testing.T) {
	t.Parallel()
	list := portraits(&Library{Authors: []Author{{Key: "eva", Name: "Eva Nová"}}}, 0)
	pictures, err := makePictures(t.Context(), list, "Kuriér", shelf{})
	if p := pictures["author:eva"]; err != nil || p.Credit != "Kuriér" || p.Alt != "Eva Nová" {
		t.Errorf("%+v, %v", p, err)
	}
}

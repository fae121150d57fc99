package content

import (
	"fmt"
	"strings"
	"testing"

	"example.org/broadsheet/modules/content/post"
)

// One file, two posts: each has its own words for what is to be seen, in lists, pages and answers. A third has the
// file's.
func TestPicturesAreDescribedWhereTheyAreUsed(t *testing.T) {
	t.Parallel()
	ctx, _, m := house(t, &meter{})
	used := func(source, alt, caption string) int64 {
		return save(t, ctx, m, draft(source, func(d *Draft) { d.Slug, d.Alt, d.Caption = "clanok-"+source, alt, caption }))
	}
	for i, c := range []struct{ alt, caption, page, answer string }{
		{"Strážnik\n na moste", "Dnes ráno", "Strážnik na moste", "Strážnik na moste"},
		{"", "Dnes ráno", "Obraz 0", "Obraz 0"},
		{"Most v zime", "Most v zime.", "", "Most v zime"},
		{"Most v zime", "", "Most v zime", "Most v zime"},
	} {
		source := fmt.Sprint(i)
		id := used(source, c.alt, c.caption)
		path := fmt.Sprintf("/%d/clanok-%s", id, source)
		p := visit(t, ctx, m, path, false)
		if got := p.Data.(*ArticleData).Card.Picture.Alt; got != c.page {
			t.Errorf("%+v: the page says %q", c, got)
		}
		if got := p.Meta.Image.Alt; got != c.answer {
			t.Errorf("%+v: who shares it is told %q", c, got)
		}
		e, err := m.Post(ctx, id, false)
		if err != nil || e.ThumbnailData.Alt != c.answer || e.ThumbnailData.Description != c.caption {
			t.Errorf("%+v: %+v, %v", c, e.ThumbnailData, err)
		}
		if feed := string(file(t, ctx, m, "/rss").Body); !strings.Contains(feed, c.answer) {
			t.Errorf("%+v: the feed lacks it", c)
		}
	}
}

// What is added does not change what a picture says elsewhere; what is saved does.
func TestAddPictureLeavesWords(t *testing.T) {
	t.Parallel()
	ctx, _, m := house(t, &meter{})
	id := save(t, ctx, m, draft("1"))
	said := func() string {
		return visit(t, ctx, m, fmt.Sprintf("/%d/clanok-1", id), true).Data.(*ArticleData).Card.Picture.Alt
	}
	p := post.Picture{ID: picture(0), Width: 1600, Height: 900, Alt: "Iné"}
	if err := m.AddPicture(ctx, p); err != nil || said() != "Obraz 0" {
		t.Errorf("added: %q, %v", said(), err)
	}
	if err := m.SavePicture(ctx, p); err != nil || said() != "Iné" {
		t.Errorf("saved: %q, %v", said(), err)
	}
	p.ID = picture(7)
	if err := m.AddPicture(ctx, p); err != nil {
		t.Error(err)
	}
	save(t, ctx, m, draft("2", func(d *Draft) { d.Picture = p.ID }))
}

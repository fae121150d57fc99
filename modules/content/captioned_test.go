package content

import (
	"fmt"
	"strings"
	"testing"
)

func TestPicturesInTextOpenLarge(t *testing.T) {
	t.Parallel()
	img := func(n int, alt string) string {
		if alt == "" { // was taken away
			return fmt.Sprintf(`<img src="/img/%s?w=960" width="40" height="30" loading="lazy" alt=""/>`, picture(n))
		}
		return fmt.Sprintf(`<img src="/img/%s?w=960" alt="%s" width="40" height="30" loading="lazy"/>`, picture(n), alt)
	}
	opened := func(id string, n int, alt string) string {
		return `<button type="button" popovertarget="` + id + `" title="Zväčšiť">` + img(n, alt) +
			`</button><div popover="auto" id="` + id +
			`" data-print="hide"><button type="button" popovertarget="` + id + `" title="Zavrieť"><img src="/img/` + picture(n) +
			`?w=1600" alt="` + alt +
			`" loading="lazy"/></button></div>`
	}
	figure := func(inside string) string { return "<figure>" + inside + "</figure>" }
	for name, c := range map[string]struct{ in, want, captioned string }{
		"no picture": {"<p>Text &amp; slová.</p>", "<p>Text &amp; slová.</p>", ""},
		"a picture": {
			"<p>a</p>\n" + figure(img(0, "Most")), "<p>a</p>\n" + figure(opened("picture-1", 0, "Most")),
			"<p>a</p>\n" + figure(img(0, "Most")),
		},
		"words twice": {
			figure(img(0, "Most v zime") + "<figcaption>Most <em>v zime</em>.</figcaption>"),
			figure(opened("picture-1", 0, "") + "<figcaption>Most <em>v zime</em>.</figcaption>"),
			figure(img(0, "") + "<figcaption>Most <em>v zime</em>.</figcaption>"),
		},
		"words of its own": {
			figure(img(0, "Most") + "<figcaption>Dnes</figcaption>"),
			figure(opened("picture-1", 0, "Most") + "<figcaption>Dnes</figcaption>"),
			figure(img(0, "Most") + "<figcaption>Dnes</figcaption>"),
		},
		"a gallery": {
			figure(figure(img(0, "A")) + figure(img(1, "B"))),
			figure(figure(opened("picture-1", 0, "A")) + figure(opened("picture-2", 1, "B"))),
			"",
		},
		"one that leads elsewhere": {
			figure(`<a href="/x">` + img(0, "A") + "</a>"),
			figure(`<a href="/x">` + img(0, "A") + "</a>"), "",
		},
	} {
		if c.captioned == "" {
			c.captioned = c.in
		}
		if Sanitise(c.in) != c.in {
			t.Errorf("%s: no text of ours: %s", name, Sanitise(c.in))
		}
		if got := enlargeable(c.in, "Zväčšiť", "Zavrieť"); got != c.want {
			t.Errorf("%s:\ngot  %s\nwant %s", name, got, c.want)
		}
		if got := captioned(c.in); got != c.captioned {
			t.Errorf("%s, only captioned: %s", name, got)
		}
	}
}

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
	p := Picture{ID: picture(0), Width: 1600, Height: 900, Alt: "Iné"}
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

package wordpress

import (
	"context"
	"fmt"
	"net/url"
	"path"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"golang.org/x/net/html"

	"example.org/broadsheet/modules/content"
	"example.org/broadsheet/modules/content/markup"
	"example.org/broadsheet/modules/content/post"
	"example.org/broadsheet/modules/content/wordpress/blocks"
	"example.org/broadsheet/platform/paper/edition"
)

const (
	maxTitle   = 400 // characters, of what can be saved
	maxExcerpt = 4000
)

// post makes a draft of an item and queues it.
func (im *importer) post(ctx context.Context, it *item, status post.Status, e Entry) error {
	noted := func(o Outcome) func(line int, what, reason string) {
		return func(line int, what, reason string) {
			if line == 0 {
				line = it.line
			}
			im.report.add(Entry{Line: line, Kind: what, Title: e.Title, ID: e.ID, Outcome: o, Reason: reason})
		}
	}
	left := noted(Left)
	c := &blocks.Converter{
		Ctx: ctx, Home: im.survey.home, Picture: im.gallery.take, Counted: im.report.block, Left: left, Changed: noted(Noted),
		SharedBlock: func(id int64) (blocks.SharedBlock, bool) { p, ok := im.survey.patterns[id]; return p, ok },
		Attachments: func() []int64 { return im.survey.attachments.children[it.id] },
	}
	body, err := c.Convert(it.content, it.contentLine, it.meta["footnotes"])
	if err != nil {
		return err
	}
	d := content.Draft{
		Source: im.source, SourceID: e.ID, Type: post.TypeArticle, Status: status,
		Slug: unescape(it.slug), Title: e.Title, Excerpt: blocks.Plain(it.excerpt), Body: body, Comments: it.approved,
	}
	if it.kind == "page" {
		d.Type = post.TypePage
	}
	if d.Published, d.Modified, err = im.dates(it); err != nil {
		left(it.line, "date", err.Error())
	}
	if id := blocks.ParseID(it.meta["_thumbnail_id"]); id > 0 {
		p, reason, err := im.gallery.take(ctx, blocks.PictureRef{ID: id})
		switch {
		case err != nil:
			return err
		case reason != "":
			left(it.line, "image", "of the head: "+reason)
		default:
			lead(&d, p)
			if text, credit := blocks.SplitCredit(d.Caption); credit == p.Credit { // it is shown once
				d.Caption = text
			}
		}
	}
	if it.sticky && d.Type == post.TypeArticle {
		im.picks++
		d.Pick = im.picks
	}
	if d.Authors, err = im.people.of(ctx, it); err != nil {
		return err
	}
	if d.Type == post.TypeArticle {
		if d.Categories, err = im.places.of(ctx, it); err != nil {
			return err
		}
	}
	d.Redirects = redirects(im.ed, it.id, it.link, it.meta["_wp_old_slug"], func(what, reason string) {
		left(it.line, what, reason)
	})
	im.filing.apply(&d, im.slugs(it, "category"), im.slugs(it, "post_tag"), func(what, reason string) {
		left(it.line, what, reason)
	})
	shorten(&d, func(what, reason string) { left(it.line, what, reason) })
	if d.Title == "" {
		e.Outcome, e.Reason = Left, "it has neither a title nor text"
		im.report.add(e)
		return nil
	}
	if d.Body == "" && d.Status == post.StatusPublished {
		d.Status = post.StatusDraft
		noted(Noted)(it.line, it.kind, "nothing to read is left of its text: taken as a draft")
	}
	e.Title = d.Title
	im.leftovers(it, left)
	return im.add(ctx, entry{d, e})
}

// slugs are the categories or the tags of an item, as they are written here.
func (im *importer) slugs(it *item, domain string) (out []string) {
	for _, t := range it.in(domain) {
		out = append(out, post.Slug(im.ed.Lang(), unescape(t.slug)))
	}
	return out
}

// shorten makes title and excerpt fit; a post without a title is called by its first words.
func shorten(d *content.Draft, left func(what, reason string)) {
	if d.Title == "" {
		if d.Title = markup.Shorten(blocks.Plain(d.Body), 80); d.Title != "" {
			left("title", "it has none; its first words are the title")
		}
	}
	if utf8.RuneCountInString(d.Title) > maxTitle {
		d.Title = markup.Shorten(d.Title, maxTitle)
		left("title", fmt.Sprintf("it is longer than %d characters and was cut", maxTitle))
	}
	if utf8.RuneCountInString(d.Excerpt) > maxExcerpt {
		d.Excerpt = markup.Shorten(d.Excerpt, maxExcerpt)
		left("excerpt", fmt.Sprintf("it is longer than %d characters and was cut", maxExcerpt))
	}
}

// leftovers reports what a post has that posts do not have here.
func (im *importer) leftovers(it *item, left func(int, string, string)) {
	if it.comments > 0 {
		im.report.add(Entry{
			Line: it.line, Kind: "comment", Title: blocks.Plain(it.title), Outcome: Left,
			Reason: "comments are not taken; the number of the approved ones is", Count: it.comments,
		})
	}
	for _, t := range it.terms {
		switch t.domain {
		case "category", "post_tag", "author", "post_format":
		default:
			left(it.line, "term", fmt.Sprintf("of %q, which is not a kind of category that is known", t.domain))
		}
	}
	for key := range it.meta {
		if !strings.HasPrefix(key, "_") && key != "footnotes" {
			left(it.line, "field", fmt.Sprintf("%q has no place here", key))
		}
	}
}

// lead gives a post the picture of its head, and takes it off the top of the text, where it would be seen twice; the
// words that it has there are those of this post.
func lead(d *content.Draft, p post.Picture) {
	d.Picture, d.Alt, d.Caption = p.ID, p.Alt, p.Caption
	if !strings.HasPrefix(d.Body, `<figure><img src="/img/`+p.ID+`?`) {
		return
	}
	figure, rest, ok := strings.Cut(d.Body, "</figure>")
	if !ok {
		return
	}
	if _, own, ok := strings.Cut(figure, "<figcaption>"); ok {
		d.Caption = blocks.Plain(own)
	}
	if _, own, ok := strings.Cut(figure, ` alt="`); ok {
		own, _, _ = strings.Cut(own, `"`)
		d.Alt = html.UnescapeString(own)
	}
	d.Body = strings.TrimPrefix(rest, "\n")
}

const stamp = "2006-01-02 15:04:05"

// dates reads when a post appeared and was changed. A post that never appeared has none; an error is a date that can
// not be read.
func (im *importer) dates(it *item) (published, modified time.Time, err error) {
	published = firstTime(it.dateGMT, time.UTC)
	if published.IsZero() {
		if t, err := time.Parse(time.RFC1123Z, it.pubDate); err == nil && t.Year() > 0 {
			published = t.UTC()
		} else {
			published = firstTime(it.date, im.ed.Location)
		}
	}
	if published.IsZero() && it.status == "publish" {
		err = fmt.Errorf("its date %q cannot be read; it is dated as of its import", it.date)
	}
	if modified = firstTime(it.modifiedGMT, time.UTC); modified.IsZero() {
		modified = firstTime(it.modified, im.ed.Location)
	}
	if modified.Before(published) {
		modified = published
	}
	return published, modified, err
}

// firstTime reads a date of the export; "0000-00-00 00:00:00" is none.
func firstTime(s string, zone *time.Location) time.Time {
	t, err := time.ParseInLocation(stamp, strings.TrimSpace(s), zone)
	if err != nil || t.Year() < 1900 {
		return time.Time{}
	}
	return t.UTC()
}

// redirects are the addresses a post had: its number, its path, and that with the word that it was called by before, if
// any. An address that is a page of the edition stays one.
func redirects(ed *edition.Edition, id int64, link, before string, left func(what, reason string)) []string {
	out := []string{"/" + strconv.FormatInt(id, 10)}
	u, err := url.Parse(link)
	if err != nil || strings.Trim(u.Path, "/") == "" {
		return out
	}
	route, _, ok := ed.Routes.Match(u.EscapedPath())
	if ok && route != edition.Article && route != edition.ArticleID {
		left("address", fmt.Sprintf("%s is a page of the edition and does not lead to the post", u.Path))
		return out
	}
	out = append(out, u.Path)
	if dir := path.Dir(strings.TrimRight(u.Path, "/")); before != "" && before != path.Base(u.Path) {
		out = append(out, path.Join(dir, unescape(before)))
	}
	return out
}

func unescape(s string) string {
	if u, err := url.PathUnescape(s); err == nil && utf8.ValidString(u) {
		return u
	}
	return s
}

package sample

import (
	"bytes"
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/extension"
	renderer "github.com/yuin/goldmark/renderer/html"

	"example.org/broadsheet/modules/content"
	"example.org/broadsheet/modules/content/alternate"
	"example.org/broadsheet/modules/content/catalog"
	"example.org/broadsheet/modules/content/pagefile"
	"example.org/broadsheet/modules/content/post"
	"example.org/broadsheet/modules/content/topic"
	"example.org/broadsheet/platform/paper/edition"
)

// source marks what was seeded, so that a second run finds it.
const source = "sample"

// posts is what seeding needs of the content module.
type posts interface {
	SyncCategories(ctx context.Context) error
	SavePicture(ctx context.Context, p post.Picture) error
	AddPicture(ctx context.Context, p post.Picture) error
	SaveAuthor(ctx context.Context, a catalog.Author) (id int64, err error)
	SaveTag(ctx context.Context, t topic.Tag) (id int64, err error)
	SavePosts(ctx context.Context, ds []content.Draft) ([]content.Saved, error)
	SetAlternates(ctx context.Context, postID int64, all []alternate.Link) error
	Addresses(ctx context.Context, source string) (map[string]string, error)
	Known(ctx context.Context, source string) (ids map[string]int64, err error)
	StaticPages(ctx context.Context) ([]content.Draft, error)
	Analyze(ctx context.Context) error
}

// Seeder fills editions.
type Seeder struct {
	Posts  posts
	Images mediaLibrary
	Now    func() time.Time
	// Progress is called with how many of the further articles are written; nil for nobody.
	Progress func(done, all int)
}

// Result says what a run did.
type Result struct{ Posts, Pictures int }

// Fill writes the library into the edition of ctx, once: an edition that was seeded stays as it is, but for pages that
// it lacks. A run that was stopped is completed by the next.
func (s Seeder) Fill(ctx context.Context, l *Library) (Result, error) {
	ed, err := edition.From(ctx)
	if err != nil {
		return Result{}, err
	}
	var r Result
	known, err := s.Posts.Known(ctx, source)
	if _, complete := known[minuteKey(len(l.Minutes))]; err == nil && !complete {
		r, err = s.fill(ctx, ed, l)
	}
	if err != nil {
		return Result{}, err
	}
	k := pagefile.Keeper{Posts: s.Posts, Images: s.Images, Files: l.files}
	pages, pictures, err := k.Add(ctx, l.Pages, source, s.Now().Add(-80*24*time.Hour).Truncate(time.Minute))
	r.Posts, r.Pictures = r.Posts+pages, r.Pictures+pictures
	return r, err
}

func (s Seeder) fill(ctx context.Context, ed *edition.Edition, l *Library) (Result, error) {
	if err := s.Posts.SyncCategories(ctx); err != nil {
		return Result{}, err
	}
	pictures, err := l.makePictures(ctx, ed, s.Images)
	if err != nil {
		return Result{}, err
	}
	for _, p := range pictures {
		if err := s.Posts.SavePicture(ctx, p); err != nil {
			return Result{}, err
		}
	}
	for _, a := range l.Authors {
		_, err := s.Posts.SaveAuthor(ctx,
			catalog.Author{Slug: a.Key, Name: a.Name, Role: a.Short, Bio: a.Bio, Picture: pictures[portraitFile(a.Key)].ID})
		if err != nil {
			return Result{}, fmt.Errorf("author %s: %w", a.Key, err)
		}
	}
	if err := s.saveTopics(ctx, l, pictures); err != nil {
		return Result{}, err
	}
	recordings, err := s.keepRecordings(ctx, l)
	if err != nil {
		return Result{}, err
	}
	drafts, err := s.drafts(l, ed, recordings, pictures, nil)
	if err != nil {
		return Result{}, err
	}
	if _, err := s.Posts.SavePosts(ctx, drafts); err != nil {
		return Result{}, err
	}
	// The last minute is there now, by which the next run knows that this one was complete.
	if err := s.link(context.WithoutCancel(ctx), l, ed, recordings, pictures); err != nil {
		return Result{}, err
	}
	return Result{Posts: len(drafts), Pictures: len(pictures)}, nil
}

// link saves the articles that lead to others once more, now that all have addresses.
func (s Seeder) link(
	ctx context.Context, l *Library, ed *edition.Edition, recordings []content.Video, pictures map[string]post.Picture,
) error {
	addresses, err := s.Posts.Addresses(ctx, source)
	if err != nil {
		return err
	}
	for key, address := range addresses {
		addresses[key] = strings.TrimPrefix(address, ed.Origin)
	}
	drafts, err := s.drafts(l, ed, recordings, pictures, addresses)
	if err != nil {
		return err
	}
	linking := map[string]bool{}
	for _, a := range l.Articles {
		linking[a.Key] = len(links(a.Body)) > 0
	}
	_, err = s.Posts.SavePosts(ctx, slices.DeleteFunc(drafts, func(d content.Draft) bool { return !linking[d.SourceID] }))
	return err
}

func (s Seeder) drafts(
	l *Library, ed *edition.Edition, recordings []content.Video, pictures map[string]post.Picture,
	addresses map[string]string,
) ([]content.Draft, error) {
	now := s.Now()
	var drafts []content.Draft
	topics := topicsOf(l)
	featured, picks, videos := 0, 0, 0
	for i, a := range l.Articles {
		a.Body = withLinks(withFigures(a.Body, pictures), addresses)
		d, err := draft(a, pictures[Picture{Name: a.Picture}.file()].ID)
		if err != nil {
			return nil, err
		}
		d.Published = published(now, i, len(l.Articles), ed.Location, a.Key)
		d.Modified, d.Tags = d.Published, topics[a.Key]
		if d.Type == post.TypeVideo || d.Type == post.TypeSalon {
			d.Video = recordings[videos%len(recordings)]
			videos++
		}
		if a.Featured {
			featured++
			d.Featured = featured
		}
		if a.Pick {
			picks++
			d.Pick = picks
		}
		drafts = append(drafts, d)
	}
	for i, m := range l.Minutes {
		key := minuteKey(i + 1)
		drafts = append(drafts, content.Draft{
			Source: source, SourceID: key, Type: post.TypeMinute, Status: post.StatusPublished,
			Title: m.Title, Excerpt: m.Text, Body: "<p>" + escape.Replace(m.Text) + "</p>",
			Categories: []string{m.Category}, Published: minuteAt(now, i, key),
		})
	}
	return drafts, nil
}

// minuteKey is that of the nth minute; they are saved after all other posts.
func minuteKey(n int) string { return fmt.Sprintf("minute-%03d", n) }

var (
	// HTML may stand in a text; the content module lets through what a text may have.
	markdown = goldmark.New(goldmark.WithExtensions(extension.Table), goldmark.WithRendererOptions(renderer.WithUnsafe()))
	escape   = strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;")
)

func draft(a Article, picture string) (content.Draft, error) {
	var body bytes.Buffer
	if err := markdown.Convert([]byte(a.Body), &body); err != nil {
		return content.Draft{}, fmt.Errorf("article %s: %w", a.Key, err)
	}
	return content.Draft{
		Source: source, SourceID: a.Key, Slug: a.Key, Type: post.Type(a.Type), Status: post.StatusPublished,
		Title: a.Title, Excerpt: a.Excerpt, Body: body.String(), Locked: a.Locked,
		Picture: picture, Alt: a.Alt, Caption: a.Caption, Versus: a.Versus,
		Authors: a.Authors, Categories: categories(a.Category),
	}, nil
}

// categories is a list of one, or none for pages.
func categories(slug string) []string {
	if slug == "" {
		return nil
	}
	return []string{slug}
}

// More writes n further articles, always the same ones, by going through the library again with
// earlier dates. They are for measuring and reuse the pictures that are there.
func (s Seeder) More(ctx context.Context, l *Library, n int) (int, error) {
	const batch = 200
	now, written := s.Now(), 0
	for start := 0; start < n; start += batch {
		var drafts []content.Draft
		for i := start; i < min(n, start+batch); i++ {
			a := l.Articles[i%len(l.Articles)]
			round := i/len(l.Articles) + 2
			a.Key = fmt.Sprintf("%s-%d", a.Key, round)
			a.Title = fmt.Sprintf("%s (%d)", a.Title, round)
			a.Body = withLinks(figureLine.ReplaceAllString(a.Body, ""), nil)
			d, err := draft(a, "")
			if err != nil {
				return written, err
			}
			d.Published = earlier(now, i)
			drafts = append(drafts, d)
		}
		saved, err := s.Posts.SavePosts(ctx, drafts)
		if err != nil {
			return written, err
		}
		for _, x := range saved {
			if x.Changed {
				written++
			}
		}
		if s.Progress != nil {
			s.Progress(min(n, start+batch), n)
		}
	}
	return written, s.Posts.Analyze(ctx)
}

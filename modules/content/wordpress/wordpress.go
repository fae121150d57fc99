// Package wordpress takes the export of a WordPress site (WXR) into an edition: authors, categories, posts, pages and
// pictures, every block of the editor, and the old addresses. A file is read twice, whatever its size: once to find
// everything that is wrong with it, so that a broken file changes nothing, and once to take it in batches. A run that
// was stopped is completed by the next, and one more run changes nothing.
package wordpress

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"log/slog"
	"net/url"
	"os"
	"slices"
	"strings"

	"example.org/broadsheet/modules/content/catalog"
	"example.org/broadsheet/modules/content/wordpress/site"

	"example.org/broadsheet/modules/content"
	"example.org/broadsheet/modules/content/post"
	"example.org/broadsheet/modules/content/wordpress/blocks"
	"example.org/broadsheet/platform/db"
	"example.org/broadsheet/platform/media"
	"example.org/broadsheet/platform/paper/edition"
)

// Library is where posts go; *content.Module is one.
type Library interface {
	Compare(ctx context.Context, drafts []content.Draft) ([]content.Saved, error)
	SavePosts(ctx context.Context, drafts []content.Draft) ([]content.Saved, error)
	SaveAuthor(ctx context.Context, a catalog.Author) (id int64, err error)
	SaveAuthorRedirect(ctx context.Context, author, word string) error
	SaveCategory(ctx context.Context, c catalog.Category) (id int64, err error)
	SavePicture(ctx context.Context, p post.Picture) error
	Analyze(ctx context.Context) error
}

// Images is where pictures go; *media.Images is one.
type Images interface {
	Ingest(ctx context.Context, r io.Reader) (media.Image, error)
}

// Options of an import. Library, Images and DB are needed; the edition is the context's.
type Options struct {
	Library Library
	Images  Images
	DB      *db.DB

	Media    string // folder with the pictures, like wp-content/uploads or flat; "" for none
	Fetch    bool   // download what the folder does not have, from public addresses
	DryRun   bool   // write nothing, report what would be done; nothing is fetched
	Category string // slug for posts that have no category; "" leaves them in none
	// Categories and tags of the site whose posts are for subscribers: "category:premium,tag:club"; "" for none.
	Locked string
	// What posts of some categories and tags become: "comment=category:opinion"; the first that fits counts.
	Variants []string
	Lines    io.Writer // every entry of the report as a line of JSON; nil for none
	Scratch  string    // folder for scratch files, which may grow as large as the export; "" for the system's
	// Progress is told how many of the items have been seen to; nil for nobody.
	Progress func(done, all int)
}

// Import takes an export into the edition of ctx. The error is a *BrokenError for a file that is damaged or none; then
// nothing was written, and there is no report. After an error with a report, what it counts is there, and the same
// import once more completes it.
func Import(ctx context.Context, r io.Reader, o Options) (report *Report, err error) {
	ed, err := edition.From(ctx)
	if err != nil {
		return nil, err
	}
	report = newReport(o.Lines)
	report.DryRun = o.DryRun
	filing, err := parseFiling(ed.Lang(), o.Locked, o.Variants)
	if err != nil {
		return nil, err
	}
	began := o.DB.Clock().Now()
	s, err := examine(ctx, r, o.Scratch, report)
	if err != nil {
		return nil, err
	}
	defer func() {
		s.close()
		report.Took = o.DB.Clock().Now().Sub(began)
		err = cmp.Or(err, report.err)
	}()
	im := &importer{o: o, ed: ed, filing: filing, survey: s, report: report, source: "wordpress"}
	if s.home != nil && s.home.Host != "" {
		im.source = "wordpress:" + blocks.BareHost(s.home.Host) + strings.TrimSuffix(s.home.Path, "/")
	}
	stop, err := im.prepareGallery()
	if err != nil {
		return report, err
	}
	defer stop()
	return report, im.run(ctx)
}

// prepareGallery opens what pictures come from; the function returned closes it.
func (im *importer) prepareGallery() (stop func(), err error) {
	var closers []func()
	stop = func() {
		for _, f := range slices.Backward(closers) {
			f()
		}
	}
	g := &gallery{
		db: im.o.DB, library: im.o.Library, images: im.o.Images, source: im.source, index: im.survey.attachments,
		dry: im.o.DryRun, report: im.report, known: map[string]answer{},
	}
	im.gallery = g
	if im.o.Media != "" {
		if err = g.openFolder(im.o.Media); err != nil {
			return stop, err
		}
		closers = append(closers, func() { _ = g.folder.Close() })
	}
	if im.o.Fetch && !im.o.DryRun {
		g.fetch = site.NewPictures()
	}
	if im.o.DryRun {
		// Pictures are read to know them, into a library that is thrown away.
		folder, err := os.MkdirTemp(im.o.Scratch, "broadsheet-import-*")
		if err != nil {
			stop()
			return stop, fmt.Errorf("scratch folder: %w", err)
		}
		closers = append(closers, func() { _ = os.RemoveAll(folder) })
		local, err := media.OpenLocal(folder)
		if err != nil {
			stop()
			return stop, err
		}
		closers = append(closers, func() { _ = local.Close() })
		g.images = media.NewImages(local, slog.New(slog.DiscardHandler))
	}
	return stop, nil
}

// contents is what the first reading has learned.
type contents struct {
	file        *os.File // the export as clean UTF-8, for the second reading
	home        *url.URL
	items       int
	authors     map[string]author   // by login
	categories  map[string]category // by slug
	attachments *attachments
	patterns    map[int64]blocks.SharedBlock
	lineOf      map[int64]int // of the first item with an id
}

// maxPatterns bounds the shared blocks that are kept at hand, in bytes.
const maxPatterns = 16 << 20

func (s *contents) close() {
	_ = s.file.Close()
	_ = s.attachments.file.Close()
}

// examine reads the whole file, refuses it if anything is wrong, and keeps a clean copy: what is then taken is what was
// examined, whatever happens to the original.
func examine(ctx context.Context, r io.Reader, folder string, report *Report) (_ *contents, err error) {
	s := &contents{
		authors: map[string]author{}, categories: map[string]category{}, patterns: map[int64]blocks.SharedBlock{},
		lineOf: map[int64]int{},
	}
	if s.file, err = scratch(folder); err != nil {
		return nil, err
	}
	if s.attachments, err = newAttachments(folder); err != nil {
		_ = s.file.Close()
		return nil, err
	}
	defer func() {
		if err != nil {
			s.close()
		}
	}()
	src, err := newSource(r, func(line int, c rune) {
		report.add(Entry{
			Line: line, Kind: "character", Title: fmt.Sprintf("U+%04X", c), Outcome: Left,
			Reason: "a control character that XML forbids",
		})
	})
	if err != nil {
		return nil, err
	}
	src.copy = s.file
	if err := read(ctx, src, s.visitor(report)); err != nil {
		return nil, err
	}
	if err := s.attachments.out.Flush(); err != nil {
		return nil, fmt.Errorf("scratch file: %w", err)
	}
	report.Bytes, err = s.file.Seek(0, io.SeekCurrent)
	if err == nil {
		_, err = s.file.Seek(0, io.SeekStart)
	}
	return s, err
}

func (s *contents) visitor(report *Report) visitor {
	room := maxPatterns
	return visitor{
		header: func(h header) error {
			report.Site = cmp.Or(h.home, h.link, h.site)
			var err error
			if s.home, err = url.Parse(report.Site); err != nil {
				s.home = nil
			}
			return nil
		},
		author: func(a author) error {
			if _, twice := s.authors[a.login]; !twice {
				s.authors[a.login] = a
			}
			return nil
		},
		category: func(c category) error {
			if _, twice := s.categories[c.slug]; !twice {
				s.categories[c.slug] = c
			}
			return nil
		},
		tag: func(line int, name string) error {
			report.add(Entry{Line: line, Kind: "tag", Title: name, Outcome: Left, Reason: "posts have no tags here"})
			return nil
		},
		item: func(it *item) error {
			s.items++
			if _, twice := s.lineOf[it.id]; twice || it.id == 0 {
				return nil
			}
			s.lineOf[it.id] = it.line
			switch it.kind {
			case "attachment":
				return s.attachments.add(it.id, it.parent, attachment{
					Line: it.line, URL: trimQuery(it.attachmentURL), Alt: blocks.Plain(it.meta["_wp_attachment_image_alt"]),
					Caption: it.excerpt,
					Credit:  blocks.CreditOf(it.meta),
				})
			case "wp_block":
				if room -= len(it.content); room >= 0 {
					s.patterns[it.id] = blocks.SharedBlock{Line: it.contentLine, Content: it.content}
				}
			}
			return nil
		},
	}
}

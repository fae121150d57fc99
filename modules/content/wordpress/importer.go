package wordpress

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	"example.org/broadsheet/modules/content"
	"example.org/broadsheet/modules/content/post"
	"example.org/broadsheet/modules/content/wordpress/blocks"
	"example.org/broadsheet/platform/paper/edition"
)

const (
	batchPosts = 50      // posts saved at once
	batchBytes = 4 << 20 // or less, when they are this long together
)

// importer takes what a survey has found right.
type importer struct {
	o       Options
	ed      *edition.Edition
	survey  *contents
	report  *Report
	source  string // what posts are known by
	filing  filing
	gallery *gallery
	people  people
	places  places

	batch []entry
	size  int
	picks int
}

// entry is a draft on its way, with its line of the report.
type entry struct {
	draft content.Draft
	line  Entry
}

func (im *importer) run(ctx context.Context) error {
	im.people = people{im: im, slugs: map[string]string{}}
	im.places = places{im: im, slugs: map[string]string{}}
	if err := im.places.load(ctx); err != nil {
		return err
	}
	done := 0
	err := read(ctx, io.Reader(im.survey.file), visitor{item: func(it *item) error {
		if err := im.item(ctx, it); err != nil {
			return err
		}
		if done++; im.o.Progress != nil {
			im.o.Progress(done, im.survey.items)
		}
		return nil
	}})
	if err != nil {
		return err
	}
	for _, l := range im.filing.unused() {
		im.report.add(Entry{
			Kind: "option", Title: l.String(), Outcome: Noted,
			Reason: "no post of the file is filed under it: see whether --locked and --variant name it rightly",
		})
	}
	if err := im.flush(ctx); err != nil || im.o.DryRun {
		return err
	}
	return im.o.Library.Analyze(ctx)
}

// ignoredMeta are fields that no reader reads: parts of the old site's looks and workings.
var ignoredMeta = map[string]bool{
	"revision": true, "nav_menu_item": true, "wp_navigation": true, "custom_css": true, "customize_changeset": true,
	"oembed_cache": true,
	"user_request": true, "wp_template": true, "wp_template_part": true, "wp_global_styles": true, "wp_font_family": true,
	"wp_font_face": true,
}

func (im *importer) item(ctx context.Context, it *item) error {
	kind := cmp.Or(it.kind, "item")
	e := Entry{Line: it.line, Kind: kind, Title: blocks.Plain(it.title), ID: strconv.FormatInt(it.id, 10)}
	leave := func(reason string) error {
		e.Outcome, e.Reason = Left, reason
		im.report.add(e)
		return nil
	}
	first := im.survey.lineOf[it.id]
	switch {
	case it.id == 0:
		return leave("it has no id")
	case first != it.line:
		return leave(fmt.Sprintf("its id was on line %d already", first))
	case it.kind == "attachment":
		return im.attachment(ctx, it, e)
	case it.kind == "wp_block":
		e.Kind = "shared-block"
		return leave("it stands in the posts that show it")
	case ignoredMeta[it.kind]:
		return leave("a part of the old site's looks or workings")
	case it.kind != "post" && it.kind != "page":
		return leave("not a kind of post that is known")
	}
	d, reason := im.status(it)
	if d == "" {
		return leave(reason)
	}
	if reason != "" {
		im.report.add(Entry{Line: it.line, Kind: kind, Title: e.Title, ID: e.ID, Outcome: Noted, Reason: reason})
	}
	return im.post(ctx, it, d, e)
}

// status is what a post becomes, "" for nothing; reason says why it is not what it was.
func (im *importer) status(it *item) (post.Status, string) {
	switch it.status {
	case "publish", "future": // one that is to come appears at its time
		if it.password != "" {
			return post.StatusDraft, "it had a password there: taken as a draft"
		}
		return post.StatusPublished, ""
	case "draft", "pending":
		return post.StatusDraft, ""
	case "private":
		return post.StatusDraft, "it was private there: taken as a draft"
	case "trash":
		return "", "it was in the bin"
	case "auto-draft", "inherit":
		return "", "a version that was never saved as a post"
	}
	return post.StatusDraft, fmt.Sprintf("its status %q is not known: taken as a draft", it.status)
}

// attachment takes a picture also when no post shows it.
func (im *importer) attachment(ctx context.Context, it *item, e Entry) error {
	if !isPicture(it.attachmentURL) {
		e.Outcome, e.Reason = Left, "a file that is no picture; links go on to its old address"
		im.report.add(e)
		return nil
	}
	_, _, err := im.gallery.take(ctx, blocks.PictureRef{ID: it.id, Src: it.attachmentURL}) // tells the report itself
	return err
}

func isPicture(address string) bool {
	name := strings.ToLower(trimQuery(address))
	for _, ext := range []string{".jpg", ".jpeg", ".png", ".gif", ".webp", ".jpe", ".jfif"} {
		if strings.HasSuffix(name, ext) {
			return true
		}
	}
	return false
}

// add queues a draft, and saves the batch when it is full.
func (im *importer) add(ctx context.Context, e entry) error {
	im.batch = append(im.batch, e)
	im.size += len(e.draft.Body)
	if len(im.batch) < batchPosts && im.size < batchBytes {
		return nil
	}
	return im.flush(ctx)
}

func (im *importer) flush(ctx context.Context) error {
	batch := im.batch
	im.batch, im.size = nil, 0
	if len(batch) == 0 {
		return nil
	}
	found, err := im.compare(ctx, batch)
	if err != nil {
		return err
	}
	var todo []content.Draft
	for i, was := range found {
		e := &batch[i].line
		switch {
		case e.Outcome == Left:
			continue
		case was.ID == 0:
			e.Outcome = Taken
		case was.Changed:
			e.Outcome = Changed
		default:
			e.Outcome = Unchanged
			continue
		}
		todo = append(todo, batch[i].draft)
	}
	if len(todo) > 0 && !im.o.DryRun {
		if _, err := im.o.Library.SavePosts(ctx, todo); err != nil {
			return fmt.Errorf("save posts: %w", err)
		}
	}
	for _, e := range batch {
		im.report.add(e.line)
	}
	return nil
}

// compare asks what the drafts are to the edition; one that cannot be saved at all is left with its reason.
func (im *importer) compare(ctx context.Context, batch []entry) ([]content.Saved, error) {
	drafts := make([]content.Draft, len(batch))
	for i := range batch {
		drafts[i] = batch[i].draft
	}
	found, err := im.o.Library.Compare(ctx, drafts)
	if !errors.Is(err, post.ErrInvalid) {
		return found, err
	}
	found = make([]content.Saved, len(batch))
	for i := range batch {
		one, err := im.o.Library.Compare(ctx, drafts[i:i+1])
		switch {
		case errors.Is(err, post.ErrInvalid):
			batch[i].line.Outcome, batch[i].line.Reason = Left, err.Error()
		case err != nil:
			return nil, err
		default:
			found[i] = one[0]
		}
	}
	return found, nil
}

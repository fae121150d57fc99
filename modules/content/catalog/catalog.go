// Package catalog keeps what posts refer to: authors, categories and pictures.
//
// Posts themselves are written by package content, which has a Catalog for everybody who fills an edition.
package catalog

import (
	"context"
	"strings"

	"example.org/broadsheet/modules/content/markup"
	"example.org/broadsheet/modules/content/post"
	"example.org/broadsheet/modules/content/search"
	"example.org/broadsheet/platform/db"
	"example.org/broadsheet/platform/notify"
	"example.org/broadsheet/platform/paper/edition"
)

// Author writes posts.
type Author struct {
	Slug    string // identity within the edition
	Name    string
	Role    string // "redaktorka"
	Bio     string
	Picture string // media id of a picture that was saved, or ""
}

// Category is one that is not in the edition's document, such as an old site's.
type Category struct {
	Slug        string // identity within the edition
	Name        string
	Description string
	Parent      string // slug, or "" at the top
}

// Catalog writes what posts refer to, in the edition of the context.
type Catalog struct{ db *db.DB }

// New returns a Catalog.
func New(d *db.DB) *Catalog { return &Catalog{d} }

// SavePicture describes a picture of the media library, so that posts, authors and captions can name it.
func (l *Catalog) SavePicture(ctx context.Context, p post.Picture) error {
	return l.setPictureText(ctx, p, upsertPicture)
}

// AddPicture is SavePicture for one that may be described already, which then stays as it is.
func (l *Catalog) AddPicture(ctx context.Context, p post.Picture) error {
	return l.setPictureText(ctx, p, insertPicture)
}

func (l *Catalog) setPictureText(ctx context.Context, p post.Picture,
	write func(context.Context, db.Tx, post.Picture) error,
) error {
	p.Alt, p.Caption, p.Credit = markup.OneLine(p.Alt), markup.OneLine(p.Caption), markup.OneLine(p.Credit)
	if len(p.ID) != 32 || strings.Trim(p.ID, "0123456789abcdef") != "" || p.Width <= 0 || p.Height <= 0 {
		return post.ErrInvalid.On("picture").Becausef("picture %q of %d by %d pixels", p.ID, p.Width, p.Height)
	}
	return l.db.InTx(ctx, func(ctx context.Context, tx db.Tx) error { return write(ctx, tx, p) })
}

// SaveAuthor writes an author; the slug says which.
func (l *Catalog) SaveAuthor(ctx context.Context, a Author) (id int64, err error) {
	ed, err := edition.From(ctx)
	if err != nil {
		return 0, err
	}
	a.Name, a.Role, a.Bio = markup.OneLine(a.Name), markup.OneLine(a.Role), markup.OneLine(a.Bio)
	if a.Slug = post.Slug(ed.Lang(), a.Slug); a.Slug == "" {
		a.Slug = post.Slug(ed.Lang(), a.Name)
	}
	if a.Name == "" || a.Slug == "" {
		return 0, post.ErrInvalid.On("author").Becausef("author %q has no name", a.Slug)
	}
	err = l.db.InTx(ctx, func(ctx context.Context, tx db.Tx) error {
		var changed bool
		if id, changed, err = upsertAuthor(ctx, tx, a); err != nil || !changed {
			return err
		}
		if err := search.Outdate(ctx, tx, id); err != nil {
			return err
		}
		return notify.Tell(ctx, tx, notify.Content) // a name stands on any page
	})
	return id, err
}

// SaveAuthorRedirect makes a word that addressed an author's page on a site before lead to the author. Nothing happens
// where the word is an author's here.
func (l *Catalog) SaveAuthorRedirect(ctx context.Context, author, word string) error {
	ed, err := edition.From(ctx)
	if err != nil {
		return err
	}
	if word = post.Slug(ed.Lang(), word); word == "" {
		return nil
	}
	return l.db.InTx(ctx, func(ctx context.Context, tx db.Tx) error {
		return upsertAuthorRedirect(ctx, tx, author, word)
	})
}

// SaveCategory writes a category that is not in the edition's document; one that is there is left as it is. The slug
// says which.
func (l *Catalog) SaveCategory(ctx context.Context, c Category) (id int64, err error) {
	ed, err := edition.From(ctx)
	if err != nil {
		return 0, err
	}
	c.Name, c.Description = markup.OneLine(c.Name), markup.OneLine(c.Description)
	if c.Slug = post.Slug(ed.Lang(), c.Slug); c.Slug == "" {
		c.Slug = post.Slug(ed.Lang(), c.Name)
	}
	if c.Name == "" || c.Slug == "" {
		return 0, post.ErrInvalid.On("category").Becausef("category %q has no name", c.Slug)
	}
	err = l.db.InTx(ctx, func(ctx context.Context, tx db.Tx) error {
		if err := post.LockWriting(ctx, tx); err != nil {
			return err
		}
		var changed bool
		if id, changed, err = upsertCategory(ctx, tx, c); err != nil || !changed {
			return err
		}
		return notify.Tell(ctx, tx, notify.Content) // it stands above articles and in lists
	})
	return id, err
}

// SyncCategories makes the stored tree what the edition's document says. Categories that are no longer in it stay, for
// their posts. Call it when an edition was added or applied; doing it twice changes nothing.
func (l *Catalog) SyncCategories(ctx context.Context) error {
	return l.db.InTx(ctx, func(ctx context.Context, tx db.Tx) error {
		if err := post.LockWriting(ctx, tx); err != nil {
			return err
		}
		changed, err := syncTree(ctx, tx)
		if err != nil || !changed {
			return err
		}
		if err := search.Outdate(ctx, tx, 0); err != nil {
			return err
		}
		return notify.Tell(ctx, tx, notify.Content)
	})
}

// Package alternate is where a post's story stands in sister editions, in other languages. It may import post and the
// platform. Start at Links.
package alternate

import (
	"context"
	"net/url"

	"golang.org/x/text/language"

	"example.org/broadsheet/modules/content/post"
	"example.org/broadsheet/platform/db"
	"example.org/broadsheet/platform/notify"
	"example.org/broadsheet/platform/paper/edition"
)

// Link is the address of the same story in a sister edition.
type Link struct {
	Lang string // "de-AT"
	URL  string // absolute
}

// Valid reports whether a link names a language and a host.
func (l Link) Valid() bool {
	tag, err := language.Parse(l.Lang)
	u, bad := url.Parse(l.URL)
	return err == nil && tag.String() == l.Lang &&
		bad == nil && (u.Scheme == "https" || u.Scheme == "http") && u.Host != ""
}

// Links reads and replaces links, in the edition of the context.
type Links struct{ db *db.DB }

// New returns Links.
func New(d *db.DB) *Links { return &Links{d} }

// SetAlternates says where a post's story stands in sister editions, instead of what was said before. Fault:
// post.ErrInvalid.
func (l *Links) SetAlternates(ctx context.Context, postID int64, all []Link) error {
	for _, a := range all {
		if !a.Valid() {
			return post.ErrInvalid.On("alternates").Becausef("%q in %q is no address in a language", a.URL, a.Lang)
		}
	}
	return l.db.InTx(ctx, func(ctx context.Context, tx db.Tx) error {
		if err := Write(ctx, tx, postID, all); err != nil {
			return err
		}
		return notify.Tell(ctx, tx, notify.Content, post.Tag(postID))
	})
}

// Addresses are the absolute addresses of the stories of a source that are out, by their identity there.
func (l *Links) Addresses(ctx context.Context, source string) (map[string]string, error) {
	ed, err := edition.From(ctx)
	if err != nil {
		return nil, err
	}
	out := map[string]string{}
	err = l.db.Run(ctx, func(ctx context.Context, tx db.Tx) error {
		rows, err := findStories(ctx, tx, source)
		for _, r := range rows {
			p := post.Post{ID: r.ID, Type: post.TypeArticle, Slug: r.Slug}
			out[r.SourceID] = ed.URL(p.Path(ed))
		}
		return err
	})
	return out, err
}

package app

import (
	"context"

	"example.org/broadsheet/modules/content"
	"example.org/broadsheet/modules/identity"
)

// What a module asks of another one, in the words of the one that asks. Modules are made one after the other: each
// adapter finds the other when it is asked.

// contacts is identity for billing, which is made first: the module is set before anything is asked of it.
type contacts struct{ *identity.Module }

// pageTexts lets consent read the documents that readers agree to, and billing attach those under which it sells.
type pageTexts func() *content.Module

// PageText implements consent.Pages.
func (p pageTexts) PageText(ctx context.Context, slug string) (title, html string, err error) {
	e, err := p().Page(ctx, slug)
	if err != nil {
		return "", "", err
	}
	return e.Title, e.Content, nil
}

// videos lets the paywall ask what is a video.
type videos func() *content.Module

// IsVideo implements paywall.Videos.
func (v videos) IsVideo(ctx context.Context, postID int64) (bool, error) {
	return v().IsVideo(ctx, postID)
}

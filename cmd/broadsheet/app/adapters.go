package app

import (
	"context"

	"github.com/gin-gonic/gin"

	"example.org/broadsheet/modules/content"
	"example.org/broadsheet/modules/identity"
)

// What a module asks of another one, in the words of the one that asks. Modules are made one after the other: each
// adapter finds the other when it is asked.

// contacts lets billing ask for a reader's address.
type contacts func() *identity.Module

// Contact implements billing.Contacts.
func (c contacts) Contact(ctx context.Context, readerID int64) (email, lang string, err error) {
	return c().Contact(ctx, readerID)
}

// PublicID implements billing.Contacts.
func (c contacts) PublicID(ctx context.Context, readerID int64) (string, error) {
	return c().PublicID(ctx, readerID)
}

// Invited implements billing.Contacts.
func (c contacts) Invited(ctx context.Context, readerID int64) (bool, error) {
	return c().Invited(ctx, readerID)
}

// Legacy implements billing.Contacts.
func (c contacts) Legacy(ctx context.Context, readerID int64) (bool, error) {
	return c().Legacy(ctx, readerID)
}

// ReaderOf implements billing.Contacts.
func (c contacts) ReaderOf(ctx context.Context, email string) (int64, error) {
	return c().ReaderOf(ctx, email)
}

// AskMail implements billing.Logins.
func (c contacts) AskMail(ctx *gin.Context, email, referrer, agreed string) error {
	return c().AskMail(ctx, email, referrer, agreed)
}

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

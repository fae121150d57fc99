// Package edition says which newspaper a request or a job is for, and what that
// newspaper is: its document, tenants/<id>.yaml, read exactly and applied at run time.
package edition

import (
	"context"
	"errors"
	"strconv"
	"time"
)

// Edition is one newspaper: its applied document and what follows from it.
type Edition struct {
	Document
	Schema   string         // Postgres schema and login role, "ed_" + ID
	Origin   string         // scheme and host of absolute URLs, never taken from a request
	Location *time.Location // of Document.TimeZone
	Routes   *Table         // path patterns, both ways
	Public   []byte         // the part of the document that browsers get, as JSON
	Version  string         // changes when the document changes

	// RestoredFrom is when the backup was taken that the edition was restored from, until somebody confirms the restore;
	// zero otherwise. Until then nothing periodic happens in it.
	RestoredFrom time.Time
}

// RegistryTopic is the notice that the registry changed; its keys are edition ids.
const RegistryTopic = "editions"

// ErrNone means that code ran outside any edition.
var ErrNone = errors.New("edition: none in context")

type key struct{}

// With returns ctx speaking for e.
func With(ctx context.Context, e *Edition) context.Context { return context.WithValue(ctx, key{}, e) }

// From returns the edition of ctx, or ErrNone: there is no default edition.
func From(ctx context.Context) (*Edition, error) {
	if e, ok := ctx.Value(key{}).(*Edition); ok && e != nil {
		return e, nil
	}
	return nil, ErrNone
}

// Lang is the language of the edition's words: "sk", "de" or "en".
func (e *Edition) Lang() string { return e.Locale }

// URL makes an absolute address of a local path.
func (e *Edition) URL(path string) string { return e.Origin + path }

// DiscussionPrefix begins the last part of a discussion's address.
const DiscussionPrefix = "comment-"

// DiscussionPath is where a post is discussed, /discussion/comment-17-at; "" where the edition has no discussions.
func (e *Edition) DiscussionPath(postID int64) string {
	if !e.Flags["comments"] {
		return ""
	}
	name := DiscussionPrefix + strconv.FormatInt(postID, 10)
	if e.Suffix != "" {
		name += "-" + e.Suffix
	}
	return e.Href(Discussion, name)
}

// Href makes a local path, or "" when this edition has no such page.
func (e *Edition) Href(r Route, params ...string) string { return e.Routes.Href(r, params...) }

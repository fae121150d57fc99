// Package feed is what programs follow of an edition: RSS feeds of the front page, a category and an author (rss.go),
// and sitemaps, that of the news among them (sitemap.go). All of it is made of what everybody may read: headlines,
// excerpts and names, never a body.
//
// It reads posts by package post, and imports nothing else of modules/content. Begin with Feeds.Files in rss.go, which
// names the addresses.
package feed

import "example.org/broadsheet/platform/db"

// Feeds are the files of an edition that programs follow.
type Feeds struct{ db *db.DB }

// New makes them.
func New(d *db.DB) *Feeds { return &Feeds{d} }

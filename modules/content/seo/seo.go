// Package seo is what a page tells others than its readers: pictures to fetch first and to share, titles and
// descriptions of lists (this file), and structured data in the words of schema.org (jsonld.go, jsonld_story.go). All
// that goes in is public: headlines, excerpts, names.
//
// Of modules/content it imports post and markup.
package seo

import (
	"slices"

	"example.org/broadsheet/modules/content/markup"
	"example.org/broadsheet/modules/content/post"
	"example.org/broadsheet/platform/media"
	"example.org/broadsheet/platform/paper/edition"
	"example.org/broadsheet/platform/paper/page"
)

// slot is where a picture comes first, as the frontend's picture roles have it: a preload that differs from them would
// fetch a picture twice.
type slot struct {
	sizes string
	ratio string // one of media.Ratios; "" keeps the picture's own
}

// The slots of pages.
var (
	Lead    = slot{"(width >= 1280px) 746px, (width >= 1024px) 64vw, 88vw", "16x9"}
	Article = slot{"(width >= 1024px) 842px, 88vw", "16x9"}
	Hero    = slot{"(width >= 1280px) 1130px, 100vw", ""}
	Cover   = slot{"(width >= 1280px) 266px, (width >= 640px) 32vw, 60vw", "4x5"}
)

const (
	preloadWidth = 1280
	shareWidth   = 1280
	shareRatio   = "40x21"
	// DescriptionLength is how long a description may be, in characters.
	DescriptionLength = 300
)

// Preload is the picture to fetch first, or nil.
func Preload(i *post.Image, s slot) *page.Image {
	if i == nil {
		return nil
	}
	first := media.URL(i.ID, media.Variant{Width: preloadWidth, Ratio: s.ratio})
	return &page.Image{URL: first, SrcSet: media.SrcSet(i.ID, s.ratio, slices.Max(media.Widths)), Sizes: s.sizes}
}

// ShareImage is the picture that goes along when a page is shared, or nil.
func ShareImage(ed *edition.Edition, i *post.Image) *page.Image {
	if i == nil {
		return nil
	}
	v := media.Variant{Width: shareWidth, Ratio: shareRatio}
	w, h := v.Size(i.Width, i.Height)
	return &page.Image{URL: ed.URL(media.URL(i.ID, v)), Width: w, Height: h, Alt: i.Alt}
}

// ListMeta is that of a page which lists stories; without a description of its own it has the edition's.
func ListMeta(ed *edition.Edition, title, description, canonical string) page.Meta {
	if description == "" {
		description = title + ". " + ed.Description
	}
	return page.Meta{
		Title: title + " – " + ed.Name, Description: markup.Shorten(description, DescriptionLength),
		Canonical: canonical,
	}
}

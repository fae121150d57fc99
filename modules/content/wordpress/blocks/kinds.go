package blocks

import "strings"

// treatment is what becomes of a block.
type treatment int

const (
	asHTML  treatment = iota // its own HTML says it all
	dropped                  // layout: nothing of it is meant to be read
	left                     // made by the old site when a page is shown; there is nothing in the file to take
	special                  // see converter.special
)

// treatments by block; a block that is not listed keeps its HTML, and without any is left.
var treatments = map[string]treatment{
	"paragraph": asHTML, "heading": asHTML, "list": asHTML, "list-item": asHTML, "quote": asHTML, "pullquote": asHTML,
	"verse": asHTML,
	"code":  asHTML, "preformatted": asHTML, "table": asHTML, "image": asHTML, "gallery": asHTML, "media-text": asHTML,
	"cover":   special,
	"columns": asHTML, "column": asHTML, "group": asHTML, "row": asHTML, "stack": asHTML, "grid": asHTML,
	"buttons": asHTML, "button": asHTML,
	"separator": asHTML, "details": asHTML, "file": asHTML, "audio": asHTML, "video": asHTML, "html": asHTML,
	"freeform":  special,
	"accordion": asHTML, "accordion-item": asHTML, "accordion-heading": asHTML, "accordion-panel": asHTML,
	"text-columns": asHTML, "math": asHTML,
	"subhead": asHTML, "missing": asHTML,

	"spacer": dropped, "more": dropped, "nextpage": dropped,

	"embed": special, "shortcode": special, "footnotes": special, "block": special,

	"archives": left, "avatar": left, "calendar": left, "categories": left, "comments": left, "comment-template": left,
	"home-link":       left,
	"latest-comments": left, "latest-posts": left, "legacy-widget": left, "loginout": left, "navigation": left,
	"navigation-link":    left,
	"navigation-submenu": left, "page-list": left, "page-list-item": left, "pattern": left, "query": left,
	"read-more": left, "rss": left,
	"search": left, "site-logo": left, "site-tagline": left, "site-title": left, "social-links": left, "social-link": left,
	"tag-cloud":     left,
	"template-part": left, "term-description": left, "widget-group": left, "breadcrumbs": left,
}

// prefixes of blocks that the old site's theme makes.
var leftPrefixes = []string{"post-", "comment-", "comments-", "query-", "term-", "terms-"}

func treat(b *block) treatment {
	if t, ok := treatments[b.name]; ok {
		return t
	}
	for _, prefix := range leftPrefixes {
		if strings.HasPrefix(b.name, prefix) {
			return left
		}
	}
	if strings.HasPrefix(b.name, "core-embed/") {
		return special
	}
	if len(b.pieces) == 0 {
		return left
	}
	return asHTML
}

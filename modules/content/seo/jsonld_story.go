package seo

import (
	"fmt"
	"strings"
	"time"

	"example.org/broadsheet/modules/content/markup"
	"example.org/broadsheet/modules/content/post"
	"example.org/broadsheet/platform/paper/brand"
	"example.org/broadsheet/platform/paper/edition"
	"example.org/broadsheet/platform/paper/page"
	"example.org/broadsheet/platform/typography"
)

const longestHeadline = 110

// storyKinds are what search engines call posts of some types.
var storyKinds = map[post.Type]string{post.TypeComment: "OpinionNewsArticle"}

// storyRatios are the crops that search engines choose from.
var storyRatios = []string{"16x9", "3x2", "1x1"}

// NewsArticle is a story. What the page withholds is named by its class alone.
func NewsArticle(ed *edition.Edition, p *post.Post, m page.Meta) Node {
	kind := storyKinds[p.Type]
	if kind == "" {
		kind = "NewsArticle"
	}
	a := Node{
		"@type": kind, "headline": markup.Shorten(p.Title, longestHeadline), "description": m.Description, "url": m.Canonical,
		"mainEntityOfPage": m.Canonical,
		"datePublished":    m.Published, "dateModified": m.Modified, "inLanguage": ed.IntlLocale, "publisher": publisher(ed),
		"isAccessibleForFree": !p.Locked, "articleSection": m.Section, "image": storyPictures(ed, p),
		"author": authorsOf(ed, p), "commentCount": p.Comments,
	}
	if p.Locked {
		a["hasPart"] = Node{"@type": "WebPageElement", "isAccessibleForFree": false, "cssSelector": ".paywalled"}
	}
	return document(present(a))
}

func storyPictures(ed *edition.Edition, p *post.Post) []Node {
	i := p.Image()
	if i == nil {
		return []Node{{
			"@type": "ImageObject", "url": ed.URL(brand.CardPath), "width": brand.CardWidth,
			"height": brand.CardHeight,
		}}
	}
	var out []Node
	for _, r := range storyRatios {
		out = append(out, imageObject(ed, i, r))
	}
	return out
}

// authorsOf are the people who wrote a story; without any it is the edition's.
func authorsOf(ed *edition.Edition, p *post.Post) []Node {
	out := make([]Node, 0, len(p.Authors))
	for _, b := range p.Authors {
		out = append(out, person(ed, b))
	}
	if len(out) == 0 {
		out = append(out, publisher(ed))
	}
	return out
}

// players are where the videos of services are shown in pages of others.
var players = map[string]string{
	"youtube": "https://www.youtube-nocookie.com/embed/",
	"vimeo":   "https://player.vimeo.com/video/",
}

// Video is the moving part of a story, or nil where there is none. The address of a locked one is not told.
func Video(ed *edition.Edition, p *post.Post, m page.Meta) Node {
	if p.Type != post.TypeVideo && p.VideoURL == "" && p.VideoSeconds == 0 {
		return nil
	}
	description := m.Description
	if description == "" {
		description = p.Title
	}
	v := Node{
		"@type": "VideoObject", "name": p.Title, "description": description, "uploadDate": m.Published, "url": m.Canonical,
		"inLanguage": ed.IntlLocale,
		"publisher":  publisher(ed), "isAccessibleForFree": !p.Locked, "thumbnailUrl": ed.URL(brand.CardPath),
	}
	if m.Image != nil {
		v["thumbnailUrl"] = m.Image.URL
	}
	if p.VideoSeconds > 0 {
		v["duration"] = fmt.Sprintf("PT%dS", p.VideoSeconds)
	}
	if p.Locked || p.VideoURL == "" {
		return document(v)
	}
	if e, known := markup.EmbedOf(p.VideoURL); !known {
		v["contentUrl"] = onHost(ed, p.VideoURL)
	} else if player := players[e.Kind]; player != "" {
		v["embedUrl"] = player + e.ID
	}
	return document(v)
}

// onHost makes an address of the edition's own absolute.
func onHost(ed *edition.Edition, address string) string {
	if strings.HasPrefix(address, "/") {
		return ed.URL(address)
	}
	return address
}

// LiveBlog is a page of short news: what everybody may see of each in lists.
func LiveBlog(ed *edition.Edition, name string, m page.Meta, items []post.MinuteItem) Node {
	if len(items) == 0 {
		return Collection(ed, name, m, 0, nil)
	}
	updates := make([]Node, len(items))
	first, last := items[0].Date, items[0].Date
	for i, it := range items {
		updates[i] = present(Node{
			"@type": "BlogPosting", "headline": markup.Shorten(typography.Plain(it.Title), longestHeadline),
			"articleBody": typography.Plain(it.Text), "url": ed.URL(it.URL),
			"datePublished": it.Date.Format(time.RFC3339), "author": publisher(ed),
		})
		if it.Date.Before(first) {
			first = it.Date
		}
		if it.Date.After(last) {
			last = it.Date
		}
	}
	y, mo, d := last.In(ed.Location).Date()
	return document(Node{
		"@type": "LiveBlogPosting", "headline": markup.Shorten(name+" – "+ed.Name, longestHeadline),
		"description": m.Description,
		"url":         m.Canonical, "inLanguage": ed.IntlLocale,
		"datePublished": first.Format(time.RFC3339), "dateModified": last.Format(time.RFC3339),
		"coverageStartTime": first.Format(time.RFC3339),
		// The coverage goes on until the end of its newest day.
		"coverageEndTime": time.Date(y, mo, d+1, 0, 0, 0, 0, ed.Location).Format(time.RFC3339),
		"author":          publisher(ed), "publisher": publisher(ed), "liveBlogUpdate": updates,
		"image": Node{
			"@type": "ImageObject", "url": ed.URL(brand.CardPath), "width": brand.CardWidth,
			"height": brand.CardHeight,
		},
	})
}

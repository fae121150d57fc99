package wordpress

import (
	"encoding/xml"
	"strings"

	"example.org/broadsheet/modules/content/wordpress/blocks"
)

// item reads an <item> that begins on line.
func (x *reader) item(line int) (*item, error) {
	it := &item{line: line, meta: map[string]string{}}
	var id, parent, sticky string
	fields := map[string]*string{
		"title": &it.title, "link": &it.link, "pubDate": &it.pubDate, "dc:creator": &it.creator,
		"content:encoded": &it.content, "excerpt:encoded": &it.excerpt,
		"wp:post_id": &id, "wp:post_parent": &parent, "wp:is_sticky": &sticky,
		"wp:post_date": &it.date, "wp:post_date_gmt": &it.dateGMT, "wp:post_modified": &it.modified,
		"wp:post_modified_gmt": &it.modifiedGMT,
		"wp:post_name":         &it.slug, "wp:status": &it.status, "wp:post_type": &it.kind, "wp:post_password": &it.password,
		"wp:attachment_url": &it.attachmentURL,
	}
	for {
		t, err := x.next()
		if err != nil {
			return nil, err
		}
		start, ok := t.(xml.StartElement)
		if !ok {
			if _, end := t.(xml.EndElement); end {
				break
			}
			continue
		}
		name := short(start.Name)
		switch p := fields[name]; {
		case name == "category":
			err = x.term(it, start)
		case name == "wp:postmeta":
			err = x.meta(it)
		case name == "wp:comment":
			err = x.comment(it)
		case p == nil:
			err = x.skip()
		default:
			if name == "content:encoded" {
				it.contentLine = x.line()
			}
			*p, err = x.text()
		}
		if err != nil {
			return nil, err
		}
	}
	it.id, it.parent, it.sticky = blocks.ParseID(id), blocks.ParseID(parent), strings.TrimSpace(sticky) == "1"
	for _, p := range []*string{
		&it.title, &it.link, &it.pubDate, &it.creator, &it.excerpt, &it.slug, &it.status, &it.kind,
		&it.attachmentURL,
	} {
		*p = strings.TrimSpace(*p)
	}
	return it, nil
}

func (x *reader) term(it *item, start xml.StartElement) error {
	var t term
	for _, a := range start.Attr {
		switch a.Name.Local {
		case "domain":
			t.domain = a.Value
		case "nicename":
			t.slug = a.Value
		}
	}
	name, err := x.text()
	t.name = strings.TrimSpace(name)
	it.terms = append(it.terms, t)
	return err
}

// comment counts a comment; an empty kind is that of a reader's words before WordPress 5.5.
func (x *reader) comment(it *item) error {
	var state, kind string
	err := x.fields(map[string]*string{"wp:comment_approved": &state, "wp:comment_type": &kind})
	it.comments++
	if state == "1" && (kind == "" || kind == "comment") { // not the word of another site that it links here
		it.approved++
	}
	return err
}

func (x *reader) meta(it *item) error {
	var key, value string
	err := x.fields(map[string]*string{"wp:meta_key": &key, "wp:meta_value": &value})
	if _, twice := it.meta[key]; err == nil && key != "" && !twice {
		it.meta[key] = value
	}
	return err
}

// in returns the item's terms of one domain.
func (it *item) in(domain string) []term {
	var ts []term
	for _, t := range it.terms {
		if t.domain == domain {
			ts = append(ts, t)
		}
	}
	return ts
}

package blocks

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"golang.org/x/net/html"
)

// shortcode is a piece of text: words, or a tag in brackets.
type shortcode struct {
	text    string // as written
	name    string // "" for words
	closing bool
	attrs   map[string]string // named ones; "0", "1" … are those without a name
	line    int
}

var (
	bracket = regexp.MustCompile(`^\[(/?)([a-zA-Z][a-zA-Z0-9_-]{1,60})((?:\s[^\[\]<>]*|\s(?:[^\[\]"']|"[^"]*"|` +
		`'[^']*')*)?)(/?)\]`)
	attribute = regexp.MustCompile(`([\w-]+)\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"']+))|"([^"]*)"|'([^']*)'|(\S+)`)
	verbatim  = regexp.MustCompile(`(?i)^<(?:pre|code|script|style)[\s>]`)
	tagBegin  = regexp.MustCompile(`^<[a-zA-Z/!]`)
	verbend   = regexp.MustCompile(`(?i)</(?:pre|code|script|style)\s*>`)
)

// services that have a tag of their own, and how their addresses are made of its first value.
var serviceTags = map[string]string{
	"youtube": "https://www.youtube.com/watch?v=", "vimeo": "https://vimeo.com/", "tweet": "https://x.com/i/status/",
	"twitter":   "https://x.com/i/status/",
	"instagram": "https://www.instagram.com/p/", "tiktok": "https://www.tiktok.com/embed/",
	"spotify": "https://open.spotify.com/", "embed": "",
}

// wanted reports whether a tag is handled here.
func wanted(name string) bool {
	switch name {
	case "gallery", "caption", "wp_caption", "audio", "video", "playlist":
		return true
	}
	_, ok := serviceTags[name]
	return ok
}

// shortcodes replaces the tags in brackets. Brackets in running text stay: a tag that is not known is one only where it
// has settings or an end, or where certain says that all are.
func (c *Converter) shortcodes(text string, line int, certain bool) string {
	if !strings.Contains(text, "[") {
		return text
	}
	list := splitShortcodes(text, line)
	closed := map[string]bool{}
	for _, s := range list {
		closed[s.name] = closed[s.name] || s.closing
	}
	var out strings.Builder
	for i := 0; i < len(list); i++ {
		s := list[i]
		switch {
		case s.name == "":
			out.WriteString(s.text)
		case !wanted(s.name):
			if !certain && !closed[s.name] && !strings.Contains(s.text, "=") && !strings.Contains(s.name, "_") {
				out.WriteString(s.text)
				continue
			}
			if !s.closing {
				c.Left(s.line, "shortcode ["+s.name+"]", "not known; what stands inside it was kept")
				c.Counted("["+s.name+"]", false)
			}
		case s.closing: // an end without a beginning
		default:
			inside, end := "", i
			if closed[s.name] {
				inside, end = enclosed(list, i)
			}
			c.Counted("["+s.name+"]", true)
			out.WriteString(c.shortcode(s, inside))
			i = end
		}
	}
	return out.String()
}

// enclosed is the text up to the end of the tag at i, and where that is; without an end the tag stands alone.
func enclosed(list []shortcode, i int) (string, int) {
	var s strings.Builder
	for j := i + 1; j < len(list); j++ {
		if list[j].name == list[i].name {
			if list[j].closing {
				return s.String(), j
			}
			break
		}
		s.WriteString(list[j].text)
	}
	return "", i
}

// splitShortcodes cuts text at its tags in brackets; those in HTML tags and in code are words.
func splitShortcodes(text string, line int) []shortcode {
	var out []shortcode
	start := 0
	words := func(end int) {
		if end > start {
			out = append(out, shortcode{text: text[start:end], line: line})
			line += strings.Count(text[start:end], "\n")
		}
	}
	for i := 0; i < len(text); {
		switch text[i] {
		case '<':
			i += tagLength(text[i:])
		case '[':
			m := bracket.FindStringSubmatch(text[i:])
			if m == nil {
				i++
				continue
			}
			words(i)
			end := i + len(m[0])
			if i > 0 && text[i-1] == '[' && end < len(text) && text[end] == ']' { // [[escaped]]
				last := &out[len(out)-1]
				last.text = strings.TrimSuffix(last.text, "[") + m[0]
				start, i = end+1, end+1
				continue
			}
			out = append(out,
				shortcode{text: m[0], name: strings.ToLower(m[2]), closing: m[1] != "", attrs: shortcodeAttrs(m[3]), line: line})
			line += strings.Count(m[0], "\n")
			start, i = end, end
		default:
			i++
		}
	}
	words(len(text))
	return out
}

// tagLength is how far an HTML tag, a comment or a piece of code reaches.
func tagLength(s string) int {
	if verbatim.MatchString(s) {
		if end := verbend.FindStringIndex(s); end != nil {
			return end[1]
		}
		return len(s)
	}
	end := ">"
	if strings.HasPrefix(s, "<!--") {
		end = "-->"
	} else if !tagBegin.MatchString(s) {
		return 1
	}
	if i := strings.Index(s, end); i >= 0 {
		return i + len(end)
	}
	return len(s)
}

func shortcodeAttrs(s string) map[string]string {
	attrs := map[string]string{}
	n := 0
	for _, m := range attribute.FindAllStringSubmatch(strings.TrimSuffix(strings.TrimSpace(s), "/"), -1) {
		value := html.UnescapeString(m[2] + m[3] + m[4] + m[5] + m[6] + m[7])
		if m[1] != "" {
			attrs[strings.ToLower(m[1])] = value
			continue
		}
		attrs[strconv.Itoa(n)] = value
		n++
	}
	return attrs
}

func (s shortcode) first(names ...string) string {
	for _, name := range names {
		if v := s.attrs[name]; v != "" {
			return v
		}
	}
	return ""
}

// shortcode is the HTML of a known tag.
func (c *Converter) shortcode(s shortcode, inside string) string {
	switch s.name {
	case "caption", "wp_caption":
		text := s.attrs["caption"]
		img := inside
		if text == "" {
			if i := max(strings.LastIndex(inside, "/>"), strings.LastIndex(inside, "</a>")+2); i > 1 {
				img, text = inside[:i+2], inside[i+2:]
			} else if i := strings.LastIndex(inside, ">"); i >= 0 {
				img, text = inside[:i+1], inside[i+1:]
			}
		}
		return "\n\n<figure>" + strings.TrimSpace(img) + "<figcaption>" + strings.TrimSpace(text) +
			"</figcaption></figure>\n\n"
	case "gallery":
		return c.gallery(s)
	case "audio", "video":
		src := s.first("src", "mp4", "m4v", "webm", "ogv", "flv", "mov", "mp3", "m4a", "ogg", "wav", "0")
		return "\n\n<" + s.name + ` src="` + html.EscapeString(src) + `"></` + s.name + ">\n\n"
	case "playlist":
		c.Left(s.line, "shortcode [playlist]", "there is no player for it")
		return ""
	}
	address := strings.TrimPrefix(strings.TrimSpace(tags.ReplaceAllString(inside, "")), "=")
	if address == "" {
		address = s.first("src", "url", "id", "0")
	}
	address = strings.TrimPrefix(html.UnescapeString(address), "=")
	if !strings.Contains(address, "//") {
		address = serviceTags[s.name] + address
	}
	return "\n\n" + embedHTML(address, "") + "\n\n"
}

func (c *Converter) gallery(s shortcode) string {
	var ids []int64
	for id := range strings.FieldsFuncSeq(s.first("ids", "include"), func(r rune) bool { return r == ',' || r == ' ' }) {
		ids = append(ids, ParseID(id))
	}
	if len(ids) == 0 {
		ids = c.Attachments()
	}
	var b strings.Builder
	for _, id := range ids {
		fmt.Fprintf(&b, `<img class="wp-image-%d">`, id)
	}
	if b.Len() == 0 {
		c.Left(s.line, "shortcode [gallery]", "it names no picture")
		return ""
	}
	return "\n\n<figure>" + b.String() + "</figure>\n\n"
}

var aloneOnLine = regexp.MustCompile(`(?m)^[ \t]*(https?://[^\s<>"]+)[ \t]*\r?$`)

// standalone makes placeholders of addresses that stand alone on their line, as the old site did.
func standalone(text string) string {
	return aloneOnLine.ReplaceAllStringFunc(text, func(s string) string {
		address := html.UnescapeString(strings.TrimSpace(s))
		if !placeable(address) {
			return s
		}
		return "\n" + embedHTML(address, "") + "\n"
	})
}

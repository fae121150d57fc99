package wordpress

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"unicode"

	"example.org/broadsheet/modules/content"
	"example.org/broadsheet/modules/content/markup"
	"example.org/broadsheet/modules/content/post"
	"example.org/broadsheet/modules/content/wordpress/blocks"
)

// filing says what posts become by the categories and tags that they have on the site.
type filing struct {
	lang     string
	locked   []label
	variants []variant
	used     map[label]bool // that some post had
}

// label is a category or a tag of the site by its slug; of either kind where kind is "".
type label struct{ kind, slug string }

func (l label) String() string {
	if l.kind == "" {
		return l.slug
	}
	return l.kind + ":" + l.slug
}

// variant is a kind of article and what makes a post one.
type variant struct {
	as     post.Type
	labels []label
}

// variantNames are what --variant calls the kinds of articles.
var variantNames = map[string]post.Type{
	"article": post.TypeArticle, "comment": post.TypeComment, "weekly_topic": post.TypeWeeklyTopic,
	"salon": post.TypeSalon, "minute": post.TypeMinute, "video": post.TypeVideo,
}

// parseFiling reads the options: locked is "category:premium,tag:club", a variant "comment=category:opinion".
func parseFiling(lang, locked string, variants []string) (f filing, err error) {
	f.lang, f.used = lang, map[label]bool{}
	if f.locked, err = parseLabels(lang, locked); err != nil {
		return f, fmt.Errorf("--locked: %w", err)
	}
	for _, v := range variants {
		name, labels, found := strings.Cut(v, "=")
		as, known := variantNames[strings.TrimSuffix(strings.TrimSpace(name), "_article")]
		if !found || !known {
			return f, fmt.Errorf("--variant %s: write it as comment=category:opinion, with article, comment, weekly_topic, "+
				"salon, minute or video", v)
		}
		list, err := parseLabels(lang, labels)
		if err != nil || len(list) == 0 {
			return f, fmt.Errorf("--variant %s: name the categories or tags behind the =: %w", v, err)
		}
		f.variants = append(f.variants, variant{as, list})
	}
	return f, nil
}

func parseLabels(lang, text string) (list []label, err error) {
	for part := range strings.SplitSeq(text, ",") {
		if part = strings.TrimSpace(part); part == "" {
			continue
		}
		kind, slug, found := strings.Cut(part, ":")
		if !found {
			kind, slug = "", part
		}
		l := label{kind, post.Slug(lang, unescape(slug))}
		if found && kind != "category" && kind != "tag" || l.slug == "" {
			return nil, fmt.Errorf("%q is neither category:SLUG nor tag:SLUG", part)
		}
		list = append(list, l)
	}
	return list, nil
}

// has reports whether one of the labels is among the categories and tags of a post, which are slugs as they are here.
func (f filing) has(labels []label, categories, tags []string) (found bool) {
	for _, l := range labels {
		if l.kind != "tag" && slices.Contains(categories, l.slug) || l.kind != "category" && slices.Contains(tags, l.slug) {
			f.used[l], found = true, true
		}
	}
	return found
}

// apply makes a draft of a post what it is filed as, and takes off it what would show readers text that is withheld
// from them.
func (f filing) apply(d *content.Draft, categories, tags []string, noted func(what, reason string)) {
	d.Locked = f.has(f.locked, categories, tags)
	if d.Type == post.TypeArticle {
		for _, v := range f.variants {
			if f.has(v.labels, categories, tags) {
				d.Type = v.as
				break
			}
		}
	}
	if d.Type == post.TypeVideo || d.Type == post.TypeSalon {
		d.Video.URL = recording(d.Body)
	}
	if d.Type == post.TypeVideo && d.Video.URL == "" {
		d.Type = post.TypeArticle
		noted("video", "there is none in it that can be played: taken as an article")
	}
	if d.Locked {
		f.withhold(d, noted)
	}
}

// unused are the labels that no post had, which may have been mistyped.
func (f filing) unused() (list []label) {
	all := slices.Clone(f.locked)
	for _, v := range f.variants {
		all = append(all, v.labels...)
	}
	return slices.DeleteFunc(all, func(l label) bool { return f.used[l] })
}

var playable = regexp.MustCompile(`<figure data-embed="(?:youtube|vimeo)"[^>]*><a href="([^"]+)"`)

// recording is the first video of a text that pages can play, "" for none.
func recording(body string) string {
	if m := playable.FindStringSubmatch(markup.Sanitise(body)); m != nil {
		return m[1]
	}
	return ""
}

// run is how many words in a row are no chance.
const run = 6

// withhold keeps the words of a locked text out of what everybody sees. An excerpt that was not written but taken from
// the text, by the site, its theme or a plugin, goes; so does a title that would be made of the first words.
func (f filing) withhold(d *content.Draft, noted func(what, reason string)) {
	if d.Excerpt != "" && taken(d.Excerpt, blocks.Plain(d.Body)) {
		d.Excerpt = ""
		noted("excerpt", "it is taken from the text, which is for subscribers")
	}
	if d.Title == "" {
		d.Title = strings.TrimSpace(strings.ReplaceAll(d.Slug, "-", " "))
		if !strings.ContainsFunc(d.Title, unicode.IsLetter) ||
			strings.HasPrefix(post.Slug(f.lang, blocks.Plain(d.Body)), post.Slug(f.lang, d.Slug)) {
			d.Title = ""
			d.Body = "" // nothing may be made of it
			noted("title", "it has none, and its text is for subscribers")
		}
	}
}

// begins reports whether some words are the beginning of a text. What a theme puts behind them, such as "Continue
// reading", is no part of it.
func begins(excerpt, text string) bool {
	words, all := plainWords(excerpt), plainWords(text)
	n := min(run, len(words), len(all))
	return n > 0 && slices.Equal(words[:n], all[:n])
}

// taken reports whether some words are those of a text: its beginning, or a run of them from anywhere in it.
func taken(excerpt, text string) bool {
	words, all := plainWords(excerpt), padded(plainWords(text))
	for i := 0; i+run <= len(words); i++ {
		if strings.Contains(all, padded(words[i:i+run])) {
			return true
		}
	}
	return begins(excerpt, text)
}

func padded(words []string) string { return " " + strings.Join(words, " ") + " " }

// plainWords are the words of a text, without signs and capitals.
func plainWords(text string) []string {
	return strings.FieldsFunc(strings.ToLower(text), func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r)
	})
}

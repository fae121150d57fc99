package content

import (
	"fmt"
	"strings"
	"testing"

	"example.org/broadsheet/modules/content/markup"
	"example.org/broadsheet/modules/content/post"
)

// A video is on its page once: in the player over the text of what is watched, else as a placeholder in the text.
func TestAVideoIsShownOnce(t *testing.T) {
	t.Parallel()
	ctx, _, m := house(t, &meter{})
	const own, other = `data-id="abcdefghijk"`, `data-id="kjihgfedcba"`
	frame := func(id, caption string) string {
		return `<figure><iframe src="https://www.youtube.com/embed/` + id + `"></iframe>` + caption + `</figure>`
	}
	for i, c := range []struct {
		kind       post.Type
		body       string
		own, other int
		caption    bool
	}{
		{post.TypeVideo, "<p>A</p>", 0, 0, false},
		{post.TypeVideo, frame("abcdefghijk", "") + "<p>A</p>" + frame("kjihgfedcba", ""), 0, 1, false},
		{post.TypeSalon, "<p>A</p>" + frame("abcdefghijk", "<figcaption>Kto je <em>kto</em></figcaption>") + "<p>B</p>" +
			frame("abcdefghijk", ""), 0, 0, true},
		{post.TypeArticle, "<p>A</p>", 1, 0, false},
		{post.TypeArticle, "<p>A</p>" + frame("abcdefghijk", ""), 1, 0, false},
		{post.TypeArticle, frame("kjihgfedcba", "") + "<p>A</p>", 1, 1, false},
	} {
		id := save(t, ctx, m, draft(fmt.Sprint(i), func(d *Draft) {
			d.Type, d.Body, d.Video = c.kind, c.body, Video{URL: "https://youtu.be/abcdefghijk", Seconds: 10}
		}))
		d := visit(t, ctx, m, fmt.Sprintf("/%d/clanok-%d", id, i), false).Data.(*ArticleData)
		if d.Card.Video == nil || d.Card.Video.Src != "abcdefghijk" || strings.Count(d.Body, own) != c.own ||
			strings.Count(d.Body, other) != c.other ||
			!strings.Contains(d.Body, "<p>A</p>") || strings.Contains(d.Body, "<p>Kto je <em>kto</em></p>") != c.caption ||
			d.Body != markup.Sanitise(d.Body) {
			t.Errorf("%s with %s: %v, %s", c.kind, c.body, d.Card.Video, d.Body)
		}
	}
}

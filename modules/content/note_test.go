package content

import (
	"context"
	"fmt"
	"slices"
	"testing"

	"example.org/broadsheet/modules/content/post"
	"example.org/broadsheet/platform/paper/readerlog"
)

// What a reader opens is noted once, by what it was; a credit is noted by whoever spends it, and looking ahead and
// visitors by nobody.
func TestOpeningIsNoted(t *testing.T) {
	t.Parallel()
	ctx, _, m := house(t, &meter{})
	var noted []string
	m.note = func(_ context.Context, reader int64, action readerlog.Action, meta, date string) {
		noted = append(noted, fmt.Sprint(reader, " ", action, " ", meta, " ", date))
	}
	open := save(t, ctx, m, draft("1"))
	locked := save(t, ctx, m, draft("2", func(d *Draft) { d.Locked = true }))
	fixed := save(t, ctx, m, draft("3", func(d *Draft) { d.Type = post.TypePage }))
	path := func(id int64, source string) string {
		return paper(t, ctx).Href("article", fmt.Sprint(id), "clanok-"+source)
	}
	for _, c := range []struct {
		reader, post int64
		ahead        bool
		want         string
	}{
		{visitor, open, false, ""},
		{visitor, locked, false, ""},
		{poor, open, false, fmt.Sprint(poor, " article_opened ", open, " 2026-01-01T08:00:00Z")},
		{poor, open, true, ""},
		{poor, fixed, false, ""},
		{poor, locked, false, fmt.Sprint(poor, " locked_article_opened ", locked, " 2026-01-01T08:00:00Z")},
		{poor, locked, true, ""},
		{subscriber, locked, false, fmt.Sprint(subscriber, " locked_article_opened ", locked, " 2026-01-01T08:00:00Z")},
		{frugal, locked, false, ""},
	} {
		noted = nil
		source := map[int64]string{open: "1", locked: "2", fixed: "3"}[c.post]
		visit(t, as(ctx, c.reader), m, path(c.post, source), c.ahead)
		if want := slices.DeleteFunc([]string{c.want}, func(s string) bool { return s == "" }); !slices.Equal(noted, want) {
			t.Errorf("%+v: noted %q", c, noted)
		}
	}
}

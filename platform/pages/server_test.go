package pages

import (
	"context"
	"errors"
	"net/http"
	"net/http/httptest"
	"testing"

	"example.org/broadsheet/platform/paper/edition"
	"example.org/broadsheet/platform/paper/page"
	"example.org/broadsheet/platform/session"
	"example.org/broadsheet/platform/testkit"
)

// What differs by browser must not get into a page that is kept: only pages of one reader are told the app.
func TestOnlyPersonalPagesLearnTheApp(t *testing.T) {
	t.Parallel()
	ctx, _ := testkit.Edition(t)
	ed, err := edition.From(ctx)
	if err != nil {
		t.Fatal(err)
	}
	path := ed.Href(edition.Login)
	r := httptest.NewRequest(http.MethodGet, path, nil)
	r.Header.Set("User-Agent", "Mozilla/5.0 (iPhone) AppleWebKit/605.1.15 (KHTML, like Gecko) Mobile/15E148 Instagram "+
		"357.1.0")
	for name, c := range map[string]struct {
		source page.Source
		want   string
	}{
		"personal":            {page.Source{Personal: true}, "Instagram"},
		"shared":              {page.Source{}, ""},
		"personal to readers": {page.Source{PersonalToReaders: true}, ""},
	} {
		s := &Server{Sources: page.Sources{edition.Login: c.source}}
		if got := s.visit(ed, path, r, r.URL).req.InApp; got != c.want {
			t.Errorf("%s: %q", name, got)
		}
	}
}

// Who has a subscription gets the page of those who have one, where nothing is locked too; where that cannot be
// learned, that of all readers.
func TestTiers(t *testing.T) {
	t.Parallel()
	failed := errors.New("no answer")
	member := func(context.Context, *page.Request) (page.Tier, error) { return page.Member, nil }
	for name, c := range map[string]struct {
		reader     int64
		own        func(context.Context, *page.Request) (page.Tier, error)
		subscribed func(context.Context, int64) (bool, error)
		want       page.Tier
	}{
		"a visitor": {0, nil, func(context.Context, int64) (bool, error) {
			return true, nil
		}, page.Anonymous},
		"a reader": {7, nil, func(context.Context, int64) (bool, error) {
			return false, nil
		}, page.Member},
		"a subscriber": {7, nil, func(_ context.Context, id int64) (bool, error) {
			return id == 7, nil
		}, page.Entitled},
		"a subscriber, of an open article": {7, member, func(context.Context, int64) (bool, error) {
			return true, nil
		}, page.Entitled},
		"a reader of whom nothing is known": {7, nil, func(context.Context, int64) (bool, error) {
			return true, failed
		}, page.Member},
		"a reader, while nobody answers": {7, nil, func(ctx context.Context, _ int64) (bool, error) {
			<-ctx.Done()
			return false, ctx.Err()
		}, page.Member},
		"a reader, where nobody is asked": {7, nil, nil, page.Member},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := &Server{Subscribed: c.subscribed}
			ctx := t.Context()
			if c.reader != 0 {
				ctx = session.With(ctx, session.Session{ReaderID: c.reader})
			}
			if got, err := s.tier(ctx, visit{source: page.Source{Tier: c.own}, req: &page.Request{}}); got != c.want ||
				err != nil {
				t.Errorf("%s %v, want %s", got, err, c.want)
			}
		})
	}
}

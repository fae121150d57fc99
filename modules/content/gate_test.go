package content

import (
	"testing"
	"time"

	"example.org/broadsheet/modules/content/post"
	"example.org/broadsheet/platform/db"
	"example.org/broadsheet/platform/paper/edition"
	"example.org/broadsheet/platform/testkit"
)

// While the database hangs, what was known of a post is known still; what was not, or was forgotten because somebody
// said that it has changed, is not.
func TestAGateWhileTheDatabaseHangs(t *testing.T) {
	t.Parallel()
	ctx, d, m := house(t, nil)
	known, other := save(t, ctx, m, draft("1")), save(t, ctx, m, draft("2"))
	far, proxy := testkit.BehindProxy(ctx, t, d, db.Options{})
	ed, err := edition.From(ctx)
	if err != nil {
		t.Fatal(err)
	}
	m.db = far
	for _, id := range []int64{known, other} {
		if g, err := m.gate(ctx, id); err != nil || !g.Out {
			t.Fatal(g, err)
		}
	}
	testkit.Clock(d).Advance(gateLife)
	proxy.Silence(true)
	began := time.Now()
	if g, err := m.gate(ctx, known); err != nil || !g.Out || time.Since(began) > 3*time.Second {
		t.Errorf("%+v, %v after %s", g, err, time.Since(began))
	}
	m.Changed(ed.ID, post.Tag(other))
	if g, err := m.gate(ctx, other); err == nil || g.Out {
		t.Errorf("what was forgotten is known: %+v", g)
	}
	proxy.Silence(false)
	proxy.Cut()
	draft := draft("1")
	draft.Locked = true
	m.db = d
	save(t, ctx, m, draft)
	m.db = far
	if g, err := m.gate(ctx, known); err != nil || !g.Locked {
		t.Errorf("after the silence: %+v, %v", g, err)
	}
}

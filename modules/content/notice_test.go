package content

import (
	"context"
	"fmt"
	"slices"
	"testing"
	"time"

	"example.org/broadsheet/modules/content/post"
	"example.org/broadsheet/platform/db"
	"example.org/broadsheet/platform/notify"
	"example.org/broadsheet/platform/testkit/wait"
)

// listen records notifications about content until the test ends.
func listen(t *testing.T, d *db.DB) <-chan []string {
	t.Helper()
	hub := notify.NewHub(d, nil)
	heard := make(chan []string, 10)
	hub.On(notify.Content, func(n notify.Message) { heard <- n.Keys })
	listening, stop := context.WithCancel(t.Context())
	done := make(chan struct{})
	go func() { defer close(done); hub.Listen(listening) }()
	t.Cleanup(func() { stop(); <-done })
	wait.Until(t, "the hub is connected", hub.Connected)
	return heard
}

func TestCachesAreTold(t *testing.T) {
	t.Parallel()
	ctx, d, m := house(t, nil)
	heard := listen(t, d)
	found := draft("1")
	id := save(t, ctx, m, found)
	own, purge := fmt.Sprintf("post:%d", id), fmt.Sprintf("purge:post:%d", id)
	home := []string{"author:jana", "category:politika", "category:slovensko", "front"}
	for _, c := range []struct {
		name   string
		change func(*Draft)
		want   []string
	}{
		{"published", nil, append(slices.Clone(home), own)},
		{"another title", func(d *Draft) { d.Title = "Iný" }, []string{own}},
		{"moved", func(d *Draft) {
			d.Categories = []string{"trhy"}
		}, []string{
			"author:jana", "category:ekonomika", "category:politika", "category:slovensko", "category:trhy",
			"front", own,
		}},
		{"locked", func(d *Draft) { d.Locked = true }, []string{own, purge}},
		{"withdrawn", func(d *Draft) {
			d.Status = post.StatusWithdrawn
		}, []string{"author:jana", "category:ekonomika", "category:trhy", "front", own, purge}},
		{"changed while withdrawn", func(d *Draft) { d.Excerpt = "Iné" }, []string{own}},
	} {
		if c.change != nil {
			c.change(&found)
			save(t, ctx, m, found)
		}
		select {
		case got := <-heard:
			if !slices.Equal(got, c.want) {
				t.Errorf("%s: %v, want %v", c.name, got, c.want)
			}
		case <-time.After(20 * time.Second):
			t.Fatalf("%s: nothing was heard", c.name)
		}
	}
}

package content

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"testing"
	"time"

	"example.org/broadsheet/modules/content/post"
	"example.org/broadsheet/modules/content/topic"
	"example.org/broadsheet/platform/db"
	"example.org/broadsheet/platform/notify"
	"example.org/broadsheet/platform/paper/event"
	"example.org/broadsheet/platform/testkit"
)

// reminders are the payloads of the rows that ask for a reminder of a post, in their order.
func reminders(t *testing.T, ctx context.Context,
	d *db.DB,
) (list []json.RawMessage) {
	t.Helper()
	err := d.Run(ctx, func(ctx context.Context, tx db.Tx) error {
		var rows []struct {
			Payload json.RawMessage
			DueAt   time.Time
		}
		err := tx.NewRaw("SELECT payload, due_at FROM outbox WHERE event = ? ORDER BY id", string(event.PostDue)).
			Scan(ctx, &rows)
		for _, r := range rows {
			var p event.DuePost
			if err := json.Unmarshal(r.Payload, &p); err != nil || !p.At.Equal(r.DueAt) {
				t.Errorf("%s is due at %s: %v", r.Payload, r.DueAt, err)
			}
			list = append(list, r.Payload)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return list
}

func TestAScheduledPostIsToldAtItsTime(t *testing.T) {
	t.Parallel()
	home := []string{"author:jana", "category:politika", "category:slovensko", "front"}
	for _, c := range []struct {
		name   string
		change func(d *Draft, at time.Time) // between its saving and its time
		told   []bool                       // by reminder
	}{
		{"left alone", nil, []bool{true}},
		{"with another title", func(d *Draft, _ time.Time) { d.Title = "Iný" }, []bool{true}},
		{"moved to after it", func(d *Draft, at time.Time) { d.Published = at.Add(time.Minute) }, []bool{false, true}},
		{"moved to before it", func(d *Draft, at time.Time) { d.Published = at.Add(-time.Minute) }, []bool{false, true}},
		{"published at once", func(d *Draft, at time.Time) { d.Published = at.AddDate(-1, 0, 0) }, []bool{false}},
		{"withdrawn", func(d *Draft, _ time.Time) { d.Status = post.StatusWithdrawn }, []bool{false}},
		{"a draft again", func(d *Draft, _ time.Time) { d.Status = post.StatusDraft }, []bool{false}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			ctx, d, m := house(t, nil)
			at := d.Now().AddDate(0, 0, 3)
			post := draft("1", func(d *Draft) { d.Published = at })
			id := save(t, ctx, m, post)
			save(t, ctx, m, post)
			if c.change != nil {
				c.change(&post, at)
				save(t, ctx, m, post)
			}
			list := reminders(t, ctx, d)
			if len(list) != len(c.told) {
				t.Fatalf("%d reminders: %s", len(list), list)
			}
			if s, err := m.readStory(ctx, id); err == nil && post.Published.After(d.Now()) {
				t.Fatalf("%q is out before its time", s.post.Title)
			}
			testkit.Clock(d).Advance(at.Add(time.Hour).Sub(d.Now()))
			heard := listen(t, d)
			listeners := event.Registry{}
			m.Listen(listeners)
			for i, payload := range list {
				for range 2 { // a reminder may come twice
					for _, fn := range listeners[string(event.PostDue)] {
						if err := fn(ctx, payload); err != nil {
							t.Fatal(err)
						}
					}
				}
				if err := d.InTx(ctx, func(ctx context.Context, tx db.Tx) error {
					return notify.Tell(ctx, tx, notify.Content, "end")
				}); err != nil {
					t.Fatal(err)
				}
				want := [][]string{{"end"}}
				if c.told[i] {
					own := append(slices.Clone(home), fmt.Sprintf("post:%d", id))
					want = [][]string{own, own, {"end"}}
				}
				for _, want := range want {
					select {
					case got := <-heard:
						if !slices.Equal(got, want) {
							t.Errorf("reminder %d: %v, want %v", i+1, got, want)
						}
					case <-time.After(20 * time.Second):
						t.Fatalf("reminder %d: nothing was heard", i+1)
					}
				}
			}
		})
	}
}

// An archive is full of posts whose time has passed: none of them asks for a reminder.
func TestAnArchiveAsksForNoReminders(t *testing.T) {
	t.Parallel()
	ctx, d, m := house(t, nil)
	drafts := make([]Draft, 2*batchSize)
	for i := range drafts {
		drafts[i] = draft(fmt.Sprint(i))
	}
	drafts[7].Published = d.Now().Add(time.Hour)
	if _, err := m.SavePosts(ctx, drafts); err != nil {
		t.Fatal(err)
	}
	if list := reminders(t, ctx, d); len(list) != 1 {
		t.Errorf("%d reminders, want that of the one that is scheduled", len(list))
	}
}

// A weekly topic of next week becomes the current one by itself, unless it was moved.
func TestATopicIsToldAtItsTime(t *testing.T) {
	t.Parallel()
	ctx, d, m := house(t, nil)
	now := testkit.Clock(d).Now()
	topic := func(slug string, at time.Time) {
		t.Helper()
		if _, err := m.SaveTag(ctx, topic.Tag{Slug: slug, Name: slug, Published: at}); err != nil {
			t.Fatal(err)
		}
	}
	topic("stary", now.AddDate(0, 0, -7))
	topic("novy", now.Add(time.Hour))
	topic("novy", now.Add(2*time.Hour))
	topic("novy", now.Add(2*time.Hour))
	var due []json.RawMessage
	err := d.Run(ctx, func(ctx context.Context, tx db.Tx) error {
		return tx.NewRaw("SELECT payload FROM outbox WHERE event = ? ORDER BY due_at", string(event.TopicDue)).Scan(ctx, &due)
	})
	if err != nil || len(due) != 2 {
		t.Fatalf("%d reminders, want one for each of the two times: %v", len(due), err)
	}
	testkit.Clock(d).Advance(3 * time.Hour)
	heard := listen(t, d)
	listeners := event.Registry{}
	m.Listen(listeners)
	for _, payload := range due {
		for _, fn := range listeners[string(event.TopicDue)] {
			if err := fn(ctx, payload); err != nil {
				t.Fatal(err)
			}
		}
	}
	want := []string{
		post.FrontTag, post.TopicsTag, post.TopicNameTag("novy"), post.TopicTag("novy"),
		post.TopicTag("stary"),
	}
	slices.Sort(want)
	select {
	case got := <-heard:
		if !slices.Equal(got, want) {
			t.Errorf("%v, want %v", got, want)
		}
	case <-time.After(20 * time.Second):
		t.Fatal("nothing was heard")
	}
	if p := visit(t, ctx, m, "/tema/novy", false); p.Status != 200 {
		t.Errorf("its page: %d", p.Status)
	}
}

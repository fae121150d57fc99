package discussion

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"example.org/broadsheet/platform/paper/event"
	"example.org/broadsheet/platform/privacy"
	"example.org/broadsheet/platform/testkit"
)

func TestHiddenIsOutOfSight(t *testing.T) {
	t.Parallel()
	k := newEnv(t)
	root := k.write(1, 5, 0, "SECRET root")
	reply := k.write(2, 5, root, "SECRET reply")
	alone := k.write(2, 5, 0, "SECRET alone")
	if err := k.Report(k.ctx, 3, root, "hate", "Look at this"); err != nil {
		t.Fatal(err)
	}
	if err := k.Report(k.ctx, 3, root, "spam", "twice"); err != nil {
		t.Fatal(err)
	}
	if d := k.see(moderator, 5); d.Threads[1].Reports != 1 || k.see(3, 5).Threads[1].Reports != 0 {
		t.Errorf("reports: %+v", d.Threads)
	}
	waiting, err := k.Reports(k.ctx, 10)
	if err != nil || len(waiting) != 1 || waiting[0].CommentID != root || waiting[0].Reasons != "hate" ||
		waiting[0].Count != 1 {
		t.Errorf("%+v %v", waiting, err)
	}
	o, err := k.Hide(k.ctx, root, ModerationAction{Actor: "test", DryRun: true})
	if err != nil || !o.Changed || k.see(0, 5).Count != 3 || k.log() != "" {
		t.Fatalf("a dry run: %+v %v, log %s", o, err, k.log())
	}
	for _, id := range []int64{root, alone} {
		if code, _ := k.call(moderator, fmt.Sprintf("/api/comment/%d/hide", id),
			map[string]any{"reason": "Not here"}); code != "" {
			t.Fatal(code)
		}
	}
	for _, reader := range []int64{0, 1, 3} {
		d := k.see(reader, 5)
		if got, want := outline(d), fmt.Sprintf("%d[%d]", root, reply); got != want || d.Count != 1 {
			t.Errorf("reader %d: %s (%d), want %s", reader, got, d.Count, want)
		}
		if c := d.Threads[0]; c.State != stateHidden || c.Text != "" || c.Name != "" {
			t.Errorf("reader %d gets %+v", reader, c)
		}
	}
	if d := k.see(moderator, 5); len(d.Threads) != 2 || d.Threads[1].Text != "SECRET root" ||
		d.Threads[1].State != stateHidden || d.Threads[1].Reports != 0 {
		t.Errorf("a moderator gets %+v", d.Threads)
	}
	if code, _ := k.call(moderator, fmt.Sprintf("/api/comment/%d/restore", root), map[string]any{}); code != "" {
		t.Fatal(code)
	}
	if o, err := k.Restore(k.ctx, root, ModerationAction{Actor: "test"}); err != nil || o.Changed {
		t.Errorf("restored twice: %+v %v", o, err)
	}
	if c := k.see(0, 5).Threads[0]; c.Text != "SECRET root" {
		t.Errorf("restored: %+v", c)
	}
	want := fmt.Sprintf("reader:102 hide %d 1 Not here; reader:102 hide %d 2 Not here; reader:102 restore %d 1 ",
		root, alone, root)
	if got := k.log(); got != want {
		t.Errorf("the log says %s, want %s", got, want)
	}
}

func (k *env) log() string {
	k.t.Helper()
	var lines []string
	k.scan(&lines, "SELECT concat_ws(' ', actor, action, comment_id, reader_id, reason) FROM discussion_log ORDER BY id")
	return strings.Join(lines, "; ")
}

func TestBanned(t *testing.T) {
	t.Parallel()
	k := newEnv(t)
	id := k.write(1, 5, 0, "Loud.")
	code, answer := k.call(moderator, fmt.Sprintf("/api/comment/%d/ban", id),
		map[string]any{"days": 7, "reason": "Too loud"})
	if code != "" || answer["until"] == nil {
		t.Fatal(code, answer)
	}
	v := k.see(1, 5).Viewer
	if v.State != viewerBanned || v.Ban == nil || v.Ban.Reason != "Too loud" ||
		!v.Ban.Until.Equal(k.db.Now().AddDate(0, 0, 7)) && v.Ban.Until.Sub(k.db.Now()) < 6*24*time.Hour {
		t.Errorf("%+v", v)
	}
	testkit.Clock(k.db).Advance(7*24*time.Hour + time.Second)
	k.write(1, 5, 0, "Back again.")
	if _, err := k.Ban(k.ctx, 1, k.db.Now().Add(time.Hour), ModerationAction{Actor: "test", Reason: "Again"}); err != nil {
		t.Fatal(err)
	}
	if o, err := k.Unban(k.ctx, 1, ModerationAction{Actor: "test", DryRun: true}); err != nil || !o.Changed ||
		k.see(1, 5).Viewer.State != viewerBanned {
		t.Errorf("a dry run: %+v %v", o, err)
	}
	if o, err := k.Unban(k.ctx, 1, ModerationAction{Actor: "test"}); err != nil || !o.Changed {
		t.Errorf("%+v %v", o, err)
	}
	if o, err := k.Unban(k.ctx, 1, ModerationAction{Actor: "test"}); err != nil || o.Changed {
		t.Errorf("lifted twice: %+v %v", o, err)
	}
	k.write(1, 5, 0, "Forgiven.")
	owner := testkit.OwnerOf(k.ctx, t, k.db) // not even who owns the tables
	for _, statement := range []string{
		"UPDATE discussion_log SET reason = ''", "DELETE FROM discussion_log", "TRUNCATE discussion_log",
		"SELECT set_config('discussion.kept_since', '2000-01-01', true); DELETE FROM discussion_log",
		"SELECT set_config('discussion.kept_since', '9999-01-01', true); UPDATE discussion_log SET reason = ''",
	} {
		if _, err := owner.ExecContext(k.ctx, statement); err == nil || !strings.Contains(err.Error(), "append-only") {
			t.Errorf("%s: %v", statement, err)
		}
	}
}

// 200 readers write at once, each twice: none is lost, none is doubled, and every look sees the same order.
func TestManyWriteAtOnce(t *testing.T) {
	t.Parallel()
	k := newEnv(t)
	written := make([]int64, 200)
	root := k.write(1, 5, 0, "Who is there?")
	all(len(written), func(i int) {
		in := Comment{
			PostID: 5, ReaderID: int64(1000 + i%len(written)), Text: fmt.Sprint("I am ", i),
			Key: fmt.Sprint("once ", i),
		}
		if i%2 == 1 {
			in.ParentID = root
		}
		first, err := k.Write(k.ctx, in)
		if err != nil {
			t.Error(err)
			return
		}
		if again, err := k.Write(k.ctx, in); err != nil || again != first {
			t.Errorf("sent again: %d, %v; it was %d", again, err, first)
		}
		written[i] = first
	})
	if got := len(slices.Compact(slices.Sorted(slices.Values(written)))); got != len(written) {
		t.Errorf("%d different comments of %d", got, len(written))
	}
	var texts, seen []string
	for i := range written {
		texts = append(texts, fmt.Sprint("I am ", i))
	}
	var first []int64
	for range 3 {
		seen = seen[:0]
		var order []int64
		d := k.see(0, 5)
		for len(d.Threads) > 0 {
			for _, th := range d.Threads {
				order = append(order, th.ID)
				if th.ID != root {
					seen = append(seen, th.Text)
				}
				for {
					for _, r := range th.Replies {
						order = append(order, r.ID)
						seen = append(seen, r.Text)
					}
					if th.More == "" {
						break
					}
					_, query, _ := strings.Cut(th.More, "?")
					th = k.ask(0, 5, query).Data.(Data).Threads[0]
				}
			}
			if d.Next == "" {
				break
			}
			_, before, _ := strings.Cut(d.Next, "before=")
			d = k.see(0, 5, "before", before)
		}
		if first == nil {
			first = order
		}
		if !slices.Equal(order, first) {
			t.Error("the order changed")
		}
	}
	slices.Sort(texts)
	slices.Sort(seen)
	if !slices.Equal(texts, seen) {
		t.Errorf("%d of %d are seen", len(seen), len(texts))
	}
	if n, err := k.Count(k.ctx, 5); err != nil || n != len(written)+1 {
		t.Errorf("%d are counted, %v", n, err)
	}
	var noticeLog int
	k.scan(&noticeLog, "SELECT count(*) FROM outbox WHERE event = ?", string(event.DiscussionChanged))
	if noticeLog == 0 || noticeLog > len(written)/2 {
		t.Errorf("the rest of the paper is told %d times of %d comments", noticeLog, len(written))
	}
}

func TestLikesAreCountedOnce(t *testing.T) {
	t.Parallel()
	k := newEnv(t)
	id := k.write(1, 5, 0, "Likeable.")
	all(40, func(i int) {
		if _, err := k.Like(k.ctx, int64(2+i%20), id, true); err != nil {
			t.Error(err)
		}
	})
	if c := k.see(2, 5).Threads[0]; c.Likes != 20 || !c.Liked || k.see(30, 5).Threads[0].Liked {
		t.Errorf("%+v", c)
	}
	all(10, func(int) {
		if _, err := k.Like(k.ctx, 2, id, false); err != nil {
			t.Error(err)
		}
	})
	if c := k.see(2, 5).Threads[0]; c.Likes != 19 || c.Liked {
		t.Errorf("%+v", c)
	}
}

// Three editions with equal ids hold three discussions.
func TestEditionsDiscussApart(t *testing.T) {
	t.Parallel()
	contexts, d := testkit.Editions(t, testkit.MaxEditions)
	var desks []*env
	for _, ctx := range contexts {
		k := newEnvOn(ctx, t, d)
		id := k.write(1, 5, 0, "Of "+k.ed.ID)
		if id != 1 {
			t.Fatalf("the first comment is %d", id)
		}
		desks = append(desks, k)
	}
	if _, err := desks[0].Hide(desks[0].ctx, 1, ModerationAction{Actor: "test"}); err != nil {
		t.Fatal(err)
	}
	if _, err := desks[1].Ban(desks[1].ctx, 1, d.Now().Add(time.Hour),
		ModerationAction{Actor: "test", Reason: "x"}); err != nil {
		t.Fatal(err)
	}
	for n, k := range desks {
		got := k.see(1, 5)
		if shown := len(got.Threads) == 1 && got.Threads[0].Text == "Of "+k.ed.ID; shown != (n != 0) {
			t.Errorf("%s shows %+v", k.ed.ID, got.Threads)
		}
		if banned := got.Viewer.State == viewerBanned; banned != (n == 1) {
			t.Errorf("in %s the reader is %s", k.ed.ID, got.Viewer.State)
		}
	}
}

func TestStreamsSayThatSomethingHasChanged(t *testing.T) {
	t.Parallel()
	k := newEnv(t)
	server := httptest.NewServer(k.engine)
	t.Cleanup(server.Close)
	ctx, stop := context.WithTimeout(context.Background(), 20*time.Second)
	t.Cleanup(stop)
	req, _ := http.NewRequestWithContext(ctx, http.MethodGet, server.URL+"/api/discussion/5/live", nil)
	res, err := http.DefaultClient.Do(req)
	if err != nil || res.Header.Get("Content-Type") != "text/event-stream" {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = res.Body.Close() })
	read := func(want string) {
		t.Helper()
		buffer, got := make([]byte, 512), ""
		for !strings.Contains(got, want) {
			n, err := res.Body.Read(buffer)
			got += string(buffer[:n])
			if err != nil {
				t.Fatalf("%v after %q", err, got)
			}
		}
	}
	read("event: open")
	k.Changed(k.ed.ID, "post:5", "discussion:6")
	k.Changed("another", "purge:discussion:5")
	k.Changed(k.ed.ID, "purge:discussion:5")
	read("event: change")
	for range streamsOfNetwork {
		if _, _, ok := k.live.open(streamKey{k.ed.ID, 5}, "192.0.2.1"); !ok {
			t.Fatal("too few streams")
		}
	}
	if _, _, ok := k.live.open(streamKey{k.ed.ID, 5}, "192.0.2.1"); ok {
		t.Error("a network has too many streams")
	}
	if _, _, ok := k.live.open(streamKey{k.ed.ID, 5}, "192.0.2.2"); !ok {
		t.Error("another network has none")
	}
}

func TestErasedAndExported(t *testing.T) {
	t.Parallel()
	k := newEnv(t)
	root := k.write(1, 5, 0, "Personal words.")
	k.write(2, 5, root, "An answer.")
	other := k.write(2, 6, 0, "Liked.")
	if _, err := k.Like(k.ctx, 1, other, true); err != nil {
		t.Fatal(err)
	}
	own, err := k.Export(k.ctx, privacy.Reader{ID: 1})
	if err != nil || len(own) != 2 || len(own[0].Rows) != 1 || !slices.Contains(own[0].Rows[0], any("Personal words.")) ||
		own[1].Name != "comment_likes" {
		t.Errorf("%+v %v", own, err)
	}
	for range 2 {
		if err := k.Erase(k.ctx, privacy.Reader{ID: 1}); err != nil {
			t.Fatal(err)
		}
	}
	if c := k.see(0, 5).Threads[0]; c.State != stateRemoved || c.Text != "" || c.Name != "" || len(c.Replies) != 1 {
		t.Errorf("%+v", c)
	}
	if c := k.see(0, 6).Threads[0]; c.Likes != 0 {
		t.Errorf("%d likes", c.Likes)
	}
	if own, err := k.Export(k.ctx, privacy.Reader{ID: 1}); err != nil || len(own) != 0 {
		t.Errorf("%+v %v", own, err)
	}
}

func TestPruned(t *testing.T) {
	t.Parallel()
	k := newEnv(t)
	id := k.write(1, 5, 0, "Stays.")
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	must(k.Report(k.ctx, 2, id, "spam", ""))
	_, err := k.Restore(k.ctx, id, ModerationAction{Actor: "test"})
	must(err)
	_, err = k.Ban(k.ctx, 3, k.db.Now().Add(time.Hour), ModerationAction{Actor: "test", Reason: "x"})
	must(err)
	must(k.keepDraft(k.ctx, Comment{ReaderID: 1, PostID: 5, Text: "Draft"}, ErrTooLong))
	for _, step := range []struct {
		wait time.Duration
		left string
	}{{draftKept - time.Minute, "1 1 1 2"}, {2 * time.Minute, "0 1 1 2"}, {reportKept, "0 0 0 2"}, {logKept, "0 0 0 0"}} {
		testkit.Clock(k.db).Advance(step.wait)
		testkit.Retain(k.ctx, t, k.db, k.Retentions())
		var left string
		k.scan(&left, `SELECT concat_ws(' ', (SELECT count(*) FROM discussion_drafts), (SELECT count(*) FROM
			discussion_reports),
			(SELECT count(*) FROM discussion_bans), (SELECT count(*) FROM discussion_log))`)
		if left != step.left {
			t.Errorf("after %s: %s, want %s", step.wait, left, step.left)
		}
	}
	if k.see(0, 5).Count != 1 {
		t.Error("a comment was pruned")
	}
}

package discussion

import (
	"context"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"example.org/broadsheet/platform/db"
	"example.org/broadsheet/platform/paper/edition"
	"example.org/broadsheet/platform/testkit"
	"example.org/broadsheet/platform/web"
)

func TestThreadsOfTwoLevels(t *testing.T) {
	t.Parallel()
	k := newEnv(t)
	first := k.write(1, 5, 0, "First.")
	second := k.write(2, 5, 0, "Second.")
	a := k.write(3, 5, first, "An answer.")
	b := k.write(1, 5, a, "An answer to the answer stands in the same thread.")
	other := k.write(1, 6, 0, "Elsewhere.")
	want := fmt.Sprintf("%d %d[%d %d]", second, first, a, b)
	for _, reader := range []int64{0, 1, noSubscrip, moderator} {
		d := k.see(reader, 5)
		if got := outline(d); got != want || d.Count != 4 {
			t.Errorf("reader %d sees %s (%d), want %s", reader, got, d.Count, want)
		}
	}
	d := k.see(1, 5)
	if c := d.Threads[1]; c.Name != "r1" || c.Text != "First." || !c.Mine || !c.Editable || c.Replies[0].Mine {
		t.Errorf("%+v", c)
	}
	if v := k.see(0, 5); v.Viewer != (Viewer{State: viewerAnonymous}) || v.Threads[1].Mine {
		t.Errorf("a visitor is told %+v", v.Viewer)
	}
	if got := outline(k.see(0, 6)); got != fmt.Sprint(other) {
		t.Errorf("post 6 has %s", got)
	}
	if _, err := k.Write(k.ctx,
		Comment{PostID: 6, ParentID: first, ReaderID: 1, Text: "Astray.", Key: "k"}); code(err) != "COMMENT_GONE" {
		t.Errorf("an answer under another post: %v", err)
	}
}

// HTML allows three decimals of a second, and the database stores six.
func TestCommentsAreDatedToTheSecond(t *testing.T) {
	t.Parallel()
	k := newEnv(t)
	testkit.Clock(k.db).Stop(k.db.Now().Truncate(time.Second).Add(123456 * time.Microsecond))
	k.write(2, 5, k.write(1, 5, 0, "First."), "An answer.")
	thread := k.see(0, 5).Threads[0]
	for _, c := range []Shown{thread.Shown, thread.Replies[0]} {
		if want := k.db.Now().Truncate(time.Second); !c.Date.Equal(want) {
			t.Errorf("comment %d is dated %s, want %s", c.ID, c.Date, want)
		}
	}
}

// A subscription is offered to whoever has none, but not to accounts of the legacy site.
func TestWhoIsOfferedASubscription(t *testing.T) {
	t.Parallel()
	k := newEnv(t)
	for reader, want := range map[int64]bool{0: false, 1: false, noSubscrip: true, former: false} {
		if got := k.see(reader, 5).Viewer.Offer; got != want {
			t.Errorf("reader %d: %t, want %t", reader, got, want)
		}
	}
}

func TestWhoMayWriteAndWhat(t *testing.T) {
	t.Parallel()
	k := newEnv(t)
	if _, err := k.Ban(k.ctx, 9, k.db.Now().Add(time.Hour),
		ModerationAction{Actor: "test", Reason: "Too loud"}); err != nil {
		t.Fatal(err)
	}
	own := k.write(1, 5, 0, "Mine.")
	hidden := k.write(2, 5, 0, "Bad.")
	if _, err := k.Hide(k.ctx, hidden, ModerationAction{Actor: "test"}); err != nil {
		t.Fatal(err)
	}
	write, on := "/api/discussion/5", func(what string) string { return fmt.Sprintf("/api/comment/%d/%s", own, what) }
	type body = map[string]any
	ok := body{"text": "Hello", "key": "a"}
	for _, c := range []struct {
		name   string
		reader int64
		target string
		body   body
		code   string
		field  string
	}{
		{"a visitor writes", 0, write, ok, "INVALID_TOKEN", ""},
		{"without a subscription", noSubscrip, write, ok, "SUBSCRIPTION_REQUIRED", ""},
		{"without a name", noName, write, ok, "INVALID_REQUIREMENT", "comment_name"},
		{"without text", 3, write, body{"key": "a", "text": " \n"}, "COMMENT_EMPTY", "text"},
		{"without a key", 3, write, body{"text": "Hello"}, "INVALID_REQUIREMENT", "key"},
		{"text that is none", 3, write, body{"text": 7, "key": "a"}, "INVALID_ARGS", "text"},
		{"too long", 3, write, body{"text": strings.Repeat("x", 2001), "key": "a"}, "COMMENT_TOO_LONG", "text"},
		{"too many links", 3, write, body{"text": "www.a.test www.b.test www.c.test", "key": "a"}, "TOO_MANY_LINKS", "text"},
		{"banned", 9, write, ok, "DISCUSSION_BANNED", ""},
		{"under no post", 3, "/api/discussion/1000", ok, "NOT_FOUND", ""},
		{"an answer to nothing", 3, write, body{"text": "Hello", "key": "b", "parent": 999999}, "COMMENT_GONE", "parent"},
		{
			"an answer to what is hidden", 3, write,
			body{"text": "Hello", "key": "b", "parent": hidden},
			"COMMENT_GONE", "parent",
		},
		{"a subscriber writes", 3, write, ok, "", ""},

		{"a visitor edits", 0, on("edit"), body{"text": "x"}, "INVALID_TOKEN", ""},
		{"edits another's", 3, on("edit"), body{"text": "x"}, "COMMENT_GONE", ""},
		{"edits nothing", 3, "/api/comment/999999/edit", body{"text": "x"}, "COMMENT_GONE", ""},
		{"edits no number", 3, "/api/comment/x/edit", body{"text": "x"}, "COMMENT_GONE", ""},
		{"edits what is hidden", 2, fmt.Sprintf("/api/comment/%d/edit", hidden), body{"text": "x"}, "COMMENT_GONE", ""},
		{"edits to nothing", 1, on("edit"), body{"text": ""}, "COMMENT_EMPTY", "text"},
		{
			"edits into an advertisement", 1, on("edit"),
			body{"text": "www.a.test www.b.test www.c.test"},
			"TOO_MANY_LINKS", "text",
		},
		{"edits without a subscription", noSubscrip, on("edit"), body{"text": "x"}, "SUBSCRIPTION_REQUIRED", ""},
		{"banned edits", 9, on("edit"), body{"text": "x"}, "DISCUSSION_BANNED", ""},
		{"edits", 1, on("edit"), body{"text": "Mine, changed."}, "", ""},

		{"a visitor likes", 0, on("like"), body{"liked": true}, "INVALID_TOKEN", ""},
		{"likes without a subscription", noSubscrip, on("like"), body{"liked": true}, "SUBSCRIPTION_REQUIRED", ""},
		{"likes what is their own", 1, on("like"), body{"liked": true}, "INVALID_ARGS", "comment"},
		{"banned likes", 9, on("like"), body{"liked": true}, "DISCUSSION_BANNED", ""},
		{"likes what is hidden", 3, fmt.Sprintf("/api/comment/%d/like", hidden), body{"liked": true}, "COMMENT_GONE", ""},
		{"likes", 3, on("like"), body{"liked": true}, "", ""},

		{"a visitor reports", 0, on("report"), body{"reason": "spam"}, "INVALID_TOKEN", ""},
		{"reports for no reason", 3, on("report"), body{"reason": "boring"}, "INVALID_ARGS", "reason"},
		{
			"reports with a novel", 3, on("report"),
			body{"reason": "spam", "note": strings.Repeat("x", 501)},
			"INVALID_ARGS", "note",
		},
		{
			"reports what is hidden", 3, fmt.Sprintf("/api/comment/%d/report", hidden),
			body{"reason": "spam"},
			"COMMENT_GONE", "",
		},
		{"reports without a subscription", noSubscrip, on("report"), body{"reason": "spam"}, "", ""},

		{"a visitor hides", 0, on("hide"), body{}, "INVALID_TOKEN", ""},
		{"a reader hides", 3, on("hide"), body{}, "NOT_MODERATOR", ""},
		{"a reader restores", 3, on("restore"), body{}, "NOT_MODERATOR", ""},
		{"a reader bans", 3, on("ban"), body{"days": 1, "reason": "x"}, "NOT_MODERATOR", ""},
		{"a reader lifts a ban", 3, on("unban"), body{}, "NOT_MODERATOR", ""},
		{"a moderator bans without a reason", moderator, on("ban"), body{"days": 1}, "INVALID_REQUIREMENT", "reason"},
		{"a moderator bans for no time", moderator, on("ban"), body{"days": 0, "reason": "x"}, "INVALID_ARGS", "days"},
		{"a moderator bans for ever", moderator, on("ban"), body{"days": 3651, "reason": "x"}, "INVALID_ARGS", "days"},
		{"a moderator hides nothing", moderator, "/api/comment/999999/hide", body{}, "COMMENT_GONE", ""},

		{"a visitor takes back", 0, on("remove"), body{}, "INVALID_TOKEN", ""},
		{"takes another's back", 3, on("remove"), body{}, "COMMENT_GONE", ""},
		{"takes back", 1, on("remove"), body{}, "", ""},
		{"takes back again", 1, on("remove"), body{}, "", ""},
		{"edits what was taken back", 1, on("edit"), body{"text": "x"}, "COMMENT_GONE", ""},
		{"a moderator restores what was taken back", moderator, on("restore"), body{}, "COMMENT_GONE", ""},
	} {
		got, answer := k.call(c.reader, c.target, c.body)
		field, _ := answer["field"].(string)
		if got != c.code || field != c.field {
			t.Errorf("%s: %q on %q, want %q on %q", c.name, got, field, c.code, c.field)
		}
		if c.code == "DISCUSSION_BANNED" {
			params := answer["params"].(map[string]any)
			if params["reason"] != "Too loud" || params["until"] == "" {
				t.Errorf("%s: %v", c.name, params)
			}
		}
	}
	off := newEnv(t, func(d *edition.Document) { d.Flags = map[string]bool{Flag: false} })
	if got, _ := off.call(3, write, ok); got != "NOT_FOUND" {
		t.Errorf("where nothing is discussed: %s", got)
	}
}

func TestSentTwiceIsWrittenOnce(t *testing.T) {
	t.Parallel()
	k := newEnv(t)
	in := Comment{PostID: 5, ReaderID: 1, Text: "Once.", Key: "the form's"}
	ids := make([]int64, 20)
	all(len(ids), func(i int) {
		id, err := k.Write(k.ctx, in)
		if err != nil && code(err) != "TOO_MANY_REQUESTS" {
			t.Error(err)
		}
		ids[i] = id
	})
	ids = slices.DeleteFunc(ids, func(id int64) bool { return id == 0 })
	if len(ids) == 0 || len(slices.Compact(ids)) != 1 {
		t.Errorf("ids %v", ids)
	}
	if d := k.see(0, 5); d.Count != 1 {
		t.Errorf("%d comments", d.Count)
	}
	testkit.Clock(k.db).Advance(time.Hour)
	changed := in
	changed.Text = "Once, and now something else."
	again, err := k.Write(k.ctx, in)
	other, err2 := k.Write(k.ctx, changed)
	if err != nil || err2 != nil || again != ids[0] || other == again {
		t.Errorf("later: %d %v, other words: %d %v", again, err, other, err2)
	}
	if somebody, err := k.Write(k.ctx, Comment{PostID: 5, ReaderID: 2, Text: in.Text, Key: in.Key}); err != nil ||
		somebody == again {
		t.Errorf("another reader with the same key: %d %v", somebody, err)
	}
}

func TestEditedForFiveMinutes(t *testing.T) {
	t.Parallel()
	k := newEnv(t)
	id := k.write(1, 5, 0, "First words.")
	testkit.Clock(k.db).Advance(editableFor - time.Second)
	if err := k.Edit(k.ctx, 1, id, "Better words."); err != nil {
		t.Fatal(err)
	}
	if c := k.see(1, 5).Threads[0]; c.Text != "Better words." || c.Edited == nil || !c.Editable {
		t.Errorf("%+v", c)
	}
	testkit.Clock(k.db).Advance(2 * time.Second)
	if err := k.Edit(k.ctx, 1, id, "Too late."); code(err) != "EDIT_TOO_LATE" {
		t.Error(err)
	}
	if c := k.see(1, 5).Threads[0]; c.Text != "Better words." || c.Editable {
		t.Errorf("%+v", c)
	}
}

func TestTakenBackWithItsWords(t *testing.T) {
	t.Parallel()
	k := newEnv(t)
	root := k.write(1, 5, 0, "Regretted.")
	reply := k.write(2, 5, root, "Not regretted.")
	alone := k.write(1, 5, 0, "Regretted too.")
	for _, id := range []int64{root, alone} {
		if err := k.Remove(k.ctx, 1, id); err != nil {
			t.Fatal(err)
		}
	}
	d := k.see(moderator, 5)
	if got, want := outline(d), fmt.Sprintf("%d[%d]", root, reply); got != want || d.Count != 1 {
		t.Errorf("%s (%d), want %s", got, d.Count, want)
	}
	if c := d.Threads[0]; c.State != stateRemoved || c.Text != "" || c.Name != "" || c.Mine {
		t.Errorf("%+v", c)
	}
	var kept int
	k.scan(&kept, "SELECT count(*) FROM discussion_comments WHERE body LIKE 'Regretted%'")
	if kept != 0 {
		t.Errorf("the words of %d are kept", kept)
	}
}

func (k *env) scan(into any, query string, args ...any) {
	k.t.Helper()
	if err := k.db.Run(k.ctx, func(ctx context.Context, tx db.Tx) error {
		return tx.NewRaw(query, args...).Scan(ctx, into)
	}); err != nil {
		k.t.Fatal(err)
	}
}

func TestOnlySoMany(t *testing.T) {
	t.Parallel()
	k := newEnv(t)
	now := k.db.Now() // the windows begin at full hours
	testkit.Clock(k.db).Advance(now.Truncate(time.Hour).Add(time.Hour).Sub(now))
	var ids []int64
	for range commentsOfReader.Max {
		ids = append(ids, k.write(1, 5, 0, "Again."))
	}
	if _, err := k.Write(k.ctx,
		Comment{PostID: 5, ReaderID: 1, Text: "Once more.", Key: "x"}); code(err) != "TOO_MANY_REQUESTS" {
		t.Error(err)
	}
	k.write(2, 5, 0, "Somebody else may.")
	for n := range reportsOfReader.Max + 1 {
		err := k.Report(k.ctx, 3, ids[n%len(ids)], "spam", "")
		if want := map[bool]string{true: "TOO_MANY_REQUESTS"}[n == reportsOfReader.Max]; code(err) != want {
			t.Errorf("report %d: %v", n, err)
		}
	}
	for n := range likesOfReader.Max + 1 {
		_, err := k.Like(k.ctx, 3, ids[0], n%2 == 0)
		if want := map[bool]string{true: "TOO_MANY_REQUESTS"}[n == likesOfReader.Max]; code(err) != want {
			t.Errorf("like %d: %v", n, err)
		}
	}
	for n := range editsOfReader.Max + 1 {
		err := k.Edit(k.ctx, 1, ids[0], fmt.Sprint("Words ", n))
		if want := map[bool]string{true: "TOO_MANY_REQUESTS"}[n == editsOfReader.Max]; code(err) != want {
			t.Errorf("edit %d: %v", n, err)
		}
	}
	testkit.Clock(k.db).Advance(5 * time.Minute)
	k.write(1, 5, 0, "And again.")
}

func TestPlainForms(t *testing.T) {
	t.Parallel()
	k := newEnv(t)
	back := k.ed.DiscussionPath(5)
	v := url.Values{
		"text": {"Without scripts."}, "key": {"k1"}, "back": {back + "?status=TOO_MANY_LINKS"},
		"parent": {"0"},
	}
	to := k.form(1, "/api/discussion/5", v)
	id := k.see(1, 5).Threads[0].ID
	if to != fmt.Sprintf("%s#comment-%d", back, id) {
		t.Errorf("led to %s", to)
	}
	if again := k.form(1, "/api/discussion/5", v); again != to {
		t.Errorf("sent again it led to %s", again)
	}
	long := strings.Repeat("dlhý ", 500)
	v = url.Values{
		"text": {long}, "key": {"k2"}, "back": {fmt.Sprintf("%s?reply=%d", back, id)},
		"parent": {fmt.Sprint(id)},
	}
	to = k.form(1, "/api/discussion/5", v)
	if to != fmt.Sprintf("%s?reply=%d&status=COMMENT_TOO_LONG#write", back, id) {
		t.Errorf("a refused one led to %s", to)
	}
	d := k.see(1, 5, "reply", fmt.Sprint(id))
	if d.Viewer.Draft == nil || d.Viewer.Draft.Body != long || d.Viewer.Draft.ParentID != id || d.Open == nil ||
		*d.Open != (Open{"reply", id}) {
		t.Errorf("what was typed is lost: %+v %+v", d.Viewer.Draft, d.Open)
	}
	if other := k.see(2, 5); other.Viewer.Draft != nil {
		t.Error("another reader sees it")
	}
	v.Set("text", "Kratší.")
	k.form(1, "/api/discussion/5", v)
	if d := k.see(1, 5); d.Viewer.Draft != nil || d.Count != 2 {
		t.Errorf("%d comments, draft %+v", d.Count, d.Viewer.Draft)
	}
	for _, elsewhere := range []string{"https://evil.example/", "//evil.example", "/\\evil.example", ""} {
		v := url.Values{"liked": {"true"}, "back": {elsewhere}}
		if to := k.form(2, fmt.Sprintf("/api/comment/%d/like", id), v); !strings.HasPrefix(to, "/#") {
			t.Errorf("%q led to %s", elsewhere, to)
		}
	}
	if to := k.form(0, fmt.Sprintf("/api/comment/%d/like", id), url.Values{"back": {back}}); to !=
		web.LoginAgain(k.ed, back) {
		t.Errorf("a visitor was led to %s", to)
	}
	w := k.do(1, "/api/discussion/5", "text/plain", `{"text":"x","key":"y"}`)
	if w.Code != http.StatusUnsupportedMediaType {
		t.Errorf("plain text: %d", w.Code)
	}
}

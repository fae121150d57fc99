package logging

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"example.org/broadsheet/platform/testkit"
)

const allParts = "SELECT c.relname FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid WHERE i.inhparent = " +
	"'logging_events'::regclass ORDER BY 1"

// Events lie in the table of their month; months have theirs ahead, one that came too late gets what waited, and one of
// which nothing is kept is dropped.
func TestMonths(t *testing.T) {
	t.Parallel()
	k := newEnv(t)
	open := func(article int) {
		if w := k.post("/fns/logs-put", fmt.Sprintf(`{"action":"article_opened","meta_value":%d}`, article),
			0); w.Code != 200 {
			t.Fatal(w.Body)
		}
	}
	where := func(article int) string {
		return k.rows(fmt.Sprintf("SELECT tableoid::regclass::text FROM logging_events WHERE meta_value = '%d'", article))[0]
	}
	now := k.db.Now().UTC()
	testkit.Clock(k.db).Advance(time.Date(now.Year(), now.Month()+1, 10, 0, 0, 0, 0, time.UTC).Sub(now))
	name := func(months int) string {
		n := k.db.Now().UTC()
		return partPrefix + time.Date(n.Year(), n.Month()+time.Month(months), 1, 0, 0, 0, 0, time.UTC).Format("200601")
	}
	open(1)
	if got := where(1); got != "logging_events_other" {
		t.Errorf("before the job it lies in %s", got)
	}
	for range 2 {
		if err := k.Months(k.ctx); err != nil {
			t.Fatal(err)
		}
	}
	first := name(0)
	if got, want := k.rows(allParts), []string{
		name(0), name(1), name(2), name(3),
		"logging_events_other",
	}; !slices.Equal(got, want) {
		t.Errorf("there are %v, not %v", got, want)
	}
	open(2)
	if where(1) != first || where(2) != first {
		t.Errorf("they lie in %s and %s, not in %s", where(1), where(2), first)
	}
	testkit.Clock(k.db).Advance(eventsKept)
	open(3)
	testkit.Retain(k.ctx, t, k.db, k.Retentions())
	if got := k.rows("SELECT meta_value FROM logging_events"); !slices.Equal(got, []string{"3"}) {
		t.Errorf("%v are kept", got)
	}
	testkit.Clock(k.db).Advance(31 * 24 * time.Hour)
	testkit.Retain(k.ctx, t, k.db, k.Retentions())
	if err := k.Months(k.ctx); err != nil {
		t.Fatal(err)
	}
	if got := k.rows(allParts); slices.Contains(got, first) || !slices.Contains(got, name(3)) {
		t.Errorf("there are %v", got)
	}
}

func TestIsOver(t *testing.T) {
	t.Parallel()
	month := time.Date(2026, 11, 1, 0, 0, 0, 0, time.UTC)
	end := time.Date(2026, 12, 1, 0, 0, 0, 0, time.UTC)
	if isOver(month, end.Add(-time.Second)) || !isOver(month, end) {
		t.Error("a month ends at another time")
	}
	for name, ok := range map[string]bool{
		"logging_events_202611": true, "logging_events_other": false,
		"other_202611": false, "logging_events_202613": false,
	} {
		if _, got := monthOf(name); got != ok {
			t.Errorf("%s: %t", name, got)
		}
	}
}

// The same of the same reader counts once, of another one or later again; the same failure of many is looked at some
// times an hour.
func TestTheSameCountsOnce(t *testing.T) {
	t.Parallel()
	k := newEnv(t)
	count := func(table string) string { return k.rows("SELECT count(*)::text FROM " + table)[0] }
	for range 3 {
		for _, reader := range []int{0, 7, 8} {
			for _, action := range []string{"article_opened", "article_read_full"} {
				if w := k.post("/fns/logs-put", `{"action":"`+action+`","meta_value":5}`, reader); w.Code != 200 {
					t.Fatal(w.Body)
				}
			}
		}
	}
	if got := count("logging_events"); got != "6" {
		t.Errorf("%s events", got)
	}
	testkit.Clock(k.db).Advance(eventsAlike.Window)
	if k.post("/fns/logs-put", `{"action":"article_opened","meta_value":5}`, 7); count("logging_events") != "7" {
		t.Error("later it does not count")
	}
	for range errorsAlike.Max + 5 {
		if w := k.post("/fns/logtail", `{"data":"broken"}`, 0); w.Code != 200 {
			t.Fatal(w.Body)
		}
	}
	k.post("/fns/logtail", `{"data":"another"}`, 0)
	if got := count("logging_client_errors"); got != fmt.Sprint(errorsAlike.Max+1) {
		t.Errorf("%s failures", got)
	}
}

package app

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"

	"example.org/broadsheet/platform/db"
	"example.org/broadsheet/platform/paper/edition"
	"example.org/broadsheet/platform/testkit/wait"
)

// The page for operators says what is wrong in which edition; what was given up is tried again or dropped from there,
// for a reason that stands in the audit log.
func TestTheStatusPage(t *testing.T) {
	t.Parallel()
	p := startApp(t)
	ed, _ := p.app.registry.Get("standard")
	inEdition := func(query string, into any, args ...any) {
		t.Helper()
		err := p.app.DB.Run(edition.With(t.Context(), ed), func(ctx context.Context, tx db.Tx) error {
			return tx.NewRaw(query, args...).Scan(ctx, into)
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	send := func(r *http.Request) (int, string) {
		w := httptest.NewRecorder()
		p.app.adminHandler().ServeHTTP(w, r)
		return w.Code, w.Body.String()
	}
	page := func() string {
		t.Helper()
		code, body := send(httptest.NewRequest(http.MethodGet, "/status", nil))
		if code != http.StatusOK {
			t.Fatalf("the page: %d", code)
		}
		return body
	}
	form := func(fields url.Values, change func(*http.Request)) (int, string) {
		r := httptest.NewRequest(http.MethodPost, "/status/jobs", strings.NewReader(fields.Encode()))
		r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
		if change != nil {
			change(r)
		}
		return send(r)
	}
	wait.Until(t, "all is well", func() bool { return strings.Contains(page(), "All is well.") })
	var ids [2]int64
	for i := range ids {
		inEdition(`INSERT INTO outbox (event, payload, created_at, due_at, next_at, last_error, dead_at) VALUES
			('nobody.listens', '{}', ?0, ?0, ?0, 'refused: jana@example.org <i>', ?0) RETURNING id`, &ids[i], p.clock.Now())
	}
	body := page()
	for _, want := range []string{
		"1 of 3 editions need", "2 jobs given up.", "nobody.listens", fmt.Sprint("no. ", ids[0]),
	} {
		if !strings.Contains(body, want) {
			t.Errorf("no %q in %s", want, body)
		}
	}
	for _, leak := range []string{"jana@example.org", "<i>", "http-equiv"} {
		if strings.Contains(body, leak) {
			t.Errorf("%q is on the page", leak)
		}
	}

	fields := func(action, id, reason string) url.Values {
		return url.Values{"edition": {"standard"}, "action": {action}, "id": {id}, "reason": {reason}}
	}
	first, second := fmt.Sprint(ids[0]), fmt.Sprint(ids[1])
	for name, bad := range map[string]url.Values{
		"say why": fields("drop", first, " "), "no edition": {"action": {"drop"}, "id": {first}, "reason": {"x"}},
		"no action": fields("burn", first, "x"), "number of the job": fields("drop", "", "x"),
		"not one that was given up": fields("retry", "999999", "x"),
	} {
		if code, body := form(bad, nil); code != http.StatusBadRequest || !strings.Contains(body, name) {
			t.Errorf("%v: %d, no %q", bad, code, name)
		}
	}
	elsewhere := func(r *http.Request) { r.Header.Set("Sec-Fetch-Site", "cross-site") }
	if code, _ := form(fields("drop", first, "x"), elsewhere); code != http.StatusForbidden {
		t.Errorf("a page of another site: %d", code)
	}
	var dead int
	if inEdition("SELECT count(*) FROM outbox WHERE dead_at IS NOT NULL", &dead); dead != 2 {
		t.Fatalf("%d are given up after what was refused, want 2", dead)
	}

	if code, _ := form(fields("drop", first, "nobody wants it"), nil); code != http.StatusSeeOther {
		t.Errorf("drop: %d", code)
	}
	var dropped, noted int
	inEdition("SELECT count(*) FROM outbox WHERE id = ? AND done_at IS NOT NULL AND dead_at IS NULL", &dropped, ids[0])
	inEdition("SELECT count(*) FROM identity_audit WHERE action = 'jobs-drop' AND reason = 'nobody wants it' AND detail "+
		"= ?", &noted, "rows "+first)
	if dropped != 1 || noted != 1 {
		t.Errorf("%d dropped, %d lines in the audit log", dropped, noted)
	}
	if code, _ := form(fields("retry", second, "it is mended"), nil); code != http.StatusSeeOther {
		t.Errorf("retry: %d", code)
	}
	wait.Until(t, "it was tried again", func() bool {
		var tried int
		inEdition("SELECT count(*) FROM outbox WHERE id = ? AND (done_at IS NOT NULL OR attempts > 0 OR enqueued_at IS NOT "+
			"NULL)", &tried, ids[1])
		return tried == 1
	})

	gone, err := db.Open("postgres://nobody@127.0.0.1:1/none", p.clock, db.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = gone.Close() })
	without := *p.app
	without.DB = gone
	w := httptest.NewRecorder()
	without.adminHandler().ServeHTTP(w, httptest.NewRequest(http.MethodGet, "/status", nil))
	if w.Code != http.StatusOK || !strings.Contains(w.Body.String(), "Postgres does not answer.") {
		t.Errorf("without a database: %d", w.Code)
	}
}

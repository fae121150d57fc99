package consent

import (
	"context"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"example.org/broadsheet/platform/db"
	"example.org/broadsheet/platform/paper/edition"
	"example.org/broadsheet/platform/paper/page"
	"example.org/broadsheet/platform/session"
	"example.org/broadsheet/platform/testkit"
	"example.org/broadsheet/platform/web"
)

const form = "application/x-www-form-urlencoded"

// rows scans one column of texts.
func (k *env) rows(query string) (rows []string) {
	k.t.Helper()
	err := k.db.Run(k.ctx, func(ctx context.Context, tx db.Tx) error { return tx.NewRaw(query).Scan(ctx, &rows) })
	if err != nil {
		k.t.Fatal(err)
	}
	return rows
}

func cookieOf(t *testing.T, r *http.Response, name string) string {
	t.Helper()
	for _, c := range r.Cookies() {
		if c.Name == name {
			return c.Value
		}
	}
	return ""
}

func TestDocumentsAreSplit(t *testing.T) {
	t.Parallel()
	k := newEnv(t)
	got, err := k.Documents(k.ctx)
	if err != nil || len(got) != 2 {
		t.Fatalf("%v %v", got, err)
	}
	d := got[0]
	if d.ID != "terms" || d.Title != "The terms" || d.URL != "/static/terms" || d.Intro != "<p>Last changed</p>" ||
		len(d.Hash) != 64 {
		t.Errorf("%+v", d)
	}
	want := []Section{{"One & only", "<p>First.</p><ul><li>a</li></ul>"}, {"Two", "<p>Second.</p>"}}
	if fmt.Sprint(d.Sections) != fmt.Sprint(want) {
		t.Errorf("%q", d.Sections)
	}
	k.texts["terms"] += "<p>More.</p>"
	if again, _ := k.Documents(k.ctx); again[0].Hash == d.Hash || again[1].Hash != got[1].Hash {
		t.Error("the hash does not follow the text")
	}
	delete(k.texts, "terms")
	if again, err := k.Documents(k.ctx); err != nil || again[0].Hash != "" || again[0].Title != "terms" ||
		again[0].Sections == nil {
		t.Errorf("a page that is not there: %+v %v", again, err)
	}
}

func TestTheAnswerProvesWhatWasShown(t *testing.T) {
	t.Parallel()
	k := newEnv(t)
	k.post("/api/set-consent-metadata", `{"consent":["privacy"]}`, 7)
	k.post("/api/set-consent-metadata", `{"consent":"later"}`, 8)
	documents, _ := k.Documents(k.ctx)
	kept := k.rows(`SELECT d.document || ' ' || d.version || ' ' || d.address || ' ' || t.text FROM consent_documents d ` +
		`JOIN consent_texts t ON t.hash = d.text_hash ORDER BY 1`)
	want := []string{
		"privacy 2026-01-01 /static/privacy The privacy\n<h2>Data</h2><p>Ours.</p>",
		"terms 2026-01-01 /static/terms The terms\n" + k.texts["terms"],
	}
	if fmt.Sprint(kept) != fmt.Sprint(want) {
		t.Errorf("kept %q", kept)
	}
	asked := k.rows("SELECT DISTINCT t.text FROM consent_log l JOIN consent_texts t ON t.hash = l.text_hash WHERE " +
		"l.kind = 'terms'")
	if len(asked) != 1 {
		t.Fatalf("%q", asked)
	}
	for _, part := range []string{documents[0].Hash, documents[1].Hash, "https://", "/static/terms"} {
		if !strings.Contains(asked[0], part) {
			t.Errorf("%q lacks %s", asked[0], part)
		}
	}
	// The same version with other words is another text; the first stays.
	k.texts["privacy"] = "<h2>Data</h2><p>Yours.</p>"
	k.post("/api/set-consent-metadata", `{"consent":"true"}`, 9)
	if n := k.rows("SELECT count(*)::text FROM consent_documents"); n[0] != "3" {
		t.Errorf("%s texts", n)
	}
}

func TestAnswersToOldTextsAreRefused(t *testing.T) {
	t.Parallel()
	k := newEnv(t)
	documents, _ := k.Documents(k.ctx)
	body := func(hashes ...string) string {
		return `{"consent":"true","shown":["` + strings.Join(hashes, `","`) + `"]}`
	}
	for name, c := range map[string]struct {
		body string
		want int
	}{
		"as they are":  {body(documents[1].Hash, documents[0].Hash), 200},
		"one only":     {body(documents[0].Hash), 400},
		"another text": {body(documents[0].Hash, strings.Repeat("0", 64)), 400},
		"one too many": {body(documents[0].Hash, documents[1].Hash, documents[1].Hash), 400},
		"not told":     {`{"consent":"true","shown":[]}`, 200},
		"not a list":   {`{"consent":"true","shown":"x"}`, 400},
	} {
		before := len(k.logged())
		w := k.post("/api/set-consent-metadata", c.body, 7)
		if w.Code != c.want || (w.Code == 400) != strings.Contains(w.Body.String(), `"field":"shown"`) {
			t.Errorf("%s: %d %s", name, w.Code, w.Body)
		}
		if written := len(k.logged()) - before; (written == 1) != (w.Code == 200) {
			t.Errorf("%s: %d rows", name, written)
		}
	}
}

func TestAnswersReachTheCookie(t *testing.T) {
	t.Parallel()
	k := newEnv(t)
	ed, _ := edition.From(k.ctx)
	mark := "." + text{words: versions(ed)}.hash()[:8]
	for consent, want := range map[string]string{
		`"true"`: "true", `"false"`: "false", `"later"`: "later",
		`["terms","privacy"]`: "terms+privacy", `"privacy"`: "privacy",
	} {
		for target, reader := range map[string]int{"/api/set-consent-metadata": 7, "/api/set-gdpr-consent-cookie": 0} {
			w := k.post(target, `{"consent":`+consent+`}`, reader)
			if got := cookieOf(t, w.Result(), termsCookie); w.Code != 200 || got != want+mark {
				t.Errorf("%s %s: %d %q", target, consent, w.Code, got)
			}
		}
	}
	if rows := k.logged(); len(rows) != 10 {
		t.Errorf("%d rows for ten answers", len(rows))
	}
	// The call about cookies takes a reader's answer too, and it is the reader's.
	k.post("/api/set-gdpr-consent-cookie", `{"consent":"later"}`, 11)
	if got, _ := k.Agreed(k.ctx, 11); got != agreedLater {
		t.Errorf("%q", got)
	}
}

func TestLaterComes(t *testing.T) {
	t.Parallel()
	k := newEnv(t)
	for reader, answer := range map[int]string{7: "later", 8: "false", 9: "privacy"} {
		k.post("/api/set-consent-metadata", `{"consent":"`+answer+`"}`, reader)
	}
	agreed := func() (all []string) {
		for _, id := range []int64{7, 8, 9} {
			a, err := k.Agreed(k.ctx, id)
			if err != nil {
				t.Fatal(err)
			}
			all = append(all, a)
		}
		return all
	}
	testkit.Clock(k.db).Advance(laterTTL - time.Minute)
	if got := fmt.Sprint(agreed()); got != "[later false privacy]" {
		t.Error(got)
	}
	testkit.Clock(k.db).Advance(2 * time.Minute)
	if got := fmt.Sprint(agreed()); got != "[undefined false privacy]" {
		t.Error(got)
	}
}

func TestFormsOfTheDocuments(t *testing.T) {
	t.Parallel()
	for _, leaves := range []bool{false, true} {
		k := newEnv(t, func(d *edition.Document) { d.Consent.RejectLogsOut = leaves })
		ed, _ := edition.From(k.ctx)
		own, out := ed.Href(edition.ConsentPage), ed.Href(edition.Logout)
		if !leaves {
			out = own
		}
		for name, c := range map[string]struct {
			body   string
			reader int
			to     string
			agreed string
		}{
			"agree":      {"consent=terms%2Cprivacy", 7, own, "terms,privacy"},
			"later":      {"consent=later", 8, own, "later"},
			"reject":     {"consent=false", 9, out, "false"},
			"nothing":    {"", 10, own + "?status=INVALID_ARGS", "undefined"},
			"old text":   {"consent=true&shown=x", 11, own + "?status=INVALID_ARGS", "undefined"},
			"signed out": {"consent=later", 0, web.LoginAgain(ed, own), "undefined"},
		} {
			w := k.post("/api/set-consent-metadata", c.body, c.reader, "Content-Type", form, "Referer", "https://sk.test"+own)
			got, err := k.Agreed(k.ctx, int64(c.reader))
			if w.Code != http.StatusSeeOther || w.Header().Get("Location") != c.to || got != c.agreed || err != nil {
				t.Errorf("%s: %d to %q, %q %v", name, w.Code, w.Header().Get("Location"), got, err)
			}
		}
	}
}

func TestThePageTellsWhatHolds(t *testing.T) {
	t.Parallel()
	k := newEnv(t)
	if _, _, err := k.Agree(k.ctx, []string{"privacy"}, nil, visitor{readerID: 7}); err != nil {
		t.Fatal(err)
	}
	load := k.Pages()[edition.ConsentPage]
	if !load.Personal {
		t.Error("the page is shared")
	}
	for cookie, want := range map[string]string{
		"all.1": "all", "necessary.1": "necessary", "all.0": "", "all": "all",
		"soul.1": "", "": "",
	} {
		for reader, answer := range map[int64]string{0: "", 7: "privacy", 8: "undefined"} {
			ctx := withChoice(k.ctx, cookie)
			if reader != 0 {
				ctx = session.With(ctx, session.Session{ReaderID: reader})
			}
			p, err := load.Load(ctx, &page.Request{Edition: testkit.EditionOf(k.ctx, t), Path: "/account/consent"})
			if err != nil {
				t.Fatal(err)
			}
			d, _ := p.Data.(pageData)
			if d.Choice != want || d.Answer != answer || len(d.Documents) != 2 || !p.NoStore || p.Meta.Robots != "noindex" ||
				p.Meta.Title == "" {
				t.Errorf("%q, reader %d: %+v", cookie, reader, d)
			}
		}
	}
}

func TestEditionsAnswerForThemselves(t *testing.T) {
	t.Parallel()
	here, there := newEnv(t), newEnv(t)
	here.post("/api/set-consent-metadata", `{"consent":"true"}`, 7)
	if got, err := there.Agreed(there.ctx, 7); got != undefined || err != nil || len(there.logged()) != 0 {
		t.Errorf("reader 7 of another edition: %q %v", got, err)
	}
}

func TestAChoiceIsOneRow(t *testing.T) {
	t.Parallel()
	k := newEnv(t)
	for i, c := range []struct{ target, body string }{
		{"/api/set-gdpr-consent-cookie", `{"consent":"all"}`},
		{"/api/set-gdpr-consent-cookie", `{"consent":"necessary"}`},
		{"/api/set-consent-metadata", `{"consent":"true"}`},
		{"/api/set-consent-metadata", `{"consent":"false"}`},
	} {
		if k.post(c.target, c.body, 7); len(k.logged()) != i+1 {
			t.Errorf("%d rows after %d answers", len(k.logged()), i+1)
		}
	}
}

// What was allowed is taken back as it was given: the browser holds the answer that was given last, and each is proved.
func TestAChoiceIsWithdrawn(t *testing.T) {
	t.Parallel()
	k := newEnv(t)
	ed, _ := edition.From(k.ctx)
	for i, choice := range []Choice{All, Necessary, All, Necessary} {
		w := k.post("/api/set-gdpr-consent-cookie", `{"consent":"`+string(choice)+`"}`, 0)
		if i > 1 {
			w = k.post("/api/set-gdpr-consent-cookie", "consent="+string(choice), 0, "Content-Type", form)
		}
		if got := cookieOf(t, w.Result(), choiceCookie); got != string(choice)+"."+ed.Consent.CookieVersion {
			t.Errorf("after %s the browser holds %q", choice, got)
		}
	}
	if rows := k.logged(); len(rows) != 6 {
		t.Errorf("%d rows", len(rows))
	}
}

func TestGetDocuments(t *testing.T) {
	t.Parallel()
	k := newEnv(t)
	if w := k.get("/api/consent-documents"); w.Code != 200 ||
		!strings.Contains(w.Body.String(), `"sections":[{"title":"One \u0026 only"`) {
		t.Errorf("%d %s", w.Code, w.Body)
	}
}

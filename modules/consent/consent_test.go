package consent

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/gin-gonic/gin"

	"example.org/broadsheet/platform/db"
	"example.org/broadsheet/platform/paper/edition"
	"example.org/broadsheet/platform/session"
	"example.org/broadsheet/platform/testkit"
	"example.org/broadsheet/platform/web"
)

// env is the module behind the server's middleware; readers name themselves in the session cookie.
type env struct {
	*Module
	t      *testing.T
	ctx    context.Context
	engine *gin.Engine
	closed map[int64]bool // readers who put the reminder aside
	until  time.Time      // end of every reader's access
	texts  map[string]string
}

// PageText implements Pages.
func (k *env) PageText(_ context.Context, slug string) (title, html string, err error) {
	html, ok := k.texts[slug]
	if !ok {
		return "", "", web.ErrNotFound
	}
	return "The " + slug, html, nil
}

// DismissReminder implements Reminders.
func (k *env) DismissReminder(_ context.Context, readerID int64, dismissed bool) error {
	k.closed[readerID] = dismissed
	return nil
}

// ActiveUntil implements Reminders.
func (k *env) ActiveUntil(context.Context, int64) (time.Time, error) { return k.until, nil }

func newEnv(t *testing.T, change ...func(*edition.Document)) *env {
	t.Helper()
	gin.SetMode(gin.ReleaseMode)
	ctx, d := testkit.Edition(t, change...)
	return newEnvOn(ctx, t, d)
}

func newEnvOn(ctx context.Context, t *testing.T, d *db.DB) *env {
	t.Helper()
	ed, _ := edition.From(ctx)
	k := &env{t: t, ctx: ctx, engine: gin.New(), closed: map[int64]bool{}, texts: map[string]string{
		"terms": "<p>Last changed</p><h2>One &amp; " +
			"<em>only</em></h2><p>First.</p><ul><li>a</li></ul><h2>Two</h2><p>Second.</p>",
		"privacy": "<h2>Data</h2><p>Ours.</p>",
	}}
	k.Module = New(Deps{DB: d, Cookies: web.Cookies{Secure: true}, Reminders: k, Pages: k})
	k.engine.Use(web.SameOrigin(), web.BodyLimit(64<<10), web.Editions(func(string) (*edition.Edition, bool) {
		return ed, true
	}),
		web.Cookies{Secure: true}.Sessions(func(_ context.Context, token string) (s session.Session, ok bool, err error) {
			_, err = fmt.Sscan(token, &s.ReaderID)
			return s, err == nil, err
		}))
	k.Routes(k.engine)
	return k
}

func (k *env) post(target, body string, reader int, headers ...string) *httptest.ResponseRecorder {
	r := httptest.NewRequest(http.MethodPost, "https://sk.test"+target, strings.NewReader(body))
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Sec-Fetch-Site", "same-origin")
	r.RemoteAddr = "[2001:db8:1:2:3::4]:1"
	for i := 0; i < len(headers); i += 2 {
		r.Header.Set(headers[i], headers[i+1])
	}
	if reader != 0 {
		r.AddCookie(&http.Cookie{Name: "__Host-session", Value: fmt.Sprint(reader)})
	}
	w := httptest.NewRecorder()
	k.engine.ServeHTTP(w, r)
	return w
}

func (k *env) get(target string) *httptest.ResponseRecorder {
	w := httptest.NewRecorder()
	k.engine.ServeHTTP(w, httptest.NewRequest(http.MethodGet, "https://sk.test"+target, nil))
	return w
}

func (k *env) logged() (rows []string) {
	k.t.Helper()
	err := k.db.Run(k.ctx, func(ctx context.Context, tx db.Tx) error {
		return tx.NewRaw(`SELECT concat_ws('|', kind, coalesce(reader_id::text, '-'), length(visitor_id),
			array_to_string(categories, ','), action, policy_version, language, network, agent)
			FROM consent_log ORDER BY id`).Scan(ctx, &rows)
	})
	if err != nil {
		k.t.Fatal(err)
	}
	return rows
}

func TestChoiceAboutCookies(t *testing.T) {
	t.Parallel()
	k := newEnv(t)
	const firefox = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0"
	w := k.post("/api/set-gdpr-consent-cookie", `{"consent":"all"}`, 0, "User-Agent", firefox)
	cookies := map[string]*http.Cookie{}
	for _, c := range w.Result().Cookies() {
		cookies[c.Name] = c
	}
	choice, id := cookies[choiceCookie], cookies[idCookie]
	if w.Code != 200 || choice == nil || id == nil || choice.Value != "all.1" || choice.HttpOnly || !id.HttpOnly {
		t.Fatalf("%d %s %v", w.Code, w.Body, cookies)
	}
	if left := choice.Expires.Sub(k.db.Now()); left > asksAgainAfter || left < asksAgainAfter-time.Minute {
		t.Errorf("the choice holds for %s", left)
	}
	// Later choices of this browser carry the same id; a form gets back to its page.
	w = k.post("/api/set-gdpr-consent-cookie", "consent=necessary", 0, "Content-Type", "application/x-www-form-urlencoded",
		"Referer", "https://sk.test/1/clanok?x=1", "Cookie", idCookie+"="+id.Value)
	if w.Code != 303 || w.Header().Get("Location") != "/1/clanok?x=1" {
		t.Fatalf("%d %v", w.Code, w.Header())
	}
	k.post("/api/set-gdpr-consent-cookie", `{"consent":"necessary"}`, 7)
	want := []string{
		"cookies|-|26|necessary,measurement,embeds|all|1|sk-SK|2001:db8:1::/48|Firefox, Linux",
		"cookies|-|26|necessary|necessary|1|sk-SK|2001:db8:1::/48|",
		"cookies|7|26|necessary|necessary|1|sk-SK|2001:db8:1::/48|",
	}
	if got := k.logged(); strings.Join(got, "\n") != strings.Join(want, "\n") {
		t.Errorf("the log says\n%s", strings.Join(got, "\n"))
	}
	var same, texts int
	var words string
	err := k.db.Run(k.ctx, func(ctx context.Context, tx db.Tx) error {
		return tx.NewRaw(`SELECT count(DISTINCT visitor_id) FILTER (WHERE reader_id IS NULL), count(DISTINCT text_hash),
			min(t.text)
			FROM consent_log l JOIN consent_texts t ON t.hash = l.text_hash`).Scan(ctx, &same, &texts, &words)
	})
	if err != nil || same != 1 || texts != 1 || !strings.Contains(words, "cookies") {
		t.Errorf("%v: %d ids, %d texts: %q", err, same, texts, words)
	}
}

func TestRefusedChoices(t *testing.T) {
	t.Parallel()
	k := newEnv(t)
	for name, c := range map[string]struct {
		body, media string
		want        int
	}{
		"unknown":        {`{"consent":"everything"}`, "application/json", 400},
		"none":           {`{}`, "application/json", 400},
		"not a text":     {`{"consent":1}`, "application/json", 400},
		"not JSON":       {`consent`, "application/json", 400},
		"unknown, form":  {"consent=x", form, 303},
		"text":           {"all", "text/plain", 415},
		"other category": {`{"consent":"measurement"}`, "application/json", 400},
	} {
		w := k.post("/api/set-gdpr-consent-cookie", c.body, 0, "Content-Type", c.media)
		if w.Code != c.want || w.Header().Get("Set-Cookie") != "" {
			t.Errorf("%s: %d %s", name, w.Code, w.Body)
		}
	}
	if w := k.post("/api/set-gdpr-consent-cookie", `{"consent":"all"}`, 0, "Sec-Fetch-Site", "cross-site"); w.Code != 403 {
		t.Errorf("from another site: %d", w.Code)
	}
	if len(k.logged()) != 0 {
		t.Error("a refused choice was logged")
	}
}

func TestFormsLeadHome(t *testing.T) {
	t.Parallel()
	for referer, want := range map[string]string{
		"": "/", "https://evil.example/x": "/", "https://sk.test//evil.example": "/",
		"https://sk.test.evil.example/": "/", "%": "/",
		"https://sk.test/a?b=c": "/a?b=c", "https://sk.test": "/",
	} {
		r := httptest.NewRequest(http.MethodPost, "https://sk.test/", nil)
		r.Header.Set("Referer", referer)
		if got := cameFrom(r); got != want {
			t.Errorf("%q: %q", referer, got)
		}
	}
}

func TestTerms(t *testing.T) {
	t.Parallel()
	k, reader := newEnv(t), 0
	for name, c := range map[string]struct {
		consent string
		want    string // of Agreed; "" is a refusal
	}{
		"true":           {`"true"`, "true"},
		"as truth value": {`true`, "true"},
		"false":          {`"false"`, "false"},
		"later":          {`"later"`, "later"},
		"one document":   {`"privacy"`, "privacy"},
		"list":           {`["privacy","terms","privacy"]`, "privacy,terms"},
		"list as text":   {`"[\"terms\"]"`, "terms"},
		"commas":         {`"terms, privacy"`, "terms,privacy"},
		"unknown":        {`["terms","soul"]`, ""},
		"undefined":      {`"undefined"`, ""},
		"empty":          {`""`, ""},
		"empty list":     {`[]`, ""},
		"number":         {`1`, ""},
		"object":         {`{"a":1}`, ""},
	} {
		for target, body := range map[string]string{
			"/api/set-consent-metadata": `{"consent":` + c.consent + `,"user_id":7}`,
			"/fns/update-user-metadata": `{"metadata":[{"meta_key":"user_agreed_to_terms","meta_value":` + c.consent +
				`}],"user_id":"7"}`,
		} {
			reader++
			w := k.post(target, strings.Replace(body, "7", fmt.Sprint(reader), 1), reader)
			got, err := k.Agreed(k.ctx, int64(reader))
			if err != nil {
				t.Fatal(err)
			}
			status, want := 200, c.want
			if want == "" {
				status, want = 400, "undefined"
			}
			if w.Code != status || got != want {
				t.Errorf("%s, %s: %d %s, %q", name, target, w.Code, w.Body, got)
			}
			if other, _ := k.Agreed(k.ctx, int64(reader)+1); other != "undefined" {
				t.Errorf("%s: somebody else agreed: %q", name, other)
			}
		}
	}
}

func TestNewVersionsAskAgain(t *testing.T) {
	t.Parallel()
	k := newEnv(t)
	for _, answer := range []string{"later", "true"} {
		if _, _, err := k.Agree(k.ctx, []string{answer}, nil, visitor{readerID: 7}); err != nil {
			t.Fatal(err)
		}
		if got, _ := k.Agreed(k.ctx, 7); got != answer {
			t.Errorf("%q instead of the last answer", got)
		}
	}
	doc := testkit.Document(0)
	doc.Consent.Documents[1].Version = "2027-01-01"
	ed, err := edition.New(doc, testkit.Origin)
	if err != nil {
		t.Fatal(err)
	}
	if got, err := k.Agreed(edition.With(k.ctx, ed), 7); got != "undefined" || err != nil {
		t.Errorf("%q %v after a new version", got, err)
	}
}

func TestOnlyTheOwnSettings(t *testing.T) {
	t.Parallel()
	k := newEnv(t)
	for _, target := range []string{"/api/set-consent-metadata", "/fns/update-user-metadata"} {
		body := func(id string) string {
			return `{"consent":"true","metadata":[{"meta_key":"user_agreed_to_terms","meta_value":"true"}],"user_id":` + id + `}`
		}
		for name, c := range map[string]struct {
			body   string
			reader int
			want   int
			code   string
		}{
			"another's":       {body("8"), 7, 403, "FOREIGN_USER"},
			"another's, text": {body(`"8"`), 7, 403, "FOREIGN_USER"},
			"signed out":      {body("8"), 0, 401, "INVALID_TOKEN"},
			"nobody":          {body("null"), 0, 401, "INVALID_TOKEN"},
			"nonsense":        {body(`"8 OR 1=1"`), 7, 400, "INVALID_ARGS"},
			"negative":        {body(`-8`), 7, 400, "INVALID_ARGS"},
			"without id":      {body(`""`), 7, 200, ""},
		} {
			w := k.post(target, c.body, c.reader)
			if w.Code != c.want || !strings.Contains(w.Body.String(), c.code) {
				t.Errorf("%s, %s: %d %s", target, name, w.Code, w.Body)
			}
		}
	}
	if got, _ := k.Agreed(k.ctx, 8); got != "undefined" {
		t.Error("a stranger agreed in reader 8's name")
	}
}

func TestSettingsAreListed(t *testing.T) {
	t.Parallel()
	k := newEnv(t)
	for name, list := range map[string]string{
		"of the house": `[{"meta_key":"expiration","meta_value":"9999999999"}]`,
		"no key":       `[{"meta_value":"true"}]`,
		"none":         `[]`,
		"no list":      `{}`,
		"good, bad":    `[{"meta_key":"user_agreed_to_terms","meta_value":"true"},{"meta_key":"role","meta_value":"admin"}]`,
		"bad value":    `[{"meta_key":"subscription_expiration_reminder","meta_value":"maybe"}]`,
		"21": `[` + strings.Repeat(`{"meta_key":"user_agreed_to_terms","meta_value":"true"},`, 20) +
			`{"meta_key":"user_agreed_to_terms","meta_value":"true"}]`,
	} {
		if w := k.post("/fns/update-user-metadata", `{"metadata":`+list+`}`, 7); w.Code != 400 {
			t.Errorf("%s: %d %s", name, w.Code, w.Body)
		}
	}
	if len(k.logged()) != 0 {
		t.Error("a refused list was half done")
	}
	if len(k.closed) != 0 {
		t.Error("a refused list closed the reminder")
	}
}

func TestReminderIsPutAside(t *testing.T) {
	t.Parallel()
	k := newEnv(t)
	if w := k.post("/fns/update-user-metadata", `{"metadata":[{"meta_key":"subscription_expiration_reminder",`+
		`"meta_value":"false"}]}`, 0); w.Code != 401 || len(k.closed) != 0 {
		t.Errorf("a visitor: %d %s", w.Code, w.Body)
	}
	for _, step := range []struct {
		value  string
		closed bool
	}{{"false", true}, {`"true"`, false}, {`"false"`, true}} {
		k.until = k.db.Now().AddDate(0, 0, 3)
		w := k.post("/fns/update-user-metadata", `{"metadata":[{"meta_key":"subscription_expiration_reminder","meta_value":`+
			step.value+`}],"user_id":7}`, 7)
		if closed, told := k.closed[7]; w.Code != 200 || !told || closed != step.closed {
			t.Fatalf("%s: %d %s, closed: %t", step.value, w.Code, w.Body, closed)
		}
		var cookie *http.Cookie
		for _, c := range w.Result().Cookies() {
			if c.Name == "subscription_reminder" {
				cookie = c
			}
		}
		if cookie == nil || cookie.HttpOnly || (cookie.Value != "") != step.closed {
			t.Fatalf("%s: cookie %v", step.value, cookie)
		}
	}
}

// The cookie of a closed reminder ends when the edition's day begins on which access ends, whatever day it is closed
// on.
func TestReminderCookie_Expires(t *testing.T) {
	t.Parallel()
	k := newEnv(t)
	ed, err := edition.From(k.ctx)
	if err != nil {
		t.Fatal(err)
	}
	midnight := func(days int) time.Time {
		year, month, day := k.db.Now().In(ed.Location).Date()
		return time.Date(year, month, day+days, 0, 0, 0, 0, ed.Location)
	}
	for name, c := range map[string]struct{ end, want time.Time }{
		"three days before":             {midnight(3).Add(9 * time.Hour), midnight(3)},
		"before its last minute":        {midnight(4).Add(-time.Minute), midnight(3)},
		"before its first minute":       {midnight(3).Add(time.Minute), midnight(3)},
		"before a day that has begun":   {midnight(3), midnight(3)},
		"two days before, by a link":    {midnight(2).Add(9 * time.Hour), midnight(2)},
		"the day before":                {midnight(1).Add(23 * time.Hour), midnight(1)},
		"long before, by a link":        {midnight(200).Add(time.Hour), midnight(200)},
		"on the day of the end":         {midnight(1).Add(-time.Second), time.Time{}},
		"after the end":                 {midnight(-2), time.Time{}},
		"of a reader who has no access": {},
	} {
		k.until = c.end
		w := k.post("/fns/update-user-metadata", `{"metadata":[{"meta_key":"subscription_expiration_reminder",`+
			`"meta_value":"false"}],"user_id":7}`, 7)
		for _, ck := range w.Result().Cookies() {
			switch {
			case ck.Name != "subscription_reminder":
			case c.want.IsZero() != (ck.Value == ""):
				t.Errorf("%s: got %v, want one kept: %t", name, ck, !c.want.IsZero())
			case !c.want.IsZero() && !ck.Expires.Equal(c.want):
				t.Errorf("%s: got %s, want %s", name, ck.Expires.In(ed.Location), c.want)
			}
		}
	}
}

func TestTheLogIsNotChanged(t *testing.T) {
	t.Parallel()
	k := newEnv(t)
	k.post("/api/set-gdpr-consent-cookie", `{"consent":"all"}`, 0)
	k.post("/api/set-consent-metadata", `{"consent":"true"}`, 7)
	owner := testkit.OwnerOf(k.ctx, t, k.db) // not even who owns the tables
	for _, statement := range []string{
		"UPDATE consent_log SET action = 'necessary'", "DELETE FROM consent_log", "TRUNCATE consent_log",
		"UPDATE consent_texts SET text = 'less'", "DELETE FROM consent_texts", "TRUNCATE consent_texts CASCADE",
		// By itself, without those that stand before it.
		"ALTER TABLE consent_log DISABLE TRIGGER consent_log_whole; ALTER TABLE consent_documents DISABLE TRIGGER " +
			"consent_documents_whole; TRUNCATE consent_texts CASCADE",
		"UPDATE consent_documents SET version = '0'", "DELETE FROM consent_documents", "TRUNCATE consent_documents",
		// Retention names a limit; what is younger than it, and what a reader answered, stays.
		"SELECT set_config('consent.kept_since', '2000-01-01', true); DELETE FROM consent_log",
		"SELECT set_config('consent.kept_since', '2000-01-01', true); DELETE FROM consent_log WHERE reader_id IS NULL",
		"SELECT set_config('consent.kept_since', '9999-01-01', true); DELETE FROM consent_log WHERE reader_id = 7",
	} {
		_, err := owner.ExecContext(k.ctx, statement)
		if err == nil || !strings.Contains(err.Error(), "append-only") {
			t.Errorf("%s: %v", statement, err)
		}
	}
	if len(k.logged()) != 2 {
		t.Fatalf("%d rows are left", len(k.logged()))
	}
	for _, step := range []struct {
		wait time.Duration
		left int
	}{{visitorsKept - time.Hour, 2}, {2 * time.Hour, 1}, {10 * visitorsKept, 1}} {
		testkit.Clock(k.db).Advance(step.wait)
		if testkit.Retain(k.ctx, t, k.db, k.Retentions()); len(k.logged()) != step.left {
			t.Errorf("%d rows are left, want %d", len(k.logged()), step.left)
		}
	}
}

func TestEveryLanguageHasItsQuestion(t *testing.T) {
	t.Parallel()
	seen := map[string]bool{}
	for n := range testkit.MaxEditions {
		ed, err := edition.New(testkit.Document(n), testkit.Origin)
		if err != nil {
			t.Fatal(err)
		}
		q, err := cookieText(ed)
		if err != nil || q.language != ed.IntlLocale || len(q.words) < 100 {
			t.Errorf("%s: %v %q", ed.ID, err, q.words)
		}
		seen[q.words] = true
	}
	if len(seen) < 2 {
		t.Error("Slovak and German readers are asked in the same words")
	}
	if _, err := cookieText(&edition.Edition{Document: edition.Document{Locale: "xx"}}); err == nil {
		t.Error("a language without words has a question")
	}
}

func TestTheLogCannotBeFilled(t *testing.T) {
	t.Parallel()
	k := newEnv(t)
	now := k.db.Now() // the budget begins at the full hour
	testkit.Clock(k.db).Advance(now.Truncate(time.Hour).Add(time.Hour).Sub(now))
	refused := 0
	for range answersOfNetwork.Max + 5 {
		if w := k.post("/api/set-gdpr-consent-cookie", url.Values{"consent": {"all"}}.Encode(), 0, "Content-Type",
			"application/x-www-form-urlencoded"); w.Code == 429 {
			refused++
		}
	}
	if rows := len(k.logged()); refused != 5 || rows != answersOfNetwork.Max {
		t.Errorf("%d refused, %d rows", refused, rows)
	}
}

// Who went on from a form that named the documents as they are has agreed to them, once, and is asked again about new
// ones alone.
func TestAnAgreementAtAForm(t *testing.T) {
	t.Parallel()
	k := newEnv(t)
	ed, _ := edition.From(k.ctx)
	k.engine.POST("/enter", func(c *gin.Context) {
		var reader int64
		_, _ = fmt.Sscan(c.Query("reader"), &reader)
		if err := k.AgreedAtForm(c, reader, c.Query("agreed")); err != nil {
			t.Error(err)
		}
	})
	enter := func(reader int, agreed string) (cookie string) {
		for _, c := range k.post("/enter?reader="+fmt.Sprint(reader)+"&agreed="+url.QueryEscape(agreed), "", 0).
			Result().Cookies() {
			cookie = c.Name
		}
		return cookie
	}
	answer := func(reader int64) string {
		a, err := k.Agreed(k.ctx, reader)
		if err != nil {
			t.Fatal(err)
		}
		return a
	}
	now := versions(ed)
	if got := enter(1, now); got != termsCookie || answer(1) == undefined {
		t.Errorf("%q, answer %s: nothing was recorded", got, answer(1))
	}
	if got := enter(1, now); got != "" || len(k.logged()) != 1 {
		t.Errorf("recorded twice: %q %q", got, k.logged())
	}
	for name, agreed := range map[string]string{
		"older": strings.ReplaceAll(now, "@", "@old-"),
		"some":  strings.Fields(now)[0], "none": "",
	} {
		if got := enter(2, agreed); got != "" || answer(2) != undefined {
			t.Errorf("%s documents: %q, answer %s", name, got, answer(2))
		}
	}
	k.post("/api/set-consent-metadata", `{"consent":"false"}`, 3)
	if enter(3, now); answer(3) != agreedFalse {
		t.Errorf("a refusal became %s", answer(3))
	}
	var words string
	err := k.db.Run(k.ctx, func(ctx context.Context, tx db.Tx) error {
		return tx.NewRaw("SELECT text FROM consent_texts t JOIN consent_log l ON l.text_hash = t.hash WHERE l.reader_id = 1").
			Scan(ctx, &words)
	})
	if err != nil || !strings.Contains(words, "Pokračovaním súhlasíte") ||
		!strings.Contains(words, strings.Replace(strings.Fields(now)[0], "@", " ", 1)) {
		t.Errorf("%v: what was shown is kept as %q", err, words)
	}
}

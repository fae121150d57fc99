package identity

import (
	"context"
	"encoding/json"
	"net/url"
	"testing"
	"time"

	"example.org/broadsheet/platform/db"
	"example.org/broadsheet/platform/paper/edition"
	"example.org/broadsheet/platform/paper/page"
	"example.org/broadsheet/platform/session"
	"example.org/broadsheet/platform/web"
)

// open loads a page for a reader; 0 is a visitor. cookie holds what was typed before.
func (k *env) open(route edition.Route, reader int64, query url.Values, cookie ...string) *page.Page {
	k.t.Helper()
	ctx, tier := k.ctx, page.Anonymous
	if reader != 0 {
		ctx, tier = session.With(ctx, session.Session{ID: 1, ReaderID: reader, Handle: "h"}), page.Member
	}
	for _, text := range cookie {
		ctx = web.WithStickyForm(ctx, nameForm, text)
	}
	ed, err := edition.From(k.ctx)
	if err != nil {
		k.t.Fatal(err)
	}
	p, err := k.Pages()[route].Load(ctx,
		&page.Request{Edition: ed, Route: route, Path: ed.Href(route), Query: query, RawQuery: query.Encode(), Tier: tier})
	if err != nil {
		k.t.Fatal(err)
	}
	return p
}

func textOf(t *testing.T, p *page.Page) string {
	t.Helper()
	text, err := json.Marshal(p.Data)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func TestFocusPage(t *testing.T) {
	t.Parallel()
	k := newEnv(t)
	jana := k.reader("jana@example.org")
	for _, c := range []struct {
		name   string
		reader int64
		query  string
		to     string
	}{
		{"a visitor", 0, "type=comment_name", "/account/login?referrer=%2Faccount%2Ffocus%3Ftype%3Dcomment_name"},
		{"no type", jana, "", "/account/profile"},
		{"another type", jana, "type=password", "/account/profile"},
		{"a type in other letters", jana, "type=Comment_Name", "/account/profile"},
		{"the name", jana, "type=comment_name", ""},
	} {
		q, err := url.ParseQuery(c.query)
		if err != nil {
			t.Fatal(err)
		}
		if p := k.open(edition.Focus, c.reader, q); p.Redirect != c.to || !p.NoStore {
			t.Errorf("%s: leads to %q, kept: %v", c.name, p.Redirect, !p.NoStore)
		}
	}
	if s := k.Pages()[edition.Focus]; !s.Personal {
		t.Error("the page is shared")
	}
	q := url.Values{"type": {"comment_name"}}
	if got := textOf(t, k.open(edition.Focus, jana, q)); got != `{"comment_name":{"value":"","has":false},`+
		`"type":"comment_name"}` {
		t.Error(got)
	}
	if err := k.names.Set(k.ctx, jana, "Jana.N"); err != nil {
		t.Fatal(err)
	}
	if got := textOf(t, k.open(edition.Focus, jana, q)); got != `{"comment_name":{"value":"Jana.N","has":true},`+
		`"type":"comment_name"}` {
		t.Error(got)
	}
	if got := textOf(t, k.open(edition.Focus, jana, q, "Jana!")); got != `{"comment_name":{"value":"Jana!","has":true},`+
		`"type":"comment_name"}` {
		t.Error(got)
	}
	p := k.open(edition.Focus, jana, q)
	if p.Meta.Robots != "noindex" || p.Meta.Title == "" || p.Meta.Title == "page.focus.comment_name.title" {
		t.Errorf("%+v", p.Meta)
	}
}

func TestCommentNameCall(t *testing.T) {
	t.Parallel()
	home := newBrowser(newEnv(t))
	home.login("jana@example.org")
	other := home.another()
	other.login("peter@example.org")
	if a := other.do("POST", "/fns/user-comment-name", `{"comment_name":"Peter"}`); a.Code != 200 ||
		a.at("success") != true {
		t.Fatal(a.Body)
	}
	for _, c := range []struct {
		name, body string
		status     int
		code       string
	}{
		{"taken", `{"comment_name":"PETER"}`, 409, "COMMENT_NAME_EXISTS"},
		{"wrong", `{"comment_name":"Jana Nová"}`, 422, "INVALID_COMMENT_NAME"},
		{"missing", `{}`, 400, "INVALID_REQUIREMENT"},
		{
			"the handle of another session", `{"user_token":"` + other.cookies["logged_user"] + `","comment_name":"Jana"}`, 403,
			"FOREIGN_USER",
		},
		{"fine", `{"user_token":"` + home.cookies["logged_user"] + `","comment_name":"Jana"}`, 200, ""},
	} {
		a := home.do("POST", "/fns/user-comment-name", c.body)
		code, _ := a.at("error").(string)
		if a.Code != c.status || code != c.code {
			t.Errorf("%s: %d %s", c.name, a.Code, a.Body)
		}
	}
	focus := "/account/focus?status="
	for _, c := range []struct{ name, typed, to, kept string }{
		{"taken", "Peter", focus + "COMMENT_NAME_EXISTS&type=comment_name", "UGV0ZXI"},
		{"wrong", "Jana!", focus + "INVALID_COMMENT_NAME&type=comment_name", "SmFuYSE"},
		{"fine", "Jana.2", "/account/profile?status=COMMENT_NAME_SET", ""},
	} {
		a := home.form("/fns/user-comment-name", "comment_name", c.typed)
		if a.Code != 303 || a.Header().Get("Location") != c.to || home.cookies["__Host-typed_name"] != c.kept {
			t.Errorf("%s: %d %s, kept %q", c.name, a.Code, a.Header().Get("Location"), home.cookies["__Host-typed_name"])
		}
	}
	if a := home.form("/fns/user-comment-name", "comment_name", "Jana!", "referrer", "/discussion/comment-1"); a.Header().
		Get("Location") != "/discussion/comment-1?status=INVALID_COMMENT_NAME" {
		t.Errorf("from a discussion: %s", a.Header().Get("Location"))
	}
	home.cookies = map[string]string{}
	if a := home.form("/fns/user-comment-name", "comment_name", "Nobody"); a.Header().
		Get("Location") != "/account/login?referrer=%2Faccount%2Ffocus%3Ftype%3Dcomment_name&status=INVALID_TOKEN" {
		t.Errorf("signed out: %s", a.Header().Get("Location"))
	}
}

func TestAccountsOfTheFormerSite(t *testing.T) {
	t.Parallel()
	k := newEnv(t)
	jana, peter := k.reader("jana@example.org"), k.reader("peter@example.org")
	if err := k.db.InTx(k.ctx, func(ctx context.Context, tx db.Tx) error {
		_, err := tx.NewRaw("UPDATE identity_readers SET type = 'wordpress' WHERE id = ?", jana).Exec(ctx)
		return err
	}); err != nil {
		t.Fatal(err)
	}
	for reader, want := range map[int64]bool{jana: true, peter: false} {
		if legacy, err := k.Legacy(k.ctx, reader); err != nil || legacy != want {
			t.Errorf("reader %d: %t %v", reader, legacy, err)
		}
	}
	for name, entitlement := range map[string]Entitlement{
		"without a subscription": {}, "with a subscription": {Until: k.db.Now().Add(time.Hour), Product: "product_monthly"},
		"with one that is over": {Until: k.db.Now().Add(-time.Hour)},
	} {
		k.entitlement = entitlement
		for _, reader := range []int64{jana, peter} {
			p := k.open(edition.Profile, reader, nil)
			data, _ := p.Data.(map[string]any)
			if p.Redirect != "" || data["leave"] == nil || data["sessions"] == nil {
				t.Errorf("reader %d %s: %q %v", reader, name, p.Redirect, data)
			}
		}
	}
	if p := k.open(edition.Profile, 0, nil); p.Redirect != "/account/login?referrer=%2Faccount%2Fprofile" || !p.NoStore {
		t.Errorf("a visitor: %q", p.Redirect)
	}
}

package command

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"example.org/broadsheet/cmd/broadsheet/app"
	"example.org/broadsheet/modules/billing/stripe"
	"example.org/broadsheet/modules/content/pagefile"
	"example.org/broadsheet/platform/paper/edition"
	"example.org/broadsheet/platform/testkit"
)

// missingIn are the pages that the output of a command lists, without the keys.
func missingIn(out string) (paths []string) {
	_, list, _ := strings.Cut(out, "has no page yet at\n")
	for line := range strings.Lines(list) {
		if !strings.HasPrefix(line, "  /") {
			break
		}
		path, _, _ := strings.Cut(strings.TrimSpace(line), " ")
		paths = append(paths, path)
	}
	return paths
}

// The commands list the pages that the document of an edition leads to and that readers do not find: the documents that
// they agree to first, then the code of discussions and the menus, until the pages are applied and published.
func TestEditionCommands_MissingPages(t *testing.T) {
	t.Parallel()
	p := newTestEditions(t)
	id := testkit.Name("pages")
	file := p.write(id, "pages.test")
	want := []string{
		"/static/vseobecne-obchodne-podmienky", "/static/podmienky-pouzivania-osobnych-udajov", "/static/kodex-diskusii",
		"/firma", "/historia", "/organizacia", "/nase-principy", "/kariera", "/vianoce", "/kontakty",
		"/static/podmienky-pouzivania", "/static/privacy-notice",
	}
	check := func(when string, want []string, args ...string) {
		t.Helper()
		out, err := p.run("", args...)
		if got := missingIn(out); err != nil || !slices.Equal(got, want) {
			t.Errorf("%s: got %q, %v, want %q", when, got, err, want)
		}
		if strings.Contains(out, "page apply FILE --edition "+id) != (len(want) > 0) {
			t.Errorf("%s: got %q, want the command only if a page is missing", when, out)
		}
	}
	check("check of the file", want, "check", file)
	check("add", want, "add", file)
	check("apply", want, "apply", file)
	check("check of what is there", want, "check")

	registry := edition.NewRegistry(p.db, "https://{host}", nil)
	if err := registry.Load(t.Context()); err != nil {
		t.Fatal(err)
	}
	paper, ok := registry.Get(id)
	if !ok {
		t.Fatal("the edition is not there")
	}
	ctx := edition.With(t.Context(), paper)
	applyPages(ctx, t, p, "draft")
	check("drafts", want, "check")
	applyPages(ctx, t, p, "published")
	check("page apply", nil, "check")
	check("page apply, then apply", nil, "apply", file)
}

// applyPages applies a page for each that the sample's document leads to.
func applyPages(ctx context.Context, t *testing.T, p *testEditions, status string) {
	t.Helper()
	var text strings.Builder
	add := func(slug, route string) {
		text.WriteString("- {slug: " + slug + ", title: " + slug + ", body: Text.")
		if route != "" {
			text.WriteString(", route: " + route)
		}
		if status != "published" {
			text.WriteString(", status: " + status)
		}
		text.WriteString("}\n")
	}
	for _, slug := range []string{
		"vseobecne-obchodne-podmienky", "podmienky-pouzivania-osobnych-udajov", "kodex-diskusii", "podmienky-pouzivania",
		"privacy-notice",
	} {
		add(slug, "")
	}
	for _, route := range []string{
		"company", "history", "organisation", "principles", "career", "christmas", "contacts",
	} {
		add("page-"+route, route)
	}
	pages, err := pagefile.Read("pages.yaml", []byte(text.String()))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := (pagefile.Keeper{Posts: app.NewContent(p.db), Files: fstest.MapFS{}}).Apply(ctx, pages); err != nil {
		t.Fatal(err)
	}
}

// Beside a running dev, the keys are those of its sandbox, which learns of the edition after it is there and makes the
// prices itself: the dialogue ends without an error.
func TestEditionIsMadeInADialogue_Sandbox(t *testing.T) {
	t.Parallel()
	p := newTestEditions(t)
	p.keys = func() (keyFinder, error) {
		return func(string) (stripe.Keys, error) {
			return stripe.Keys{SecretKey: "sk_test_unknown", APIBase: "http://127.0.0.1:1"}, nil
		}, nil
	}
	id := testkit.Name("sandbox")
	p.forget(id)
	file := filepath.Join(t.TempDir(), "new.yaml")
	out, err := p.run(strings.Join(dialogue(id, "sandbox.test", id), "\n")+"\n", "add", "--interactive", file)
	if err != nil || !strings.Contains(out, id+" is live at https://sandbox.test") {
		t.Errorf("got %v, want the edition live:\n%s", err, out)
	}
	if missing := missingIn(out); len(missing) == 0 || !strings.Contains(out, "  the page "+missing[0]) {
		t.Errorf("got %q, want the missing pages before the confirmation and after it:\n%s", missing, out)
	}
	if _, err := os.Stat(file); err != nil {
		t.Error(err)
	}
}

package command

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"example.org/broadsheet/platform/db"
	"example.org/broadsheet/platform/paper/edition"
	"example.org/broadsheet/platform/testkit"
)

// dialogue is a way through all questions, in their order; an empty answer takes what is suggested.
func dialogue(id, host, register string) []string {
	return []string{
		"de-AT", id, "Der Bote", host + " www." + host, "", "Alles aus dem Tal", "", "", // … addresses
		"Bote GmbH", "Hauptplatz 1", "6020", "Innsbruck", "", register, "12 345/6789", "", "FN 1", "-", // … series
		"", "yes", "9,90", "", "89.00", // … prices
		"no", "Talbank", "AT483200000012345864", "RLNWATWW", "", "", // … support
		"no", "yes",
	}
}

// with is a dialogue in which something else is typed before an answer.
func with(all []string, answer string, before string) []string {
	for i, a := range all {
		if a == answer {
			return slices.Insert(all, i, before)
		}
	}
	panic("nobody answers " + answer)
}

func TestEditionIsMadeInADialogue(t *testing.T) {
	t.Parallel()
	p := newTestEditions(t)
	taken := testkit.Name("taken")
	if _, err := p.run("", "add", p.write(taken, "taken.test")); err != nil {
		t.Fatal(err)
	}
	id := testkit.Name("paper")
	p.forget(id)
	answers := dialogue(id, "bote.test", id)
	hosts := "bote.test www.bote.test"
	wrong := []struct{ before, typed, says string }{
		{"de-AT", "Wienerisch", "is not a language tag"},
		{"de-AT", "en-GB", "no sample is in that language"},
		{id, "", `id: "" is not right`},
		{id, "9-x", `id: "9-x" is not right`},
		{id, taken, "edition " + taken + " is there already"},
		{"Der Bote", "", "name: must not be empty"},
		{hosts, "https://x.test", `"https://x.test" is not a host name`},
		{hosts, ",", "at least one is needed"},
		{hosts, "taken.test", "taken.test is that of edition " + taken},
		{"Bote GmbH", "", "supplier.name: must not be empty"},
		{"9,90", "9.9", `"9.9" is not a price`},
		{"9,90", "free", `"free" is not a price`},
		{"9,90", "0.00", "billing.products[0].amount: 0 is not between"},
		{"AT483200000012345864", "AT00", `"AT00" is not an IBAN`},
		{"RLNWATWW", "1", `bank.bic: "1" is not right`},
	}
	for _, w := range wrong {
		answers = with(answers, w.before, w.typed)
	}
	file := filepath.Join(t.TempDir(), "new.yaml")
	out, err := p.run(strings.Join(answers, "\n")+"\n", "add", "--interactive", file)
	if err != nil || !strings.Contains(out, id+" is live at https://bote.test") {
		t.Fatalf("%v:\n%s", err, out)
	}
	for _, w := range wrong {
		if !strings.Contains(out, w.says) {
			t.Errorf("%q for %s: %q is not said:\n%s", w.typed, w.before, w.says, out)
		}
	}
	doc, err := readDocument(file)
	if err != nil {
		t.Fatal(err)
	}
	if doc.ID != id || doc.Billing.Products[0].Amount != 990 || doc.Supplier.Country != "AT" ||
		doc.IntlLocale != "de-AT" || doc.Mail.From != "news@bote.test" || doc.Mail.ReplyTo != "support@bote.test" ||
		doc.Flags["bank_transfer"] || doc.Supplier.Register != "FN 1" || len(doc.Menus.Editions) > 0 {
		t.Errorf("the document says %+v", doc)
	}
}

// Who leaves before the end has changed nothing, wherever that is.
func TestADialogueThatEndsChangesNothing(t *testing.T) {
	t.Parallel()
	p := newTestEditions(t)
	id := testkit.Name("paper")
	all := dialogue(id, "left.test", id)
	file := filepath.Join(t.TempDir(), "new.yaml")
	untouched := func(t *testing.T) {
		t.Helper()
		if _, err := os.Stat(file); err == nil {
			t.Error("the document was written")
		}
		if list, err := p.run("", "list"); err != nil || strings.Contains(list, id) {
			t.Errorf("%v, and there is:\n%s", err, list)
		}
	}
	for n := range all {
		out, err := p.run(strings.Join(all[:n], "\n"), "add", "--interactive", file)
		if err == nil || !strings.Contains(err.Error(), "nothing was changed") {
			t.Errorf("after %d answers: %v\n%s", n, err, out)
		}
		untouched(t)
	}
	all[len(all)-1] = "no"
	if out, err := p.run(strings.Join(all, "\n"), "add", "--interactive", file); err != nil ||
		!strings.Contains(out, "Nothing was changed.") {
		t.Errorf("%v:\n%s", err, out)
	}
	untouched(t)
	if err := os.WriteFile(file, []byte("mine"), 0o600); err != nil {
		t.Fatal(err)
	}
	_, err := p.run("", "add", "--interactive", file)
	if err == nil || !strings.Contains(err.Error(), "is there already") {
		t.Errorf("a file that was there: %v", err)
	}
}

// An interrupt does not wait for a line.
func TestADialogueIsInterrupted(t *testing.T) {
	t.Parallel()
	p := newTestEditions(t)
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close() //nolint:errcheck // ends the reading of a process that ends
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	c := p.command()
	c.SetIn(r)
	c.SetArgs([]string{"add", "--interactive", filepath.Join(t.TempDir(), "new.yaml")})
	if err := c.ExecuteContext(ctx); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
}

// An edition starts from a document of the operator's own, with what that one says as suggestions.
func TestADialogueStartsFromADocument(t *testing.T) {
	t.Parallel()
	p := newTestEditions(t)
	id := testkit.Name("paper")
	p.forget(id)
	from := p.write(testkit.Name("template"), "template.test")
	if _, err := p.run("", "add", from); err != nil {
		t.Fatal(err)
	}
	answers := []string{"", id, "Nový", "own.test"}
	answers = append(answers, make([]string, 13)...) // … register
	answers = append(answers, "B")                   // the series: the company is that of the other edition
	answers = append(answers, make([]string, 11)...) // … support
	answers = append(answers, "yes")
	file := filepath.Join(t.TempDir(), "new.yaml")
	out, err := p.run(strings.Join(answers, "\n"), "add", "--interactive", "--from", from, file)
	if err != nil || !strings.Contains(out, id+" is live at https://own.test") {
		t.Fatalf("%v:\n%s", err, out)
	}
	text, err := os.ReadFile(file)
	if err != nil || !strings.Contains(string(text), "Dunajské listy") || !strings.Contains(string(text), "# The Slovak") {
		t.Errorf("%v, the document:\n%s", err, text)
	}
}

// An edition that fails its smoke test leaves nothing behind but its document, and the next try adds it.
func TestASmokeTestKeepsAnEditionOut(t *testing.T) {
	t.Parallel()
	p := newTestEditions(t)
	id := testkit.Name("paper")
	p.forget(id)
	failing := errors.New("the front page is blank")
	p.try.smoke = func(ctx context.Context, d *db.DB, ed *edition.Edition) error {
		// It has its schema and its login, and is served to nobody.
		if err := d.Reach(ctx, ed.ID); err != nil {
			t.Error(err)
		}
		if list, err := p.run("", "list"); err != nil || !strings.Contains(list, id+"  pending") {
			t.Errorf("%v, meanwhile:\n%s", err, list)
		}
		return failing
	}
	file := filepath.Join(t.TempDir(), "new.yaml")
	out, err := p.run(strings.Join(dialogue(id, "smoke.test", id), "\n"), "add", "--interactive", file)
	if !errors.Is(err, failing) || !strings.Contains(err.Error(), "edition add "+file) ||
		strings.Contains(out, "is live") {
		t.Errorf("%v:\n%s", err, out)
	}
	if list, err := p.run("", "list"); err != nil || strings.Contains(list, id) {
		t.Errorf("%v, afterwards:\n%s", err, list)
	}
	failing = nil
	if out, err := p.run("", "add", file); err != nil || !strings.Contains(out, id+" is live") {
		t.Errorf("the next try: %v\n%s", err, out)
	}
}

package edition

import (
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"example.org/broadsheet/platform/strictyaml"
)

func read(t *testing.T, name string) string {
	t.Helper()
	b, err := os.ReadFile(filepath.Join("..", "..", "..", "tenants", name))
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

func TestShippedDocuments(t *testing.T) {
	t.Parallel()
	keys := map[string][]string{}
	for _, id := range []string{"standard", "standard_at", "standard_com"} {
		doc, err := Parse(id+".yaml", []byte(read(t, id+".yaml")))
		if err != nil {
			t.Fatal(err)
		}
		if doc.ID != id {
			t.Errorf("%s.yaml is that of %s", id, doc.ID)
		}
		ed, err := New(*doc, "https://{host}")
		if err != nil {
			t.Fatal(err)
		}
		if ed.Origin != "https://"+doc.Hosts[0] || ed.Schema != "ed_"+id {
			t.Errorf("origin %s, schema %s", ed.Origin, ed.Schema)
		}
		doc.Walk(func(c, _ *Category) { keys[id] = append(keys[id], c.Key) })
	}
	for id, list := range keys {
		if got, want := strings.Join(list, " "), strings.Join(keys["standard"], " "); got != want {
			t.Errorf("the category keys of %s are not those of the first edition:\n%s\n%s", id, got, want)
		}
	}
}

func TestSwissDocumentHasNoEszett(t *testing.T) {
	t.Parallel()
	if strings.Contains(read(t, "standard_com.yaml"), "ß") {
		t.Error("there is a ß")
	}
}

func TestAllProblemsAtOnce(t *testing.T) {
	t.Parallel()
	text := strings.NewReplacer("career_count: 4", "career_count: 4000", "time_zone: Europe/Bratislava", "time_zone: X",
		"theme: sk", "theme: '?'").Replace(read(t, "standard.yaml"))
	_, err := Parse("x.yaml", []byte(text))
	var p *strictyaml.FileError
	if !errors.As(err, &p) || len(p.List) != 3 || p.List[0].Key != "time_zone" || p.List[2].Key != "career_count" {
		t.Errorf("got %v", err)
	}
}

func TestPublicPart(t *testing.T) {
	t.Parallel()
	doc, err := Parse("x", []byte(read(t, "standard_at.yaml")))
	if err != nil {
		t.Fatal(err)
	}
	ed, err := New(*doc, "http://{host}:8080")
	if err != nil {
		t.Fatal(err)
	}
	var p struct {
		Host, Origin string
		Paths        map[string]*string
		Categories   []Category
		Menus        struct {
			Main     []link
			Footer   []column
			Editions []link
		}
		Flags  map[string]bool
		Limits struct {
			FreeArticles int
			Period       string
		}
	}
	if err := json.Unmarshal(ed.Public, &p); err != nil {
		t.Fatal(err)
	}
	if p.Host != "at.localhost:8080" || p.Origin != "http://at.localhost:8080" {
		t.Errorf("host %s, origin %s", p.Host, p.Origin)
	}
	if p.Paths["christmas"] != nil || p.Paths["topic"] == nil || *p.Paths["topic"] != "/topic/:tagSlug" {
		t.Errorf("paths %v", p.Paths)
	}
	if p.Menus.Main[0].URL != "/category/politik" || p.Menus.Footer[2].Items[0].URL != "/static/terms-and-conditions" {
		t.Errorf("menus %+v", p.Menus)
	}
	if want := []link{
		{"Slovensko", "http://sk.localhost:8080/"},
		{"Österreich", "http://at.localhost:8080/"},
		{"Schweiz", "http://ch.localhost:8080/"},
	}; !slices.Equal(p.Menus.Editions, want) {
		t.Errorf("the other editions are %v", p.Menus.Editions)
	}
	if *p.Paths["videos"] != "/videos" || p.Menus.Main[7].URL != "/videos" {
		t.Errorf("videos at %v, in the menu %v", *p.Paths["videos"], p.Menus.Main)
	}
	if _, ok := p.Flags["bankTransfer"]; !ok || p.Limits.FreeArticles != 3 || p.Limits.Period != "week" ||
		len(p.Categories) != 5 {
		t.Errorf("got %+v", p)
	}
	for _, secret := range []string{doc.Bank.IBAN, doc.Supplier.VAT, doc.Mail.From, "product_yearly"} {
		if strings.Contains(string(ed.Public), secret) {
			t.Errorf("%s is public", secret)
		}
	}
}

func TestVersionFollowsTheDocument(t *testing.T) {
	t.Parallel()
	version := func(change func(*Document), origin string) string {
		doc, err := Parse("x", []byte(read(t, "standard.yaml")))
		if err != nil {
			t.Fatal(err)
		}
		change(doc)
		ed, err := New(*doc, origin)
		if err != nil {
			t.Fatal(err)
		}
		return ed.Version
	}
	same := version(func(*Document) {}, "https://{host}")
	if version(func(*Document) {}, "https://{host}") != same {
		t.Error("two readings differ")
	}
	if version(func(d *Document) {
		d.Meter.Limit = 4
	}, "https://{host}") == same || version(func(*Document) {}, "http://{host}") == same {
		t.Error("a change is not seen")
	}
}

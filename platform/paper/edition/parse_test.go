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

func TestProblemsNameFileKeyAndLine(t *testing.T) {
	t.Parallel()
	good := read(t, "standard.yaml")
	for name, tc := range map[string]struct{ old, new, want string }{
		"unknown key": {"theme: sk", "theme: sk\ncolour: red", ":13: colour: there is no such key"},
		"unknown nested key": {
			"  grace_days: 7", "  grace_days: 7\n  gracedays: 8",
			"billing.gracedays: there is no such key",
		},
		"unknown key in list": {
			"      badge: Najobľúbenejšie", "      bagde: x",
			"billing.products[0].bagde: there is no such key",
		},
		"missing key":        {"support_email: podpora@standard.example\n", "", "support_email: is missing"},
		"missing nested key": {"  bic: RIECSKBX\n", "", "bank.bic: is missing"},
		"key twice":          {"theme: sk", "theme: sk\ntheme: at", "theme"},
		"no value":           {"theme: sk", "theme:", ":12: theme: has no value"},
		"number for a text": {
			"postal_code: '811 09'", "postal_code: 81109",
			`supplier.postal_code: "81109" must be a text; put it in quotes`,
		},
		"date for a text":   {"version: '2025-09-01', static: vse", "version: 2025-09-01, static: vse", "must be a text"},
		"text for a number": {"career_count: 4", "career_count: four", "career_count: \"four\" must be a whole number"},
		"text for a flag":   {"  comments: true", "  comments: 'yes'", "flags.comments: \"yes\" must be true or false"},
		"list for a text":   {"theme: sk", "theme: [sk]", "theme: must be a text"},
		"text for a list":   {"hosts: [sk.localhost]", "hosts: sk.localhost", "hosts: must be a list"},
		"bad id":            {"id: standard\n", "id: Standard-1\n", ":3: id: \"Standard-1\" is not right"},
		"empty name":        {"name: Štandard\ntag", "name: ''\ntag", "name: must not be empty"},
		"host with port": {
			"[sk.localhost]", "[sk.localhost:8080]",
			":7: hosts[0]: \"sk.localhost:8080\" is not a host name",
		},
		"host in capitals": {"[sk.localhost]", "[SK.localhost]", "hosts[0]"},
		"host twice": {
			"[sk.localhost]", "[sk.localhost, sk.localhost]",
			"hosts[1]: \"sk.localhost\" is that of hosts[0] too",
		},
		"no host":           {"[sk.localhost]", "[]", "hosts: at least one is needed"},
		"language":          {"\nlocale: sk", "\nlocale: cz", "locale: \"cz\" is none of sk, de, en"},
		"locale of another": {"intl_locale: sk-SK", "intl_locale: de-AT", "is not a variety of locale"},
		"zone":              {"Europe/Bratislava", "Europe/Bratislawa", "time_zone: \"Europe/Bratislawa\" is not a zone"},
		"route set":         {"route_set: standard", "route_set: other", ":13: route_set: \"other\" is none of"},
		"path of no route": {
			"route_set: standard", "route_set: standard\npaths: {fornt: /x}",
			"paths.fornt: there is no such route",
		},
		"edition's host": {
			"{name: Slovensko, host: sk.localhost}", "{name: Slovensko, host: 'https://sk.localhost/'}",
			"menus.editions[0].host",
		},
		"path twice": {
			"route_set: standard", "route_set: standard\npaths: {topicIndex: /search}",
			"is the address of",
		},
		"slug twice": {
			"slug: trhy", "slug: usa",
			"categories[1].children[2].slug: \"usa\" is that of categories[0].children[4].slug too",
		},
		"key of category":   {"key: economics.markets", "key: politics.markets", "must begin with \"economics.\""},
		"menu without page": {"route: login}", "route: logon}", "there is no route \"logon\""},
		"menu of no category": {
			"route: category, params: {categorySlug: nazory}",
			"route: category, params: {categorySlug: nic}", "there is no category \"nic\"",
		},
		"menu parameter":      {"route: login}", "route: static}", "needs the parameter articleSlug"},
		"menu without target": {"{name: Prihlásenie, route: login}", "{name: Prihlásenie}", "give either a route or a url"},
		"menu to nowhere": {
			"{name: Prihlásenie, route: login}", "{name: X, url: /a/b/c/d}",
			"is the address of no page",
		},
		"script in a link": {"https://facebook.example/standard", "javascript:alert(1)", "social[0].url"},
		"redirect to nowhere": {
			"/383574: /historia", "/383574: /a/b/c/d",
			"redirects./383574: \"/a/b/c/d\" is the address of no page",
		},
		"redirect in capitals": {"/383574: /historia", "/Old: /historia", "write the old path in lower case"},
		"redirect in a chain":  {"/383574: /historia", "/383574: /383601", "is redirected itself"},
		"mail address":         {"from: noviny@standard.example", "from: Noviny <noviny@standard.example>", "mail.from"},
		"country":              {"country: SK", "country: sk", "supplier.country"},
		"iban":                 {"iban: SK89", "iban: SK98", "bank.iban: \"SK9899520000001987426375\" is not an IBAN"},
		"QR-IBAN alone": {
			"iban: SK8999520000001987426375", "iban: CH4431999123000889012",
			"bank.account_iban: \"\" is not the IBAN of the account",
		},
		"QR-IBAN twice": {
			"iban: SK8999520000001987426375",
			"iban: CH4431999123000889012\n  account_iban: CH4431999123000889012", "bank.account_iban",
		},
		"account of another": {
			"iban: SK8999520000001987426375",
			"iban: CH4431999123000889012\n  account_iban: AT879993000198742637", "bank.account_iban",
		},
		"account for nothing": {
			"iban: SK8999520000001987426375",
			"iban: SK8999520000001987426375\n  account_iban: SK8999520000001987426375", "bank.account_iban: is for a QR-IBAN " +
				"alone",
		},
		"period":            {"period: month", "period: day", "meter.period"},
		"price of nothing":  {"amount: 796", "amount: 0", "billing.products[0].amount: 0 is not between 1"},
		"negative price":    {"amount: 796", "amount: -796", "billing.products[0].amount"},
		"intro not cheaper": {"intro: {amount: 100", "intro: {amount: 796", "billing.products[0].intro.amount"},
		"interval":          {"{unit: week, count: 4}", "{unit: fortnight, count: 2}", "none of week, month, year"},
		"interval too long": {
			"{unit: year, count: 1}", "{unit: year, count: 4}",
			"billing.products[1].interval.count: 4 is not between 1 and 3",
		},
		"interval forgotten": {"      interval: {unit: year, count: 1}\n", "", "billing.products[1].interval"},
		"currency":           {"currency: EUR", "currency: euro", "billing.currency: \"euro\" is none of EUR, CHF"},
		"product twice":      {"type: product_yearly", "type: product_monthly", "is that of billing.products[0].type too"},
		"trial without days": {"{days: 28, for: campaign}", "{days: 0, for: campaign}", "billing.trial.days"},
		"group of no document": {
			"{document: privacy, sections: 7}", "{document: soul, sections: 7}",
			"consent.accordions[0].document: \"soul\" is none of the documents",
		},
		"group without parts": {
			"{document: privacy, sections: 7}", "{document: privacy, sections: 0}",
			"consent.accordions[0].sections: must be at least 1",
		},
		"no group": {
			"  accordions:\n    - {document: privacy, sections: 7}\n", "  accordions: []\n",
			"consent.accordions: at least one is needed",
		},
		"group twice": {
			"    - {document: privacy, sections: 7}\n",
			"    - {document: privacy, sections: 7}\n    - {document: privacy, sections: 7}\n",
			"consent.accordions[1].document: \"privacy\" is that of",
		},
		"flag": {
			"  comments: true", "  comments: true\n  komments: true",
			"flags.komments: \"komments\" is none of",
		},
		"missing flag":         {"  comments: true\n", "", "flags.comments: is missing"},
		"domains without list": {"domains: 'off'", "domains: allow", "identity.domain_list: is needed when domains is allow"},
		"no YAML":              {"id: standard\n", "id: [standard\n", "this is not YAML"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			text := strings.Replace(good, tc.old, tc.new, 1)
			if text == good {
				t.Fatalf("%q is not in the file", tc.old)
			}
			doc, err := Parse("x.yaml", []byte(text))
			var p *strictyaml.FileError
			if !errors.As(err, &p) || doc != nil {
				t.Fatalf("got %v", err)
			}
			if !strings.Contains(err.Error(), tc.want) || !strings.HasPrefix(err.Error(), "x.yaml") {
				t.Errorf("got\n%v\nwant it to say %q", err, tc.want)
			}
			for _, one := range p.List {
				if one.Line == 0 && name != "no YAML" {
					t.Errorf("no line: %+v", one)
				}
			}
		})
	}
	for _, text := range []string{"", "# nothing\n", "[]", "text"} {
		if _, err := Parse("x.yaml", []byte(text)); err == nil {
			t.Errorf("%q is taken for a document", text)
		}
	}
}

func TestAllProblemsAtOnce(t *testing.T) {
	t.Parallel()
	text := strings.NewReplacer("currency: EUR", "currency: XXX", "period: month", "period: day", "theme: sk",
		"theme: '?'").Replace(read(t, "standard.yaml"))
	_, err := Parse("x.yaml", []byte(text))
	var p *strictyaml.FileError
	if !errors.As(err, &p) || len(p.List) != 3 || p.List[0].Key != "theme" || p.List[2].Key != "billing.currency" {
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

package edition_test

import (
	"testing"

	"example.org/broadsheet/platform/paper/edition"
	"example.org/broadsheet/platform/testkit"
)

func TestProblemsNameFileKeyAndLine(t *testing.T) {
	t.Parallel()
	testkit.DocumentProblems(t, map[string][3]string{
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
		"flag": {
			"  comments: true", "  comments: true\n  komments: true",
			"flags.komments: \"komments\" is none of",
		},
		"missing flag": {"  comments: true\n", "", "flags.comments: is missing"},
		"no YAML":      {"id: standard\n", "id: [standard\n", "this is not YAML"},
	})
	for _, text := range []string{"", "# nothing\n", "[]", "text"} {
		if _, err := edition.Parse("x.yaml", []byte(text)); err == nil {
			t.Errorf("%q is taken for a document", text)
		}
	}
}

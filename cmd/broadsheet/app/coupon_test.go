package app

import (
	"encoding/csv"
	"io/fs"
	"maps"
	"slices"
	"strings"
	"testing"

	"example.org/broadsheet/platform/paper/edition"
	"example.org/broadsheet/tenants"
)

// Codes are made on the standard output alone, listed and revoked; a rehearsal makes none.
func TestCouponCommands(t *testing.T) {
	t.Parallel()
	run := startApp(t).command
	out, err := run("coupon", "create", "--edition", "standard", "--count", "2500", "--name", "spring", "--until",
		"2099-06-30", "--dry-run")
	if err == nil {
		t.Errorf("for seventy years: %s", out)
	}
	if out, err = run("coupon", "create", "--edition", "standard", "--count", "2500", "--name", "spring",
		"--dry-run"); err != nil || strings.Contains(out, "code,") {
		t.Fatalf("%v %s", err, out)
	}
	if out, err = run("coupon", "list", "--edition", "standard"); err != nil || strings.Contains(out, "spring") {
		t.Fatalf("the rehearsal has made codes: %v %s", err, out)
	}
	if out, err = run("coupon", "create", "--edition", "standard", "--count", "2500", "--name", "spring"); err != nil {
		t.Fatal(err, out)
	}
	text, _, _ := strings.Cut(out, "2500 codes")
	rows, err := csv.NewReader(strings.NewReader(text)).ReadAll()
	if err != nil || len(rows) != 2501 || rows[0][0] != "code" || len(rows[1][0]) != 24 {
		t.Fatalf("%v, %d rows", err, len(rows))
	}
	for _, c := range [][]string{
		{"--count", "0"},
		{"--product", "gold"},
		{"--until", "30.6.2027"},
		{"--name", "spring"},
		{"--uses", "-1"},
		{"--from", "2090-01-01"},
	} {
		if out, err := run(append([]string{"coupon", "create", "--edition", "standard"}, c...)...); err == nil {
			t.Errorf("%v: %s", c, out)
		}
	}
	for _, c := range []struct{ what, says string }{
		{strings.ToLower(rows[1][0]), "1 codes"}, {"spring", "2499 codes"}, {"spring", "0 codes"},
	} {
		if out, err := run("coupon", "revoke", "--edition", "standard", c.what); err != nil ||
			!strings.HasPrefix(out, c.says) {
			t.Errorf("%s: %v %s", c.what, err, out)
		}
	}
	if out, err := run("coupon", "revoke", "--edition", "standard", "autumn"); err == nil {
		t.Error(out)
	}
}

// Who has bought something finds the way to withdraw at the foot of every page of an edition that sells.
func TestTheWayToWithdrawIsInEveryFooter(t *testing.T) {
	t.Parallel()
	for _, id := range []string{"standard", "standard_at", "standard_com"} {
		text, err := fs.ReadFile(tenants.FS, id+".yaml")
		if err != nil {
			t.Fatal(err)
		}
		doc, err := edition.Parse(id, text)
		if err != nil {
			t.Fatal(err)
		}
		found := slices.ContainsFunc(doc.Menus.Footer, func(c edition.MenuColumn) bool {
			return slices.ContainsFunc(c.Items, func(it edition.MenuItem) bool {
				return it.Route == "sale" && slices.Contains(slices.Collect(maps.Values(it.Params)), "withdrawal")
			})
		})
		if doc.Flags["subscriptions"] && !found {
			t.Errorf("%s sells, and its footer has no way to withdraw", id)
		}
	}
}

package identity

import (
	"fmt"
	"io/fs"
	"testing"

	"example.org/broadsheet/migrations"
	"example.org/broadsheet/modules/identity/reader"
	"example.org/broadsheet/platform/paper/edition"
)

// Names that look alike are one, and emails that only serve to look like others are in none; names that sound alike
// are two.
func TestNamesThatLookAlike(t *testing.T) {
	t.Parallel()
	k := newEnv(t)
	first, second := k.reader("first@example.org"), k.reader("second@example.org")
	for name, c := range map[string]struct{ has, want string }{
		"MaIlory": {"Mallory", "COMMENT_NAME_EXISTS"}, "Ma1lory": {"Mallory", "COMMENT_NAME_EXISTS"},
		"Mallory": {"maiiory", "COMMENT_NAME_EXISTS"},
		"M4ria0":  {"M4rlao", "COMMENT_NAME_EXISTS"}, "Amold": {"Arnold", "COMMENT_NAME_EXISTS"},
		"Svvift": {"Swift", "COMMENT_NAME_EXISTS"},
		"Pało":   {"Palo", "COMMENT_NAME_EXISTS"}, "Gross": {"Groß", "COMMENT_NAME_EXISTS"},
		"Mɑllory": {"Mallory", "INVALID_COMMENT_NAME"}, "Mallorʏ": {"Mallory", "INVALID_COMMENT_NAME"},
		"ꓟallory": {"Mallory", "INVALID_COMMENT_NAME"},
		"Kovac":   {"Kováč", "COMMENT_NAME_EXISTS"}, "Muller": {"Müller", "COMMENT_NAME_EXISTS"},
		"ŽuzolIo": {"Zuzollo", "COMMENT_NAME_EXISTS"}, "Zuzolló": {"Zuzollo", "COMMENT_NAME_EXISTS"},
		"Zuzana7": {"Zuzanat", "COMMENT_NAME_EXISTS"}, "P3t3r": {"Peter", "COMMENT_NAME_EXISTS"},
		"Mallori": {"Mallory", ""}, "Peter1": {"Peter", ""},
	} {
		for _, of := range []struct {
			id   int64
			name string
			want string
		}{{second, "Somebody", ""}, {first, c.has, ""}, {second, name, c.want}} {
			k.exec("DELETE FROM rate_limits")
			if got := codeOf(k.names.Set(k.ctx, of.id, of.name)); got != of.want {
				t.Errorf("%s beside %s: %q, want %q", of.name, c.has, got, of.want)
			}
		}
	}
}

// Names of before that look alike stay, and so does a name that its reader enters once more; nobody else gets them.
func TestSkeletonsOfNames(t *testing.T) {
	t.Parallel()
	k := newEnv(t)
	names := []struct{ name, old, want string }{
		{"Zuzolló", "zuzolló", "zuzolló"},
		{"ŽuzolIo", "žuzollo", "žuzollo"},
		{"Zuzollo", "zuzollo", "zuzollo"},
		{"Kováč", "kováč", "kovac"},
		{"Kovác", "kovác", "kovác"},
		{"P3rňa", "p3rňa", "pema"},
		{"8ob.9", "8ob9", "bobg"},
		{"Anna", "anna", "anna"},
	}
	var ids []int64
	for i, n := range names {
		ids = append(ids, k.reader(fmt.Sprintf("old%d@example.org", i)))
		k.exec(fmt.Sprintf("UPDATE identity_readers SET comment_name = '%s', comment_name_key = '%s' WHERE id = %d",
			n.name, n.old, ids[i]))
	}
	migration, err := fs.ReadFile(migrations.FS, "edition/20261128080000_skeletons_of_names.tx.up.sql")
	if err != nil {
		t.Fatal(err)
	}
	k.alter(string(migration))
	for i, n := range names {
		if k.count("SELECT count(*) FROM identity_readers WHERE id = ? AND comment_name_key = ?", ids[i], n.want) != 1 {
			t.Errorf("the key of %s is not %q", n.name, n.want)
		}
		if err := k.names.Set(k.ctx, ids[i], n.name); err != nil {
			t.Errorf("%s entered once more: %v", n.name, err)
		}
	}
	stranger := k.reader("stranger@example.org")
	for _, name := range []string{"Zuzollo", "Kovac", "P3ma", "Bobg"} {
		if got := codeOf(k.names.Set(k.ctx, stranger, name)); got != "COMMENT_NAME_EXISTS" {
			t.Errorf("%s: got %q, want COMMENT_NAME_EXISTS", name, got)
		}
	}
}

// Nobody is called like the paper or its people in any of its languages, but those who moderate.
func TestReservedNames(t *testing.T) {
	t.Parallel()
	k := newEnv(t, func(d *edition.Document) {
		d.Name, d.Identity.MailAppName, d.Mail.FromName = "Štandard Schweiz", "Štandard Schweiz", "Štandard Schweiz"
		d.Hosts[1] = "www.standard.test"
	})
	id := k.reader(jana)
	try := func(name, want string) {
		t.Helper()
		k.exec("DELETE FROM rate_limits")
		if got := codeOf(k.names.Set(k.ctx, id, name)); got != want {
			t.Errorf("%s: %q, want %q", name, got, want)
		}
	}
	reserved := []string{
		"Štandard", "Standard", "standard.1", "5tandard.Redakcia", "Redakcia.Standard", "RedakciaStandard",
		"Standard.Schweiz", "DerStandard", "Moderátor", "Moderator2",
		"St4ndard", "S74nd4rd", "Štánd4rd", "4dmin", "Red4kcia", "Mod3rátor", "5upp0rt",
		"Admin", "Adm1n", "admin.jan", "JanAdmin", "Redaktion", "CHEFREDAKTEUR", "Editor", "Šéfredaktor",
		"Správca", "M0derat0r",
		"derstandard", "standardnews", "supermoderator",
	}
	for _, name := range reserved {
		try(name, "COMMENT_NAME_EXISTS")
	}
	for _, name := range []string{"Badminton", "Systematik", "Hans.Schweiz", "Jana.S", "Edita", "Staffan", "Adminka"} {
		try(name, "")
	}
	if _, err := SetRole(k.ctx, k.db, id, reader.Moderator, true); err != nil {
		t.Fatal(err)
	}
	try("Redakcia", "")
}

package identity

import (
	"testing"

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
		"Kovac":   {"Kováč", ""}, "Muller": {"Müller", ""}, "Mallori": {"Mallory", ""},
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

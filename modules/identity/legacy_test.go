package identity

import (
	"strings"
	"testing"

	"example.org/broadsheet/modules/identity/legacy"
)

const legacyCSV = "ID,user_login,display_name,user_email,user_registered,roles\n" +
	"1,anna,Anna.K,Anna@Reader.test,2019-03-01 10:00:00,subscriber\n" +
	"2,boris,\"Boris & Co\",boris@reader.test,,subscriber\n" +
	"3,dana,anna.k,dana@reader.test,2020-01-01,subscriber\n" +
	"4,eva,Eva.E,leaver@reader.test,2020-01-01,subscriber\n" +
	"5,fero,Fero.F,here@reader.test,2020-01-01,subscriber\n"

func TestLegacyAccounts(t *testing.T) {
	t.Parallel()
	k := newEnv(t)
	k.keep()
	k.reads("here@reader.test")
	ctx, _ := k.reads(leaver)
	if err := k.Data.ConfirmErasure(ctx, k.leaveMail(ctx)); err != nil {
		t.Fatal(err)
	}
	k.work() // the receipt
	list, err := legacy.Parse(strings.NewReader(legacyCSV))
	if err != nil || len(list) != 5 {
		t.Fatal(list, err)
	}
	want := legacy.Result{Created: 3, Known: 1, Left: 1, Named: 1}
	if got, err := k.ImportLegacy(k.ctx, list, true); err != nil || got != want ||
		k.count("SELECT count(*) FROM identity_readers WHERE type = 'wordpress'") != 0 {
		t.Errorf("a dry run: %+v, %v", got, err)
	}
	if got, err := k.ImportLegacy(k.ctx, list, false); err != nil || got != want {
		t.Errorf("%+v, %v", got, err)
	}
	if got, err := k.ImportLegacy(k.ctx, list, false); err != nil || got != (legacy.Result{Known: 4, Left: 1}) {
		t.Errorf("again: %+v, %v", got, err)
	}
	if n := k.count("SELECT count(*) FROM identity_readers WHERE email = 'anna@reader.test' AND comment_name = 'Anna.K' " +
		"AND type = 'wordpress' AND created_at = '2019-03-01 10:00Z' AND first_login_at IS NULL"); n != 1 {
		t.Error("Anna is not who she was")
	}
	if n := k.count("SELECT count(*) FROM identity_readers WHERE email = 'here@reader.test' AND type = 'email' AND " +
		"comment_name = ''"); n != 1 {
		t.Error("who was here is changed")
	}
	begun := len(k.begun)
	anna, id := k.reads("anna@reader.test")
	if len(k.begun) != begun+1 {
		t.Error("the first login begins no trial")
	}
	if me, err := k.Me(anna, "", ""); err != nil || me.UserID != id || me.Type != legacy.Type ||
		me.CommentName != "Anna.K" {
		t.Errorf("%+v, %v", me, err)
	}
}

func TestLegacyListThatIsBroken(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ text, want string }{
		"empty":        {"", "first line"},
		"no address":   {"ID,name\n1,x\n", "user_email"},
		"two":          {"email,user_email\na@b.test,a@b.test\n", "two columns"},
		"bad address":  {"email\na@b.test\nnobody\n", "line 3"},
		"bad time":     {"email,registered\na@b.test,yesterday\n", "no time"},
		"another type": {"email,type\na@b.test,admin\n", "the type is"},
		"ragged":       {"email,type\na@b.test\n", "wrong number of fields"},
	} {
		if _, err := legacy.Parse(strings.NewReader(c.text)); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if list, err := legacy.Parse(strings.NewReader("\uFEFFEmail,Type\n a@b.test ,wordpress\n")); err != nil ||
		len(list) != 1 || list[0].Email != "a@b.test" {
		t.Errorf("%v, %v", list, err)
	}
}

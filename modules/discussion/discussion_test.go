package discussion

import (
	"errors"
	"strings"
	"testing"

	"example.org/broadsheet/platform/paper/edition"
	"example.org/broadsheet/platform/testkit"
	"example.org/broadsheet/platform/web"
)

func TestParseText(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, in, want string
		err            error
	}{
		{"as it is", "Dobrý deň, pán redaktor!", "Dobrý deň, pán redaktor!", nil},
		{"spaces and lines around it", " \n a\r\nb\rc \n\n\n\n d\t\n", "a\nb\nc\n\n d", nil},
		{"letters of two parts become one", "Cˇ Če\u030c", "Cˇ Čě", nil},
		{"what turns the direction", "a\u202eb\u2066c\u200b\ufeffd", "abcd", nil},
		{"control characters", "a\x00b\x1b[31mc\u0085", "ab[31mc", nil},
		{"joiners of Persian and of flags", "می\u200cخواهم 🏳\ufe0f\u200d🌈", "می\u200cخواهم 🏳\ufe0f\u200d🌈", nil},
		{"joiners without need", "a\u200db\u00adc\ufe0f", "abc", nil},
		{"a family of emoji holds together", "👨\u200d👩\u200d👧", "👨\u200d👩\u200d👧", nil},
		{"HTML is text", "<script>alert(1)</script>", "<script>alert(1)</script>", nil},
		{"nothing", "", "", ErrEmpty},
		{"nothing that can be seen", " \u200b\u00ad \n\u200d ", "", ErrEmpty},
		{"2000 letters", strings.Repeat("č", 2000), strings.Repeat("č", 2000), nil},
		{"one too many", strings.Repeat("č", 2001), "", ErrTooLong},
		{"two links", "https://a.example www.b.example", "https://a.example www.b.example", nil},
		{"three links", "https://a.example HTTP://b.example www.c.example", "", ErrTooManyLinks},
		{"links of any scheme", "ftp://a.example tg://b.example steam://c", "", ErrTooManyLinks},
		{"no UTF-8", "a\xff", "", web.ErrInvalidArgs},
	} {
		got, err := ParseText(c.in)
		if got != c.want || !errors.Is(err, c.err) {
			t.Errorf("%s: %q, %v; want %q, %v", c.name, got, err, c.want, c.err)
		}
		if again, err := ParseText(got); c.err == nil && (err != nil || again != got) {
			t.Errorf("%s: read twice it is %q, %v", c.name, again, err)
		}
	}
}

func TestAddresses(t *testing.T) {
	t.Parallel()
	for n, want := range []string{"/discussion/comment-17", "/discussion/comment-17-at", "/discussion/comment-17-ch"} {
		ed, err := edition.New(testkit.Document(n), testkit.Origin)
		if err != nil {
			t.Fatal(err)
		}
		if got := ed.DiscussionPath(17); got != want {
			t.Errorf("%s: %s", ed.ID, got)
		}
		last := strings.TrimPrefix(want, "/discussion/")
		if got := parseAddress(ed, last); got != 17 {
			t.Errorf("%s: %s is %d", ed.ID, last, got)
		}
		for _, foreign := range []string{
			"comment-", "comment-x", "comment-0", "comment--1",
			"comment-017" + last[len("comment-17"):], "17", last + "-sk", "comment-99999999999999999999",
			strings.ToUpper(last),
		} {
			if got := parseAddress(ed, foreign); got != 0 {
				t.Errorf("%s: %s is %d", ed.ID, foreign, got)
			}
		}
	}
	ed, _ := edition.New(testkit.Document(1), testkit.Origin)
	if got := parseAddress(ed, "comment-17"); got != 0 {
		t.Errorf("without the suffix it is the address of %d", got)
	}
	ed.Flags = map[string]bool{Flag: false}
	if got := ed.DiscussionPath(17); got != "" {
		t.Errorf("an edition without discussions has one at %s", got)
	}
}

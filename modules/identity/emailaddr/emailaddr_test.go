package emailaddr

import (
	"errors"
	"strings"
	"testing"

	"example.org/broadsheet/platform/paper/edition"
)

func TestParseEmail(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("a", 65)
	for name, c := range map[string]struct{ in, want string }{
		"plain":               {"jana@example.org", "jana@example.org"},
		"spaces and case":     {"  Jana.Nova@Example.ORG\n", "jana.nova@example.org"},
		"plus and dots":       {"a.b+c@x.example.org", "a.b+c@x.example.org"},
		"idn":                 {"a@Müller.example", "a@xn--mller-kva.example"},
		"idn in ascii":        {"a@xn--mller-kva.example", "a@xn--mller-kva.example"},
		"wide letters":        {"a@ＥＸＡＭＰＬＥ.org", "a@example.org"},
		"ideographic stop":    {"a@example。org", "a@example.org"},
		"all cyrillic":        {"a@пример.рф", "a@xn--e1afmkfd.xn--p1ai"},
		"empty":               {"", ""},
		"no at":               {"jana.example.org", ""},
		"no local":            {"@example.org", ""},
		"no domain":           {"jana@", ""},
		"no dot":              {"jana@localhost", ""},
		"two ats":             {"a@b@example.org", ""},
		"space inside":        {"a b@example.org", ""},
		"quoted":              {`"a b"@example.org`, ""},
		"literal":             {"a@[127.0.0.1]", ""},
		"address":             {"a@127.0.0.1", ""},
		"double dot":          {"a..b@example.org", ""},
		"dot first":           {".a@example.org", ""},
		"dot last":            {"a.@example.org", ""},
		"domain dots":         {"a@example..org", ""},
		"domain ends in dot":  {"a@example.org.", ""},
		"hyphen":              {"a@-example.org", ""},
		"underscore":          {"a@exa_mple.org", ""},
		"long local":          {long + "@example.org", ""},
		"long domain":         {"a@" + strings.Repeat("abcdefgh.", 30) + "org", ""},
		"mixed scripts":       {"a@ex\u0430mple.org", ""},
		"cyrillic under org":  {"a@\u0430\u0440\u0440\u04cf\u0435.org", ""},
		"mixed in ascii":      {"a@xn--pple-43d.com", ""},
		"greek in latin":      {"a@g\u03bfogle.com", ""},
		"exotic latin":        {"a@\u0261oogle.com", ""},
		"dotless i":           {"a@w\u0131kipedia.org", ""},
		"cyrillic local":      {"j\u0430na@example.org", ""},
		"header injection":    {"a@example.org\r\nBcc: b@example.org", ""},
		"control characters":  {"a\x00@exam\x07ple.org", "a@example.org"},
		"byte order mark":     {"\ufeffa@example.org", "a@example.org"},
		"soft hyphen, local":  {"ja\u00adna@example.org", "jana@example.org"},
		"zero width, local":   {"ja\u200bna@example.org\u200b", "jana@example.org"},
		"bidi marks":          {"\u202aa@example.org\u202c\u200e", "a@example.org"},
		"wide address":        {"ａ＠ｅｘａｍｐｌｅ．ｏｒｇ", "a@example.org"},
		"blank that is none":  {"\u00a0a@example.org\u3000", "a@example.org"},
		"joiner in Latin":     {"a@exam\u200dple.org", "a@example.org"},
		"half a character":    {"a\xc3@example.org", ""},
		"zero width":          {"a@exam\u200bple.org", "a@example.org"},
		"comma, two":          {"a@example.org,b@example.org", ""},
		"angle brackets":      {"<a@example.org>", ""},
		"percent in a domain": {"a@example.org%00.evil.example", ""},
	} {
		got, err := Parse(c.in)
		if got != c.want || (c.want == "") != errors.Is(err, ErrInvalid) {
			t.Errorf("%s: Parse(%q) = %q, %v; want %q", name, c.in, got, err, c.want)
		}
	}
}

func FuzzParseEmail(f *testing.F) {
	for _, s := range []string{"a@example.org", " A@MÜLLER.example", "a@xn--pple-43d.com", "a@b@c.d"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		got, err := Parse(s)
		if err != nil {
			return
		}
		if again, err := Parse(got); err != nil || again != got {
			t.Fatalf("%q became %q, and that %q (%v)", s, got, again, err)
		}
		if strings.ContainsFunc(got, func(r rune) bool { return r <= ' ' || r > '~' }) || strings.Count(got, "@") != 1 {
			t.Fatalf("%q became %q", s, got)
		}
	})
}

func TestDomains(t *testing.T) {
	t.Parallel()
	list := []string{"example.org", "Müller.example"}
	for name, c := range map[string]struct {
		mode, email string
		ok          bool
	}{
		"off":             {"off", "a@example.org", true},
		"blocked":         {"block", "a@example.org", false},
		"blocked idn":     {"block", "a@xn--mller-kva.example", false},
		"not blocked":     {"block", "a@other.example", true},
		"child of listed": {"block", "a@x.example.org", true},
		"allowed":         {"allow", "a@example.org", true},
		"not allowed":     {"allow", "a@other.example", false},
		"looks allowed":   {"allow", "a@example.org.evil.example", false},
		"ends as allowed": {"allow", "a@notexample.org", false},
		"under allowed":   {"allow", "a@evil.example.org", false},
	} {
		ed := &edition.Edition{Document: edition.Document{Identity: edition.Identity{Domains: c.mode, DomainList: list}}}
		if err := CheckDomain(ed, c.email); (err == nil) != c.ok || (err != nil && !errors.Is(err, ErrForbiddenDomain)) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestMask(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{"jana@example.org": "j•••@example.org", "a@b.example": "a•••@b.example"} {
		if got := Mask(in); got != want {
			t.Errorf("%q: %q", in, got)
		}
	}
}

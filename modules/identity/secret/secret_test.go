package secret

import (
	"strings"
	"testing"
)

func TestSecretsAreIndependentAndRepeatable(t *testing.T) {
	t.Parallel()
	s, other := Key("0123456789abcdef0123456789abcdef"), Key("fedcba9876543210fedcba9876543210")
	nonce, second := []byte("a nonce"), []byte("another")
	again := Key(string(s)) // another process
	if s.Link("a", nonce) != again.Link("a", nonce) || s.Code("a", nonce) != again.Code("a", nonce) {
		t.Error("a second try of the mail would carry other secrets")
	}
	seen := map[string]bool{}
	for _, link := range []string{s.Link("a", nonce), s.Link("a", second), s.Link("b", nonce), other.Link("a", nonce)} {
		if seen[link] || !Valid(link) {
			t.Errorf("link %q repeats or is malformed", link)
		}
		seen[link] = true
	}
	if string(s.CodeHash("a", nonce, "000000")) == string(s.CodeHash("a", second, "000000")) {
		t.Error("equal codes of two mails have equal hashes")
	}
	counts := map[byte]int{}
	for i := range 2000 {
		code := s.Code("a", []byte{byte(i), byte(i >> 8)})
		if ParseCode(code) != code {
			t.Fatalf("code %q", code)
		}
		counts[code[0]]++
	}
	for d := byte('0'); d <= '9'; d++ {
		if counts[d] < 120 || counts[d] > 280 {
			t.Errorf("%d of 2000 codes begin with %c", counts[d], d)
		}
	}
}

func TestCleanCode(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{
		"123456": "123456", " 123 456 ": "123456", "123-456": "123456", "123\u00a0456": "123456",
		"１２３４５６": "123456", "١٢٣٤٥٦": "123456", "123–456": "123456", "123\u2212456": "123456", "\ufeff123456": "123456",
		"12\u200b34\u00ad56\u2060": "123456", "„123456“": "123456", "'123456'": "123456", "123456.": "123456",
		"123456,": "123456", "(123 456)": "123456", "123\r\n456": "123456", "1\ufe0f2\ufe0f3456": "123456",
		"12345": "", "1234567": "", "12345a": "", "": "", "12 34": "", "kód 123456": "", "12345\xff6": "", "1.5e6": "",
		strings.Repeat(" ", 300) + "123456": "",
	} {
		if got := ParseCode(in); got != want {
			t.Errorf("%q: %q", in, got)
		}
	}
}

// Whatever the cookie of a browser's readers holds, only a mark of this key, edition and address is found in it, and it
// never grows.
func FuzzKnownMark(f *testing.F) {
	k := Key("0123456789abcdef0123456789abcdef")
	f.Add("")
	f.Add("a.b.c.d.e")
	f.Add(k.AddKnownMark("other", "ada@example.org", ""))
	f.Fuzz(func(t *testing.T, cookie string) {
		if mark := k.KnownMark("test", "ada@example.org", cookie); mark != "" {
			t.Fatalf("%q holds %q", cookie, mark)
		}
		once := k.AddKnownMark("test", "ada@example.org", cookie)
		if k.KnownMark("test", "ada@example.org", once) == "" {
			t.Fatalf("%q has lost the mark", once)
		}
		if marks := strings.Count(once, ".") + 1; marks > maxKnown {
			t.Fatalf("%d marks", marks)
		}
		_, _ = Valid(cookie), ParseCode(cookie)
	})
}

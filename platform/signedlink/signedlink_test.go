package signedlink

import (
	"strings"
	"testing"
)

// Links in emails that were sent long ago must go on working, so what a token looks like never changes.
func TestTokensStayGood(t *testing.T) {
	t.Parallel()
	k := Key(strings.Repeat("k", 32))
	for _, c := range []struct{ edition, purpose, text, token string }{
		{"standard_sk", "document", "2s", "2s.7gDcStJqhtnXn0pdNNSinuW6"},
		{"standard_at", "leave", "7.weekly", "7.weekly.n0r4gup9_xltHDdsbPbLloVj"},
	} {
		if got := k.Sign(c.edition, c.purpose, c.text); got != c.token {
			t.Errorf("got %q, want %q", got, c.token)
		}
		if text, ok := k.Open(c.edition, c.purpose, c.token); !ok || text != c.text {
			t.Errorf("got %q, %v; want %q, true", text, ok, c.text)
		}
		for _, wrong := range []string{
			"", ".", c.text, c.text + ".", "x" + c.token, c.token + "x", strings.ToUpper(c.token), c.token[:len(c.token)-1],
		} {
			if _, ok := k.Open(c.edition, c.purpose, wrong); ok {
				t.Errorf("%q: got true, want false", wrong)
			}
		}
		if _, ok := k.Open("standard_ch", c.purpose, c.token); ok {
			t.Errorf("%q in another edition: got true, want false", c.token)
		}
		if _, ok := k.Open(c.edition, "settings", c.token); ok {
			t.Errorf("%q for another purpose: got true, want false", c.token)
		}
		if _, ok := Key(strings.Repeat("l", 32)).Open(c.edition, c.purpose, c.token); ok {
			t.Errorf("%q with another key: got true, want false", c.token)
		}
	}
}

// Whatever a token is, it opens nothing that was not signed for this edition and purpose.
func FuzzOpen(f *testing.F) {
	k := Key("0123456789abcdef0123456789abcdef")
	f.Add("7." + "AAAA")
	f.Add(k.Sign("other", "leave", "7"))
	f.Add("..")
	f.Fuzz(func(t *testing.T, token string) {
		if text, ok := k.Open("test", "leave", token); ok {
			t.Fatalf("%q opens %q", token, text)
		}
		if text, ok := k.Open("test", "leave", k.Sign("test", "leave", token)); !ok || text != token {
			t.Fatalf("%q was signed, and opens %q", token, text)
		}
	})
}

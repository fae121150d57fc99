package identity

import "testing"

// Only domains that are known have a number of their own.
func TestCountedDomain(t *testing.T) {
	t.Parallel()
	for email, want := range map[string]string{
		"ada@gmail.com": "gmail.com", "ada@azet.sk": "azet.sk", "ada@mail.gmail.com": "other", "ada@example.org": "other",
		"gmail.com": "other",
	} {
		if got := countedDomain(email); got != want {
			t.Errorf("%s: got %s, want %s", email, got, want)
		}
	}
}

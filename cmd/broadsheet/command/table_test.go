package command

import "testing"

func TestSingleLine(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ text, want string }{
		{"VS 2600000042\nza noviny", "VS 2600000042 za noviny"},
		{"a\x1b[2Jb", "a [2Jb"},
		{"a\u009b2Jb\x00\x7f", "a 2Jb"},
		{"100\u202e00.9", "10000.9"},
		{"a\u2066b\u2069\u200f", "ab"},
		{"a\u2028b\u0085c", "a b c"},
		{" Žofia\u00a0Ďurčová ", "Žofia Ďurčová"},
	} {
		if got := singleLine(c.text); got != c.want {
			t.Errorf("%q: got %q, want %q", c.text, got, c.want)
		}
	}
}

package commentname

import "testing"

// The key of a name is what its look-alikes have too: one spelling for letters that are mistaken for each other.
func TestLooksOfNamesOfBefore(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]string{
		"mallory": "mallory", "ma1lory": "mallory", "mailory": "mallory",
		"iris.o": "lrls.o", "arnold0": "amoldo", "vvłod1": "wlodl", "groß": "gross", "ŧhøđħ": "thodh",
		"kováč": "kováč", "kovac": "kovac", "": "",
	} {
		if got := lookAlikes.Replace(name); got != want {
			t.Errorf("key of %q: got %q, want %q", name, got, want)
		}
	}
}

package commentname

import "testing"

// The key of a name is that of its look-alikes, too: one spelling for letters that are mistaken for each other.
func TestKey(t *testing.T) {
	t.Parallel()
	for want, names := range map[string][]string{
		"mallory":  {"Mallory", "Ma1lory", "MaiIory", "M4llory", "M.a.l.l.o.r.y", "Mâllorý", "MAĽĹORY", "Małłory"},
		"zuzollo":  {"Zuzollo", "ŽuzolIo", "Zuzolló", "2uz0l1o", "Žužoĺĺø"},
		"standard": {"Standard", "St4ndard", "5tandard", "Štandárd", "S7andard", "Standarđ"},
		"wetter":   {"Wetter", "VVetter", "We773r", "Wettér"},
		"amold":    {"Arnold", "Amold", "Arñold", "4rn0lð"},
		"gross":    {"Groß", "Gross", "6ros5", "9ROSS"},
		"bob":      {"Bob", "8o8", "BÖB", "b0b"},
		"":         {"", "."},
	} {
		for _, name := range names {
			if got := Key(name); got != want {
				t.Errorf("key of %q: got %q, want %q", name, got, want)
			}
		}
	}
	for a, b := range map[string]string{"Mallory": "Mallori", "Hana": "Hanna", "Jan": "Ján.B", "Müller": "Mueller"} {
		if Key(a) == Key(b) {
			t.Errorf("%q and %q share a key, and look different", a, b)
		}
	}
}

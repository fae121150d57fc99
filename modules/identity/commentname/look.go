package commentname

import (
	"slices"
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"

	"example.org/broadsheet/platform/paper/edition"
)

// lookAlikes are the letters and digits of discussion names that pass for another in some typeface, after the
// confusables of Unicode (UTS 39), as far as a name can have them, and the digits that people write for letters. The
// migration skeletons_of_names has the same table.
var lookAlikes = strings.NewReplacer(
	"i", "l", "1", "l", "ı", "l", "ł", "l", "ŀ", "l", "0", "o", "ø", "o", "đ", "d", "ð", "d", "ħ", "h", "ŧ", "t",
	"ŋ", "n", "þ", "p", "2", "z", "3", "e", "4", "a", "5", "s", "6", "g", "7", "t", "8", "b", "9", "g",
	"rn", "m", "vv", "w", "ß", "ss", "æ", "ae", "œ", "oe", "ĳ", "ll",
)

// Key returns the skeleton of a name, which two names must not share: case, accents, compatibility forms and periods
// make no difference, and neither do letters and digits that look alike.
func Key(name string) string {
	bare := withoutAccents(strings.ToLower(norm.NFKC.String(name)))
	return lookAlikes.Replace(strings.ReplaceAll(bare, ".", ""))
}

// roleNames are what people of a newspaper are called in its languages, without accents. Nobody else is called so.
var roleNames = []string{
	"redakcia", "redaktor", "redaktorka", "sefredaktor", "sefredaktorka", "spravca", "spravkyna", "podpora", "vydavatel",
	"vydavatelstvo",
	"redaktion", "redakteur", "redakteurin", "chefredaktion", "chefredakteur", "chefredakteurin", "herausgeber",
	"herausgeberin", "kundendienst", "verlag",
	"editor", "editors", "editorial", "newsroom", "publisher", "support", "official", "staff", "system",
	//nolint:misspell // German words are among them
	"admin", "admins", "administrator", "administratorka", "administration", "moderator", "moderatorka", "moderatorin",
	"moderation",
}

// longName is how many letters a word has that is found at the beginning and the end of longer ones, too.
const longName = 8

// isReserved reports whether a name passes for the edition's own or for that of its people.
func isReserved(ed *edition.Edition, name string) bool {
	words := editionWords(ed)
	for _, r := range roleNames {
		words = append(words, Key(r))
	}
	parts := nameParts(name)
	parts = append(parts, strings.Join(parts, ""))
	return slices.ContainsFunc(words, func(w string) bool {
		return slices.ContainsFunc(parts, func(p string) bool {
			return p == w || len(w) >= longName && (strings.HasPrefix(p, w) || strings.HasSuffix(p, w))
		})
	})
}

// editionWords are the edition's name, and those of its words that its id or its address has too: "Standard" of
// "Standard Schweiz".
func editionWords(ed *edition.Edition) (words []string) {
	at := ed.ID + " " + strings.Join(ed.Hosts, " ")
	for _, name := range []string{ed.Name, ed.Identity.MailAppName, ed.Mail.FromName} {
		words = append(words, strings.Join(nameParts(strings.ReplaceAll(name, " ", ".")), ""))
		for word := range strings.FieldsSeq(name) {
			if bare := withoutAccents(strings.ToLower(word)); len(bare) >= 4 && strings.Contains(at, bare) {
				words = append(words, Key(bare))
			}
		}
	}
	return slices.DeleteFunc(words, func(w string) bool { return w == "" })
}

// nameParts are the words of a name as they look: between periods, and where a capital begins one, without numbers at
// the end.
func nameParts(name string) (parts []string) {
	var b strings.Builder
	last := ' '
	for _, r := range name {
		if unicode.IsUpper(r) && unicode.IsLower(last) {
			b.WriteByte('.')
		}
		b.WriteRune(r)
		last = r
	}
	for part := range strings.SplitSeq(b.String(), ".") {
		if part = strings.TrimRight(part, "0123456789"); part != "" {
			parts = append(parts, Key(part))
		}
	}
	return parts
}

func withoutAccents(s string) string {
	return strings.Map(func(r rune) rune {
		if unicode.Is(unicode.Mn, r) {
			return -1
		}
		return r
	}, norm.NFD.String(s))
}

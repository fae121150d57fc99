package setup

import (
	"errors"
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"example.org/broadsheet/platform/paper/edition"
)

// question is about some keys of the document.
type question struct {
	keys   []string
	words  string
	preset func(*edition.Document) string // what an empty answer stands for; nil for nothing
	own    bool                           // what a sample has is suggested to nobody
	only   func(*edition.Document) bool   // nil for always
	answer func(string) (changes, error)
}

type read = func(*edition.Document) string

// plain asks for a text, which is written under each of the keys.
func plain(words string, preset read, keys ...string) question {
	return question{keys: keys, words: words, preset: preset, answer: func(s string) (changes, error) {
		c := changes{}
		for _, k := range keys {
			c[k] = s
		}
		return c, nil
	}}
}

// own is plain for what belongs to one company.
func own(words string, preset read, keys ...string) question {
	q := plain(words, preset, keys...)
	q.own = true
	return q
}

// none is the answer that leaves out what may be left out.
const none = "-"

// optional is plain for a key that may be left out.
func optional(words, key string, preset read) question {
	q := plain(words+" (- for none)", nil, key)
	q.preset = func(d *edition.Document) string {
		if v := preset(d); v != "" {
			return v
		}
		return none
	}
	write := q.answer
	q.answer = func(s string) (changes, error) {
		if s == none {
			return changes{key: nil}, nil
		}
		return write(s)
	}
	return q
}

// yesNo asks for a truth.
func yesNo(words, key string, preset func(*edition.Document) bool) question {
	return question{
		keys: []string{key}, words: words + " (yes or no)",
		preset: func(d *edition.Document) string {
			if preset(d) {
				return "yes"
			}
			return "no"
		},
		answer: func(s string) (changes, error) {
			switch strings.ToLower(s) {
			case "yes", "y":
				return changes{key: true}, nil
			case "no", "n":
				return changes{key: false}, nil
			}
			return nil, fmt.Errorf("%q is neither yes nor no", s)
		},
	}
}

var priceShape = regexp.MustCompile(`^\d{1,7}[.,]\d{2}$`)

// price asks for an amount, which the document has in minor units.
func price(words, key string, preset int64) question {
	return question{
		keys: []string{key}, words: words,
		preset: func(*edition.Document) string { return Amount(preset) },
		answer: func(s string) (changes, error) {
			if !priceShape.MatchString(s) {
				return nil, fmt.Errorf("%q is not a price such as 7.90", s)
			}
			n, err := strconv.ParseInt(strings.NewReplacer(".", "", ",", "").Replace(s), 10, 64)
			return changes{key: n}, err
		},
	}
}

// Amount writes minor units of a currency that has a hundred of them.
func Amount(minor int64) string { return fmt.Sprintf("%d.%02d", minor/100, minor%100) }

// list asks for words with spaces or commas between.
func list(words, key string) question {
	return question{keys: []string{key}, words: words, answer: func(s string) (changes, error) {
		all := strings.FieldsFunc(s, func(r rune) bool { return r == ' ' || r == ',' })
		if len(all) == 0 {
			return nil, errors.New("at least one is needed")
		}
		return changes{key: all}, nil
	}}
}

package stem

import (
	"bufio"
	"fmt"
	"os"
	"strings"
	"testing"
)

// score compares every pair of forms in a list: a pair of one word must meet in a stem, a pair of two must not.
type score struct {
	words, forms               int
	met, missed, mixed         int      // pairs
	examplesMissed, mixedStems []string // for people
}

func (s score) precision() float64 { return float64(s.met) / float64(s.met+s.mixed) }
func (s score) recall() float64    { return float64(s.met) / float64(s.met+s.missed) }

func (s score) String() string {
	return fmt.Sprintf("%d words, %d forms: precision %.4f (%d pairs of different words meet), recall %.4f (%d pairs of "+
		"one word do not)",
		s.words, s.forms, s.precision(), s.mixed, s.recall(), s.missed)
}

func readForms(t *testing.T, file string) (lemmas []string, forms [][]string) {
	t.Helper()
	f, err := os.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = f.Close() }()
	lines := bufio.NewScanner(f)
	seen := map[string]bool{}
	for lines.Scan() {
		lemma, rest, ok := strings.Cut(lines.Text(), ":")
		if strings.HasPrefix(lemma, "#") {
			continue
		}
		if !ok || seen[lemma] {
			t.Fatalf("%s: %q", file, lines.Text())
		}
		seen[lemma] = true
		list := []string{lemma}
		for _, w := range strings.Fields(rest) {
			if w != lemma {
				list = append(list, w)
			}
		}
		lemmas, forms = append(lemmas, lemma), append(forms, list)
	}
	return lemmas, forms
}

func rate(lemmas []string, forms [][]string, stem func(string) string) (s score) {
	s.words = len(lemmas)
	type member struct {
		word int
		form string
	}
	at := map[string][]member{}
	for i, list := range forms {
		s.forms += len(list)
		stems := map[string]int{}
		for _, w := range list {
			k := stem(w)
			stems[k]++
			at[k] = append(at[k], member{i, w})
		}
		left := len(list)
		for _, n := range stems {
			s.met += n * (n - 1) / 2
			left -= n
			s.missed += n * left
		}
		if len(stems) > 1 {
			s.examplesMissed = append(s.examplesMissed, fmt.Sprintf("%s %v", lemmas[i], stems))
		}
	}
	for k, members := range at {
		mixed := 0
		for i, a := range members {
			for _, b := range members[:i] {
				if a.word != b.word && a.form != b.form { // one form of two words cannot be told apart by anybody
					mixed++
				}
			}
		}
		if mixed > 0 {
			s.mixed += mixed
			s.mixedStems = append(s.mixedStems, fmt.Sprintf("%s %v", k, members))
		}
	}
	return s
}

func TestSlovakIsScoredWithOtherWords(t *testing.T) {
	t.Parallel()
	known, knownForms := readForms(t, "testdata/slovak_written_with.txt")
	lemmas, forms := readForms(t, "testdata/slovak_scored_with.txt")
	for _, l := range lemmas {
		for _, k := range known {
			if l == k {
				t.Errorf("%q is in both lists", l)
			}
		}
	}
	sk := func(w string) string { return Stem("sk", w) }
	own, other, none := rate(known, knownForms, sk), rate(lemmas, forms, sk), rate(lemmas, forms, Fold)
	t.Logf("written with: %s\n  %s\n  %s", own, strings.Join(own.examplesMissed, "\n  "),
		strings.Join(own.mixedStems, "\n  "))
	t.Logf("scored with: %s\n  %s\n  %s", other, strings.Join(other.examplesMissed, "\n  "),
		strings.Join(other.mixedStems, "\n  "))
	t.Logf("scored with, without a stemmer: %s", none)
	if other.words < 80 || other.forms < 400 {
		t.Errorf("the list is too short: %s", other)
	}
	if other.recall() < 0.97 || other.precision() < 0.97 || own.recall() < 1 || own.precision() < 1 {
		t.Errorf("the score is worse than it was: %s", other)
	}
}

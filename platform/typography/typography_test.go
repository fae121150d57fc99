package typography

import (
	"encoding/json"
	"os"
	"strings"
	"testing"
)

// cases are read by the tests of the browser's words too. ~ is a no-break space and _ a no-break hyphen.
type testCase struct{ Lang, Name, In, Out string }

func cases(t testing.TB) (all []testCase) {
	t.Helper()
	b, err := os.ReadFile("testdata/cases.json")
	if err == nil {
		err = json.Unmarshal(b, &all)
	}
	if err != nil || len(all) < 20 {
		t.Fatalf("%d cases, %v", len(all), err)
	}
	return all
}

var shown = strings.NewReplacer("\u00a0", "~", "\u2011", "_")

func TestText(t *testing.T) {
	t.Parallel()
	for _, c := range cases(t) {
		got := Text(c.Lang, c.In)
		if shown.Replace(got) != c.Out {
			t.Errorf("%s, %s:\n%s\nnot\n%s", c.Lang, c.Name, shown.Replace(got), c.Out)
		}
		if again := Text(c.Lang, got); again != got {
			t.Errorf("%s, %s: the second time it is\n%s\nnot\n%s", c.Lang, c.Name, shown.Replace(again), shown.Replace(got))
		}
		if got := HTML(c.Lang, c.In); shown.Replace(got) != c.Out {
			t.Errorf("%s, %s: as HTML it is %s", c.Lang, c.Name, shown.Replace(got))
		}
		if back := Plain(got); back != c.In {
			t.Errorf("%s, %s: plain it is %s", c.Lang, c.Name, back)
		}
	}
}

func TestHTML(t *testing.T) {
	t.Parallel()
	for name, c := range map[string][2]string{
		"attributes": {
			`<p class="a b"><img alt="o tom v zime > k nim"> v zime</p>`,
			`<p class="a b"><img alt="o tom v zime > k nim"> v~zime</p>`,
		},
		"addresses":     {`<a href="/o nas?e-mail=1">o nás</a>`, `<a href="/o nas?e-mail=1">o~nás</a>`},
		"across a tag":  {`v <b>zime</b> o <a href="#">5</a> percent`, `v~<b>zime</b> o~<a href="#">5</a>~percent`},
		"behind a tag":  {`<b>v</b> zime`, `<b>v</b>~zime`},
		"half a word":   {`<b>slo</b>v zime`, `<b>slo</b>v zime`},
		"code":          {`<code>a b i v</code> a <pre>v x e-mail</pre>`, `<code>a b i v</code> a~<pre>v x e-mail</pre>`},
		"blocks part":   {`<p>koniec v</p> <p>zime</p>`, `<p>koniec v</p> <p>zime</p>`},
		"comments":      {`<!-- v zime > a --> v lete`, `<!-- v zime > a --> v~lete`},
		"a tag cut off": {`v zime <a href="o tom`, `v~zime <a href="o tom`},
		"line break":    {`o<br>tom v zime`, `o<br>tom v~zime`},
		"entities":      {`Novák &amp; syn a&nbsp;dcéra`, `Novák &amp; syn a&nbsp;dcéra`},
		"date with tags": {
			`<time datetime="2026-11-22 10:38">22. novembra 2026</time> o 10:38`,
			`<time datetime="2026-11-22 10:38">22.~novembra~2026</time> o~10:38`,
		},
	} {
		if got := shown.Replace(HTML("sk", c[0])); got != c[1] {
			t.Errorf("%s:\n%s\nnot\n%s", name, got, c[1])
		}
	}
}

func FuzzHTML(f *testing.F) {
	for _, c := range cases(f) {
		f.Add(c.In)
	}
	f.Add(`<p>v <b>zime</b> a <code>o x</code> 5\u00a0% 14 000</p>`)
	f.Fuzz(func(t *testing.T, in string) {
		for _, lang := range []string{"sk", "de"} {
			for _, do := range []func(string, string) string{Text, HTML} {
				once := do(lang, in)
				if twice := do(lang, once); twice != once {
					t.Errorf("%q becomes %q, then %q", in, once, twice)
				}
				if Plain(once) != Plain(in) {
					t.Errorf("%q loses something: %q", in, once)
				}
			}
		}
	})
}

func BenchmarkHTML(b *testing.B) {
	text := strings.Repeat("<p>Vláda s <b>opozíciou</b> rokovala o 430 miliónoch eur, povedal v Bratislave 22. novembra "+
		"2026 o 10:38.</p>\n", 60)
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		HTML("sk", text)
	}
}

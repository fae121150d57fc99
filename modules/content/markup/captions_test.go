package markup

import (
	"fmt"
	"testing"
)

func TestPicturesInTextOpenLarge(t *testing.T) {
	t.Parallel()
	img := func(n int, alt string) string {
		return fmt.Sprintf(`<img src="/img/%s?w=480" alt="%s" width="40" height="30" loading="lazy"/>`, picture(n), alt)
	}
	shown := func(n int, alt string) string {
		address := "/img/" + picture(n) + "?w="
		widths := fmt.Sprintf(` srcset="%[1]s160 160w, %[1]s240 240w, %[1]s320 320w, %[1]s480 480w"`, address) +
			` sizes="(width &gt;= 704px) 650px, 88vw"`
		if alt == "" { // was taken away
			return fmt.Sprintf(`<img src="%s480" width="40" height="30" loading="lazy" alt=""%s/>`, address, widths)
		}
		return fmt.Sprintf(`<img src="%s480" alt="%s" width="40" height="30" loading="lazy"%s/>`, address, alt, widths)
	}
	opened := func(id string, n int, alt string) string {
		return `<button type="button" popovertarget="` + id + `" title="Zväčšiť">` + shown(n, alt) +
			`</button><div popover="auto" id="` + id +
			`" data-print="hide"><button type="button" popovertarget="` + id + `" title="Zavrieť"><img src="/img/` + picture(n) +
			`?w=1600" alt="` + alt +
			`" loading="lazy"/></button></div>`
	}
	figure := func(inside string) string { return "<figure>" + inside + "</figure>" }
	for name, c := range map[string]struct{ in, want, responsive string }{
		"no picture": {"<p>Text &amp; slová.</p>", "<p>Text &amp; slová.</p>", ""},
		"a picture": {
			"<p>a</p>\n" + figure(img(0, "Most")), "<p>a</p>\n" + figure(opened("picture-1", 0, "Most")),
			"<p>a</p>\n" + figure(shown(0, "Most")),
		},
		"words twice": {
			figure(img(0, "Most v zime") + "<figcaption>Most <em>v zime</em>.</figcaption>"),
			figure(opened("picture-1", 0, "") + "<figcaption>Most <em>v zime</em>.</figcaption>"),
			figure(shown(0, "") + "<figcaption>Most <em>v zime</em>.</figcaption>"),
		},
		"words of its own": {
			figure(img(0, "Most") + "<figcaption>Dnes</figcaption>"),
			figure(opened("picture-1", 0, "Most") + "<figcaption>Dnes</figcaption>"),
			figure(shown(0, "Most") + "<figcaption>Dnes</figcaption>"),
		},
		"a gallery": {
			figure(figure(img(0, "A")) + figure(img(1, "B"))),
			figure(figure(opened("picture-1", 0, "A")) + figure(opened("picture-2", 1, "B"))),
			figure(figure(shown(0, "A")) + figure(shown(1, "B"))),
		},
		"one that leads elsewhere": {
			figure(`<a href="/x">` + img(0, "A") + "</a>"),
			figure(`<a href="/x">` + shown(0, "A") + "</a>"), figure(`<a href="/x">` + shown(0, "A") + "</a>"),
		},
	} {
		if c.responsive == "" {
			c.responsive = c.in
		}
		if Sanitise(c.in) != c.in {
			t.Errorf("%s: no text of ours: %s", name, Sanitise(c.in))
		}
		if got := Enlargeable(c.in, "Zväčšiť", "Zavrieť"); got != c.want {
			t.Errorf("%s:\ngot  %s\nwant %s", name, got, c.want)
		}
		if got := Responsive(c.in); got != c.responsive {
			t.Errorf("%s, responsive: %s", name, got)
		}
	}
}

func picture(n int) string { return fmt.Sprintf("%032x", n+1) }

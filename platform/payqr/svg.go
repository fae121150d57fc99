package payqr

import (
	"fmt"
	"math"
	"strconv"
	"strings"
)

// SVG draws a code for pages, black on white in any theme, at any size. A Swiss one has the cross in its middle; title
// says in words what it is.
func SVG(text, title string, swiss bool) (string, error) {
	d, err := Draw(text, swiss)
	if err != nil {
		return "", err
	}
	var b strings.Builder
	fmt.Fprintf(&b, `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %[1]g %[1]g" width="%[2]g" height="%[2]g" `+
		`role="img" shape-rendering="crispEdges"><title>%[3]s</title>`, d.Side, d.Side*8, escape.Replace(title))
	for i, r := range d.Rects {
		if i == 0 || r.White != d.Rects[i-1].White {
			if i > 0 {
				b.WriteString(`"/>`)
			}
			b.WriteString(map[bool]string{true: `<path fill="#fff" d="`, false: `<path fill="#000" d="`}[r.White])
		}
		fmt.Fprintf(&b, "M%s %sh%sv%sh-%[3]sz", hundredths(r.X), hundredths(r.Y), hundredths(r.W), hundredths(r.H))
	}
	b.WriteString(`"/></svg>`)
	return b.String(), nil
}

var escape = strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;", `"`, "&quot;")

func hundredths(f float64) string { return strconv.FormatFloat(math.Round(f*100)/100, 'f', -1, 64) }

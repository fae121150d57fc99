package payqr

import (
	"fmt"
	"strings"

	"github.com/skip2/go-qrcode"
)

// quiet is the margin of a code, in modules.
const quiet = 4

// SVG draws a code for pages, black on white in any theme, at any size. A Swiss one has the cross in its middle; title says in words
// what it is.
func SVG(text, title string, swiss bool) (string, error) {
	q, err := qrcode.New(text, qrcode.Medium)
	if err != nil {
		return "", fmt.Errorf("payqr: %w", err)
	}
	q.DisableBorder = true
	rows := q.Bitmap()
	side := len(rows) + 2*quiet
	var b strings.Builder
	fmt.Fprintf(&b, `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d" width="%d" height="%d" role="img" shape-rendering="crispEdges"><title>%s</title><path fill="#fff" d="M0 0h%dv%dH0z"/><path fill="#000" d="`,
		side, side, side*8, side*8, escape.Replace(title), side, side)
	for y, row := range rows {
		for x := 0; x < len(row); x++ {
			from := x
			for x < len(row) && row[x] {
				x++
			}
			if x > from {
				fmt.Fprintf(&b, "M%d %dh%dv1h-%dz", from+quiet, y+quiet, x-from, x-from)
			}
		}
	}
	b.WriteString(`"/>`)
	if swiss {
		b.WriteString(cross(float64(side)/2, float64(len(rows))))
	}
	b.WriteString(`</svg>`)
	return b.String(), nil
}

var escape = strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;", `"`, "&quot;")

// cross is the Swiss cross in the middle of a code that is size modules wide: 7 mm of the 46 mm that a printed one has.
func cross(middle, size float64) string {
	field := size * 7 / 46
	square, arm, width := field*6/7, field*0.55, field*0.17
	rect := func(colour string, w, h float64) string {
		return fmt.Sprintf(`<path fill="%s" d="M%.2f %.2fh%.2fv%.2fh-%.2fz"/>`, colour, middle-w/2, middle-h/2, w, h, w)
	}
	return rect("#fff", field, field) + rect("#000", square, square) + rect("#fff", arm, width) + rect("#fff", width, arm)
}

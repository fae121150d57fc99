package payqr

import (
	"fmt"

	"github.com/skip2/go-qrcode"
)

// Quiet is the margin of a code, in modules.
const Quiet = 4

// Rect is a filled rectangle of a code, in modules from its upper left corner.
type Rect struct {
	X, Y, W, H float64
	White      bool
}

// Drawing is a code as rectangles, of which a later one lies over an earlier one, in a square of Side modules with the
// margin.
type Drawing struct {
	Side  float64
	Rects []Rect
}

// Draw draws a code, black on white. A Swiss one has the cross in its middle.
func Draw(text string, swiss bool) (Drawing, error) {
	q, err := qrcode.New(text, qrcode.Medium)
	if err != nil {
		return Drawing{}, fmt.Errorf("payqr: %w", err)
	}
	q.DisableBorder = true
	rows := q.Bitmap()
	d := Drawing{Side: float64(len(rows) + 2*Quiet)}
	d.Rects = append(d.Rects, Rect{W: d.Side, H: d.Side, White: true})
	for y, row := range rows {
		for x := 0; x < len(row); x++ {
			from := x
			for x < len(row) && row[x] {
				x++
			}
			if x > from {
				d.Rects = append(d.Rects, Rect{X: float64(from + Quiet), Y: float64(y + Quiet), W: float64(x - from), H: 1})
			}
		}
	}
	if swiss {
		d.cross(float64(len(rows)))
	}
	return d, nil
}

// cross is the Swiss cross in the middle of a code that is size modules wide: 7 mm of the 46 mm that a printed one has.
func (d *Drawing) cross(size float64) {
	field := size * 7 / 46
	square, arm, width := field*6/7, field*0.55, field*0.17
	for _, r := range []Rect{
		{W: field, H: field, White: true},
		{W: square, H: square},
		{W: arm, H: width, White: true},
		{W: width, H: arm, White: true},
	} {
		r.X, r.Y = (d.Side-r.W)/2, (d.Side-r.H)/2
		d.Rects = append(d.Rects, r)
	}
}

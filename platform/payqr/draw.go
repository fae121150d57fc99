package payqr

import (
	"fmt"

	qr "github.com/piglig/go-qr"
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

// maxSwiss is the largest version of a Swiss code.
const maxSwiss = 25

// Draw draws a code, black on white, with the error correction M that all three formats ask for. A Swiss one has the
// cross in its middle. Draw returns an error if the text is longer than the code can be.
func Draw(text string, swiss bool) (Drawing, error) {
	code, err := encode(text, swiss)
	if err != nil {
		return Drawing{}, fmt.Errorf("payqr: %w", err)
	}
	size := code.Size()
	d := Drawing{Side: float64(size + 2*Quiet)}
	d.Rects = append(d.Rects, Rect{W: d.Side, H: d.Side, White: true})
	for y := range size {
		for x := 0; x < size; x++ {
			from := x
			for x < size && code.Module(x, y) {
				x++
			}
			if x > from {
				d.Rects = append(d.Rects, Rect{X: float64(from + Quiet), Y: float64(y + Quiet), W: float64(x - from), H: 1})
			}
		}
	}
	if swiss {
		d.cross(float64(size))
	}
	return d, nil
}

// encode chooses the smallest version and the best mask.
func encode(text string, swiss bool) (*qr.QrCode, error) {
	segments, err := qr.MakeSegments(text)
	if err != nil {
		return nil, err
	}
	largest := qr.MaxVersion
	if swiss {
		largest = maxSwiss
	}
	const bestMask, higherLevel = -1, false
	return qr.EncodeSegments(segments, qr.Medium, qr.MinVersion, largest, bestMask, higherLevel)
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

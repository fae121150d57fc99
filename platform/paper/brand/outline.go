package brand

import (
	"fmt"
	"image"
	"image/color"
	"image/draw"
	"math"
	"strings"

	"golang.org/x/image/font"
	"golang.org/x/image/font/sfnt"
	"golang.org/x/image/math/fixed"
	"golang.org/x/image/vector"
)

// point is in pixels, y downwards.
type point struct{ x, y float32 }

// stroke is one piece of an outline.
type stroke struct {
	op sfnt.SegmentOp
	to [3]point
}

// outline is drawn text: the baseline is at 0, the first letter begins at 0.
type outline struct {
	strokes  []stroke
	width    float32 // to where the next letter would begin
	min, max point   // of the ink
}

// set draws a line of text at a size in pixels. Letters that no typeface has are left out.
func (k *Kit) set(text string, size float32) (outline, error) {
	o := outline{min: point{math.MaxFloat32, math.MaxFloat32}, max: point{-math.MaxFloat32, -math.MaxFloat32}}
	var buf sfnt.Buffer
	ppem := fixed.Int26_6(size * 64)
	for _, r := range text {
		f, glyph := k.find(&buf, r)
		if f == nil {
			continue
		}
		segments, err := f.LoadGlyph(&buf, glyph, ppem, nil)
		if err != nil {
			return o, fmt.Errorf("letter %q: %w", r, err)
		}
		for _, s := range segments {
			o.add(s)
		}
		advance, err := f.GlyphAdvance(&buf, glyph, ppem, font.HintingNone)
		if err != nil {
			return o, fmt.Errorf("letter %q: %w", r, err)
		}
		o.width += float32(advance) / 64
	}
	if len(o.strokes) == 0 {
		o.min, o.max = point{}, point{}
	}
	return o, nil
}

func (k *Kit) find(buf *sfnt.Buffer, r rune) (*sfnt.Font, sfnt.GlyphIndex) {
	for _, f := range k.fonts {
		if g, err := f.GlyphIndex(buf, r); err == nil && g != 0 {
			return f, g
		}
	}
	return nil, 0
}

// points is how many points a piece of an outline has.
var points = map[sfnt.SegmentOp]int{
	sfnt.SegmentOpMoveTo: 1, sfnt.SegmentOpLineTo: 1, sfnt.SegmentOpQuadTo: 2,
	sfnt.SegmentOpCubeTo: 3,
}

func (o *outline) add(s sfnt.Segment) {
	st := stroke{op: s.Op}
	for i := range points[s.Op] {
		p := point{o.width + float32(s.Args[i].X)/64, float32(s.Args[i].Y) / 64}
		st.to[i] = p
		o.min = point{min(o.min.x, p.x), min(o.min.y, p.y)}
		o.max = point{max(o.max.x, p.x), max(o.max.y, p.y)}
	}
	o.strokes = append(o.strokes, st)
}

// paint fills the outline with its origin at a point.
func (o outline) paint(dst draw.Image, at point, c color.Color) {
	b := dst.Bounds()
	r := vector.NewRasterizer(b.Dx(), b.Dy())
	for _, s := range o.strokes {
		p := s.to
		for i := range p {
			p[i] = point{p[i].x + at.x, p[i].y + at.y}
		}
		switch s.op {
		case sfnt.SegmentOpMoveTo:
			r.ClosePath()
			r.MoveTo(p[0].x, p[0].y)
		case sfnt.SegmentOpLineTo:
			r.LineTo(p[0].x, p[0].y)
		case sfnt.SegmentOpQuadTo:
			r.QuadTo(p[0].x, p[0].y, p[1].x, p[1].y)
		case sfnt.SegmentOpCubeTo:
			r.CubeTo(p[0].x, p[0].y, p[1].x, p[1].y, p[2].x, p[2].y)
		}
	}
	r.ClosePath()
	r.Draw(dst, b, image.NewUniform(c), image.Point{})
}

// path writes the outline as SVG has it.
func (o outline) path(at point) string {
	var b strings.Builder
	letters := map[sfnt.SegmentOp]string{
		sfnt.SegmentOpMoveTo: "M", sfnt.SegmentOpLineTo: "L", sfnt.SegmentOpQuadTo: "Q",
		sfnt.SegmentOpCubeTo: "C",
	}
	for i, s := range o.strokes {
		if s.op == sfnt.SegmentOpMoveTo && i > 0 {
			b.WriteByte('Z')
		}
		b.WriteString(letters[s.op])
		for n := range points[s.op] {
			if n > 0 {
				b.WriteByte(' ')
			}
			fmt.Fprintf(&b, "%.2f %.2f", s.to[n].x+at.x, s.to[n].y+at.y)
		}
	}
	if len(o.strokes) > 0 {
		b.WriteByte('Z')
	}
	return b.String()
}

// centre is where the outline has to begin for its ink to lie in the middle of a square.
func (o outline) centre(side float32) point {
	return point{(side - o.min.x - o.max.x) / 2, (side - o.min.y - o.max.y) / 2}
}

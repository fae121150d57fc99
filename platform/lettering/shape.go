package lettering

import (
	"slices"
	"strings"
	"unicode"

	"github.com/go-text/typesetting/bidi"
	"github.com/go-text/typesetting/di"
	"github.com/go-text/typesetting/font"
	"github.com/go-text/typesetting/font/opentype"
	"github.com/go-text/typesetting/language"
	"github.com/go-text/typesetting/shaping"
	"golang.org/x/image/math/fixed"
	classes "golang.org/x/text/unicode/bidi"
)

// Line is a line of a text.
type Line struct {
	Text  string  // in the order in which it is read
	Seen  string  // in the order in which it is seen, from left to right
	Width float64 // in the unit of the size
	runs  []shaping.Output
	unit  float64
}

// em is the size at which text is shaped: what it is rounded to is nothing that anybody sees.
const em = 1024

// Shape makes a text, as Visible returns it, into lines of a width, at a size of the same unit. Letters that cannot be
// shaped are replaced by Missing.
func Shape(text string, size, width float64) (lines []Line) {
	known := faces{}
	for _, part := range strings.Split(text, "\n") {
		lines = append(lines, known.paragraph([]rune(part), size/em, width)...)
	}
	return lines
}

func (f faces) paragraph(text []rune, unit, width float64) (lines []Line) {
	if len(text) == 0 {
		return []Line{{}}
	}
	defer func() {
		if p := recover(); p != nil && replaceUnplain(text) { // a fault of the shaper costs letters, never the document
			lines = f.paragraph(text, unit, width)
		}
	}()
	toward, base := di.DirectionLTR, bidi.LeftToRight
	if beginsRightToLeft(text) {
		toward, base = di.DirectionRTL, bidi.RightToLeft
	}
	levels := levelsOf(text, base)
	var segments shaping.Segmenter
	var shaper shaping.HarfbuzzShaper
	var shaped []shaping.Output
	for from, to := 0, 0; from < len(text); from = to {
		for to < len(text) && levels[to] == levels[from] {
			to++
		}
		input := shaping.Input{
			Text: text, RunStart: from, RunEnd: to, Size: fixed.I(em), Language: language.NewLanguage("en"),
		}
		if levels[from]%2 == 1 {
			input.Direction = di.DirectionRTL
		}
		for _, run := range segments.Split(input, f) {
			shaped = append(shaped, shaper.Shape(run))
		}
	}
	var wrapper shaping.LineWrapper
	wrapped, _ := wrapper.WrapParagraphF(shaping.WrapConfig{Direction: toward}, fixed.Int26_6(width/unit*64), text,
		shaping.NewSliceIterator(shaped))
	for _, w := range wrapped {
		lines = append(lines, lineOf(text, levels, w, unit))
	}
	return lines
}

// levelsOf returns how deep each letter is in texts of the other direction; odd ones are read from right to left.
func levelsOf(text []rune, base bidi.Direction) []bidi.Level {
	var paragraph bidi.Paragraph
	levels := make([]bidi.Level, len(text))
	runs := paragraph.Segment(text, base)
	for i := range runs.NumRuns() {
		run := runs.Run(i)
		for at := run.Start; at < run.End; at++ {
			levels[at] = run.Level
		}
		// The library tells only where the direction changes: a number after a text from right to left is a part of that
		// text, and the rest of the run is not.
		if base == bidi.LeftToRight && run.Level == 2 {
			for at := run.Start + numberAt(text[run.Start:run.End]); at < run.End; at++ {
				levels[at] = 0
			}
		}
	}
	return levels
}

// numberAt returns how many letters of the number are at the beginning of a text.
func numberAt(text []rune) (n int) {
	for i, r := range text {
		switch properties, _ := classes.LookupRune(r); properties.Class() {
		case classes.EN, classes.AN, classes.ET, classes.NSM:
			n = i + 1
		case classes.ES, classes.CS:
		default:
			return n
		}
	}
	return n
}

// replaceUnplain replaces what is not ASCII by Missing, and reports whether there was any.
func replaceUnplain(text []rune) (any bool) {
	for i, r := range text {
		if r > unicode.MaxASCII && string(r) != Missing {
			text[i], any = []rune(Missing)[0], true
		}
	}
	return any
}

// lineOf puts the runs of a line into the order in which they are seen (rule L2 of the Unicode algorithm).
func lineOf(text []rune, levels []bidi.Level, w shaping.Line, unit float64) Line {
	l := Line{unit: unit, runs: slices.Clone(w)}
	slices.SortStableFunc(l.runs, func(x, y shaping.Output) int { return x.Runes.Offset - y.Runes.Offset })
	highest := bidi.Level(0)
	for _, r := range l.runs {
		l.Text += string(text[r.Runes.Offset : r.Runes.Offset+r.Runes.Count])
		l.Width += float64(r.Advance) / 64 * unit
		highest = max(highest, levels[r.Runes.Offset])
	}
	for level := highest; level > 0; level-- {
		for i := 0; i < len(l.runs); i++ {
			end := i
			for end < len(l.runs) && levels[l.runs[end].Runes.Offset] >= level {
				end++
			}
			slices.Reverse(l.runs[i:end])
			i = max(i, end-1)
		}
	}
	for _, r := range l.runs {
		part := slices.Clone(text[r.Runes.Offset : r.Runes.Offset+r.Runes.Count])
		if levels[r.Runes.Offset]%2 == 1 {
			slices.Reverse(part)
		}
		l.Seen += string(part)
	}
	return l
}

// beginsRightToLeft reports whether the first letter with a direction is read from right to left.
func beginsRightToLeft(text []rune) bool {
	for _, r := range text {
		switch properties, _ := classes.LookupRune(r); properties.Class() {
		case classes.L:
			return false
		case classes.R, classes.AL:
			return true
		}
	}
	return false
}

// Pen draws outlines. Y grows downward, as on a page.
type Pen interface {
	MoveTo(x, y float64)
	LineTo(x, y float64)
	CurveBezierCubicTo(cx0, cy0, cx1, cy1, x, y float64)
	ClosePath()
}

// Draw draws a line from its left end on the base line, in the unit of its size. What is drawn is to be filled.
func (l Line) Draw(p Pen, x, y float64) {
	for _, run := range l.runs {
		scale := l.unit * em / float64(run.Face.Upem())
		for _, g := range run.Glyphs {
			left, base := x+float64(g.XOffset)/64*l.unit, y-float64(g.YOffset)/64*l.unit
			if outline, ok := run.Face.GlyphDataOutline(g.GlyphID); ok {
				drawGlyph(p, outline, func(at opentype.SegmentPoint) (float64, float64) {
					return left + float64(at.X)*scale, base - float64(at.Y)*scale
				})
			}
			x += float64(g.Advance) / 64 * l.unit
		}
	}
}

func drawGlyph(p Pen, outline font.GlyphOutline, place func(opentype.SegmentPoint) (x, y float64)) {
	open, fromX, fromY := false, 0.0, 0.0
	for _, s := range outline.Segments {
		x, y := place(s.Args[len(s.ArgsSlice())-1])
		switch s.Op {
		case opentype.SegmentOpMoveTo:
			if open {
				p.ClosePath()
			}
			p.MoveTo(x, y)
			open = true
		case opentype.SegmentOpLineTo:
			p.LineTo(x, y)
		case opentype.SegmentOpQuadTo:
			cx, cy := place(s.Args[0])
			p.CurveBezierCubicTo(fromX+(cx-fromX)*2/3, fromY+(cy-fromY)*2/3, x+(cx-x)*2/3, y+(cy-y)*2/3, x, y)
		case opentype.SegmentOpCubeTo:
			c0x, c0y := place(s.Args[0])
			c1x, c1y := place(s.Args[1])
			p.CurveBezierCubicTo(c0x, c0y, c1x, c1y, x, y)
		}
		fromX, fromY = x, y
	}
	if open {
		p.ClosePath()
	}
}

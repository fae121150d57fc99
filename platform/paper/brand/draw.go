package brand

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"image"
	"image/color"
	"image/draw"
	"image/png"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/image/vector"

	"example.org/broadsheet/platform/paper/edition"
)

// The size of a card, which is what networks and messengers ask for.
const (
	CardWidth  = 1200
	CardHeight = 630
)

// Where every edition answers its card, its logo, and the icon of its feeds, which may not be larger than 144 pixels.
const (
	CardPath     = "/card.png"
	LogoPath     = "/icon-512.png"
	FeedIconPath = "/icon-144.png"
)

// Shape is how an icon fills its square.
type Shape int

// The shapes.
const (
	Rounded  Shape = iota // transparent corners
	Square                // for systems that round the corners themselves
	Maskable              // as Square, with all that matters inside the circle of 80 %
)

// letterShare is how much of the square the initial may take, by shape.
var letterShare = map[Shape]float32{Rounded: 0.62, Square: 0.58, Maskable: 0.46}

const cornerShare = 0.12

// initial is the letter that stands for the edition, set to fill a share of a square.
func (k *Kit) initial(ed *edition.Edition, side, share float32) (outline, error) {
	first, _ := utf8.DecodeRuneInString(ed.Name)
	letter := string(unicode.ToUpper(first))
	o, err := k.set(letter, side)
	if err != nil || len(o.strokes) == 0 {
		return o, err
	}
	return k.set(letter, side*side*share/max(o.max.x-o.min.x, o.max.y-o.min.y))
}

// Icon draws a square PNG: the edition's initial on its colour.
func (k *Kit) Icon(ed *edition.Edition, side int, shape Shape) ([]byte, error) {
	t := k.theme(ed)
	img := image.NewNRGBA(image.Rect(0, 0, side, side))
	if shape == Rounded {
		corners(float32(side), float32(side)*cornerShare).
			Draw(img, img.Bounds(), image.NewUniform(color.RGBA(t.Accent)), image.Point{})
	} else {
		draw.Draw(img, img.Bounds(), image.NewUniform(color.RGBA(t.Accent)), image.Point{}, draw.Src)
	}
	o, err := k.initial(ed, float32(side), letterShare[shape])
	if err != nil {
		return nil, err
	}
	o.paint(img, o.centre(float32(side)), color.RGBA(t.Paper))
	return encode(img)
}

// corners is a square with round corners of a radius.
func corners(side, radius float32) *vector.Rasterizer {
	r := vector.NewRasterizer(int(side), int(side))
	const near = 0.4477 // of the radius: how far a curve's handles lie from the corner to make a quarter of a circle
	h := radius * near
	r.MoveTo(radius, 0)
	r.LineTo(side-radius, 0)
	r.CubeTo(side-h, 0, side, h, side, radius)
	r.LineTo(side, side-radius)
	r.CubeTo(side, side-h, side-h, side, side-radius, side)
	r.LineTo(radius, side)
	r.CubeTo(h, side, 0, side-h, 0, side-radius)
	r.LineTo(0, radius)
	r.CubeTo(0, h, h, 0, radius, 0)
	r.ClosePath()
	return r
}

// Favicon draws the icon for browsers that ask for /favicon.ico: one PNG in the container that they expect.
func (k *Kit) Favicon(ed *edition.Edition) ([]byte, error) {
	const side = 48
	picture, err := k.Icon(ed, side, Rounded)
	if err != nil {
		return nil, err
	}
	b := []byte{0, 0, 1, 0, 1, 0, side, side, 0, 0, 1, 0, 32, 0}
	b = binary.LittleEndian.AppendUint32(b, uint32(len(picture)))
	b = binary.LittleEndian.AppendUint32(b, 22) // where the picture begins
	return append(b, picture...), nil
}

// SVG draws the rounded icon without pixels.
func (k *Kit) SVG(ed *edition.Edition) ([]byte, error) {
	const side = 64
	t := k.theme(ed)
	o, err := k.initial(ed, side, letterShare[Rounded])
	if err != nil {
		return nil, err
	}
	return fmt.Appendf(nil, `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %[1]d %[1]d"><rect width="%[1]d" `+
		`height="%[1]d" rx="%.2[2]f" fill="%[3]s"/><path d="%[4]s" fill="%[5]s"/></svg>`,
		side, side*cornerShare, t.Accent, o.path(o.centre(side)), t.Paper), nil
}

// Card draws the picture of a shared address that has none of its own: masthead and tagline on the edition's colour.
func (k *Kit) Card(ed *edition.Edition) ([]byte, error) {
	const (
		margin   = 88
		breadth  = CardWidth - 2*margin
		baseline = 330 // of the masthead
		largest  = 168
		rule     = 4
		words    = 46 // size of the tagline
		leading  = 60
		lines    = 2
	)
	t := k.theme(ed)
	img := image.NewRGBA(image.Rect(0, 0, CardWidth, CardHeight))
	draw.Draw(img, img.Bounds(), image.NewUniform(color.RGBA(t.Accent)), image.Point{}, draw.Src)
	paper := color.RGBA(t.Paper)
	name, err := k.set(ed.Name, largest)
	if err != nil {
		return nil, err
	}
	if name.width > breadth {
		if name, err = k.set(ed.Name, largest*breadth/name.width); err != nil {
			return nil, err
		}
	}
	name.paint(img, point{margin - name.min.x, baseline}, paper)
	draw.Draw(img, image.Rect(margin, baseline+54, margin+breadth, baseline+54+rule), image.NewUniform(paper),
		image.Point{}, draw.Src)
	rest := strings.Fields(ed.Tagline)
	for line := range lines {
		var o outline
		if o, rest, err = k.fill(rest, words, breadth, line == lines-1); err != nil {
			return nil, err
		}
		o.paint(img, point{margin, float32(baseline + 140 + line*leading)}, paper)
	}
	return encode(img)
}

// fill sets as many words as a line takes; the last line says with an ellipsis that there were more.
func (k *Kit) fill(words []string, size, breadth float32, last bool) (o outline, rest []string, err error) {
	for n := len(words); n > 0; n-- {
		text := strings.Join(words[:n], " ")
		if last && n < len(words) {
			text += "…"
		}
		if o, err = k.set(text, size); err != nil || o.width <= breadth || n == 1 {
			return o, words[n:], err
		}
	}
	return o, nil, nil
}

func encode(img image.Image) ([]byte, error) {
	var b bytes.Buffer
	enc := png.Encoder{CompressionLevel: png.BestCompression}
	err := enc.Encode(&b, img)
	return b.Bytes(), err
}

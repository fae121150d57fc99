package illustration

import (
	"image"
	"image/color"
	"image/draw"
	"math"
	"math/rand/v2"

	"golang.org/x/image/vector"
)

// page is the sheet being printed: pixels, the plates' palette and the random source of one picture.
type page struct {
	img  *image.RGBA
	w, h int
	ras  *vector.Rasterizer
	mask *image.Alpha
	clip []uint8
	pal  *palette
	mood *mood
	rnd  *rand.Rand
	buf  []point
}

// canvas draws on a page in its own coordinates: y runs from 0 (top) to 1 (bottom), x from 0 to W.
type canvas struct {
	*page
	W        float64
	sx, sy   float64
	ox, oy   float64
	cos, sin float64
	horizon  float64
}

func newCanvas(w, h int, pal *palette, m *mood, rnd *rand.Rand) *canvas {
	p := &page{
		img: image.NewRGBA(image.Rect(0, 0, w, h)), w: w, h: h,
		ras: vector.NewRasterizer(w, h), mask: &image.Alpha{Pix: make([]uint8, w*h)},
		pal: pal, mood: m, rnd: rnd,
	}
	s := float64(h)
	return &canvas{page: p, W: float64(w) / s, sx: s, sy: s, cos: 1}
}

// mirror turns the picture left to right for everything drawn afterwards.
func (c *canvas) mirror() {
	c.ox += c.W * c.sx
	c.sx = -c.sx
}

// frame steps a little closer to a point of the picture, so that the same subject is not cut the same way twice.
func (c *canvas) frame() {
	z := c.r(1, 1.1)
	x, y := c.r(0.3, 0.7)*c.W, c.r(0.3, 0.7)
	px, py := c.px(x, y)
	c.sx, c.sy = c.sx*z, c.sy*z
	qx, qy := c.px(x, y)
	c.ox, c.oy = c.ox+px-qx, c.oy+py-qy
}

// at returns a canvas whose origin lies at (x, y) and whose unit is s; sx below zero flips it.
func (c *canvas) at(x, y, sx, sy float64) *canvas {
	d := *c
	px, py := c.px(x, y)
	d.ox, d.oy = px, py
	d.sx, d.sy = c.sx*sx, c.sy*sy
	return &d
}

// turned returns the canvas rotated by a radians about its origin.
func (c *canvas) turned(a float64) *canvas {
	d := *c
	s, k := math.Sincos(a)
	d.cos, d.sin = c.cos*k-c.sin*s, c.sin*k+c.cos*s
	return &d
}

func (c *canvas) px(x, y float64) (float64, float64) {
	rx, ry := x*c.cos-y*c.sin, x*c.sin+y*c.cos
	return c.ox + rx*c.sx, c.oy + ry*c.sy
}

// fit shrinks a subject that wants the given width so that it keeps inside narrow pictures.
func (c *canvas) fit(width float64) float64 { return math.Min(1, c.W/width) }

func (c *canvas) r(a, b float64) float64 { return a + (b-a)*c.rnd.Float64() }
func (c *canvas) n(a, b int) int         { return a + c.rnd.IntN(b-a+1) }
func (c *canvas) odds(p float64) bool    { return c.rnd.Float64() < p }
func (c *canvas) sign() float64 {
	if c.rnd.IntN(2) == 0 {
		return -1
	}
	return 1
}

// raster fills the mask for p and reports the covered pixel rectangle.
func (c *canvas) raster(p path) image.Rectangle {
	minX, minY, maxX, maxY := math.Inf(1), math.Inf(1), math.Inf(-1), math.Inf(-1)
	c.buf = c.buf[:0]
	for _, poly := range p {
		for _, q := range poly {
			x, y := c.px(q.x, q.y)
			minX, maxX = math.Min(minX, x), math.Max(maxX, x)
			minY, maxY = math.Min(minY, y), math.Max(maxY, y)
			c.buf = append(c.buf, point{x, y})
		}
	}
	if len(c.buf) == 0 {
		return image.Rectangle{}
	}
	lim := func(v float64, hi int) int { return int(math.Max(0, math.Min(float64(hi), v))) }
	box := image.Rect(lim(math.Floor(minX), c.w), lim(math.Floor(minY), c.h), lim(math.Ceil(maxX), c.w), lim(math.Ceil(maxY), c.h))
	if box.Empty() {
		return box
	}
	bw, bh := box.Dx(), box.Dy()
	c.ras.Reset(bw, bh)
	c.ras.DrawOp = draw.Src
	i := 0
	for _, poly := range p {
		for k := range poly {
			x, y := float32(c.buf[i].x-float64(box.Min.X)), float32(c.buf[i].y-float64(box.Min.Y))
			i++
			if k == 0 {
				c.ras.MoveTo(x, y)
			} else {
				c.ras.LineTo(x, y)
			}
		}
		c.ras.ClosePath()
	}
	c.mask.Rect = image.Rect(0, 0, bw, bh)
	c.mask.Stride = bw
	c.mask.Pix = c.mask.Pix[:bw*bh]
	c.ras.Draw(c.mask, c.mask.Rect, image.Opaque, image.Point{})
	return box
}

// within limits everything do draws to the inside of p.
func (c *canvas) within(p path, do func()) {
	box := c.raster(p)
	clip := make([]uint8, c.w*c.h)
	for y := box.Min.Y; y < box.Max.Y; y++ {
		copy(clip[y*c.w+box.Min.X:y*c.w+box.Max.X], c.mask.Pix[(y-box.Min.Y)*box.Dx():])
	}
	if c.clip != nil {
		for i, v := range c.clip {
			clip[i] = uint8(int(clip[i]) * int(v) / 255)
		}
	}
	old := c.clip
	c.clip = clip
	do()
	c.clip = old
}

// fill prints a flat colour.
func (c *canvas) fill(p path, k color.RGBA) { c.print(p, paint{c0: k, a0: 1}) }

// wash prints a flat colour at an opacity of 0 to 1.
func (c *canvas) wash(p path, k color.RGBA, a float64) { c.print(p, paint{c0: k, a0: a}) }

// fade prints a smooth change from k0 at (x0, y0) to k1 at (x1, y1).
func (c *canvas) fade(p path, x0, y0 float64, k0 color.RGBA, x1, y1 float64, k1 color.RGBA) {
	c.print(p, paint{kind: linear, c0: k0, c1: k1, a0: 1, a1: 1, x0: x0, y0: y0, x1: x1, y1: y1})
}

// mist prints a colour whose opacity runs smoothly from a0 at (x0, y0) to a1 at (x1, y1).
func (c *canvas) mist(p path, k color.RGBA, x0, y0, a0, x1, y1, a1 float64) {
	c.print(p, paint{kind: linear, c0: k, c1: k, a0: a0, a1: a1, x0: x0, y0: y0, x1: x1, y1: y1})
}

// stipple prints grains of a colour, their density running from a0 at (x0, y0) to a1 at (x1, y1).
func (c *canvas) stipple(p path, k color.RGBA, x0, y0, a0, x1, y1, a1 float64) {
	c.print(p, paint{kind: linear, tex: grains, c0: k, c1: k, a0: a0, a1: a1, x0: x0, y0: y0, x1: x1, y1: y1})
}

// dots prints a halftone screen of a colour, its density running from a0 at (x0, y0) to a1 at (x1, y1).
func (c *canvas) dots(p path, k color.RGBA, x0, y0, a0, x1, y1, a1 float64) {
	c.print(p, paint{kind: linear, tex: screen, c0: k, c1: k, a0: a0, a1: a1, x0: x0, y0: y0, x1: x1, y1: y1})
}

// glow prints a soft light of radius rad around (x, y), densest in the middle.
func (c *canvas) glow(x, y, rad float64, k color.RGBA, a float64, tex texture) {
	c.print(circle(x, y, rad), paint{kind: radial, tex: tex, c0: k, c1: k, a0: a, a1: 0, x0: x, y0: y, x1: x + rad, y1: y})
}

// over prints a transparent second ink, a little out of register, so that what lies below shows through.
func (c *canvas) over(p path, k color.RGBA, a float64) {
	d := *c
	off := float64(c.h) * 0.0022
	d.ox, d.oy = c.ox+off, c.oy+off
	d.print(p, paint{c0: k, a0: a, multiply: true})
}

package illustration

import (
	"image/color"
	"math"
)

type paintKind uint8

const (
	flat paintKind = iota
	linear
	radial
)

type texture uint8

const (
	smooth texture = iota
	grains
	screen
)

// paint says how a covered pixel takes colour: c0 and opacity a0 at (x0, y0), c1 and a1 at (x1, y1).
type paint struct {
	kind           paintKind
	tex            texture
	multiply       bool
	c0, c1         color.RGBA
	a0, a1         float64
	x0, y0, x1, y1 float64
}

type step struct{ r, g, b, a int32 }

func (p *paint) steps() *[256]step {
	var t [256]step
	if p.kind == flat {
		p.c1, p.a1 = p.c0, p.a0
	}
	for i := range t {
		f := float64(i) / 255
		k := mix(p.c0, p.c1, f)
		t[i] = step{int32(k.R), int32(k.G), int32(k.B), int32(clamp(p.a0+(p.a1-p.a0)*f)*255 + 0.5)}
	}
	return &t
}

// print rasters p and mixes the paint into the page.
func (c *canvas) print(p path, pt paint) {
	box := c.raster(p)
	if box.Empty() {
		return
	}
	lut := pt.steps()
	x0, y0 := c.px(pt.x0, pt.y0)
	x1, y1 := c.px(pt.x1, pt.y1)
	dx, dy := x1-x0, y1-y0
	length := dx*dx + dy*dy
	if length == 0 {
		length = 1
	}
	stepX := 255 * dx / length
	rad := 255 / math.Sqrt(length)
	tex := textures(c.h)
	bw := box.Dx()
	for y := box.Min.Y; y < box.Max.Y; y++ {
		mask := c.mask.Pix[(y-box.Min.Y)*bw : (y-box.Min.Y+1)*bw]
		row := c.img.Pix[y*c.img.Stride+box.Min.X*4:]
		noise := tex.noise[(y&noiseMask)*noiseSize : (y&noiseMask)*noiseSize+noiseSize]
		dots := tex.dots[(y%tex.cell)*tex.cell : (y%tex.cell)*tex.cell+tex.cell]
		var clip []uint8
		if c.clip != nil {
			clip = c.clip[y*c.w+box.Min.X:]
		}
		t := 255 * ((float64(box.Min.X)-x0)*dx + (float64(y)-y0)*dy) / length
		for i := range mask {
			t += stepX
			m := int32(mask[i])
			if m == 0 {
				continue
			}
			if clip != nil {
				m = m * int32(clip[i]) / 255
			}
			s := &lut[0]
			x := box.Min.X + i
			if pt.kind != flat {
				v := t
				if pt.kind == radial {
					ex, ey := float64(x)-x0, float64(y)-y0
					v = rad * math.Sqrt(ex*ex+ey*ey)
				}
				k := int(v) + int(noise[x&noiseMask]>>4) - 8
				s = &lut[max(0, min(255, k))]
			}
			a := s.a
			switch pt.tex {
			case grains:
				a = threshold(a, int32(noise[x&noiseMask]))
			case screen:
				a = threshold(a, int32(dots[x%tex.cell]))
			}
			a = a * m / 255
			q := row[i*4 : i*4+4 : i*4+4]
			if a >= 255 && !pt.multiply {
				q[0], q[1], q[2], q[3] = uint8(s.r), uint8(s.g), uint8(s.b), 255
				continue
			}
			if a <= 0 {
				continue
			}
			r, g, b := s.r, s.g, s.b
			if pt.multiply {
				r, g, b = r*int32(q[0])/255, g*int32(q[1])/255, b*int32(q[2])/255
			}
			q[0] = uint8((int32(q[0])*(255-a) + r*a) / 255)
			q[1] = uint8((int32(q[1])*(255-a) + g*a) / 255)
			q[2] = uint8((int32(q[2])*(255-a) + b*a) / 255)
			q[3] = 255
		}
	}
}

// threshold turns an opacity into a grain or a dot with a soft edge; nothing is printed where the opacity is zero.
func threshold(a, at int32) int32 {
	if a <= 0 {
		return 0
	}
	return max(0, min(255, (a-at)*4+min(100, a*3)))
}

func clamp(v float64) float64 { return math.Max(0, math.Min(1, v)) }

func lerp(a, b, t float64) float64 { return a + (b-a)*t }

func mix(a, b color.RGBA, t float64) color.RGBA {
	f := func(x, y uint8) uint8 { return uint8(float64(x) + (float64(y)-float64(x))*t + 0.5) }
	return color.RGBA{f(a.R, b.R), f(a.G, b.G), f(a.B, b.B), 255}
}

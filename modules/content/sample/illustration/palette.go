package illustration

import "image/color"

// palette is one set of inks: a ramp from ink over a middle tone to paper, and one accent.
type palette struct {
	ink, mid, paper, accent color.RGBA
}

func hex(v uint32) color.RGBA {
	return color.RGBA{uint8(v >> 16), uint8(v >> 8), uint8(v), 255}
}

var palettes = []palette{
	{hex(0x181a24), hex(0x7b828c), hex(0xf7efe1), hex(0xc43d2f)},
	{hex(0x0f2329), hex(0x4d8087), hex(0xf4ead6), hex(0xe07a3c)},
	{hex(0x241a17), hex(0x9d7f60), hex(0xf8eedb), hex(0xc9541f)},
	{hex(0x13211c), hex(0x638370), hex(0xf3ecd8), hex(0xd9562e)},
	{hex(0x171a35), hex(0x66719f), hex(0xf5eee2), hex(0xeea23f)},
	{hex(0x24141f), hex(0x8e687d), hex(0xf8ecdf), hex(0xe2694c)},
	{hex(0x16202c), hex(0x7791a4), hex(0xf6efe0), hex(0xdba12c)},
	{hex(0x271613), hex(0xa4705a), hex(0xf7ead6), hex(0x2f7377)},
	{hex(0x0d2231), hex(0x47839a), hex(0xf2efe2), hex(0xe5594a)},
	{hex(0x1c1e13), hex(0x868663), hex(0xf5efd9), hex(0xb6432b)},
	{hex(0x1c1c21), hex(0x8d8a8b), hex(0xf7f0e6), hex(0xb3283b)},
	{hex(0x18242f), hex(0x88a0a8), hex(0xf8f3e8), hex(0xcf6a3a)},
}

// tone is a step of the ramp: 0 ink, 1 paper.
func (p *palette) tone(t float64) color.RGBA {
	t = clamp(t)
	if t < 0.5 {
		return mix(p.ink, p.mid, t*2)
	}
	return mix(p.mid, p.paper, t*2-1)
}

// mood is the light of a picture: tones of the sky, of distance and of lit walls.
type mood struct {
	top, low         float64 // sky
	topGlow, lowGlow float64 // share of accent in the sky
	far, near        float64 // distance
	hi, face, side   float64 // lit, plain and shaded walls
	deep             float64 // openings
	water            float64
	dark             bool // lamps are lit
	star             float64
}

const (
	dayMood = iota
	noonMood
	dawnMood
	duskMood
	nightMood
	greyMood
	posterMood
)

var moods = []mood{
	dayMood:    {top: 0.60, low: 0.94, topGlow: 0, lowGlow: 0.08, far: 0.72, near: 0.12, hi: 1, face: 0.9, side: 0.56, deep: 0.2, water: 0.5, star: 1},
	noonMood:   {top: 0.92, low: 0.84, topGlow: 0, lowGlow: 0.03, far: 0.70, near: 0.13, hi: 0.99, face: 0.84, side: 0.48, deep: 0.16, water: 0.6, star: 1},
	dawnMood:   {top: 0.62, low: 0.99, topGlow: 0.02, lowGlow: 0.36, far: 0.66, near: 0.08, hi: 1, face: 0.8, side: 0.44, deep: 0.14, water: 0.55, star: 1},
	duskMood:   {top: 0.30, low: 0.84, topGlow: 0.06, lowGlow: 0.72, far: 0.44, near: 0.04, hi: 0.97, face: 0.62, side: 0.28, deep: 0.09, water: 0.3, dark: true, star: 1},
	nightMood:  {top: 0.07, low: 0.34, topGlow: 0, lowGlow: 0.12, far: 0.27, near: 0.02, hi: 0.78, face: 0.46, side: 0.2, deep: 0.06, water: 0.12, dark: true, star: 0},
	greyMood:   {top: 0.52, low: 0.80, topGlow: 0, lowGlow: 0, far: 0.63, near: 0.10, hi: 0.98, face: 0.82, side: 0.46, deep: 0.15, water: 0.48, star: 1},
	posterMood: {top: 0.88, low: 0.96, topGlow: 0.78, lowGlow: 0.34, far: 0.60, near: 0.06, hi: 1, face: 0.86, side: 0.4, deep: 0.1, water: 0.5, star: 1},
}

func (c *canvas) tone(t float64) color.RGBA { return c.pal.tone(t) }

// accent is the accent ink, made lighter (above zero) or darker (below zero).
func (c *canvas) accent(shift float64) color.RGBA {
	if shift < 0 {
		return mix(c.pal.accent, c.pal.ink, -shift)
	}
	return mix(c.pal.accent, c.pal.paper, shift)
}

// tint is a tone carrying a share of the accent.
func (c *canvas) tint(t, share float64) color.RGBA { return mix(c.tone(t), c.pal.accent, share) }

// depth is the colour of things at a distance: 0 the horizon, 1 right before the eye.
func (c *canvas) depth(d float64) color.RGBA {
	m := c.mood
	return c.tint(lerp(m.far, m.near, d), m.lowGlow*0.3*(1-d)*(1-d))
}

// skyAt is the sky's colour at a height of 0 (top) to 1 (horizon).
func (c *canvas) skyAt(t float64) color.RGBA {
	m := c.mood
	return mix(c.tint(m.top, m.topGlow), c.tint(m.low, m.lowGlow), clamp(t))
}

func (c *canvas) hi() color.RGBA   { return c.tint(c.mood.hi, c.mood.lowGlow*0.12) }
func (c *canvas) face() color.RGBA { return c.tint(c.mood.face, c.mood.lowGlow*0.16) }
func (c *canvas) side() color.RGBA { return c.tone(c.mood.side) }
func (c *canvas) deep() color.RGBA { return c.tone(c.mood.deep) }

// lamp is the colour of an opening that may be lit from inside.
func (c *canvas) lamp(share float64) color.RGBA {
	if c.mood.dark && c.odds(share) {
		return mix(c.accent(0.35), c.tone(1), c.r(0.2, 0.7))
	}
	return c.deep()
}

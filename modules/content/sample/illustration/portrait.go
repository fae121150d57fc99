package illustration

import (
	"image"
	"image/color"
	"math/rand/v2"
)

// sitter is everything that makes one portrait differ from the next.
type sitter struct {
	woman                     bool
	age                       int // 0 young, 1 middle, 2 old
	hair, beard, glass, dress int
	skin, locks               color.RGBA
	fw, jaw, chin             float64
	turn                      float64
}

const (
	manCuts   = 7
	womanCuts = 8
	garments  = 6
)

// Portrait paints head and shoulders of an invented person, size by size pixels; sizes are kept within 48 to 4096.
// Neighbouring seeds differ in sex, hair, clothes and inks.
func Portrait(seed uint64, size int) image.Image {
	size = max(minSide, min(maxSide, size))
	rnd := rand.New(rand.NewPCG(seed, hash("portrait")))
	pal := &palettes[(seed*5+seed/12)%uint64(len(palettes))]
	c := newCanvas(size, size, pal, &moods[dayMood], rnd)
	s := c.sitter(seed)
	c.backcloth(int(seed % 5))
	if rnd.IntN(2) == 1 {
		c.mirror()
	}
	g := c.at(0.5, c.r(0.425, 0.445), 1.08, 1.08)
	g.sit(s)
	c.finish()
	return c.img
}

func (c *canvas) sitter(seed uint64) sitter {
	s := sitter{woman: seed%2 == 0, age: int(seed/2) % 3, glass: -1, beard: -1, dress: int(seed/3) % garments}
	turn := int(seed / 2)
	s.skin = mix(c.tone([]float64{0.93, 0.88, 0.9, 0.7, 0.9}[c.n(0, 4)]), c.blush(), c.r(0.12, 0.24))
	dark := c.tone(c.r(0.02, 0.12))
	switch red := s.age != 2 && c.odds(0.25); {
	case s.age == 2:
		s.locks = c.tone(c.r(0.66, 0.84))
	case red:
		s.locks = mix(c.tone(0.4), c.blush(), c.r(0.2, 0.5))
	case c.odds(0.25):
		s.locks = c.tone(c.r(0.3, 0.45))
	default:
		s.locks = dark
	}
	s.fw, s.jaw, s.chin = c.r(0.16, 0.176), c.r(0.118, 0.138), c.r(0.232, 0.25)
	if s.woman {
		s.hair = turn % womanCuts
		s.fw, s.jaw, s.chin = c.r(0.15, 0.165), c.r(0.1, 0.118), c.r(0.222, 0.238)
	} else {
		s.hair = turn % manCuts
		if c.odds(0.55) {
			s.beard = c.n(0, 3)
		}
	}
	if c.odds(0.45) {
		s.glass = c.n(0, 2)
	}
	s.turn = c.r(0.008, 0.024)
	return s
}

// blush is the warm ink of skin and lips: the accent when it is a red, else an earth red.
func (c *canvas) blush() color.RGBA {
	a := c.pal.accent
	if int(a.R)*10 > int(a.G)*15 && a.R > a.B {
		return a
	}
	return mix(hex(0xb8553a), c.tone(0.5), 0.15)
}

// backcloth is the ground behind the head.
func (c *canvas) backcloth(kind int) {
	light, mid := c.tone(0.82), c.tone(0.62)
	acc := c.accent(0.18)
	switch kind {
	case 0:
		c.fill(c.all(), acc)
		c.stipple(c.all(), c.accent(-0.3), 0.2, 0, 0, 1.1, 1.1, 0.4)
	case 1:
		c.fill(c.all(), mid)
		c.dots(c.all(), c.tone(0.3), 0, 0.2, 0, 0.6, 1.1, 0.6)
	case 2:
		c.fill(c.all(), light)
		c.fill(circle(0.5, 0.44, 0.4), c.accent(0.1))
		c.stipple(circle(0.5, 0.44, 0.4), c.accent(-0.3), 0.4, 0.2, 0, 0.8, 0.9, 0.5)
	case 3:
		c.fill(c.all(), light)
		c.fill(poly(0.62, -0.1, 1.1, -0.1, 1.1, 1.1, 0.36, 1.1), c.tone(0.45))
		c.stipple(c.all(), c.tone(0.2), 0.3, 0, 0, 1.2, 1.1, 0.35)
	default:
		c.fade(c.all(), 0, 0, c.tone(0.38), 0, 1, c.tone(0.7))
		c.stipple(c.all(), c.tone(0.9), 0.1, 0.1, 0.4, 0.7, 0.8, 0)
	}
}

// sit paints the sitter around the middle of the face; light falls from the left.
func (c *canvas) sit(s sitter) {
	shade := mix(mix(s.skin, c.tone(0.16), 0.46), c.blush(), 0.1)
	c.hairBack(s)
	neck := poly(-0.075, 0.14, 0.075, 0.14, 0.088, 0.3, -0.088, 0.3)
	if !s.woman {
		neck = poly(-0.095, 0.12, 0.095, 0.12, 0.11, 0.3, -0.11, 0.3)
	}
	c.garment(s, neck, shade)
	// Ears, then the face.
	if !s.woman || s.hair == 2 || s.hair == 4 {
		c.fill(ellipse(-s.fw+s.turn*0.3, 0.02, 0.026, 0.046), s.skin)
		c.fill(ellipse(s.fw+s.turn*0.3, 0.02, 0.024, 0.045), shade)
	}
	face := blob(0, -0.25, s.fw*0.74, -0.205, s.fw, -0.07, s.fw*0.97, 0.05, s.jaw, 0.165, 0.058, s.chin-0.006, 0, s.chin, -0.058, s.chin-0.006, -s.jaw, 0.165, -s.fw*0.97, 0.05, -s.fw, -0.07, -s.fw*0.74, -0.205)
	c.fill(face, s.skin)
	c.within(face, func() { c.model(s, shade) })
	c.features(s, shade)
	if s.beard >= 0 {
		c.within(face.and(blob(-0.1, 0.17, 0.1, 0.17, 0.085, 0.235, 0.03, 0.275, -0.03, 0.275, -0.085, 0.235)), func() { c.whiskers(s) })
	}
	c.hairFront(s)
	c.spectacles(s)
}

// model lays the planes of shadow on the face.
func (c *canvas) model(s sitter, shade color.RGBA) {
	t := s.turn
	side := blob(0.06+t, -0.3, 0.22, -0.3, 0.24, 0.3, 0.03+t, 0.3, 0.05+t, 0.2, 0.085+t, 0.13, 0.07+t, 0.06, 0.105+t, 0.0, 0.085+t, -0.06, 0.1+t, -0.14)
	c.wash(side, shade, 0.62)
	c.stipple(rect(-0.05, -0.3, 0.3, 0.6), shade, 0.02, 0, 0, 0.17, 0.02, 0.6)
	c.stipple(ellipse(-0.075+t, 0.09, 0.06, 0.045), c.blush(), -0.1, 0, 0.12, 0, 0.05, 0.02)
	// Sockets under the brow.
	for _, d := range []float64{-1, 1} {
		x := d*0.068 + t
		c.stipple(ellipse(x, -0.03, 0.048, 0.026), shade, x-d*0.045, 0, 0.75, x+d*0.04, 0, 0.15)
	}
	c.stipple(ellipse(t, s.chin-0.045, 0.04, 0.012), shade, 0, s.chin-0.05, 0.8, 0, s.chin-0.03, 0.2)
	c.stipple(poly(-0.2, 0.2, 0.2, 0.12, 0.2, 0.3, -0.2, 0.3), shade, 0, 0.17, 0, 0, 0.26, 0.7)
}

func (c *canvas) features(s sitter, shade color.RGBA) {
	t := s.turn
	ink := c.tone(0.05)
	white := mix(s.skin, c.tone(1), 0.6)
	for _, d := range []float64{-1, 1} {
		x := d*0.066 + t*1.1
		open := 0.0125
		if s.age == 2 {
			open = 0.0095
		}
		eye := blob(x-0.029, 0.002, x-0.012, -open, x+0.008, -open*1.05, x+0.029, 0.001, x+0.008, open*0.75, x-0.012, open*0.75)
		w := white
		if d > 0 {
			w = mix(white, shade, 0.45)
		}
		c.fill(eye, w)
		c.within(eye, func() {
			c.fill(circle(x+0.003, -0.0015, 0.0128), ink)
			c.fill(circle(x-0.002, -0.006, 0.0032), c.tone(1))
		})
		lid := 0.0065
		if s.woman {
			lid = 0.009
		}
		c.fill(brush(curve(points(x-0.031, 0.003, x-0.013, -open*1.06, x+0.009, -open*1.12, x+0.031, 0.0), false), lid*0.6, lid), ink)
		c.wash(brush(curve(points(x-0.028, -0.014, x, -open*1.9, x+0.028, -0.012), false), 0.003, 0.003), shade, 0.8)
		if s.age > 0 {
			c.wash(brush(curve(points(x-0.022, 0.02, x, 0.028, x+0.022, 0.02), false), 0.003, 0.002), shade, 0.9)
		}
		brow := 0.013
		if s.woman {
			brow = 0.0085
		}
		browInk := mix(s.locks, ink, 0.6)
		if s.age == 2 {
			browInk = mix(s.locks, ink, 0.35)
		}
		c.fill(brush(curve(points(x-d*0.032, -0.041, x+d*0.004, -0.055, x+d*0.042, -0.042), false), brow, brow*0.45), browInk)
	}
	// The nose is a wedge of shade with a tip and a nostril.
	c.wash(blob(0.012+t, -0.03, 0.022+t, 0.02, 0.037+t*1.4, 0.07, 0.022+t*1.4, 0.086, 0.006+t*1.4, 0.082, 0.008+t, 0.03), shade, 0.9)
	c.wash(brush(curve(points(-0.022+t*1.4, 0.079, -0.008+t*1.4, 0.088, 0.012+t*1.4, 0.088, 0.028+t*1.4, 0.078), false), 0.006, 0.005), mix(shade, ink, 0.55), 0.95)
	// The mouth: parting line, upper lip, shadow under the lower one.
	my := 0.138
	smile := c.r(-0.002, 0.008)
	lips := mix(shade, c.blush(), 0.25)
	if s.woman {
		lips = mix(shade, c.blush(), 0.65)
	}
	half := c.r(0.044, 0.052)
	m := t * 1.2
	c.fill(blob(m-half, my-smile, m-0.018, my-0.012, m, my-0.008, m+0.018, my-0.012, m+half*0.94, my-smile, m, my+0.004), mix(lips, ink, 0.15))
	c.wash(blob(m-half*0.82, my, m, my+0.002, m+half*0.8, my, m+0.022, my+0.019, m-0.022, my+0.019), lips, 0.6+0.3*b2f(s.woman))
	c.fill(brush(curve(points(m-half, my-smile, m-0.016, my+0.001, m, my-0.0015, m+0.016, my+0.001, m+half*0.94, my-smile), false), 0.005, 0.004), mix(ink, shade, 0.15))
	c.stipple(ellipse(m, my+0.032, 0.026, 0.007), shade, 0, my+0.024, 0.9, 0, my+0.04, 0.4)
	if s.age > 0 {
		a := 0.5 + 0.2*float64(s.age)
		for _, d := range []float64{-1, 1} {
			c.wash(brush(curve(points(m+d*0.042, 0.078, m+d*0.062, 0.105, m+d*0.064, 0.128), false), 0.004, 0.002), shade, a)
		}
		if s.age == 2 {
			for i := range 2 {
				y := -0.11 - 0.026*float64(i)
				c.wash(brush(curve(points(-0.07+t, y, t-0.02, y-0.006, 0.06+t, y+0.001), false), 0.002, 0.003), shade, 0.8)
			}
		}
	}
}

func (c *canvas) whiskers(s sitter) {
	t := s.turn * 1.2
	k := s.locks
	full := blob(-0.2, 0.03, -s.fw*0.93, 0.07, -0.1, 0.115, -0.062+t, 0.112, t, 0.1, 0.062+t, 0.112, 0.1, 0.115, s.fw*0.93, 0.07, 0.2, 0.03, 0.2, 0.3, -0.2, 0.3)
	lip := ellipse(t, 0.143, 0.042, 0.016)
	switch s.beard {
	case 0:
		c.fill(full.hole(lip), k)
		c.stipple(full.hole(lip), c.tone(1), -0.2, 0, 0.3, 0.02, 0, 0)
		c.stipple(full.hole(lip), c.tone(0), 0.02, 0, 0, 0.16, 0, 0.6)
	case 1:
		c.stipple(full.hole(ellipse(t, 0.142, 0.046, 0.014)), mix(k, c.tone(0.1), 0.5), 0, 0.02, 0.25, 0, 0.2, 0.5)
	case 2:
		c.fill(blob(t-0.066, 0.136, t-0.04, 0.112, t, 0.106, t+0.04, 0.112, t+0.066, 0.136, t+0.02, 0.13, t, 0.126, t-0.02, 0.13), k)
	default:
		c.fill(blob(t-0.06, 0.13, t-0.03, 0.108, t+0.03, 0.108, t+0.06, 0.13, t+0.064, 0.2, t+0.04, 0.26, t-0.04, 0.26, t-0.064, 0.2).hole(ellipse(t, 0.143, 0.036, 0.014)), k)
	}
}

func (c *canvas) spectacles(s sitter) {
	if s.glass < 0 {
		return
	}
	t := s.turn * 1.1
	k := c.tone(0.04)
	if c.odds(0.3) {
		k = c.accent(-0.35)
	}
	var frame path
	for _, d := range []float64{-1, 1} {
		x := d*0.067 + t
		lens := ellipse(x, 0.0, 0.046, 0.043)
		switch s.glass {
		case 0:
			frame = frame.and(ring(x, 0.0, 0.046, 0.043, 0.008))
		case 1:
			lens = rounded(x-0.05, -0.034, 0.1, 0.066, 0.02)
			frame = frame.and(rounded(x-0.054, -0.038, 0.108, 0.075, 0.023).hole(rounded(x-0.045, -0.028, 0.09, 0.056, 0.017)))
		default:
			lens = rounded(x-0.05, -0.03, 0.1, 0.06, 0.024)
			frame = frame.and(rect(x-0.052, -0.036, 0.104, 0.012), rounded(x-0.05, -0.032, 0.1, 0.064, 0.026).hole(rounded(x-0.047, -0.029, 0.094, 0.058, 0.023)))
		}
		c.mist(lens, c.tone(1), x-0.04, -0.04, 0.42, x+0.03, 0.03, 0)
		frame = frame.and(line(x+d*0.048, -0.012, d*s.fw*1.02, -0.02, 0.007))
	}
	c.fill(frame.and(brush(curve(points(t-0.022, -0.006, t, -0.016, t+0.022, -0.006), false), 0.007, 0.007)), k)
}

package illustration

import "math"

func crowd(c *canvas) {
	c.sky(0.66, c.r(0.3, 0.7))
	c.backdrop(0.7, c.r(0.2, 0.3), 0.12)
	c.haze(0.5, 0.74, 0.5)
	near := c.n(1, 2)
	for row := range 7 {
		t := float64(row) / 6
		y := lerp(0.66, 1.16, t)
		h := lerp(0.1, 0.4, t*t)
		if row < 6 {
			for range 3 - row/3 {
				c.banner(c.r(0.03, 0.97)*c.W, y-h*0.4, h*c.r(1.5, 2.1))
			}
		}
		for x := c.r(-0.1, 0); x < c.W+0.1; x += h * c.r(0.66, 1) {
			if row >= 7-near && c.odds(0.2) {
				x += h * 0.5
			}
			if row > 1 && c.odds(0.12) {
				s := c.sign()
				c.fill(brush(points(x+s*h*0.42, y-h*0.1, x+s*h*0.52, y-h*0.75, x+s*h*0.38, y-h*1.25), h*0.16, h*0.09).and(circle(x+s*h*0.38, y-h*1.32, h*0.075)), c.depth(0.25+0.75*t))
			}
			c.bust(x, y+c.r(-0.06, 0.06)*h, h*c.r(0.92, 1.08), c.crowdDress(0.2+0.78*t), c.hi())
		}
	}
}

// banner is a placard or a flag held over the heads; it bears no words.
func (c *canvas) banner(x, y, h float64) {
	lean := c.r(-0.12, 0.12)
	g := c.at(x, y, h, h).turned(lean)
	g.fill(rect(-0.012, -1, 0.024, 1.1), c.depth(0.9))
	switch c.n(0, 3) {
	case 0:
		c.at(x, y, 1, 1).turned(lean).flag(0, 0, h*1.15, 1, c.accent(0))
	case 1:
		g.fill(rect(-0.3, -1.1, 0.6, 0.42), c.hi())
		g.fill(rect(-0.22, -1.0, 0.44, 0.045).and(rect(-0.22, -0.91, 0.36, 0.045), rect(-0.22, -0.82, 0.4, 0.045)), c.depth(0.8))
	case 2:
		g.fill(rect(-0.26, -1.1, 0.52, 0.4), c.accent(0))
		g.fill(circle(0, -0.9, 0.12), c.hi())
		g.stipple(rect(-0.26, -1.1, 0.52, 0.4), c.tone(0), 0, -1, 0, 0, -0.68, 0.5)
	default:
		g.fill(rounded(-0.24, -1.1, 0.48, 0.4, 0.06), c.hi())
		g.fill(line(-0.1, -1, 0.1, -0.8, 0.05).and(line(0.1, -1, -0.1, -0.8, 0.05)), c.accent(-0.1))
	}
}

func podium(c *canvas) {
	w := c.W
	c.fade(c.all(), 0, 0, c.tone(c.mood.water*0.8), 0, 1, c.tone(c.mood.water*0.4))
	// A curtain of flags behind the speaker.
	n := c.n(3, 5)
	for i := range n {
		x := w * (float64(i) + 0.5) / float64(n)
		k := c.accent(-0.15)
		if i%2 == 1 {
			k = c.tone(0.78)
		}
		c.fill(rect(x-0.004, 0.02, 0.008, 0.8), c.tone(0.12))
		c.fill(circle(x, 0.02, 0.012), c.accent(0.3))
		f := blob(x, 0.04, x+0.07, 0.12, x+0.1, 0.4, x+0.085, 0.68, x+0.02, 0.72, x-0.04, 0.66, x-0.03, 0.3)
		c.fill(f, k)
		for j := range 3 {
			fx := x - 0.01 + 0.035*float64(j)
			c.stipple(blob(fx, 0.08, fx+0.022, 0.3, fx+0.02, 0.7, fx, 0.7, fx+0.006, 0.3), c.tone(0), 0, 0.1, 0.5, 0, 0.7, 0.8)
		}
	}
	x := w * c.r(0.42, 0.58)
	c.glow(x, 0.4, 0.62, c.tone(0.95), 0.55, grains)
	c.mist(poly(x-0.05, -0.05, x+0.05, -0.05, x+0.42, 1.05, x-0.42, 1.05), c.tone(1), x, 0, 0.35, x, 1, 0.02)
	c.speaker(x, 0.78, 0.62)
	// The lectern with its microphones.
	desk := poly(x-0.19, 0.62, x+0.19, 0.62, x+0.15, 1.05, x-0.15, 1.05)
	c.fill(desk, c.accent(-0.1))
	c.stipple(desk, c.tone(0), x-0.1, 0, 0, x+0.19, 0, 0.7)
	c.fill(poly(x-0.21, 0.585, x+0.21, 0.585, x+0.2, 0.63, x-0.2, 0.63), c.tone(0.9))
	c.fill(ring(x, 0.78, 0.062, 0.062, 0.01).and(circle(x, 0.78, 0.03)), c.tone(0.92))
	for _, d := range []float64{-0.08, -0.03, 0.04, 0.09} {
		c.fill(stroke(curve(points(x+d, 0.59, x+d*1.1, 0.54, x+d*0.5, 0.5), false), 0.006), c.tone(0.04))
		c.fill(ellipse(x+d*0.5, 0.495, 0.011, 0.018), c.tone(0.04))
	}
	for row := range 2 {
		h := 0.2 + 0.1*float64(row)
		for px := c.r(-0.06, 0.04); px < w+0.1; px += h * c.r(0.85, 1.2) {
			y := 1.0 + 0.12*float64(row)
			if math.Abs(px-x) < 0.1 && row == 0 {
				continue
			}
			k := dress{coat: c.tone(0.05), skin: c.tone(0.2), hair: c.tone(c.r(0.02, 0.1)), long: c.odds(0.4), bag: c.odds(0.2)}
			c.bust(px, y, h, k, c.tone(0.8))
			if c.odds(0.25) {
				c.fill(rounded(px+h*0.3, y-h*1.25, h*0.5, h*0.3, h*0.04).and(rect(px+h*0.5, y-h, h*0.08, h*0.9)), c.tone(0.03))
				c.fill(rounded(px+h*0.33, y-h*1.22, h*0.44, h*0.24, h*0.02), c.tone(0.75))
			}
		}
	}
}

// speaker is a person behind a lectern, from the front.
func (c *canvas) speaker(x, y, h float64) {
	g := c.at(x, y, h, h)
	suit := blob(-0.36, 0.1, -0.35, -0.3, -0.27, -0.42, -0.09, -0.49, 0.09, -0.49, 0.27, -0.42, 0.35, -0.3, 0.36, 0.1)
	g.fill(brush(points(0.29, -0.34, 0.42, -0.16, 0.34, -0.34, 0.36, -0.5)[:2], 0.13, 0.1).and(brush(points(0.42, -0.16, 0.5, -0.42), 0.1, 0.075)), c.tone(0.1))
	g.fill(circle(0.505, -0.46, 0.045).and(brush(points(0.5, -0.46, 0.47, -0.55), 0.03, 0.024), brush(points(0.515, -0.46, 0.525, -0.56), 0.03, 0.022)), c.tint(0.85, 0.15))
	g.fill(suit, c.tone(0.12))
	g.stipple(suit, c.tone(0.6), -0.36, 0, 0.4, -0.1, 0, 0)
	g.fill(poly(-0.08, -0.5, 0, -0.2, 0.08, -0.5), c.tone(0.97))
	if c.odds(0.5) {
		g.fill(poly(-0.022, -0.46, 0.022, -0.46, 0.03, -0.25, 0, -0.2, -0.03, -0.25), c.accent(0))
	}
	skin := c.tint(0.86, 0.14)
	g.fill(rect(-0.055, -0.6, 0.11, 0.13), mix(skin, c.tone(0.2), 0.35))
	head := blob(0, -0.84, 0.09, -0.81, 0.118, -0.7, 0.1, -0.6, 0.05, -0.53, 0, -0.515, -0.05, -0.53, -0.1, -0.6, -0.118, -0.7, -0.09, -0.81)
	g.fill(head, skin)
	g.stipple(head, c.tone(0.15), 0, 0, 0, 0.12, 0, 0.75)
	dark := c.tone(0.08)
	g.fill(brush(points(-0.07, -0.715, -0.03, -0.722), 0.014, 0.01).and(brush(points(0.07, -0.715, 0.03, -0.722), 0.014, 0.01), ellipse(-0.045, -0.693, 0.012, 0.008), ellipse(0.045, -0.693, 0.012, 0.008), brush(points(0, -0.69, 0.016, -0.64, 0, -0.635), 0.006, 0.008), ellipse(0, -0.588, 0.03, 0.01)), dark)
	if c.odds(0.5) {
		g.fill(blob(0, -0.88, 0.1, -0.85, 0.135, -0.72, 0.12, -0.7, 0.08, -0.78, -0.02, -0.8, -0.1, -0.76, -0.12, -0.69, -0.135, -0.72, -0.1, -0.85), dark)
	} else {
		g.fill(blob(0, -0.89, 0.11, -0.85, 0.15, -0.7, 0.15, -0.56, 0.12, -0.52, 0.11, -0.66, 0.04, -0.79, -0.1, -0.74, -0.12, -0.62, -0.12, -0.52, -0.15, -0.56, -0.15, -0.7, -0.11, -0.85), dark)
	}
}

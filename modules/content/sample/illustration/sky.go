package illustration

import (
	"image/color"
	"math"
)

func (c *canvas) all() path { return rect(-0.1, -0.1, c.W+0.2, 1.2) }

// sky paints air down to the horizon; the sun or moon stands near sunX (a share of the width).
func (c *canvas) sky(horizon, sunX float64) {
	c.horizon = horizon
	m := c.mood
	c.fade(c.all(), 0, 0, c.skyAt(0), 0, horizon, c.skyAt(1))
	c.stipple(rect(-0.1, -0.1, c.W+0.2, horizon), c.tint(m.top*0.72, m.topGlow*0.6), 0, 0, 0.16, 0, horizon*0.7, 0)
	if m.star == 0 {
		c.stars(horizon)
	}
	c.sun(sunX * c.W)
	c.clouds(horizon)
	if m.star == 1 && c.odds(0.35) {
		c.birds(c.r(0.15, 0.85)*c.W, c.r(0.12, 0.4)*horizon, c.n(4, 9))
	}
}

func (c *canvas) sun(x float64) {
	h := c.horizon
	x += c.r(-0.08, 0.08) * c.W
	switch c.mood {
	case &moods[duskMood]:
		r := c.r(0.09, 0.17)
		y := h - r*c.r(0.1, 1.1)
		c.glow(x, y, r*3.6, c.accent(0.5), 0.55, grains)
		c.fill(circle(x, y, r), c.accent(0.12))
		c.stipple(circle(x, y, r), c.accent(0.6), x, y-r, 0.9, x, y+r*0.4, 0)
	case &moods[dawnMood]:
		r := c.r(0.06, 0.1)
		y := h - r*c.r(0.6, 2.6)
		c.glow(x, y, r*4.5, c.tone(1), 0.8, smooth)
		c.fill(circle(x, y, r), c.tint(1, 0.08))
	case &moods[nightMood]:
		r := c.r(0.035, 0.06)
		y := h * c.r(0.16, 0.36)
		c.glow(x, y, r*5, c.tone(0.7), 0.35, grains)
		moon := circle(x, y, r)
		if c.odds(0.5) {
			moon = crescent(x, y, r)
		}
		c.fill(moon, c.tone(0.97))
		c.stipple(moon, c.tone(0.6), x-r, y, 0.1, x+r, y+r*0.6, 0.5)
	case &moods[posterMood]:
		r := c.r(0.11, 0.2)
		y := h * c.r(0.3, 0.72)
		c.fill(circle(x, y, r), c.tint(1, 0.04))
		c.stipple(circle(x, y, r), c.accent(0.5), x, y, 0, x, y+r, 0.5)
	case &moods[dayMood]:
		if c.odds(0.6) {
			r := c.r(0.05, 0.085)
			y := h * c.r(0.2, 0.5)
			c.glow(x, y, r*3.4, c.tone(1), 0.5, grains)
			c.fill(circle(x, y, r), c.tint(1, c.r(0, 0.12)))
		}
	case &moods[noonMood]:
		if c.odds(0.5) {
			r := c.r(0.05, 0.08)
			c.fill(circle(x, h*c.r(0.18, 0.4), r), c.accent(c.r(0, 0.2)))
		}
	}
}

// crescent is a waxing moon.
func crescent(x, y, r float64) path {
	pts := arcPts(x, y, r, r, -math.Pi/2, math.Pi/2)
	for i := range 25 {
		s, k := math.Sincos(math.Pi/2 - math.Pi*float64(i)/24)
		pts = append(pts, point{x + r*0.45*k, y + r*s})
	}
	return wound(pts)
}

func (c *canvas) stars(h float64) {
	var p path
	for range 70 {
		r := c.r(0.0006, 0.0018)
		p = append(p, disc(c.r(0, c.W), c.r(0, h*0.85), r))
	}
	c.wash(p, c.tone(1), 0.75)
}

func (c *canvas) cloudTone(y float64) (light, shade color.RGBA) {
	s := c.skyAt(y / c.horizon)
	switch c.mood {
	case &moods[nightMood]:
		return mix(s, c.tone(0.5), 0.32), c.tone(0.05)
	case &moods[duskMood]:
		return mix(s, c.tint(0.75, 0.5), 0.5), c.tone(0.24)
	case &moods[noonMood]:
		return c.tone(1), c.tone(0.66)
	case &moods[posterMood]:
		return mix(s, c.tone(1), 0.5), c.accent(0.1)
	}
	return mix(s, c.tint(1, c.mood.lowGlow*0.15), 0.8), c.tone(0.55)
}

func (c *canvas) clouds(h float64) {
	switch c.n(0, 4) {
	case 0, 1:
		for range c.n(2, 5) {
			c.streak(c.r(-0.1, 1)*c.W, c.r(0.08, 0.7)*h, c.r(0.25, 0.6))
		}
	case 2:
		for range c.n(2, 4) {
			y := c.r(0.2, 0.66) * h
			c.cumulus(c.r(0, 1)*c.W, y, c.r(0.22, 0.5)*(0.5+0.7*y/h))
		}
	case 3:
		c.bank(h, c.n(2, 3))
	}
}

func (c *canvas) streak(x, y, w float64) {
	light, shade := c.cloudTone(y)
	var p path
	for i := range c.n(2, 4) {
		l := w * c.r(0.4, 1)
		t := c.r(0.008, 0.016)
		p = p.and(ellipse(x+c.r(-0.3, 0.3)*w, y+float64(i)*t*1.25, l/2, t))
	}
	c.wash(p, light, 0.85)
	c.stipple(p, shade, x, y, 0, x, y+0.06, 0.22)
}

func (c *canvas) cumulus(x, y, w float64) {
	light, shade := c.cloudTone(y)
	type lobe struct{ x, y, r float64 }
	var lobes []lobe
	for i := range 6 {
		t := (float64(i) + c.r(0.1, 0.9)) / 6
		env := math.Sin(math.Pi * t)
		r := w * (0.05 + 0.13*env*c.r(0.6, 1.15))
		lobes = append(lobes, lobe{(t - 0.5) * w * 0.82, r * c.r(0.15, 0.75) * env, r})
	}
	var pts []point
	for i := 0; i <= 90; i++ {
		px := (float64(i)/90 - 0.5) * w
		top := 0.0
		for _, l := range lobes {
			if d := l.r*l.r - (px-l.x)*(px-l.x); d > 0 {
				top = math.Max(top, l.y+math.Sqrt(d))
			}
		}
		pts = append(pts, point{x + px, y - top})
	}
	p := under(pts, y+0.004)
	c.wash(p, light, 0.94)
	c.stipple(p, shade, x, y-w*0.16, 0, x, y+w*0.02, 0.55)
}

// bank is a wall of soft cloud standing on the horizon.
func (c *canvas) bank(h float64, rows int) {
	for i := range rows {
		y := h * (0.5 + 0.3*float64(i)/float64(rows))
		light, shade := c.cloudTone(y)
		var pts []point
		for x := -0.1; x < c.W+0.1; {
			r := c.r(0.05, 0.14)
			up := c.r(0.3, 1)
			for a := 0; a <= 8; a++ {
				s, k := math.Sincos(math.Pi * float64(a) / 8)
				pts = append(pts, point{x + r - r*k, y - s*r*0.7*up})
			}
			x += 2 * r * 0.86
		}
		p := under(pts, h+0.02)
		c.wash(p, light, 0.6)
		c.stipple(p, shade, 0, y-0.05, 0, 0, y+0.2, 0.3)
	}
}

func (c *canvas) birds(x, y float64, n int) {
	var p path
	for range n {
		bx, by, s := x+c.r(-0.12, 0.12), y+c.r(-0.05, 0.05), c.r(0.007, 0.014)
		lift := c.r(0.2, 0.6)
		p = p.and(brush(curve(points(bx-s, by-s*lift, bx-s*0.45, by-s*lift*1.3, bx, by), false), s*0.08, s*0.22))
		p = p.and(brush(curve(points(bx+s, by-s*lift*0.9, bx+s*0.45, by-s*lift*1.3, bx, by), false), s*0.08, s*0.22))
	}
	c.fill(p, c.tone(c.mood.near+0.1))
}

// rain draws slanting strokes over the whole picture.
func (c *canvas) rain(n int, a float64) {
	var p path
	for range n {
		x, y, l := c.r(-0.1, c.W+0.1), c.r(-0.1, 1), c.r(0.02, 0.07)
		p = p.and(line(x, y, x-l*0.28, y+l, c.r(0.0008, 0.0018)))
	}
	c.wash(p, c.tone(1), a)
}

func (c *canvas) snowfall(n int) {
	var p path
	for range n {
		r := c.r(0.0012, 0.0045)
		p = append(p, disc(c.r(0, c.W), c.r(0, 1), r*c.r(0.5, 1)))
	}
	c.wash(p, c.tone(1), 0.9)
}

// haze lays a band of light air over everything between two levels.
func (c *canvas) haze(y0, y1, a float64) {
	k := c.skyAt(1)
	mid := (y0 + y1) / 2
	c.mist(rect(-0.1, y0, c.W+0.2, mid-y0), k, 0, y0, 0, 0, mid, a)
	c.mist(rect(-0.1, mid, c.W+0.2, y1-mid), k, 0, mid, a, 0, y1, 0)
}

package illustration

import "math"

func satellite(c *canvas) {
	w := c.W
	c.fade(c.all(), 0, 0, c.tone(0.02), 0, 1, c.tone(0.2))
	c.stars(1.1)
	c.stars(1.1)
	// The earth's limb with clouds, coasts and lights.
	r := 1.5 + 0.3*w
	ex, ey := w*c.r(0.3, 0.7), 0.66+r
	c.glow(ex, ey, r+0.22, c.accent(0.3), 0, smooth)
	for i := range 4 {
		c.wash(circle(ex, ey, r+0.07-0.018*float64(i)), mix(c.accent(0.3), c.tone(0.8), 0.5), 0.16)
	}
	globe := circle(ex, ey, r)
	c.fill(globe, c.tone(0.3))
	c.within(globe, func() {
		c.stipple(globe, c.tone(0.85), 0, 0.66, 0.7, 0, 0.86, 0)
		for range 3 {
			x, y := c.r(0, 1)*w, c.r(0.8, 1)
			s := c.r(0.2, 0.4)
			land := blob(x-s, y, x-s*0.6, y-s*0.3, x-s*0.2, y-s*0.2, x+s*0.1, y-s*0.42, x+s*0.7, y-s*0.3, x+s*0.5, y-s*0.05, x+s, y+s*0.1, x+s*0.4, y+s*0.3, x-s*0.4, y+s*0.25)
			c.fill(land, c.tone(0.46))
			c.stipple(land, c.tone(0.1), x, y-s*0.3, 0, x+s, y+s*0.3, 0.6)
			var lights path
			for range 40 {
				lights = append(lights, disc(x+c.r(-0.7, 0.7)*s, y+c.r(-0.2, 0.2)*s, c.r(0.0015, 0.0035)))
			}
			c.fill(lights, c.accent(0.4))
		}
		for range 7 {
			c.streak(c.r(-0.1, 1)*w, c.r(0.74, 1), c.r(0.2, 0.5))
		}
		c.stipple(globe, c.tone(0), w*0.3, 0, 0, w*1.2, 0, 0.75)
	})
	if c.odds(0.6) {
		x, y, m := w*c.r(0.06, 0.2), c.r(0.12, 0.24), c.r(0.05, 0.09)
		c.fill(circle(x, y, m), c.tone(0.8))
		c.stipple(circle(x, y, m), c.tone(0.05), x-m*0.4, y, 0, x+m, y+m*0.4, 1)
	}
	s := 0.8 * c.fit(1.3)
	g := c.at(w*c.r(0.46, 0.56), c.r(0.34, 0.4), s, s).turned(c.r(-0.4, -0.15))
	for _, side := range []float64{-1, 1} {
		g.fill(rect(0, -0.008, side*0.16, 0.016), c.tone(0.7))
		for i := range 2 {
			x := side * (0.13 + 0.21*float64(i))
			p := rect(x, -0.085, side*0.2, 0.17)
			g.fill(p, c.tone(0.24))
			g.stipple(p, c.accent(0.25), x, -0.085, 0.7, x+side*0.2, 0.085, 0.05)
			var cells path
			for j := 1; j < 6; j++ {
				cells = cells.and(rect(x+side*0.2*float64(j)/6, -0.085, 0.003, 0.17))
			}
			for j := 1; j < 4; j++ {
				cells = cells.and(rect(x, -0.085+0.17*float64(j)/4, side*0.2, 0.003))
			}
			g.wash(cells, c.tone(0.95), 0.6)
			g.fill(rect(x, -0.089, side*0.2, 0.006).and(rect(x, 0.083, side*0.2, 0.006)), c.tone(0.92))
		}
	}
	body := rounded(-0.09, -0.12, 0.18, 0.24, 0.012)
	g.fill(body, c.tone(0.93))
	g.fill(rect(-0.09, -0.03, 0.18, 0.07), c.accent(-0.05))
	g.stipple(body, c.tone(0.1), -0.02, 0, 0, 0.1, 0, 0.85)
	g.fill(line(0, 0.12, 0, 0.2, 0.012), c.tone(0.7))
	g.fill(sector(0, 0.2, 0.12, 0.075, 0, math.Pi), c.tone(0.97))
	g.stipple(sector(0, 0.2, 0.12, 0.075, 0, math.Pi), c.tone(0.1), -0.02, 0, 0, 0.12, 0, 0.8)
	g.fill(ellipse(0, 0.2, 0.12, 0.018), c.tone(0.6))
	g.fill(line(0, 0.2, 0, 0.3, 0.006).and(circle(0, 0.3, 0.013), line(0.04, -0.12, 0.07, -0.22, 0.006), circle(0.07, -0.22, 0.01)), c.tone(0.85))
	for i := range 3 {
		q := 0.07 + 0.05*float64(i)
		g.wash(stroke(arcPts(0, 0.31, q, q, math.Pi*0.3, math.Pi*0.7), 0.007), c.accent(0.2), 0.9-0.22*float64(i))
	}
}

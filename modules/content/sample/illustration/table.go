package illustration

import "math"

func coffeeHouse(c *canvas) {
	w := c.W
	dark := c.mood.dark
	wall := c.accent(-0.3)
	if c.odds(0.5) {
		wall = c.tone(0.34)
	}
	c.fill(c.all(), wall)
	c.stipple(c.all(), c.tone(0), 0, 0, 0.4, 0, 0.7, 0.05)
	// Arched windows on the street.
	n := int(math.Max(1, math.Round(w/0.52)))
	for i := range n {
		x := w * (float64(i) + 0.5) / float64(n)
		ww := 0.34
		c.fill(arch(x, 0.22, 0.66, ww+0.03), c.tone(0.9))
		pane := arch(x, 0.22, 0.65, ww)
		c.within(pane, func() {
			c.fade(pane, 0, 0.05, c.skyAt(0), 0, 0.6, c.skyAt(1))
			for hx := x - 0.2; hx < x+0.2; hx += 0.1 {
				c.townhouse(hx, 0.62, 0.1, c.r(0.16, 0.26), 0.15)
			}
			c.mist(pane, c.skyAt(1), x, 0.1, 0.1, x, 0.64, 0.45)
			if c.odds(0.6) {
				c.figure(x+c.r(-0.1, 0.1), 0.66, 0.2, c.passer(0.55))
			}
		})
		c.fill(rect(x-0.004, 0.05, 0.008, 0.6).and(rect(x-ww/2, 0.22, ww, 0.008), rect(x-ww/2, 0.42, ww, 0.006)), c.tone(0.9))
		if !dark {
			c.mist(poly(x-ww/2, 0.3, x+ww/2, 0.3, x+ww*0.9, 1.05, x-ww*0.1, 1.05), c.tone(1), x, 0.3, 0.22, x+0.1, 1, 0.02)
		}
	}
	for i := range n + 1 {
		x := w * float64(i) / float64(n)
		c.fill(rect(x-0.0015, -0.1, 0.003, 0.24), c.tone(0.05))
		c.glow(x, 0.17, 0.2, c.tint(1, 0.15), 0.6, grains)
		c.fill(circle(x, 0.17, 0.04), c.tint(1, 0.06))
		c.fill(rect(x-0.014, 0.125, 0.028, 0.014), c.tone(0.1))
	}
	c.fill(rect(-0.1, 0.66, w+0.2, 0.16), c.tone(0.2))
	c.fill(rect(-0.1, 0.655, w+0.2, 0.014), c.tone(0.6))
	c.fade(rect(-0.1, 0.8, w+0.2, 0.3), 0, 0.8, c.tone(0.5), 0, 1, c.tone(0.26))
	// Guests at marble tables.
	m := int(math.Max(1, math.Round(w/0.7)))
	for i := range m {
		x := w * (float64(i) + 0.5) / float64(m)
		c.guest(x-0.2, 0.95, 0.62, 1, i%2 == 0)
		if i%2 == 1 || c.odds(0.5) {
			c.guest(x+0.22, 0.95, 0.6, -1, false)
		}
		c.fill(rect(x-0.012, 0.74, 0.024, 0.28).and(ellipse(x, 1.0, 0.1, 0.018)), c.tone(0.05))
		c.fill(ellipse(x, 0.742, 0.19, 0.03), c.tone(0.45))
		c.fill(ellipse(x, 0.732, 0.19, 0.03), c.tone(0.97))
		c.stipple(ellipse(x, 0.732, 0.19, 0.03), c.tone(0.3), x-0.05, 0, 0, x+0.2, 0, 0.5)
		for j := range 2 {
			cx := x - 0.09 + 0.17*float64(j)
			c.fill(ellipse(cx, 0.734, 0.042, 0.009), c.tone(0.8))
			c.mug(cx, 0.733, 0.042)
		}
		c.fill(rect(x-0.006, 0.66, 0.012, 0.07).and(ellipse(x, 0.73, 0.02, 0.006)), c.tone(0.3))
		c.fill(circle(x, 0.65, 0.018).and(circle(x-0.016, 0.664, 0.014), circle(x+0.016, 0.664, 0.014)), c.accent(0.15))
	}
}

// guest sits in profile at a table, looking to dir; with a newspaper when reading.
func (c *canvas) guest(x, y, s, dir float64, reading bool) {
	g := c.at(x, y, s*dir, s)
	chair := c.tone(0.04)
	g.fill(rect(-0.17, -0.38, 0.3, 0.025).and(line(-0.15, -0.38, -0.18, 0.1, 0.018), line(0.1, -0.38, 0.13, 0.1, 0.018)), chair)
	g.fill(stroke(curve(points(-0.16, -0.36, -0.22, -0.6, -0.2, -0.74, -0.1, -0.76), false), 0.02), chair)
	k := c.accent(c.r(-0.1, 0.1))
	if c.odds(0.5) {
		k = c.tone(c.r(0.6, 0.9))
	}
	g.fill(brush(points(-0.06, -0.42, 0.16, -0.4, 0.17, -0.02), 0.13, 0.075).and(blob(0.13, 0.03, 0.14, -0.03, 0.2, -0.03, 0.27, 0.02)), c.tone(0.1))
	torso := blob(-0.15, -0.38, -0.16, -0.58, -0.12, -0.76, -0.02, -0.8, 0.06, -0.74, 0.08, -0.56, 0.05, -0.38)
	g.fill(torso, k)
	g.stipple(torso, c.tone(0), 0, 0, 0, -0.16, 0, 0.55)
	skin := c.tint(0.86, 0.16)
	g.fill(brush(points(-0.02, -0.76, 0, -0.84), 0.07, 0.06), mix(skin, c.tone(0.2), 0.3))
	g.fill(blob(-0.06, -0.9, -0.04, -0.98, 0.03, -1, 0.08, -0.95, 0.085, -0.91, 0.108, -0.875, 0.085, -0.865, 0.08, -0.82, 0.02, -0.81, -0.03, -0.84), skin)
	hair := blob(-0.03, -0.83, -0.09, -0.88, -0.08, -0.98, 0, -1.04, 0.07, -1.01, 0.085, -0.96, 0.02, -0.95, 0, -0.9)
	if c.odds(0.5) {
		hair = hair.and(blob(-0.08, -0.95, -0.02, -0.9, -0.03, -0.78, -0.1, -0.74, -0.11, -0.85))
	}
	g.fill(hair, c.tone(c.r(0.03, 0.2)))
	g.fill(brush(points(-0.03, -0.7, 0.04, -0.52, 0.2, -0.56), 0.085, 0.05), mix(k, c.tone(0), 0.15))
	g.fill(circle(0.22, -0.565, 0.03), skin)
	if reading {
		g.fill(poly(0.16, -0.82, 0.3, -0.86, 0.32, -0.52, 0.18, -0.5), c.tone(0.98))
		g.fill(poly(0.3, -0.86, 0.36, -0.84, 0.37, -0.52, 0.32, -0.52), c.tone(0.7))
		g.fill(poly(0.175, -0.79, 0.29, -0.825, 0.293, -0.79, 0.178, -0.755), c.tone(0.1))
		var l path
		for i := range 6 {
			f := 0.035 * float64(i)
			l = l.and(line(0.182, -0.725+f, 0.23, -0.738+f, 0.008), line(0.244, -0.742+f, 0.3, -0.755+f, 0.008))
		}
		g.wash(l, c.tone(0.1), 0.7)
		g.fill(circle(0.19, -0.6, 0.026), skin)
	}
}

func kitchenTable(c *canvas) {
	w := c.W
	c.backRoom(2, 0.5)
	// The window, a shelf, the lamp over the table.
	wx := w/2 - 0.2
	c.within(rect(wx, 0.1, 0.4, 0.4), func() {
		c.fade(rect(wx, 0.1, 0.4, 0.4), 0, 0.1, c.skyAt(0), 0, 0.5, c.skyAt(1))
		c.fill(under(c.ridge(0.42, 0.02, 4), 0.6), c.depth(0.3))
		c.fill(c.broadleaf(wx+0.31, 0.52, 0.26), c.depth(0.6))
		c.fill(circle(wx+0.1, 0.2, 0.035), c.tint(1, 0.1))
	})
	c.fill(rect(wx-0.014, 0.086, 0.428, 0.016).and(rect(wx-0.03, 0.5, 0.46, 0.024), rect(wx-0.014, 0.09, 0.016, 0.42), rect(wx+0.398, 0.09, 0.016, 0.42), rect(wx+0.194, 0.1, 0.012, 0.4), rect(wx, 0.25, 0.4, 0.01)), c.tone(0.95))
	for _, d := range []float64{-1, 1} {
		g := c.at(w/2, 0, d, 1)
		curtain := blob(0.17, 0.06, 0.3, 0.06, 0.33, 0.3, 0.32, 0.56, 0.22, 0.56, 0.25, 0.34)
		g.fill(curtain, c.accent(0.12))
		for i := range 3 {
			g.stipple(blob(0.2+0.04*float64(i), 0.08, 0.22+0.04*float64(i), 0.3, 0.24+0.035*float64(i), 0.55, 0.255+0.035*float64(i), 0.55, 0.245+0.04*float64(i), 0.3), c.tone(0), 0, 0.1, 0.3, 0, 0.55, 0.6)
		}
		if w > 1.1 {
			sx := 0.42
			g.fill(rect(sx, 0.33, w/2-sx-0.04, 0.016), c.tone(0.12))
			for x := sx + 0.05; x < w/2-0.08; x += 0.085 {
				if c.odds(0.5) {
					g.vessel(x, 0.331, c.r(0.1, 0.14), 3)
				} else {
					g.mug(x, 0.331, 0.07)
				}
			}
		}
	}
	y := 0.7
	lx := w / 2
	c.mist(poly(lx-0.1, 0.3, lx+0.1, 0.3, lx+0.62, 0.86, lx-0.62, 0.86), c.tint(1, 0.14), lx, 0.28, 0.75, lx, 0.84, 0.08)
	// Two people sit across from each other.
	c.guest(lx-0.46*c.fit(1.2), 1.02, 0.74, 1, false)
	c.guest(lx+0.46*c.fit(1.2), 1.02, 0.72, -1, c.odds(0.4))
	top := ellipse(lx, y+0.03, 0.56*c.fit(1.2), 0.075)
	c.fill(rect(lx-0.03, y, 0.06, 0.36).and(ellipse(lx, 1.02, 0.2, 0.03)), c.tone(0.1))
	c.fill(c.shifted(top, 0, 0.022), c.tone(0.2))
	c.fill(top, c.tone(0.9))
	c.within(top, func() {
		var check path
		for i := range 14 {
			check = check.and(rect(lx-0.6+0.09*float64(i), y-0.06, 0.03, 0.2))
		}
		c.wash(check, c.accent(0), 0.45)
		for i := range 5 {
			c.wash(rect(lx-0.7, y-0.05+0.035*float64(i), 1.4, 0.012), c.accent(0), 0.45)
		}
		c.stipple(top, c.tone(0), lx, 0, 0, lx+0.6, 0, 0.4)
	})
	// What lies on it: a loaf, a pot, plates, letters.
	c.fill(ellipse(lx-0.24, y+0.035, 0.085, 0.017).and(ellipse(lx+0.24, y+0.035, 0.085, 0.017)), c.tone(1))
	c.fill(ring(lx-0.24, y+0.034, 0.056, 0.011, 0.005).and(ring(lx+0.24, y+0.034, 0.056, 0.011, 0.005)), c.tone(0.5))
	g := c.at(lx-0.02, y+0.04, 1, 1)
	pot := blob(-0.07, 0, -0.09, -0.06, -0.075, -0.13, 0.075, -0.13, 0.09, -0.06, 0.07, 0)
	g.fill(ring(0.1, -0.075, 0.03, 0.038, 0.014).and(brush(points(-0.08, -0.05, -0.13, -0.1, -0.14, -0.13), 0.026, 0.014)), c.accent(-0.15))
	g.fill(pot, c.accent(-0.05))
	g.stipple(pot, c.tone(0), -0.01, 0, 0, 0.09, 0, 0.8)
	g.fill(ellipse(0, -0.132, 0.076, 0.014).and(circle(0, -0.152, 0.014)), c.accent(-0.3))
	c.mug(lx+0.13, y+0.05, 0.055)
	c.mug(lx-0.14, y+0.06, 0.055)
	loaf := blob(lx+0.3, y+0.01, lx+0.31, y-0.04, lx+0.38, y-0.058, lx+0.45, y-0.04, lx+0.46, y+0.008, lx+0.38, y+0.016)
	if w > 1 {
		c.fill(loaf, mix(c.tint(0.7, 0.4), c.tone(0.4), 0.2))
		c.stipple(loaf, c.tone(0.05), 0, y-0.04, 0, 0, y+0.02, 0.7)
		c.fill(line(lx+0.34, y-0.04, lx+0.36, y-0.018, 0.006).and(line(lx+0.375, y-0.048, lx+0.395, y-0.022, 0.006), line(lx+0.41, y-0.044, lx+0.43, y-0.02, 0.006)), c.tone(0.95))
	}
	c.fill(poly(lx-0.42*c.fit(1.2), y+0.03, lx-0.36*c.fit(1.2), y+0.008, lx-0.28*c.fit(1.2), y+0.018, lx-0.35*c.fit(1.2), y+0.042), c.tone(1))
	// The lamp last: it hangs in front of the window.
	c.fill(rect(lx-0.002, -0.1, 0.004, 0.32), c.tone(0.05))
	shade := blob(lx-0.03, 0.2, lx+0.03, 0.2, lx+0.07, 0.235, lx+0.135, 0.3, lx-0.135, 0.3, lx-0.07, 0.235)
	c.fill(shade, c.accent(-0.2))
	c.stipple(shade, c.tone(0), lx-0.02, 0, 0, lx+0.13, 0, 0.7)
	c.fill(ellipse(lx, 0.3, 0.13, 0.016), c.tint(1, 0.08))
}

package illustration

import "math"

// pylon is a lattice mast for power lines; it returns the ends of its arms.
func (c *canvas) pylon(x, y, h, t float64) []point {
	g := h
	p := line(x-0.13*g, y, x-0.02*g, y-0.62*g, t).and(line(x+0.13*g, y, x+0.02*g, y-0.62*g, t),
		line(x-0.022*g, y-0.6*g, x-0.006*g, y-g, t), line(x+0.022*g, y-0.6*g, x+0.006*g, y-g, t))
	for i := range 6 {
		a, b := float64(i)/6, float64(i+1)/6
		wa, wb := lerp(0.13, 0.02, a), lerp(0.13, 0.02, b)
		ya, yb := y-0.62*g*a, y-0.62*g*b
		p = p.and(line(x-wa*g, ya, x+wb*g, yb, t*0.6), line(x+wa*g, ya, x-wb*g, yb, t*0.6), line(x-wb*g, yb, x+wb*g, yb, t*0.6))
	}
	var ends []point
	for _, a := range [][2]float64{{0.62, 0.2}, {0.76, 0.26}, {0.9, 0.17}} {
		yy := y - a[0]*g
		for _, s := range []float64{-1, 1} {
			p = p.and(line(x, yy-0.035*g, x+s*a[1]*g, yy, t*0.8), line(x, yy+0.02*g, x+s*a[1]*g, yy, t*0.8), line(x+s*a[1]*g*0.5, yy-0.018*g, x+s*a[1]*g*0.5, yy+0.01*g, t*0.5),
				rect(x+s*a[1]*g-t*0.6, yy, t*1.2, 0.045*g))
			ends = append(ends, point{x + s*a[1]*g, yy + 0.045*g})
		}
	}
	c.fill(p, c.depth(0.93))
	return ends
}

func powerLines(c *canvas) {
	h := c.r(0.7, 0.76)
	c.sky(h, c.r(0.2, 0.8))
	c.hills(h-0.08, 0.06, 2, 0.12)
	c.haze(h-0.14, h, 0.4)
	c.hills(h-0.01, 0.035, 2.4, 0.34)
	c.ground(h+0.03, 0.5, 0.9)
	w := c.W
	// A row of masts comes out of the distance.
	var last []point
	n := 5
	for i := range n {
		t := float64(i) / float64(n-1)
		k := 0.14 + 0.74*math.Pow(t, 1.5)
		x := lerp(w*0.9, w*0.16, math.Pow(t, 0.85))
		y := lerp(h+0.01, 0.93, math.Pow(t, 1.4))
		ends := c.pylon(x, y, k, 0.003+0.009*t)
		if last != nil {
			var wires path
			for j := range ends {
				wires = wires.and(brush(sag(last[j].x, last[j].y, ends[j].x, ends[j].y, 0.05+0.06*t), 0.0016+0.002*t, 0.002+0.003*t))
			}
			c.fill(wires, c.depth(0.8))
		}
		last = ends
	}
	var wires path
	for _, q := range last {
		wires = wires.and(brush(sag(q.x, q.y, q.x-0.9, q.y-0.2, 0.14), 0.005, 0.008))
	}
	c.fill(wires, c.depth(0.8))
	c.furrows(h+0.05, w*c.r(0.4, 0.7), 0.86)
	c.grass(1, 0.08, 140, c.depth(1))
}

// furrows are field rows running to a point on the horizon.
func (c *canvas) furrows(y, vx, d float64) {
	var p path
	for i := -16; i <= 16; i++ {
		x := vx + float64(i)*0.2
		p = p.and(taper(vx+float64(i)*0.012, y, x, 1.1, 0.001, 0.05))
	}
	c.wash(p, c.depth(d), 0.6)
}

// turbine is a wind turbine of hub height h.
func (c *canvas) turbine(x, y, h, d float64) {
	k := mix(c.depth(d), c.hi(), 0.3+0.7*d)
	if d > 0.6 {
		k = c.hi()
	}
	mast := taper(x, y, x, y-h, h*0.042, h*0.02)
	c.fill(mast, k)
	c.stipple(mast, c.side(), x-h*0.01, 0, 0, x+h*0.02, 0, 0.9)
	a0 := c.r(0, 2.1)
	c.fill(rounded(x-h*0.02, y-h-h*0.018, h*0.075, h*0.036, h*0.014), k)
	for i := range 3 {
		g := c.at(x, y-h, h, h).turned(a0 + float64(i)*2*math.Pi/3)
		blade := blob(0, -0.014, 0.06, -0.03, 0.2, -0.024, 0.5, -0.008, 0.64, 0, 0.5, 0.006, 0.1, 0.012)
		g.fill(blade, k)
		g.stipple(blade, c.side(), 0, -0.02, 0, 0, 0.014, 0.8)
		if d > 0.6 {
			g.fill(rect(0.54, -0.007, 0.04, 0.012), c.accent(0))
		}
	}
	c.fill(circle(x, y-h, h*0.026), k)
}

func windTurbines(c *canvas) {
	h := c.r(0.68, 0.74)
	c.sky(h, c.r(0.2, 0.8))
	far := c.hills(h-0.1, 0.05, 2, 0.12)
	w := c.W
	for i := range c.n(4, 7) {
		x := w * (0.06 + 0.15*float64(i) + c.r(-0.03, 0.03))
		c.turbine(x, levelAt(far, x)+0.01, c.r(0.12, 0.18), 0.3)
	}
	c.haze(h-0.18, h, 0.4)
	mid := c.hills(h, 0.06, 2.2, 0.4)
	for i := range c.n(2, 3) {
		x := w * (0.34 + 0.24*float64(i) + c.r(-0.06, 0.06))
		c.turbine(x, levelAt(mid, x)+0.02, c.r(0.26, 0.34), 0.55)
	}
	near := c.hills(h+0.12, 0.05, 2, 0.72)
	x := w * c.r(0.16, 0.28)
	c.turbine(x, levelAt(near, x)+0.03, c.r(0.56, 0.64), 1)
	c.furrows(h+0.17, w*0.6, 0.95)
	c.treeline([]point{{-0.2, h + 0.2}, {w + 0.2, h + 0.16}}, 0.05, 0.85, false)
	if c.odds(0.6) {
		c.hut(w*c.r(0.6, 0.8), h+0.16, 0.05)
	}
	c.grass(1, 0.08, 150, c.depth(1))
}

func solarField(c *canvas) {
	h := c.r(0.46, 0.52)
	c.sky(h, c.r(0.3, 0.7))
	c.hills(h-0.04, 0.05, 2, 0.14)
	on := c.hills(h+0.01, 0.02, 2.5, 0.32)
	c.treeline(on, 0.04, 0.32, false)
	c.ground(h+0.03, 0.42, 0.82)
	w := c.W
	rows := 6
	for i := range rows {
		t := math.Pow(float64(i+1)/float64(rows), 1.9)
		y := lerp(h+0.04, 1.02, t)
		ph := 0.02 + 0.2*t
		pw := ph * 1.35
		skew := ph * 0.3
		shift := c.r(0, pw)
		for x := -pw - shift; x < w+pw; x += pw * 1.05 {
			c.fill(rect(x+pw*0.3, y-ph*0.35, ph*0.04, ph*0.5).and(rect(x+pw*0.85, y-ph*0.35, ph*0.04, ph*0.5)), c.depth(0.95))
			p := poly(x, y, x+skew, y-ph*0.8, x+skew+pw, y-ph*0.8, x+pw, y)
			c.fill(p, c.tone(lerp(0.34, 0.14, t)))
			c.mist(p, c.skyAt(0.9), x+skew, y-ph, 0.85, x+pw*0.7, y, 0)
			var cell path
			for j := 1; j < 6; j++ {
				f := float64(j) / 6
				cell = cell.and(line(x+pw*f, y, x+skew+pw*f, y-ph*0.8, ph*0.012))
			}
			for j := 1; j < 4; j++ {
				f := float64(j) / 4
				cell = cell.and(line(x+skew*f, y-ph*0.8*f, x+skew*f+pw, y-ph*0.8*f, ph*0.012))
			}
			c.wash(cell, c.tone(0.8), 0.55)
			c.fill(line(x+skew, y-ph*0.8, x+skew+pw, y-ph*0.8, ph*0.03).and(line(x, y, x+pw, y, ph*0.03)), c.hi())
		}
		if i == rows-3 {
			c.figure(w*c.r(0.3, 0.7), y+0.05, 0.16, dress{coat: c.accent(0), legs: c.tone(0.1), skin: c.tint(0.8, 0.1), hair: c.tone(0.95), hat: true, stride: 0.6})
		}
	}
	c.grass(1.02, 0.07, 120, c.depth(1))
}

func dam(c *canvas) {
	h := 0.34
	c.sky(h, c.r(0.2, 0.8))
	w := c.W
	c.massif(h+0.08, 0.28, 0.1, c.r(0, 0.45))
	c.haze(h-0.08, h+0.1, 0.5)
	// The lake lies behind the crest.
	c.fade(rect(-0.1, h+0.04, w+0.2, 0.12), 0, h+0.04, c.skyAt(1), 0, h+0.14, c.tone(c.mood.water*0.8))
	c.ripples(h+0.045, h+0.1, 20)
	crest := func(t float64) point { return point{w * (0.08 + 0.84*t), h + 0.1 + 0.035*math.Sin(t*math.Pi)} }
	foot := func(t float64) point { return point{w * (0.3 + 0.4*t), 0.86 + 0.03*math.Sin(t*math.Pi)} }
	var wall []point
	for i := 0; i <= 20; i++ {
		wall = append(wall, crest(float64(i)/20))
	}
	for i := 20; i >= 0; i-- {
		wall = append(wall, foot(float64(i)/20))
	}
	body := wound(wall)
	c.fade(body, 0, h, c.hi(), 0, 0.9, mix(c.face(), c.side(), 0.45))
	c.stipple(body, c.deep(), w*0.4, 0, 0, w*0.95, 0, 0.75)
	var seams path
	for i := 1; i < 16; i++ {
		a, b := crest(float64(i)/16), foot(float64(i)/16)
		seams = seams.and(line(a.x, a.y, b.x, b.y, 0.0025))
	}
	c.wash(seams, c.side(), 0.7)
	var lip []point
	for i := 0; i <= 20; i++ {
		lip = append(lip, crest(float64(i)/20))
	}
	c.fill(stroke(lip, 0.022), c.face())
	var posts path
	for i := 0; i <= 40; i++ {
		q := crest(float64(i) / 40)
		posts = posts.and(rect(q.x, q.y-0.03, 0.003, 0.025))
	}
	c.fill(posts, c.depth(0.8))
	for _, t := range []float64{0.36, 0.62} {
		q := crest(t)
		c.block(q.x-0.025, q.y, 0.05, 0.08, c.face())
		c.fill(rect(q.x-0.03, q.y-0.09, 0.06, 0.014), c.accent(-0.1))
	}
	// Valley sides.
	for _, s := range []float64{-1, 1} {
		g := c.at(w/2-s*w/2, 0, s, 1)
		side := poly(-0.1, h-0.04, 0.05*w, h+0.02, 0.09*w, h+0.1, 0.16*w, 0.55, 0.26*w, 0.72, 0.33*w, 0.9, 0.36*w, 1.1, -0.1, 1.1)
		g.fill(side, c.depth(0.62))
		g.stipple(side, c.depth(0.3), 0, h, 0.6, 0.2*w, 0.9, 0)
		var trees path
		for range 26 {
			t := c.r(0, 1)
			x := lerp(-0.02, 0.3*w, t)
			trees = trees.and(g.conifer(x-c.r(0, 0.12), lerp(h+0.1, 1, t)+c.r(0, 0.08), c.r(0.07, 0.14)))
		}
		g.fill(trees, c.depth(0.86))
	}
	// Water leaves the sluices.
	k := c.tint(1, 0.02)
	for i, t := range []float64{0.38, 0.5, 0.62} {
		if i == 2 && c.odds(0.3) {
			continue
		}
		a, b := crest(t), foot(t)
		x, y := lerp(a.x, b.x, 0.62), lerp(a.y, b.y, 0.62)
		c.fill(arch(x, y, y+0.035, 0.04), c.deep())
		jet := blob(x-0.018, y+0.025, x+0.018, y+0.025, b.x+0.05, 0.82, b.x+0.08, 0.94, b.x-0.08, 0.94, b.x-0.05, 0.82)
		c.wash(jet, k, 0.95)
		c.stipple(jet, c.tone(c.mood.water), x-0.04, 0, 0.1, x+0.08, 0, 0.7)
	}
	c.fade(poly(w*0.3, 0.91, w*0.7, 0.91, w*0.9, 1.1, w*0.1, 1.1), 0, 0.9, c.tone(0.85), 0, 1, c.tone(c.mood.water*0.7))
	var foam path
	for range 70 {
		foam = foam.and(ellipse(w*c.r(0.32, 0.68), c.r(0.88, 0.95), c.r(0.01, 0.04), c.r(0.004, 0.013)))
	}
	c.wash(foam, k, 0.9)
	c.ripples(0.93, 1, 20)
}

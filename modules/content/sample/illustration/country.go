package illustration

import "math"

func farmland(c *canvas) {
	h := c.r(0.5, 0.58)
	c.sky(h, c.r(0.2, 0.8))
	c.hills(h-0.05, 0.05, 2, 0.12)
	c.haze(h-0.12, h+0.02, 0.4)
	on := c.hills(h+0.01, 0.03, 2.4, 0.3)
	c.treeline(on, 0.045, 0.36, false)
	w := c.W
	// Strips of different crops lie over the near slope.
	base := under(c.ridge(h+0.06, 0.025, 1.6), 1.1)
	c.fill(base, c.depth(0.5))
	vx := w * c.r(0.3, 0.7)
	c.within(base, func() {
		n := 9
		for i := range n {
			a, b := (float64(i)-4.5)*0.28, (float64(i)-3.5)*0.28
			q := poly(vx+a*0.25, h, vx+b*0.25, h, vx+b*1.6, 1.1, vx+a*1.6, 1.1)
			k := c.depth(c.r(0.4, 0.85))
			switch i % 3 {
			case 0:
				k = mix(c.depth(0.3), c.accent(0.15), 0.6)
			case 1:
				k = mix(c.depth(0.35), c.tint(0.9, 0.1), 0.45)
			}
			c.fill(q, k)
			var rows path
			for j := 1; j < 9; j++ {
				f := float64(j) / 9
				rows = rows.and(taper(vx+lerp(a, b, f)*0.25, h, vx+lerp(a, b, f)*1.6, 1.1, 0.0005, 0.009))
			}
			c.wash(rows, c.tone(c.mood.near), 0.4)
			c.stipple(q, c.tone(0), 0, 0.75, 0, 0, 1.1, 0.4)
		}
	})
	c.farmhouse(w*c.r(0.62, 0.78), h+0.12, 0.1*c.fit(1.2))
	c.tractor(w*c.r(0.2, 0.36), 0.84, 0.17)
	c.grass(1.01, 0.08, 150, c.depth(1))
}

func (c *canvas) farmhouse(x, y, s float64) {
	g := c.at(x, y, s, s)
	g.fill(g.broadleaf(1.7, 0.05, 1.9).and(g.broadleaf(-2.3, 0.05, 1.5)), c.depth(0.75))
	g.block(-0.9, 0, 1.3, 0.7, g.face())
	g.gable(-0.95, -0.68, 1.4, 0.55, 0.15, c.accent(-0.25))
	g.grid(-0.8, -0.15, 1.1, 0.4, 4, 1, 0.4, 0.8, 0.7)
	g.block(0.45, 0, 0.8, 0.95, c.accent(-0.12))
	g.fill(poly(0.4, -0.93, 0.55, -1.25, 0.85, -1.42, 1.15, -1.25, 1.3, -0.93), c.depth(0.8))
	g.fill(rect(0.65, -0.55, 0.4, 0.55), c.deep())
	g.fill(line(0.65, -0.55, 1.05, 0, 0.04).and(line(1.05, -0.55, 0.65, 0, 0.04)), c.hi())
	g.fill(rounded(-1.7, -1.3, 0.42, 1.3, 0.02).and(dome(-1.49, -1.29, 0.21, 0.2)), c.face())
	g.stipple(rounded(-1.7, -1.3, 0.42, 1.3, 0.02), c.deep(), -1.55, 0, 0, -1.28, 0, 0.8)
}

// tractor drives to the right; s is its length.
func (c *canvas) tractor(x, y, s float64) {
	g := c.at(x, y, s, s)
	g.shadow(0, 0, 0.4)
	k := c.accent(-0.05)
	g.fill(blob(-0.05, -0.2, -0.02, -0.42, 0.1, -0.46, 0.42, -0.42, 0.48, -0.36, 0.46, -0.16, 0, -0.14), k)
	g.fill(poly(-0.34, -0.4, -0.28, -0.82, 0.02, -0.82, 0.06, -0.4).hole(poly(-0.27, -0.46, -0.23, -0.76, -0.02, -0.76, 0, -0.46)), c.depth(0.98))
	g.wash(poly(-0.27, -0.46, -0.23, -0.76, -0.02, -0.76, 0, -0.46), c.skyAt(1), 0.6)
	g.fill(ellipse(-0.13, -0.62, 0.05, 0.065).and(blob(-0.22, -0.44, -0.2, -0.55, -0.12, -0.58, -0.05, -0.54, -0.03, -0.44)), c.depth(0.9))
	g.fill(rect(-0.32, -0.86, 0.38, 0.045), k)
	g.fill(rect(0.24, -0.64, 0.025, 0.22).and(blob(-0.5, -0.3, -0.42, -0.5, -0.2, -0.54, -0.02, -0.36, -0.2, -0.42, -0.4, -0.36)), c.depth(0.98))
	for _, q := range [][3]float64{{-0.26, -0.25, 0.25}, {0.36, -0.15, 0.15}} {
		g.fill(circle(q[0], q[1], q[2]), c.tone(0.04))
		g.fill(circle(q[0], q[1], q[2]*0.55), c.face())
		g.fill(circle(q[0], q[1], q[2]*0.2), c.tone(0.1))
	}
}

func vineyard(c *canvas) {
	h := c.r(0.46, 0.52)
	c.sky(h, c.r(0.2, 0.8))
	c.hills(h-0.08, 0.08, 2.2, 0.12)
	c.haze(h-0.16, h, 0.45)
	on := c.hills(h, 0.05, 2, 0.3)
	w := c.W
	hx := w * c.r(0.55, 0.75)
	c.farmhouse(hx, levelAt(on, hx)+0.02, 0.075)
	var pop path
	for i := range 6 {
		x := hx - 0.45 + 0.06*float64(i)
		pop = pop.and(c.poplar(x, levelAt(on, x)+0.02, c.r(0.12, 0.17)))
	}
	c.fill(pop, c.depth(0.6))
	slope := under(c.ridge(h+0.07, 0.03, 1.5), 1.1)
	c.fill(slope, mix(c.depth(0.4), c.tint(0.8, 0.25), 0.3))
	vx := w * c.r(0.25, 0.75)
	leafInk := c.skyAt(1)
	if c.odds(0.5) {
		leafInk = c.accent(0.1)
	}
	c.within(slope, func() {
		// The rows of vines are bands of leaf clumps that open towards the viewer.
		for i := -9; i <= 9; i++ {
			if i == 0 {
				continue
			}
			x0, x1 := vx+float64(i)*0.075, vx+float64(i)*0.42
			var leaf, lightLeaf, posts path
			for j := range 34 {
				t := math.Pow(float64(j)/33, 1.7)
				x, y := lerp(x0, x1, t), lerp(h+0.02, 1.1, t)
				r := 0.008 + 0.055*t
				leaf = leaf.and(ellipse(x+c.r(-0.2, 0.2)*r, y-r*1.1, r*c.r(0.8, 1.1), r*c.r(0.9, 1.2)))
				if j%2 == 0 {
					lightLeaf = lightLeaf.and(ellipse(x-r*0.3, y-r*1.7, r*0.5, r*0.4))
				}
				if j%4 == 0 {
					posts = posts.and(rect(x-r*0.08, y-r*2.6, r*0.16, r*3))
				}
			}
			k := c.depth(0.82)
			c.fill(posts, c.depth(0.95))
			c.fill(leaf, k)
			c.stipple(lightLeaf, mix(c.depth(0.4), leafInk, 0.4), 0, h, 0.9, 0, 1, 0.7)
			c.wash(taper(x0, h+0.02, x1, 1.1, 0.002, 0.03), c.tone(0), 0.35)
		}
	})
	for i := range c.n(1, 2) {
		c.figure(vx+0.02+0.05*float64(i), 0.82+0.06*float64(i), 0.17+0.03*float64(i), c.passer(0.8))
	}
	c.grass(1.02, 0.07, 90, c.depth(1))
}

func snowVillage(c *canvas) {
	h := c.r(0.54, 0.6)
	c.sky(h, c.r(0.25, 0.75))
	c.massif(h+0.03, 0.36, 0.12, 0.62)
	c.haze(h-0.12, h+0.06, 0.5)
	w := c.W
	snow := func(y, amp, t float64) []point {
		on := c.ridge(y, amp, 2)
		p := under(on, 1.1)
		c.fill(p, mix(c.skyAt(1), c.tone(c.mood.hi), t))
		c.stipple(p, c.tone(c.mood.side), 0, y+0.05, 0, 0, y+0.3, 0.3)
		return on
	}
	on := snow(h, 0.03, 0.3)
	c.treeline(on, 0.07, 0.42, true)
	snow(h+0.06, 0.02, 0.5)
	place := func(x, y, s float64) {
		g := c.at(x, y, s, s)
		g.fill(rect(-0.5, -0.5, 1, 0.55), mix(c.tone(0.28), c.depth(0.7), 0.4))
		g.stipple(rect(-0.5, -0.5, 1, 0.55), c.tone(0), 0, 0, 0, 0.5, 0, 0.6)
		g.fill(poly(-0.42, -0.5, 0, -0.92, 0.42, -0.5), mix(c.tone(0.28), c.depth(0.7), 0.4))
		roof := poly(-0.72, -0.42, -0.02, -1.1, 0.02, -1.1, 0.72, -0.42, 0.66, -0.36, 0, -0.97, -0.66, -0.36)
		g.fill(roof, c.hi())
		g.fill(rect(0.24, -1.02, 0.12, 0.3), c.deep())
		g.fill(rect(0.22, -1.06, 0.16, 0.06), c.hi())
		warm := mix(c.accent(0.2), c.tone(1), 0.35)
		for _, q := range [][2]float64{{-0.34, -0.36}, {0.14, -0.36}, {-0.08, -0.68}} {
			g.fill(rect(q[0], q[1], 0.18, 0.18), warm)
			g.fill(rect(q[0]+0.08, q[1], 0.02, 0.18), c.deep())
		}
		g.fill(rect(-0.08, -0.3, 0.16, 0.35), c.accent(-0.25))
		if c.mood.dark {
			g.glow(0, -0.3, 0.9, c.accent(0.4), 0.45, grains)
		}
		g.fill(ellipse(0, 0.05, 0.72, 0.06), c.hi())
		if c.odds(0.6) {
			g.smoke(0.3, -1.06, 0.03, 0.8, 0.4, c.smokeTone())
		}
	}
	cx := w * c.r(0.42, 0.58)
	var xs []float64
	for i := range 7 {
		xs = append(xs, w*(0.06+0.145*float64(i)))
	}
	for i, x := range xs {
		if math.Abs(x-cx) > 0.1 {
			place(x, h+0.12+0.02*float64(i%2), 0.11*c.fit(1.2))
		}
	}
	// The chapel.
	g := c.at(cx, h+0.15, 1, 1)
	g.fill(rect(-0.035, -0.26, 0.07, 0.27), c.face())
	g.stipple(rect(-0.035, -0.26, 0.07, 0.27), c.side(), 0, 0, 0.1, 0.035, 0, 0.8)
	g.fill(poly(-0.045, -0.255, 0, -0.42, 0.045, -0.255), c.accent(-0.3))
	g.fill(poly(-0.045, -0.255, 0, -0.42, -0.006, -0.3), c.hi())
	g.fill(arch(0, -0.2, -0.16, 0.024), c.deep())
	snow(h+0.16, 0.02, 0.8)
	for i := range 3 {
		place(w*(0.14+0.34*float64(i)+c.r(-0.05, 0.05)), h+0.25+0.03*float64(i%2), 0.19*c.fit(1.1))
	}
	snow(0.93, 0.02, 1)
	var trees, caps path
	for range 7 {
		x, y, k := w*c.r(0, 1), c.r(0.94, 1.02), c.r(0.18, 0.36)
		if math.Abs(x-w/2) < 0.14*w {
			continue
		}
		trees = trees.and(c.conifer(x, y, k))
		for i := range 4 {
			t := float64(i) / 4.2
			wd := k * 0.17 * (1 - t*0.8)
			fy := y - k*(0.14+0.72*t)
			caps = caps.and(blob(x-wd, fy+wd*0.1, x-wd*0.2, fy-wd*1.1, x+wd*0.1, fy-wd*1.2, x+wd*0.2, fy-wd*0.5, x-wd*0.2, fy-wd*0.2))
		}
	}
	c.fill(trees, c.depth(0.92))
	c.fill(caps, c.hi())
	c.snowfall(160)
}

func flood(c *canvas) {
	h := c.r(0.52, 0.58)
	c.sky(h, c.r(0.2, 0.8))
	c.bank(h, 2)
	c.hills(h-0.05, 0.05, 2, 0.2)
	on := c.ridge(h-0.01, 0.01, 3)
	c.treeline(on, 0.06, 0.4, false)
	w := c.W
	c.spire(w*c.r(0.3, 0.7), h+0.01, 0.26)
	c.haze(h-0.14, h+0.02, 0.4)
	for x := c.r(-0.05, 0.02); x < w; x += c.r(0.16, 0.24) {
		s := c.r(0.09, 0.13)
		g := c.at(x, h+0.03, s, s)
		g.block(-0.9, 0.1, 1.8, 0.7, mix(c.depth(0.3), c.face(), 0.6))
		g.gable(-0.98, -0.58, 1.96, 0.7, 0.3, mix(c.depth(0.4), c.accent(-0.25), 0.7))
		g.grid(-0.8, -0.1, 1.6, 0.36, 4, 1, 0.4, 0.9, 0.3)
	}
	c.reflect(h+0.035, 0.72)
	c.ripples(h+0.035, 1, 110)
	// A house, a car and a road sign stand deep in the water.
	x := w * c.r(0.14, 0.24)
	s := 0.26 * c.fit(1.2)
	level := 0.8
	c.within(rect(-0.1, -0.1, w+0.2, level+0.1), func() {
		g := c.at(x, level, s, s)
		g.block(-0.9, 0.2, 1.8, 0.75, g.face())
		g.gable(-1, -0.53, 2, 0.66, 0.34, c.accent(-0.2))
		g.fill(rect(0.4, -1.25, 0.2, 0.4), g.side())
		g.grid(-0.8, -0.06, 1.6, 0.34, 4, 1, 0.4, 0.9, 0.3)
		c.fill(rect(w*0.9, level-0.34, 0.012, 0.36), c.depth(0.95))
		c.fill(poly(w*0.9-0.075, level-0.24, w*0.9+0.006, level-0.39, w*0.9+0.087, level-0.24), c.accent(-0.05))
		c.fill(poly(w*0.9-0.048, level-0.256, w*0.9+0.006, level-0.355, w*0.9+0.06, level-0.256), c.hi())
		c.fill(rect(w*0.9+0.001, level-0.325, 0.01, 0.04).and(rect(w*0.9+0.001, level-0.277, 0.01, 0.01)), c.deep())
		c.car(w*0.7, level+0.06, 0.2, false, true)
	})
	c.wash(rect(-0.1, level, w+0.2, 0.3), c.tone(c.mood.water*0.7), 0.35)
	for _, q := range [][2]float64{{x, s}, {w * 0.7, 0.13}, {w * 0.9, 0.04}} {
		c.wash(ellipse(q[0], level, q[1]*1.15, 0.012), c.skyAt(1), 0.7)
		c.wash(ellipse(q[0], level+0.004, q[1]*1.0, 0.007), c.tone(c.mood.water*0.5), 0.8)
	}
	// Rescuers in a dinghy.
	g := c.at(w*0.46, 0.9, 0.2, 0.2)
	for i := range 3 {
		px := -0.45 + 0.42*float64(i)
		k := c.accent(0.05)
		if i == 1 {
			k = c.tone(0.9)
		}
		g.fill(blob(px-0.18, 0, -0.16+px, -0.42, px, -0.52, px+0.16, -0.42, px+0.18, 0), k)
		g.fill(ellipse(px, -0.62, 0.1, 0.12), c.tint(0.7, 0.15))
		g.fill(dome(px, -0.63, 0.115, 0.13), c.tone(0.1))
	}
	g.fill(line(0.5, -0.4, 0.95, 0.2, 0.035), c.tone(0.05))
	g.fill(blob(-0.95, -0.05, -0.8, -0.14, 0.7, -0.12, 1, -0.25, 1.05, -0.1, 0.85, 0.12, -0.8, 0.14), c.tone(0.1))
	g.fill(rounded(-0.85, -0.05, 1.6, 0.06, 0.03), c.accent(0))
	c.ripples(level+0.02, 1.02, 40)
	c.rain(260, 0.35)
}

func storm(c *canvas) {
	h := c.r(0.72, 0.78)
	c.horizon = h
	c.fade(c.all(), 0, 0, c.tone(0.12), 0, h, c.tint(lerp(c.mood.low, 0.6, 0.4), 0.25))
	w := c.W
	bx := w * c.r(0.35, 0.65)
	c.glow(bx, h, 0.6, c.tint(1, 0.15), 0.55, grains)
	for i := range 4 {
		y := 0.34 - 0.1*float64(i)
		var pts []point
		for x := -0.1; x < w+0.1; {
			r := c.r(0.06, 0.15)
			for a := 0; a <= 8; a++ {
				s, k := math.Sincos(math.Pi * float64(a) / 8)
				pts = append(pts, point{x + r - r*k, y + s*r*c.r(0.45, 0.6)})
			}
			x += 2 * r * 0.84
		}
		p := under(pts, -0.2)
		c.fill(p, c.tone(lerp(0.4, 0.04, float64(i)/3)))
		c.stipple(p, c.tone(0.75), 0, y+0.13, 0.7, 0, y-0.02, 0)
	}
	// Lightning with its branches.
	bolt := func(x, y, to, wd float64, n int) path {
		pts := []point{{x, y}}
		for i := 1; i <= n; i++ {
			t := float64(i) / float64(n)
			pts = append(pts, point{x + c.r(-0.05, 0.05) + (bx-x)*t*0.3, lerp(y, to, t)})
		}
		p := brush(pts, wd, wd*0.3)
		for range 3 {
			q := pts[c.n(1, n-1)]
			s := c.sign()
			p = p.and(brush(points(q.x, q.y, q.x+s*0.05, q.y+0.05, q.x+s*0.08, q.y+0.1, q.x+s*0.14, q.y+0.14), wd*0.5, wd*0.1))
		}
		return p
	}
	b := bolt(bx, 0.28, h, 0.014, 9)
	c.glow(bx, 0.34, 0.34, c.tone(1), 0.5, grains)
	c.fill(b, c.tint(1, 0.05))
	if c.odds(0.6) {
		c.fill(bolt(bx+w*c.r(0.2, 0.3), 0.26, h*0.9, 0.006, 8), c.tint(0.95, 0.2))
	}
	c.hills(h-0.03, 0.04, 2, 0.5)
	c.backdrop(h+0.01, 0.08, 0.7)
	c.hills(h+0.05, 0.02, 2.5, 0.9)
	x := w * c.r(0.12, 0.25)
	c.hut(x, h+0.12, 0.06)
	// Trees bend in the wind.
	var p path
	for i := range 5 {
		tx, ty, th := w*(0.5+0.12*float64(i))+c.r(-0.04, 0.04), c.r(0.86, 0.98), c.r(0.2, 0.34)
		p = p.and(brush(curve(points(tx, ty, tx+0.01, ty-th*0.35, tx+th*0.12, ty-th*0.6), false), th*0.06, th*0.03))
		for range 10 {
			p = p.and(ellipse(tx+th*c.r(0.02, 0.5), ty-th*c.r(0.5, 0.92), th*c.r(0.1, 0.16), th*c.r(0.05, 0.09)))
		}
	}
	c.fill(p, c.depth(1))
	c.grass(1, 0.1, 160, c.depth(1))
	c.rain(420, 0.4)
}

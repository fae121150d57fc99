package illustration

import "math"

func library(c *canvas) {
	w := c.W
	m := c.mood
	dark := m.dark
	c.fill(c.all(), c.tone(0.14))
	// A tall window at the end of the hall.
	ax := w * c.r(0.42, 0.58)
	sky0, sky1 := c.tone(0.8), c.tint(1, 0.1)
	if dark {
		sky0, sky1 = c.tone(0.12), c.tint(0.4, 0.3)
	}
	win := arch(ax, 0.24, 0.66, 0.3)
	c.fade(win, 0, 0.1, sky0, 0, 0.66, sky1)
	if dark {
		c.fill(circle(ax+0.05, 0.22, 0.03), c.tone(0.95))
	}
	c.fill(rect(ax-0.152, 0.24, 0.304, 0.006).and(rect(ax-0.003, 0.09, 0.006, 0.58), rect(ax-0.08, 0.11, 0.004, 0.55), rect(ax+0.076, 0.11, 0.004, 0.55), rect(ax-0.152, 0.38, 0.304, 0.005), rect(ax-0.152, 0.52, 0.304, 0.005)), c.tone(0.1))
	// Shelves left and right.
	shelf := func(x0, x1 float64) {
		c.fill(rect(x0, -0.1, x1-x0, 0.86), c.tone(0.2))
		rows := 6
		rh := 0.72 / float64(rows)
		var dividers path
		for j := range rows {
			y := 0.03 + rh*float64(j+1)
			c.fill(rect(x0, y-rh+0.008, x1-x0, rh-0.012), c.tone(0.07))
			for x := x0 + 0.012; x < x1-0.012; {
				bw := c.r(0.009, 0.022)
				bh := rh * c.r(0.6, 0.88)
				k := c.tone([]float64{0.25, 0.4, 0.55, 0.7, 0.88}[c.n(0, 4)])
				if c.odds(0.22) {
					k = c.accent(c.r(-0.3, 0.2))
				}
				if c.odds(0.05) {
					x += 0.03
					continue
				}
				c.fill(rect(x, y-bh, bw*0.92, bh), k)
				if c.odds(0.5) {
					c.wash(rect(x, y-bh*0.82, bw*0.92, bh*0.07).and(rect(x, y-bh*0.25, bw*0.92, bh*0.05)), c.tone(1), 0.6)
				}
				x += bw
			}
			dividers = dividers.and(rect(x0, y, x1-x0, 0.012))
		}
		for x := x0; x <= x1+0.01; x += (x1 - x0) / math.Max(1, math.Round((x1-x0)/0.32)) {
			dividers = dividers.and(rect(x-0.008, -0.1, 0.016, 0.87))
		}
		c.fill(dividers, c.tone(0.34))
		c.stipple(rect(x0, -0.1, x1-x0, 0.87), c.tone(0), 0, 0.3, 0.5, 0, 0.76, 0.1)
	}
	shelf(-0.02, ax-0.21)
	shelf(ax+0.21, w+0.02)
	light := c.tint(1, 0.1)
	if !dark {
		c.mist(poly(ax-0.14, 0.12, ax+0.14, 0.12, ax+0.7, 1.05, ax+0.1, 1.05), light, ax, 0.1, 0.5, ax+0.4, 1, 0.08)
	}
	c.fade(rect(-0.1, 0.76, w+0.2, 0.4), 0, 0.76, c.tone(0.42), 0, 1, c.tone(0.16))
	// A ladder leans on the shelves.
	lx := ax - 0.36
	if c.odds(0.5) {
		lx = ax + 0.34
	}
	var ladder path
	ladder = ladder.and(line(lx-0.05, 0.84, lx+0.02, 0.08, 0.012), line(lx+0.06, 0.84, lx+0.11, 0.08, 0.012))
	for i := range 9 {
		t := (float64(i) + 0.5) / 9
		ladder = ladder.and(line(lerp(lx-0.05, lx+0.02, t), lerp(0.84, 0.08, t), lerp(lx+0.06, lx+0.11, t), lerp(0.84, 0.08, t), 0.008))
	}
	c.fill(ladder, c.accent(0.1))
	// Readers at a long table under green-shaded lamps.
	n := int(math.Max(1, math.Round(w/0.62)))
	c.fill(poly(-0.1, 0.86, w+0.1, 0.86, w+0.1, 0.94, -0.1, 0.94), c.tone(0.5))
	c.fill(rect(-0.1, 0.935, w+0.2, 0.2), c.tone(0.1))
	for i := range n {
		x := w*(float64(i)+0.5)/float64(n) + 0.1
		c.glow(x, 0.8, 0.26, c.tint(1, 0.2), 0.6, grains)
		c.fill(ellipse(x, 0.885, 0.04, 0.01).and(rect(x-0.004, 0.76, 0.008, 0.12)), c.tone(0.05))
		c.fill(blob(x-0.085, 0.775, x-0.07, 0.72, x, 0.705, x+0.07, 0.72, x+0.085, 0.775, x, 0.78), c.accent(-0.15))
		c.fill(rect(x-0.07, 0.772, 0.14, 0.006), c.tone(1))
		c.fill(poly(x-0.26, 0.9, x-0.22, 0.872, x-0.14, 0.88, x-0.06, 0.872, x-0.02, 0.9, x-0.14, 0.908), c.tone(0.98))
		c.fill(line(x-0.14, 0.88, x-0.14, 0.907, 0.003), c.tone(0.4))
	}
	for i := range n {
		x := w * (float64(i) + 0.5) / float64(n)
		k := dress{coat: c.tone(c.r(0.4, 0.8)), skin: c.tint(0.82, 0.16), hair: c.tone(0.06), long: c.odds(0.4), bag: c.odds(0.2)}
		if i%2 == 0 {
			k.coat = c.accent(-0.05)
		}
		c.bust(x-0.16, 1.1, 0.36, k, c.tone(0.9))
	}
}

func university(c *canvas) {
	h := c.r(0.76, 0.8)
	c.sky(h, c.r(0.2, 0.8))
	c.hills(h-0.06, 0.04, 2, 0.14)
	c.treeline([]point{{-0.2, h}, {c.W + 0.2, h}}, 0.12, 0.3, false)
	s := c.fit(1.35)
	g := c.at(c.W/2, h, s, s)
	roof := mix(c.accent(-0.2), c.side(), c.r(0, 0.5))
	for _, d := range []float64{-1, 1} {
		q := g.at(0, 0, d, 1)
		q.block(0.16, 0, 0.44, 0.26, g.face())
		q.gable(0.15, -0.258, 0.47, 0.09, 0.05, roof)
		for i := range 5 {
			x := 0.21 + 0.082*float64(i)
			q.fill(arch(x, -0.2, -0.14, 0.042), g.lamp(0.6))
			q.fill(rect(x-0.02, -0.1, 0.04, 0.07), g.lamp(0.6))
		}
		q.cornice(0.16, -0.26, 0.44, 0.012)
		q.fill(rect(0.44, -0.42, 0.028, 0.1), g.face())
	}
	g.block(-0.17, 0, 0.34, 0.34, g.hi())
	g.pediment(-0.19, -0.34, 0.38, 0.1)
	g.colonnade(-0.13, -0.05, 0.26, 0.22, 4)
	g.cornice(-0.17, -0.27, 0.34, 0.014)
	g.stairs(-0.17, 0.01, 0.34, 0.06, 5, 0.07)
	g.block(-0.07, -0.4, 0.14, 0.18, g.face())
	g.clock(0, -0.5, 0.045)
	g.cornice(-0.07, -0.58, 0.14, 0.012)
	g.fill(poly(-0.08, -0.592, 0, -0.76, 0.08, -0.592), roof)
	g.stipple(poly(0, -0.592, 0, -0.76, 0.08, -0.592), g.tone(0), 0, 0, 0.3, 0.08, 0, 0.7)
	c.ground(h+0.004, 0.45, 0.7)
	w := c.W
	pth := poly(w/2-0.13*s, h+0.012, w/2+0.13*s, h+0.012, w*0.86, 1.1, w*0.14, 1.1)
	c.fade(pth, 0, h, mix(c.depth(0.3), c.skyAt(1), 0.6), 0, 1, mix(c.depth(0.5), c.skyAt(1), 0.4))
	var trees path
	for _, x := range []float64{0.04, 0.17, 0.86, 0.97} {
		trees = trees.and(c.broadleaf(w*x, c.r(0.86, 0.93), c.r(0.3, 0.46)))
	}
	c.fill(trees, c.depth(0.85))
	c.stipple(trees, mix(c.skyAt(1), c.accent(0.2), 0.4), 0, 0.45, 0.35, 0, 0.9, 0)
	for i := range 7 {
		t := float64(i+1) / 7
		x := w/2 + c.r(-1, 1)*lerp(0.1, 0.34*w, t)
		k := c.passer(0.5 + 0.45*t)
		k.bag, k.long = c.odds(0.6), c.odds(0.3)
		hh := lerp(0.07, 0.24, t)
		c.shadow(x, lerp(h+0.03, 0.97, t), hh*0.2)
		c.figure(x, lerp(h+0.03, 0.97, t), hh, k)
	}
}

func school(c *canvas) {
	h := c.r(0.76, 0.8)
	c.sky(h, c.r(0.2, 0.8))
	c.hills(h-0.08, 0.05, 2, 0.14)
	c.backdrop(h, 0.1, 0.22)
	s := c.fit(1.35)
	g := c.at(c.W/2, h, s, s)
	brick := mix(c.face(), c.accent(-0.1), c.r(0.2, 0.6))
	roof := c.depth(0.75)
	g.block(-0.6, 0, 1.2, 0.26, brick)
	g.gable(-0.61, -0.258, 1.22, 0.1, 0.06, roof)
	var sills path
	for _, x0 := range []float64{-0.57, 0.17} {
		for i := range 4 {
			for j := range 2 {
				x, y := x0+0.1*float64(i), -0.22+0.115*float64(j)
				g.fill(rect(x-0.004, y-0.004, 0.078, 0.078), g.hi())
				g.fill(rect(x, y, 0.07, 0.07), g.lamp(0.7))
				sills = sills.and(rect(x+0.033, y, 0.004, 0.07), rect(x, y+0.03, 0.07, 0.004), rect(x-0.008, y+0.074, 0.086, 0.008))
			}
		}
	}
	g.fill(sills, g.hi())
	g.block(-0.15, 0, 0.3, 0.36, mix(brick, g.hi(), 0.35))
	g.fill(poly(-0.17, -0.358, 0, -0.47, 0.17, -0.358), roof)
	g.clock(0, -0.385, 0.034)
	for i := range 3 {
		x := -0.1 + 0.1*float64(i)
		g.fill(rect(x-0.03, -0.31, 0.06, 0.1), g.lamp(0.7))
		g.fill(rect(x-0.002, -0.31, 0.004, 0.1), g.hi())
	}
	g.fill(arch(0, -0.1, 0, 0.12), g.deep())
	g.fill(rect(-0.05, -0.1, 0.045, 0.1).and(rect(0.005, -0.1, 0.045, 0.1)), c.accent(-0.15))
	g.stairs(-0.09, 0.012, 0.18, 0.03, 3, 0.04)
	g.fill(rect(-0.03, -0.53, 0.06, 0.07).hole(rect(-0.018, -0.52, 0.036, 0.045)), roof)
	g.fill(poly(-0.04, -0.53, 0, -0.58, 0.04, -0.53).and(dome(0, -0.482, 0.014, 0.024)), roof)
	g.flag(0.5, 0, 0.46, 1, c.accent(0))
	c.floor(h+0.006, 0.5)
	w := c.W
	// Hopscotch on the yard, and children on their way in.
	hx := w * c.r(0.62, 0.72)
	var hop path
	for i := range 6 {
		t := float64(i) / 6
		y, k := lerp(h+0.07, 0.98, t), lerp(0.03, 0.06, t)
		hop = hop.and(rect(hx-k, y, 2*k, 0.003), rect(hx-k, y, 0.003, k*0.6), rect(hx+k, y, 0.003, k*0.6))
	}
	c.wash(hop, c.hi(), 0.8)
	c.fill(c.broadleaf(w*0.05, 0.92, 0.5).and(c.broadleaf(w*0.96, 0.88, 0.36)), c.depth(0.85))
	for i := range 9 {
		t := float64(i+1) / 9
		x := w * c.r(0.14, 0.86)
		y := lerp(h+0.03, 0.97, t)
		k := c.passer(0.6 + 0.35*t)
		k.child, k.hat, k.bag, k.long = true, false, false, false
		k.skin = c.tint(0.84, 0.15)
		hh := lerp(0.07, 0.19, t)
		if i == 4 {
			k.child, k.long, hh = false, true, hh*1.5
		}
		c.shadow(x, y, hh*0.2)
		c.figure(x, y, hh, k)
		if k.child {
			c.fill(rounded(x-hh*0.1, y-hh*0.8, hh*0.2, hh*0.28, hh*0.05), c.accent(c.r(-0.25, 0.3)))
			c.fill(rect(x-hh*0.07, y-hh*0.66, hh*0.14, hh*0.02), c.tone(0.95))
		}
	}
}

func hospital(c *canvas) {
	h := c.r(0.77, 0.8)
	c.sky(h, c.r(0.2, 0.8))
	c.backdrop(h, 0.16, 0.14)
	c.haze(h-0.16, h, 0.4)
	w := c.W
	s := c.fit(1.4)
	g := c.at(w/2, h, s, s)
	g.block(-0.62, 0, 0.5, 0.3, g.face())
	g.grid(-0.6, -0.03, 0.46, 0.25, 7, 4, 0.66, 0.52, 0.6)
	g.block(-0.14, 0, 0.46, 0.54, g.hi())
	g.grid(-0.12, -0.12, 0.42, 0.32, 6, 5, 0.66, 0.52, 0.6)
	g.fill(rect(0.32, -0.5, 0.12, 0.5), g.side())
	g.stipple(rect(0.32, -0.5, 0.12, 0.5), g.tone(0), 0.32, 0, 0.5, 0.44, 0, 0.1)
	g.block(0.4, 0, 0.26, 0.2, g.face())
	g.grid(0.42, -0.03, 0.22, 0.15, 4, 2, 0.66, 0.52, 0.6)
	for _, q := range [][3]float64{{-0.62, -0.3, 0.5}, {-0.14, -0.54, 0.46}, {0.4, -0.2, 0.26}} {
		g.cornice(q[0], q[1], q[2], 0.014)
	}
	k := g.accent(0)
	g.fill(rounded(0.035, -0.535, 0.1, 0.1, 0.008), g.tone(1))
	g.fill(rect(0.07, -0.525, 0.03, 0.08).and(rect(0.045, -0.5, 0.08, 0.03)), k)
	if c.mood.dark {
		g.glow(0.085, -0.485, 0.18, k, 0.6, grains)
		g.fill(rect(0.07, -0.525, 0.03, 0.08).and(rect(0.045, -0.5, 0.08, 0.03)), g.accent(0.25))
	}
	// The emergency entrance.
	glass := mix(g.tone(1), g.accent(0.2), 0.25)
	g.fill(rect(-0.06, -0.1, 0.3, 0.1), g.deep())
	g.fill(rect(-0.05, -0.09, 0.085, 0.09).and(rect(0.045, -0.09, 0.085, 0.09), rect(0.14, -0.09, 0.085, 0.09)), glass)
	g.fill(poly(-0.11, -0.1, -0.09, -0.13, 0.27, -0.13, 0.29, -0.1), k)
	g.fill(rect(-0.1, -0.1, 0.012, 0.1).and(rect(0.268, -0.1, 0.012, 0.1)), g.side())
	c.floor(h, 0.6)
	c.fill(poly(-0.1, 0.86, w+0.1, 0.84, w+0.1, 0.97, -0.1, 1.0), mix(c.depth(0.6), c.skyAt(1), 0.2))
	var dash path
	for i := range 9 {
		dash = dash.and(rect(w*float64(i)/8, 0.93-0.02*float64(i)/8, 0.07, 0.006))
	}
	c.fill(dash, c.hi())
	c.ambulance(w*c.r(0.26, 0.4), 0.91, 0.4*s)
	c.fill(c.broadleaf(w*0.93, 0.86, 0.3).and(c.broadleaf(w*0.04, 0.84, 0.24)), c.depth(0.85))
	x := w * c.r(0.6, 0.68)
	c.figure(x, 0.9, 0.2, dress{coat: c.tone(0.98), legs: c.tone(0.3), skin: c.tint(0.8, 0.16), hair: c.tone(0.08), long: true, stride: 0.8})
	c.figure(x+0.1, 0.905, 0.2, dress{coat: c.accent(-0.05), legs: c.tone(0.15), skin: c.tint(0.8, 0.16), hair: c.tone(0.1), stride: 0.6})
	c.walkers(0.74*w, 0.97*w, 0.86, 0.98, 0.15, 0.24, 3)
}

// ambulance drives to the right; s is its length.
func (c *canvas) ambulance(x, y, s float64) {
	g := c.at(x, y, s, s)
	g.shadow(0, 0, 0.4)
	body := blob(-0.5, -0.08, -0.5, -0.44, -0.47, -0.5, 0.16, -0.5, 0.22, -0.46, 0.36, -0.28, 0.48, -0.24, 0.5, -0.08)
	g.fill(body, c.tone(0.98))
	g.fill(rect(-0.5, -0.24, 0.98, 0.06), c.accent(0))
	var sq path
	for i := range 8 {
		sq = sq.and(rect(-0.5+0.125*float64(i), -0.18, 0.0625, 0.035))
	}
	g.fill(sq, c.accent(0))
	g.stipple(body, c.tone(0.1), 0, -0.3, 0, 0, -0.06, 0.5)
	g.fill(poly(0.13, -0.28, 0.13, -0.44, 0.2, -0.44, 0.31, -0.28), c.tone(0.12))
	g.fill(rounded(-0.44, -0.43, 0.14, 0.12, 0.01).and(rounded(-0.05, -0.43, 0.14, 0.12, 0.01)), c.tone(0.2))
	g.fill(rect(-0.215, -0.44, 0.05, 0.14).and(rect(-0.26, -0.395, 0.14, 0.05)), c.accent(0))
	g.fill(rounded(-0.1, -0.545, 0.14, 0.05, 0.015), c.accent(0.1))
	g.glow(-0.03, -0.53, 0.28, c.accent(0.3), 0.7, grains)
	for _, q := range []float64{-0.3, 0.3} {
		g.fill(circle(q, -0.07, 0.085), c.tone(0.05))
		g.fill(circle(q, -0.07, 0.038), c.tone(0.7))
	}
}

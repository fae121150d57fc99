package illustration

import "math"

func laboratory(c *canvas) {
	w := c.W
	m := c.mood
	wall := c.tone(0.76)
	if m.dark {
		wall = c.tone(0.2)
	} else if m == &moods[posterMood] {
		wall = c.accent(0.35)
	}
	c.fill(c.all(), wall)
	c.glow(w*0.4, 0.4, 0.8, c.tone(1), 0.45, grains)
	var tiles path
	for i := range int(w/0.12) + 1 {
		tiles = tiles.and(rect(0.12*float64(i), 0, 0.002, 0.8))
	}
	for i := range 7 {
		tiles = tiles.and(rect(0, 0.12*float64(i), w, 0.002))
	}
	c.wash(tiles, c.tone(0.4), 0.35)
	ink := mix(wall, c.tone(0.05), 0.75)
	for row := range 2 {
		y := 0.2 + 0.19*float64(row)
		x0 := w * 0.52
		c.fill(rect(x0, y, w*0.46, 0.014), ink)
		for x := x0 + 0.03; x < w*0.95; x += c.r(0.06, 0.09) {
			c.vessel(x, y, c.r(0.08, 0.13), c.n(0, 3))
		}
	}
	// The bench.
	c.fill(rect(-0.1, 0.76, w+0.2, 0.03), c.tone(0.95))
	c.fill(rect(-0.1, 0.79, w+0.2, 0.4), mix(ink, c.tone(0.3), 0.5))
	c.stipple(rect(-0.1, 0.79, w+0.2, 0.06), c.tone(0), 0, 0.79, 0.8, 0, 0.85, 0)
	var doors path
	for i := range int(w/0.3) + 1 {
		doors = doors.and(rounded(0.02+0.3*float64(i), 0.85, 0.26, 0.2, 0.01))
	}
	c.wash(doors, c.tone(0.9), 0.14)
	s := 0.92 * c.fit(1.1)
	// The researcher bends over the microscope.
	g := c.at(w*c.r(0.26, 0.32), 0.78, s, s)
	skin := c.tint(0.84, 0.18)
	coat := blob(-0.24, 0.1, -0.24, -0.16, -0.17, -0.34, -0.04, -0.41, 0.08, -0.38, 0.14, -0.26, 0.15, 0.1)
	g.fill(coat, c.tone(0.98))
	g.stipple(coat, c.tone(0.2), 0.02, 0, 0, -0.24, 0.05, 0.5)
	g.fill(brush(points(-0.02, -0.37, 0.06, -0.45), 0.09, 0.08), mix(skin, c.tone(0.2), 0.3))
	head := blob(-0.01, -0.53, 0.03, -0.63, 0.13, -0.65, 0.19, -0.58, 0.2, -0.52, 0.225, -0.485, 0.2, -0.47, 0.19, -0.42, 0.12, -0.4, 0.04, -0.43)
	g.fill(head, skin)
	g.stipple(head, c.tone(0.1), 0.12, 0, 0, 0, 0, 0.5)
	hair := blob(0.04, -0.43, -0.03, -0.5, -0.02, -0.62, 0.06, -0.69, 0.16, -0.69, 0.2, -0.62, 0.12, -0.6, 0.09, -0.55, 0.08, -0.5)
	if c.odds(0.5) {
		hair = hair.and(circle(-0.06, -0.6, 0.06))
	}
	g.fill(hair, c.tone(0.08))
	g.fill(ring(0.175, -0.545, 0.026, 0.024, 0.009).and(line(0.08, -0.55, 0.15, -0.55, 0.009)), c.tone(0.05))
	g.fill(brush(points(0.02, -0.3, 0.1, -0.08, 0.27, -0.09), 0.12, 0.075), c.tone(0.93))
	g.stipple(brush(points(0.02, -0.3, 0.1, -0.08, 0.27, -0.09), 0.12, 0.075), c.tone(0.2), 0, -0.2, 0, 0, -0.03, 0.5)
	g.fill(ellipse(0.31, -0.09, 0.04, 0.03), skin)
	// The microscope.
	q := g.at(0.4, 0, 1, 1)
	body := c.tone(0.12)
	q.fill(rounded(-0.13, -0.04, 0.26, 0.04, 0.012).and(brush(curve(points(0.08, -0.03, 0.13, -0.16, 0.09, -0.3, 0.0, -0.36), false), 0.045, 0.045), rect(-0.1, -0.15, 0.2, 0.018), rect(-0.05, -0.1, 0.05, 0.06)), body)
	tube := q.at(-0.03, -0.33, 1, 1).turned(-0.5)
	tube.fill(rounded(-0.035, -0.13, 0.07, 0.26, 0.01), c.tone(0.9))
	tube.fill(rounded(-0.026, -0.2, 0.052, 0.08, 0.008).and(rounded(-0.022, 0.12, 0.044, 0.06, 0.004)), body)
	tube.fill(rect(-0.036, -0.04, 0.072, 0.03), c.accent(0))
	q.fill(circle(0.115, -0.18, 0.03), c.accent(0))
	q.glow(0, -0.17, 0.1, c.tone(1), 0.8, grains)
	// Glassware along the bench.
	for i, x := range []float64{0.62, 0.72, 0.83, 0.93} {
		c.vessel(w*x, 0.762, c.r(0.16, 0.24)*s, (i+c.n(0, 1))%4)
	}
}

// vessel is a flask, beaker, test tube rack or bottle (0 to 3) with liquid; h is its height.
func (c *canvas) vessel(x, y, h float64, kind int) {
	g := c.at(x, y, h, h)
	glass := c.tone(0.98)
	liquid := c.accent(c.r(-0.1, 0.3))
	if c.odds(0.4) {
		liquid = c.tone(c.r(0.3, 0.55))
	}
	switch kind {
	case 0:
		p := poly(-0.09, -1, 0.09, -1, 0.09, -0.62, 0.36, -0.06, 0.32, 0, -0.32, 0, -0.36, -0.06, -0.09, -0.62)
		g.wash(p, glass, 0.55)
		g.fill(poly(-0.24, -0.32, 0.24, -0.32, 0.35, -0.06, 0.31, -0.02, -0.31, -0.02, -0.35, -0.06), liquid)
		g.stipple(p, c.tone(1), -0.2, 0, 0.7, 0, 0, 0)
		g.fill(rect(-0.12, -1.03, 0.24, 0.05), c.tone(0.9))
	case 1:
		g.wash(rounded(-0.26, -0.7, 0.52, 0.7, 0.05), glass, 0.55)
		g.fill(rounded(-0.235, -0.42, 0.47, 0.4, 0.04), liquid)
		g.stipple(rounded(-0.26, -0.7, 0.52, 0.7, 0.05), c.tone(1), -0.24, 0, 0.7, 0, 0, 0)
		g.fill(rect(0.06, -0.58, 0.12, 0.015).and(rect(0.06, -0.46, 0.12, 0.015), rect(0.06, -0.34, 0.12, 0.015)), c.tone(0.15))
	case 2:
		for i := range 3 {
			tx := -0.24 + 0.24*float64(i)
			g.wash(rounded(tx-0.07, -0.9, 0.14, 0.84, 0.07), glass, 0.6)
			g.fill(rounded(tx-0.055, -0.2-c.r(0.15, 0.4), 0.11, 0.5, 0.055), c.accent(c.r(-0.2, 0.4)))
		}
		g.fill(rect(-0.4, -0.55, 0.8, 0.08).and(rect(-0.4, -0.08, 0.8, 0.08), rect(-0.4, -0.55, 0.06, 0.55), rect(0.34, -0.55, 0.06, 0.55)), c.tone(0.25))
	default:
		p := rounded(-0.2, -0.66, 0.4, 0.66, 0.06).and(rect(-0.08, -0.86, 0.16, 0.22))
		g.fill(p, mix(liquid, c.tone(0.1), 0.35))
		g.fill(rect(-0.1, -0.94, 0.2, 0.1), c.tone(0.1))
		g.fill(rect(-0.2, -0.46, 0.4, 0.26), c.tone(0.96))
		g.wash(rect(-0.13, -0.4, 0.26, 0.03).and(rect(-0.13, -0.32, 0.18, 0.03)), c.tone(0.1), 0.8)
		g.stipple(p, c.tone(0), 0, 0, 0, 0.2, 0, 0.6)
	}
}

func newsroom(c *canvas) {
	w := c.W
	dark := c.mood.dark
	c.fill(c.all(), c.tone(0.3))
	// A wall of windows over the town.
	c.within(rect(-0.1, 0.08, w+0.2, 0.44), func() {
		c.sky(0.6, c.r(0.3, 0.7))
		c.towers(0.54, 0.34, 0.35, 0.9)
	})
	var frames path
	n := int(math.Round(w / 0.3))
	for i := range n + 1 {
		frames = frames.and(rect(w*float64(i)/float64(n)-0.007, 0.06, 0.014, 0.48))
	}
	frames = frames.and(rect(-0.1, 0.07, w+0.2, 0.018), rect(-0.1, 0.51, w+0.2, 0.024), rect(-0.1, 0.2, w+0.2, 0.008))
	c.fill(rect(-0.1, -0.1, w+0.2, 0.17), c.tone(0.2))
	c.fill(frames, c.tone(0.12))
	// Clocks of three cities hang on a beam; lamps above the desks.
	for i := range 3 {
		x := w/2 + (float64(i)-1)*0.2
		c.clock(x, 0.1, 0.055)
	}
	lamps := int(math.Round(w / 0.5))
	for i := range lamps {
		x := w * (float64(i) + 0.5) / float64(lamps)
		c.fill(rect(x-0.0015, -0.1, 0.003, 0.34).and(poly(x-0.02, 0.24, x+0.02, 0.24, x+0.055, 0.29, x-0.055, 0.29)), c.accent(-0.2))
		c.fill(ellipse(x, 0.29, 0.052, 0.008), c.tone(1))
		if dark {
			c.mist(poly(x-0.05, 0.29, x+0.05, 0.29, x+0.2, 0.8, x-0.2, 0.8), c.tint(1, 0.1), x, 0.29, 0.5, x, 0.8, 0)
		}
	}
	c.fade(rect(-0.1, 0.53, w+0.2, 0.6), 0, 0.53, c.tone(0.44), 0, 1, c.tone(0.2))
	for i := range c.n(2, 3) {
		c.figure(w*(0.16+0.3*float64(i))+c.r(-0.05, 0.05), 0.7, 0.3, c.passer(0.7))
	}
	for row := range 3 {
		t := float64(row) / 2
		y := lerp(0.68, 1.0, t)
		s := lerp(0.17, 0.36, t)
		off := c.r(-0.2, 0.1)
		for x := off; x < w+0.2; x += s * 1.7 {
			// Screens show a page: a picture and columns of lines.
			for j := range 2 {
				sx, sw := x+s*(0.02+0.62*float64(j)), s*0.56
				c.fill(rect(sx+sw*0.45, y-s*0.4, sw*0.1, s*0.2).and(rect(sx+sw*0.3, y-s*0.24, sw*0.4, s*0.03)), c.tone(0.04))
				c.fill(rounded(sx, y-s*0.78, sw, s*0.42, s*0.02), c.tone(0.04))
				c.fill(rect(sx+sw*0.05, y-s*0.75, sw*0.9, s*0.36), c.tone(0.96))
				k := c.accent(c.r(-0.1, 0.2))
				if j == 1 {
					k = c.tone(0.45)
				}
				c.fill(rect(sx+sw*0.1, y-s*0.72, sw*0.5, s*0.15), k)
				var l path
				for i := range 5 {
					l = l.and(rect(sx+sw*0.1, y-s*0.54+s*0.028*float64(i), sw*c.r(0.35, 0.5), s*0.012), rect(sx+sw*0.65, y-s*0.72+s*0.062*float64(i), sw*c.r(0.18, 0.25), s*0.012))
				}
				c.wash(l, c.tone(0.1), 0.8)
			}
			k := dress{coat: c.tone(lerp(0.5, 0.14, t)), skin: c.tint(0.8, 0.16), hair: c.tone(c.r(0.03, 0.2)), long: c.odds(0.4), bag: c.odds(0.3)}
			if c.odds(0.35) {
				k.coat = c.accent(-0.1)
			}
			c.fill(rect(x-s*0.1, y-s*0.22, s*1.45, s*0.06), c.tone(lerp(0.6, 0.42, t)))
			for range 2 {
				px := x + c.r(0, 1)*s
				c.fill(rect(px, y-s*0.22-s*0.05, s*0.18, s*0.05), c.tone(0.95))
				c.fill(rect(px, y-s*0.22-s*0.02, s*0.18, s*0.008), c.tone(0.4))
			}
			c.bust(x+s*0.6, y+s*0.22, s*0.92, k, c.tone(0.95))
		}
	}
}

func printingPress(c *canvas) {
	w := c.W
	m := c.mood
	back := 0.62
	if m.dark {
		back = 0.2
	}
	c.fade(c.all(), 0, 0, c.tone(back-0.1), 0, 0.8, c.tint(back+0.1, m.lowGlow*0.15))
	var beams path
	for i := range int(w/0.26) + 1 {
		x := 0.26 * float64(i)
		beams = beams.and(rect(x, 0.02, 0.016, 0.8), line(x, 0.03, x+0.13, 0.1, 0.008), line(x+0.13, 0.1, x+0.26, 0.03, 0.008))
	}
	c.fill(beams.and(rect(-0.1, 0.02, w+0.2, 0.014), rect(-0.1, 0.1, w+0.2, 0.01)), c.tone(back-0.22))
	c.fade(rect(-0.1, 0.8, w+0.2, 0.4), 0, 0.8, c.tone(back-0.2), 0, 1, c.tone(math.Max(0.05, back-0.45)))
	// Units of the press: frames with pairs of cylinders, the web running through all of them.
	n := int(math.Max(2, math.Round(w/c.r(0.42, 0.66))))
	step := w / float64(n)
	lead := c.r(0.3, 0.55)
	frame := c.tone(0.15)
	var web []point
	type roll struct{ x, y, r float64 }
	var rolls []roll
	for i := range n {
		x := step * (float64(i) + lead)
		hw := math.Min(step*0.36, 0.2)
		k := frame
		if i%2 == 1 {
			k = c.accent(-0.35)
		}
		f := rounded(x-hw, 0.2, 2*hw, 0.62, 0.03)
		c.wash(c.shifted(f, 0.02, 0.01), c.tone(0), 0.4)
		c.fill(f, k)
		c.stipple(f, c.tone(0.6), x-hw, 0.2, 0.45, x+hw*0.4, 0.5, 0)
		c.fill(rounded(x-hw*0.8, 0.24, 1.6*hw, 0.5, 0.02), c.tone(0.07))
		c.fill(rect(x-hw, 0.77, 2*hw, 0.05), c.tone(0.05))
		for j, y := range []float64{0.34, 0.47, 0.62} {
			r := hw * []float64{0.36, 0.44, 0.4}[j]
			dx := hw * 0.22 * float64(j%2*2-1)
			rolls = append(rolls, roll{x + dx, y, r})
		}
		web = append(web, point{x - hw*1.15, 0.7}, point{x - hw*0.25, 0.72}, point{x + hw*0.2, 0.6}, point{x + hw*0.62, 0.46}, point{x - hw*0.1, 0.38}, point{x - hw*0.5, 0.3}, point{x - hw*0.3, 0.17}, point{x + hw*1.15, 0.17})
		c.fill(rect(x+hw*0.55, 0.26, hw*0.2, 0.1), c.tone(0.3))
		for j := range 3 {
			c.fill(circle(x+hw*0.65, 0.28+0.028*float64(j), 0.008), c.accent(0.2))
		}
	}
	band := stroke(append([]point{{-0.2, 0.7}}, append(web, point{w + 0.2, 0.3})...), 0.034)
	c.wash(c.shifted(band, 0.006, 0.014), c.tone(0), 0.5)
	c.fill(band, c.tone(0.98))
	c.stipple(band, c.tone(0.3), 0, 0.25, 0, 0, 0.7, 0.35)
	for _, q := range rolls {
		c.fill(circle(q.x, q.y, q.r), c.tone(0.8))
		c.stipple(circle(q.x, q.y, q.r), c.tone(0.05), q.x-q.r*0.4, q.y-q.r*0.4, 0, q.x+q.r, q.y+q.r*0.6, 0.95)
		c.fill(circle(q.x, q.y, q.r*0.28), c.tone(0.2))
		c.fill(ring(q.x, q.y, q.r*0.72, q.r*0.72, q.r*0.06), c.tone(0.4))
	}
	// Folded papers travel on the belt towards the viewer.
	belt := poly(-0.1, 0.83, w+0.1, 0.8, w+0.1, 0.9, -0.1, 0.96)
	c.fill(belt, c.tone(0.1))
	for x := -0.1; x < w+0.1; x += 0.155 {
		t := x / w
		y := lerp(0.845, 0.815, t)
		h := lerp(0.1, 0.075, t)
		p := poly(x, y+h, x+0.03, y, x+0.165, y-0.004, x+0.14, y+h-0.006)
		c.wash(c.shifted(p, 0.012, 0.008), c.tone(0), 0.5)
		c.fill(p, c.tone(0.98))
		c.fill(poly(x+0.032, y+h*0.2, x+0.036, y+h*0.08, x+0.15, y+h*0.05, x+0.146, y+h*0.17), c.tone(0.1))
		c.fill(poly(x+0.02, y+h*0.62, x+0.03, y+h*0.28, x+0.085, y+h*0.27, x+0.075, y+h*0.61), c.accent(c.r(-0.1, 0.2)))
		var l path
		for i := range 4 {
			f := 0.3 + 0.12*float64(i)
			l = l.and(line(x+0.145-0.03*f-0.045, y+h*f, x+0.155-0.03*f, y+h*f-0.001, 0.003))
		}
		c.fill(l.and(line(x+0.016, y+h*0.75, x+0.13, y+h*0.74, 0.003), line(x+0.012, y+h*0.86, x+0.11, y+h*0.85, 0.003)), c.tone(0.3))
	}
	for i := range c.n(1, 2) {
		x := w * []float64{0.84, 0.2}[i]
		c.figure(x, 1.02, 0.44*c.fit(1.1), dress{coat: c.accent(-0.02), legs: c.tone(0.08), skin: c.tint(0.82, 0.16), hair: c.tone(0.06), hat: true, stride: 0.5})
	}
}

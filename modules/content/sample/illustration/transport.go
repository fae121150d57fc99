package illustration

import "math"

func bridge(c *canvas) {
	h := c.r(0.62, 0.68)
	c.sky(h, c.r(0.25, 0.75))
	c.backdrop(h, 0.16, 0.14)
	c.haze(h-0.14, h, 0.4)
	c.fill(under(c.ridge(h-0.03, 0.02, 3), h), c.depth(0.4))
	w := c.W
	k, dark := c.depth(0.8), c.depth(0.95)
	if c.odds(0.5) {
		// A suspension bridge across the whole picture.
		deck := h - 0.07
		top := deck - c.r(0.36, 0.44)
		x0, x1 := 0.22*w, 0.78*w
		acc := c.accent(-0.12)
		var hang path
		cable := func(a, ya, b, yb, d float64) {
			pts := sag(a, ya, b, yb, d)
			for _, q := range pts {
				hang = hang.and(rect(q.x-0.0012, q.y, 0.0024, deck-q.y))
			}
			c.fill(stroke(pts, 0.008), acc)
		}
		cable(-0.3*w, top+0.1, x0, top, 0.13)
		cable(x0, top, x1, top, deck-top-0.03)
		cable(x1, top, 1.3*w, top+0.1, 0.13)
		c.fill(hang, acc)
		for _, x := range []float64{x0, x1} {
			c.fill(rect(x-0.028, top-0.03, 0.018, h-top+0.03).and(rect(x+0.01, top-0.03, 0.018, h-top+0.03), rect(x-0.03, top-0.035, 0.06, 0.02), rect(x-0.028, top+0.12, 0.056, 0.016), rect(x-0.05, h-0.035, 0.1, 0.04)), c.accent(-0.3))
		}
		c.fill(rect(-0.1, deck-0.008, w+0.2, 0.02), dark)
		for range 9 {
			c.fill(rounded(c.r(0, 1)*w, deck-0.024, c.r(0.02, 0.04), 0.016, 0.006), c.depth(0.9))
		}
	} else {
		// A stone bridge of arches with statues and walkers.
		n := c.n(3, 5)
		deck := h - 0.15
		span := (w + 0.1) / float64(n)
		body := rect(-0.1, deck, w+0.2, h-deck+0.01)
		for i := range n {
			body = body.hole(sector(-0.05+span*(float64(i)+0.5), h+0.01, span*0.41, 0.125, math.Pi, 2*math.Pi))
		}
		c.fill(body, c.face())
		c.stipple(body, c.side(), 0, deck, 0.1, 0, h, 0.75)
		var soffit path
		for i := range n {
			x := -0.05 + span*(float64(i)+0.5)
			soffit = soffit.and(ring(x, h+0.01, span*0.425, 0.137, 0.014))
		}
		c.within(rect(-0.1, deck, w+0.2, h-deck), func() { c.fill(soffit, c.hi()) })
		c.fill(rect(-0.1, deck-0.022, w+0.2, 0.026), c.hi())
		c.stipple(rect(-0.1, deck+0.004, w+0.2, 0.02), c.deep(), 0, deck, 0.8, 0, deck+0.024, 0)
		for i := range n + 1 {
			x := -0.05 + span*float64(i)
			c.fill(poly(x-0.03, h+0.01, x-0.022, deck, x+0.022, deck, x+0.03, h+0.01), c.side())
			c.lantern(x, deck-0.02, 0.14)
		}
		for range c.n(5, 9) {
			c.figure(c.r(0.02, 0.98)*w, deck-0.012, 0.075, c.passer(0.8))
		}
	}
	c.reflect(h, 0.8)
	c.ripples(h, 1, 70)
	if c.odds(0.6) {
		c.boat(c.r(0.3, 0.7)*w, c.r(0.8, 0.88), 0.09)
	}
	c.fill(blob(-0.2, 1.1, -0.1, 0.9, 0.1*w, 0.93, 0.3*w, 1.05, 0.3*w, 1.2), k)
}

// ship is a freighter of length l whose waterline is y.
func (c *canvas) ship(x, y, l, d float64) {
	g := c.at(x, y, l, l)
	hull := poly(-0.5, -0.1, 0.44, -0.1, 0.52, -0.14, 0.46, 0, -0.46, 0)
	g.fill(hull, c.depth(d))
	g.fill(poly(-0.475, -0.024, 0.475, -0.024, 0.46, 0, -0.46, 0), c.accent(-0.15))
	g.stipple(hull, c.tone(0), 0, -0.1, 0, 0, 0, 0.5)
	g.fill(rect(-0.44, -0.24, 0.12, 0.14).and(rect(-0.45, -0.275, 0.14, 0.04)), c.hi())
	g.fill(rect(-0.435, -0.262, 0.115, 0.014).and(rect(-0.425, -0.2, 0.09, 0.012), rect(-0.425, -0.165, 0.09, 0.012)), c.deep())
	g.fill(rect(-0.42, -0.34, 0.05, 0.07), c.accent(-0.05))
	g.fill(rect(-0.34, -0.36, 0.006, 0.09).and(taper(0.42, -0.1, 0.42, -0.22, 0.008, 0.004)), c.depth(d))
	for i := range 9 {
		for j := range c.n(1, 3) {
			k := []float64{0.3, 0.5, 0.72, 0.9}[c.n(0, 3)]
			q := rect(-0.29+0.077*float64(i), -0.1-0.037*float64(j+1), 0.073, 0.035)
			if c.odds(0.3) {
				g.fill(q, c.accent(c.r(-0.2, 0.2)))
			} else {
				g.fill(q, mix(c.tone(k), c.depth(d), 0.35))
			}
		}
	}
}

// gantry is a ship-to-shore crane; its boom points to the positive side.
func (c *canvas) gantry(x, y, h, d, dir float64, acc bool) {
	k := c.depth(d)
	if acc {
		k = c.accent(-0.18)
	}
	g := c.at(x, y, h*dir, h)
	w := 0.022
	p := line(-0.14, 0, -0.1, -0.62, w).and(line(0.14, 0, 0.1, -0.62, w), line(-0.12, -0.3, 0.12, -0.3, w), line(-0.13, -0.3, 0.1, -0.6, w*0.6),
		rect(-0.4, -0.64, 1.02, 0.03), line(0.08, -0.62, 0.02, -0.98, w), line(-0.1, -0.62, 0.02, -0.98, w),
		line(0.02, -0.97, 0.56, -0.63, w*0.35), line(0.02, -0.97, -0.38, -0.63, w*0.35), line(0.02, -0.97, 0.3, -0.63, w*0.3),
		rect(-0.38, -0.61, 0.14, 0.07), rect(-0.17, -0.02, 0.07, 0.02), rect(0.1, -0.02, 0.07, 0.02))
	t := c.r(0.3, 0.5)
	p = p.and(line(t, -0.62, t, -0.4, w*0.3), rect(t-0.05, -0.4, 0.1, 0.012))
	g.fill(p, k)
	g.fill(rect(t-0.06, -0.388, 0.12, 0.05), c.accent(0.1))
	g.fill(rect(0.13, -0.61, 0.05, 0.06), c.hi())
}

func harbour(c *canvas) {
	h := c.r(0.58, 0.63)
	c.sky(h, c.r(0.25, 0.75))
	c.hills(h-0.06, 0.04, 2, 0.14)
	c.backdrop(h, 0.08, 0.28)
	c.haze(h-0.12, h, 0.45)
	w := c.W
	for i := range 3 {
		c.gantry(w*(0.55+0.2*float64(i)), h, c.r(0.26, 0.32), 0.45, -1, false)
	}
	c.fill(rect(0.45*w, h-0.015, w, 0.03), c.depth(0.55))
	c.ship(w*0.32, h+0.03, 0.6*c.fit(1.3), 0.62)
	c.reflect(h+0.03, 0.78)
	c.ripples(h+0.03, 1, 80)
	c.gantry(w*0.84, 0.9, 0.72, 0.9, -1, true)
	c.fill(poly(w*0.6, 0.9, w+0.1, 0.88, w+0.1, 1.1, w*0.54, 1.1), c.depth(0.92))
	c.fill(poly(w*0.6, 0.9, w+0.1, 0.88, w+0.1, 0.9, w*0.597, 0.92), c.depth(0.6))
	c.figure(w*0.68, 0.935, 0.13, c.passer(0.95))
	c.figure(w*0.715, 0.94, 0.135, c.passer(0.95))
	c.tug(w*c.r(0.2, 0.36), 0.84, 0.14)
}

// tug is a small working boat.
func (c *canvas) tug(x, y, s float64) {
	g := c.at(x, y, s, s)
	c.wash(ellipse(x, y+s*0.06, s*1.1, s*0.07), c.depth(1), 0.5)
	hull := blob(-0.95, -0.3, -0.3, -0.22, 0.5, -0.28, 1.05, -0.46, 0.85, 0, 0.3, 0.06, -0.6, 0.06, -0.9, 0)
	g.fill(rect(-0.4, -0.6, 0.7, 0.4).and(rect(-0.2, -0.9, 0.42, 0.34)), c.hi())
	g.fill(rect(-0.14, -0.84, 0.12, 0.14).and(rect(0.05, -0.84, 0.12, 0.14)), c.deep())
	g.fill(rect(-0.38, -1.0, 0.15, 0.42), c.accent(0))
	g.fill(taper(0.1, -0.9, 0.1, -1.4, 0.04, 0.02), c.depth(1))
	g.fill(hull, c.depth(0.95))
	g.fill(brush(points(-0.95, -0.28, -0.3, -0.2, 0.5, -0.26, 1.03, -0.44), 0.05, 0.05), c.accent(-0.1))
}

func containerPort(c *canvas) {
	h := 0.72
	c.sky(h, c.r(0.2, 0.8))
	c.backdrop(h, 0.1, 0.14)
	w := c.W
	for i := range 4 {
		c.gantry(w*(0.1+0.27*float64(i)), h, c.r(0.5, 0.6), 0.4, c.sign(), i%2 == 0)
	}
	c.haze(h-0.25, h+0.02, 0.45)
	c.floor(h, 0.6)
	box := func(x, y, bw, bh float64) {
		k := c.tone([]float64{0.25, 0.4, 0.6, 0.8, 0.92}[c.n(0, 4)])
		if c.odds(0.35) {
			k = c.accent(c.r(-0.25, 0.15))
		}
		c.fill(rect(x, y-bh, bw, bh), k)
		var ribs path
		for i := 1; i < 12; i++ {
			ribs = ribs.and(rect(x+bw*float64(i)/12, y-bh*0.9, bw*0.03, bh*0.8))
		}
		c.wash(ribs, c.tone(0), 0.22)
		c.wash(rect(x, y-bh*0.08, bw, bh*0.08).and(rect(x, y-bh, bw*0.02, bh), rect(x+bw*0.98, y-bh, bw*0.02, bh)), c.tone(0), 0.4)
		c.stipple(rect(x, y-bh, bw, bh), c.tone(0), x, y-bh, 0, x+bw, y, 0.4)
	}
	for row := range 3 {
		t := float64(row) / 2
		bw, bh := lerp(0.14, 0.34, t), lerp(0.05, 0.12, t)
		y := lerp(0.78, 1.0, t*t)
		gap := c.r(0.3, 0.6)
		for x := -0.05 - c.r(0, 0.1); x < w; x += bw * 1.02 {
			if math.Abs(x/w-gap) < 0.14 {
				continue
			}
			for j := range c.n(1, 4-row/2) {
				box(x, y-bh*float64(j), bw, bh*0.98)
			}
		}
		for range 2 {
			c.figure(w*(gap+c.r(-0.06, 0.1)), y+0.01, lerp(0.06, 0.13, t), c.passer(0.9))
		}
	}
}

func railway(c *canvas) {
	h := c.r(0.52, 0.58)
	c.sky(h, c.r(0.3, 0.7))
	c.hills(h-0.05, 0.05, 2, 0.12)
	on := c.hills(h, 0.02, 3, 0.32)
	c.treeline(on, 0.05, 0.32, c.odds(0.5))
	c.ground(h+0.02, 0.42, 0.8)
	w := c.W
	vx, vy := w*c.r(0.42, 0.58), h+0.03
	track := func(x, s float64) {
		c.fill(poly(vx-0.004, vy, vx+0.004, vy, x+s*1.9, 1.1, x-s*1.9, 1.1), mix(c.depth(0.62), c.skyAt(1), 0.25))
		var ties, rails path
		for i := range 26 {
			t := math.Pow(float64(i)/25, 2.6)
			y := lerp(vy+0.004, 1.08, t)
			cx, k := lerp(vx, x, t), s*1.45*t
			ties = ties.and(rect(cx-k, y, 2*k, 0.004+0.02*t))
		}
		for _, d := range []float64{-1, 1} {
			rails = rails.and(taper(vx, vy, x+d*s, 1.1, 0.002, 0.024))
		}
		c.fill(ties, c.depth(0.9))
		c.fill(rails, c.hi())
	}
	track(w*0.18, 0.16)
	track(w*0.8, 0.16)
	// Masts with their arms and the contact wire.
	var masts, wires path
	for i := range 7 {
		t := math.Pow(float64(i+1)/7, 2.4)
		for _, side := range []float64{-0.12, 1.12} {
			x, y := lerp(vx, w*side, t), lerp(vy, 1.05, t)
			mh := 0.03 + 0.75*t
			dir := 1.0
			if side > 0.5 {
				dir = -1
			}
			masts = masts.and(taper(x, y, x, y-mh, 0.002+0.014*t, 0.002+0.01*t), line(x, y-mh*0.86, x+dir*mh*0.3, y-mh*0.94, 0.001+0.007*t), line(x, y-mh*0.97, x+dir*mh*0.3, y-mh*0.94, 0.001+0.004*t))
		}
	}
	for _, x := range []float64{0.18, 0.8} {
		wires = wires.and(taper(vx, vy-0.03, w*x, -0.1, 0.001, 0.005))
	}
	c.fill(wires, c.depth(0.75))
	c.fill(masts, c.depth(0.85))
	// The train comes towards the viewer.
	t := c.r(0.3, 0.55)
	x, y := lerp(vx, w*0.8, t), lerp(vy, 1.1, t)
	s := 0.02 + 0.3*t
	c.fill(poly(vx, vy-0.02, vx, vy, x-s*0.9, y-s*0.1, x-s*0.9, y-s*2.1), c.accent(-0.35))
	var win path
	win = win.and(poly(lerp(vx, x-s*0.9, 0.2), lerp(vy-0.016, y-s*1.7, 0.2), lerp(vx, x-s*0.9, 0.2), lerp(vy-0.01, y-s*1.15, 0.2), x-s*1.02, y-s*1.15, x-s*1.02, y-s*1.7))
	c.fill(win, c.tone(0.1))
	front := blob(x-s*0.95, y-s*0.3, x-s*0.92, y-s*1.6, x-s*0.6, y-s*2.2, x+s*0.6, y-s*2.2, x+s*0.92, y-s*1.6, x+s*0.95, y-s*0.3, x+s*0.6, y-s*0.05, x-s*0.6, y-s*0.05)
	c.fill(front, c.accent(-0.05))
	c.stipple(front, c.tone(0), x, 0, 0, x+s, 0, 0.6)
	c.fill(blob(x-s*0.7, y-s*1.2, x-s*0.6, y-s*1.85, x, y-s*1.98, x+s*0.6, y-s*1.85, x+s*0.7, y-s*1.2, x, y-s*1.12), c.tone(0.08))
	c.fill(rect(x-s*0.86, y-s*0.62, s*1.72, s*0.12), c.hi())
	for _, d := range []float64{-0.6, 0.6} {
		c.glow(x+s*d, y-s*0.85, s*0.7, c.tone(1), 0.7, grains)
		c.fill(ellipse(x+s*d, y-s*0.85, s*0.16, s*0.1), c.tone(1))
	}
}

func tram(c *canvas) {
	c.sky(0.66, c.r(0.3, 0.7))
	w := c.W
	for x := c.r(-0.1, 0); x < w; {
		k := c.r(0.18, 0.26)
		c.townhouse(x, 0.74, k, c.r(0.34, 0.46), 0.8)
		x += k * 0.99
	}
	c.floor(0.74, 0.7)
	var rails path
	for _, y := range []float64{0.865, 0.905} {
		rails = rails.and(rect(-0.1, y, w+0.2, 0.006))
	}
	c.fill(rails, c.depth(0.95))
	c.fill(stroke(sag(-0.1, 0.3, w+0.1, 0.3, 0.02), 0.003).and(stroke(sag(-0.1, 0.2, w+0.1, 0.22, 0.04), 0.002)), c.depth(1))
	s := 0.62 * c.fit(1.2)
	x, y := w*c.r(0.42, 0.56), 0.885
	g := c.at(x, y, s, s)
	g.shadow(0, 0.01, 0.5)
	for _, q := range []float64{-0.66, 0.06} {
		body := rounded(q, -0.46, 0.62, 0.42, 0.06)
		g.fill(body, c.hi())
		g.fill(rect(q, -0.2, 0.62, 0.13), c.accent(0))
		g.stipple(body, c.tone(0.2), 0, -0.25, 0, 0, -0.02, 0.4)
		for i := range 4 {
			k := c.tone(0.12)
			if c.mood.dark {
				k = mix(c.accent(0.35), c.tone(1), 0.5)
			}
			win := rounded(q+0.035+0.142*float64(i), -0.41, 0.125, 0.17, 0.015)
			g.fill(win, k)
			g.stipple(win, c.skyAt(1), q+0.142*float64(i), -0.41, 0.6, q+0.142*float64(i)+0.1, -0.25, 0)
			if c.odds(0.8) {
				px := q + 0.1 + 0.142*float64(i)
				g.fill(ellipse(px, -0.31, 0.02, 0.028).and(blob(px-0.04, -0.24, px-0.03, -0.275, px, -0.29, px+0.03, -0.275, px+0.04, -0.24)), c.tone(0.3))
			}
		}
		g.fill(rect(q+0.17, -0.4, 0.006, 0.34).and(rect(q+0.31, -0.4, 0.006, 0.34)), c.side())
		g.fill(rect(q+0.05, -0.05, 0.52, 0.03), c.tone(0.08))
		g.fill(circle(q+0.13, -0.025, 0.035).and(circle(q+0.48, -0.025, 0.035)), c.tone(0.05))
	}
	g.fill(rect(-0.05, -0.42, 0.12, 0.36), c.tone(0.15))
	g.fill(line(-0.3, -0.46, -0.22, -0.56, 0.012).and(line(-0.22, -0.56, -0.34, -0.64, 0.012), line(-0.42, -0.645, -0.26, -0.645, 0.012), rect(-0.5, -0.485, 0.4, 0.025), rect(0.2, -0.485, 0.4, 0.025)), c.depth(1))
	g.fill(circle(0.645, -0.13, 0.02), c.tone(1))
	if c.mood.dark {
		g.glow(0.66, -0.13, 0.2, c.accent(0.5), 0.8, grains)
	}
	c.lantern(0.08*w, 0.97, 0.5)
	c.walkers(0.1*w, 0.92*w, 0.94, 0.99, 0.2, 0.24, 4)
}

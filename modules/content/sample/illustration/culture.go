package illustration

import "math"

func museum(c *canvas) {
	h := c.r(0.76, 0.8)
	c.sky(h, c.r(0.2, 0.8))
	c.backdrop(h, 0.14, 0.15)
	s := c.fit(1.3)
	g := c.at(c.W/2, h, s, s)
	g.block(-0.6, 0, 1.2, 0.34, g.face())
	g.cornice(-0.6, -0.34, 1.2, 0.022)
	for _, x := range []float64{-0.54, -0.43, 0.35, 0.46} {
		g.fill(arch(x+0.04, -0.24, -0.06, 0.076), g.deep())
		if c.odds(0.7) {
			b := rect(x+0.008, -0.3, 0.064, 0.2)
			g.fill(b, g.accent(c.r(-0.2, 0.1)))
			g.fill(circle(x+0.04, -0.2, 0.02), g.hi())
			g.stipple(b, g.tone(0), x, -0.3, 0, x, -0.08, 0.5)
		}
	}
	g.colonnade(-0.26, -0.07, 0.52, 0.25, 8)
	g.cornice(-0.3, -0.32, 0.6, 0.03)
	g.block(-0.24, -0.35, 0.48, 0.07, g.face())
	g.fill(dome(0, -0.42, 0.24, 0.15), mix(g.side(), g.accent(0), 0.3))
	var ribs path
	for i := -3; i <= 3; i++ {
		ribs = ribs.and(stroke(arcPts(0, -0.42, 0.08*math.Abs(float64(i)), 0.15, math.Pi, 2*math.Pi), 0.004))
	}
	g.wash(ribs, g.hi(), 0.6)
	g.stairs(-0.3, 0.02, 0.6, 0.09, 6, 0.1)
	c.square(h+0.015, 5)
	// A bronze figure on its plinth stands before the house.
	x := c.r(0.2, 0.3) * c.W
	c.block(x-0.06, 0.93, 0.12, 0.16, c.face())
	c.figure(x, 0.77, 0.26, dress{coat: c.tone(0.2), legs: c.tone(0.14), skin: c.tone(0.26), hair: c.tone(0.16), long: true, stride: 0.4})
}

func theatre(c *canvas) {
	c.fill(c.all(), c.tone(0.1))
	acc := c.accent(-0.12)
	w := c.W
	// The lit stage.
	c.fade(rect(0.08*w, 0.1, 0.84*w, 0.66), w/2, 0.1, c.tint(0.35, 0.25), w/2, 0.7, c.tint(0.92, 0.15))
	kind := c.n(0, 2)
	switch kind {
	case 0:
		r := c.r(0.14, 0.2)
		c.fill(circle(w*c.r(0.4, 0.6), 0.36, r), c.tint(1, 0.1))
		c.hillsAt(0.62, 0.3)
	case 1:
		var p path
		for i := range 7 {
			x := w * (0.14 + 0.12*float64(i))
			p = p.and(c.bare(x, 0.7, c.r(0.3, 0.5)))
		}
		c.fill(p, c.tone(0.4))
	default:
		for i := range 5 {
			x := w * (0.16 + 0.15*float64(i))
			k := c.r(0.2, 0.36)
			c.fill(rect(x, 0.7-k, 0.1*w, k), c.tone(c.r(0.35, 0.6)))
			c.fill(arch(x+0.05*w, 0.62, 0.7, 0.04*w), c.tone(0.15))
		}
	}
	floor := poly(0.02*w, 0.8, 0.14*w, 0.68, 0.86*w, 0.68, 0.98*w, 0.8)
	c.fade(floor, 0, 0.68, c.tint(0.8, 0.2), 0, 0.8, c.tint(0.5, 0.3))
	c.wash(poly(w*0.38, -0.05, w*0.46, -0.05, w*0.66, 0.77, w*0.34, 0.77), c.tone(1), 0.2)
	c.fill(ellipse(w*0.5, 0.745, 0.17*c.fit(1.2), 0.025), c.tone(1))
	c.figure(w*0.47, 0.75, 0.3, dress{coat: c.tone(0.08), legs: c.tone(0.05), skin: c.tint(0.88, 0.15), hair: c.tint(0.5, 0.45), long: true, stride: 0.6})
	c.figure(w*0.56, 0.745, 0.28, dress{coat: acc, legs: c.tone(0.1), skin: c.tint(0.85, 0.15), hair: c.tone(0.15), stride: 0.9})
	// Curtains: folds of accent and shade.
	for _, side := range []float64{-1, 1} {
		g := c.at(w/2+side*w/2, 0, -side, 1)
		cw := w * c.r(0.19, 0.24)
		body := blob(-0.1, -0.1, cw, -0.1, cw*0.92, 0.25, cw*0.6, 0.5, cw*0.42, 0.62, cw*0.5, 0.8, -0.1, 0.84)
		g.fill(body, acc)
		g.within(body, func() {
			for i := range 6 {
				t := float64(i) / 6
				x := cw * t
				fold := blob(x, -0.1, x+cw*0.07, -0.1, x*0.75+cw*0.06, 0.5, x*0.5+cw*0.05, 0.82, x*0.5, 0.82, x*0.72, 0.5)
				g.stipple(fold, c.tone(0), x, 0, 0.9, x+cw*0.08, 0, 0.35)
			}
		})
		g.fill(blob(-0.02, 0.6, cw*0.46, 0.59, cw*0.47, 0.63, -0.02, 0.65), c.accent(-0.4))
	}
	var val []point
	n := 6
	for i := 0; i <= n*10; i++ {
		t := float64(i) / float64(n*10)
		val = append(val, point{w * t, 0.09 + 0.05*math.Abs(math.Sin(t*math.Pi*float64(n)))})
	}
	top := append([]point{{0, -0.1}}, val...)
	top = append(top, point{w, -0.1})
	c.fill(wound(top), c.accent(-0.3))
	c.stipple(wound(top), c.tone(0), 0, 0, 0.7, 0, 0.14, 0)
	c.fill(rect(-0.1, 0.8, w+0.2, 0.03), c.tint(0.6, 0.3))
	c.audience(0.86)
}

// hillsAt is a stage flat.
func (c *canvas) hillsAt(y, t float64) {
	c.fill(under(c.ridge(y, 0.05, 4), 0.72), c.tone(t+0.15))
	c.fill(under(c.ridge(y+0.06, 0.03, 5), 0.72), c.tone(t))
}

// audience is rows of heads along the lower edge, lit from the front.
func (c *canvas) audience(y float64) {
	for row := range 2 {
		h := 0.16 + 0.08*float64(row)
		base := y + 0.1 + 0.13*float64(row)
		for x := c.r(-0.06, 0.04); x < c.W+0.1; x += h * c.r(0.7, 0.95) {
			k := dress{coat: c.tone(0.05), legs: c.tone(0), skin: c.tone(0.16), hair: c.tone(c.r(0.02, 0.1)), long: c.odds(0.4), bag: c.odds(0.2)}
			c.bust(x, base+c.r(-0.02, 0.02), h, k, c.tint(0.7, 0.25))
		}
	}
}

func concert(c *canvas) {
	w := c.W
	c.fade(c.all(), 0, 0, c.tone(0.06), 0, 0.8, c.tint(0.36, 0.45))
	// Beams of light over the hall.
	n := c.n(4, 6)
	for i := range n {
		x := w * (float64(i) + 0.5) / float64(n)
		to := x + c.r(-0.5, 0.5)
		s := c.r(0.07, 0.16)
		beam := poly(x-0.008, 0.04, x+0.008, 0.04, to+s, 0.86, to-s, 0.86)
		k := c.accent(0.5)
		if i%2 == 0 {
			k = c.tone(0.95)
		}
		c.mist(beam, k, x, 0.04, 0.75, x, 0.8, 0.08)
		c.fill(rounded(x-0.022, 0.012, 0.044, 0.05, 0.01), c.tone(0.03))
	}
	c.fill(rect(-0.1, 0.02, w+0.2, 0.012), c.tone(0.02))
	c.fade(poly(-0.1, 0.8, 0.1*w, 0.68, 0.9*w, 0.68, w+0.1, 0.8), 0, 0.68, c.tint(0.75, 0.35), 0, 0.8, c.tint(0.3, 0.3))
	player := func(x, y, h float64, acc bool) {
		k := dress{coat: c.tone(0.06), legs: c.tone(0.04), skin: c.tint(0.85, 0.2), hair: c.tone(0.03), stride: 0.8, long: c.odds(0.4)}
		if acc {
			k.coat = c.accent(-0.1)
		}
		if k.long {
			k.hair = c.tint(0.5, 0.45)
		}
		c.figure(x, y, h, k)
	}
	if c.odds(0.5) {
		// A piano and a singer.
		g := c.at(w*0.38, 0.76, 0.9, 0.9)
		g.fill(blob(-0.3, -0.2, -0.05, -0.42, 0.16, -0.4, 0.02, -0.24, 0.1, -0.2), c.tone(0.12))
		g.fill(rounded(-0.3, -0.2, 0.46, 0.06, 0.02).and(rect(-0.26, -0.16, 0.02, 0.16), rect(0.1, -0.16, 0.02, 0.16), rect(-0.08, -0.16, 0.02, 0.15)), c.tone(0.03))
		g.fill(rect(0.1, -0.185, 0.1, 0.014), c.tone(0.95))
		player(w*0.38+0.27, 0.77, 0.28, false)
		player(w*0.66, 0.77, 0.32, true)
		c.fill(line(w*0.66-0.05, 0.77, w*0.66-0.05, 0.52, 0.005).and(circle(w*0.66-0.05, 0.515, 0.011)), c.tone(0))
	} else {
		for i := range 4 {
			x := w * (0.24 + 0.17*float64(i))
			player(x, 0.76+0.015*float64(i%2), 0.3, i == 1)
			g := c.at(x, 0.6, 0.3, 0.3).turned(-0.5)
			g.fill(blob(-0.2, 0, -0.12, -0.13, 0, -0.08, 0.1, -0.11, 0.16, 0, 0.1, 0.11, 0, 0.08, -0.12, 0.13), c.tint(0.5, 0.6))
			g.fill(rect(0.12, -0.015, 0.42, 0.03), c.tone(0.02))
		}
	}
	c.fill(rect(-0.1, 0.8, w+0.2, 0.02), c.tone(0.03))
	for row := range 3 {
		h := 0.14 + 0.07*float64(row)
		for x := c.r(-0.06, 0.04); x < w+0.1; x += h * c.r(0.6, 0.9) {
			y := 0.93 + 0.09*float64(row) + c.r(-0.02, 0.02)
			k := dress{coat: c.tone(0.04), skin: c.tone(0.14), hair: c.tone(0.03), long: c.odds(0.4), bag: c.odds(0.2)}
			if c.odds(0.22) {
				s := c.sign()
				c.fill(brush(points(x+s*h*0.4, y-h*0.2, x+s*h*0.5, y-h*0.7, x+s*h*0.36, y-h*1.25), h*0.13, h*0.08).and(circle(x+s*h*0.36, y-h*1.3, h*0.07)), c.tone(0.04))
			}
			c.bust(x, y, h, k, c.tint(0.65, 0.5))
		}
	}
}

func stadium(c *canvas) {
	h := 0.46
	c.sky(h, c.r(0.3, 0.7))
	w := c.W
	// Roof and tiers curve around the pitch.
	bowl := func(y, dip float64) []point {
		pts := make([]point, 41)
		for i := range pts {
			t := float64(i)/20 - 1
			pts[i] = point{w/2 + t*(w/2+0.1), y + dip*(1-t*t)}
		}
		return pts
	}
	c.fill(under(bowl(0.22, 0.1), 0.8), c.depth(0.5))
	c.fill(under(bowl(0.25, 0.11), 0.8), c.deep())
	for i := range 3 {
		c.fill(under(bowl(0.29+0.09*float64(i), 0.11-0.015*float64(i)), 0.8), c.tone(lerp(0.4, 0.3, float64(i)/2)))
		c.fill(stroke(bowl(0.29+0.09*float64(i), 0.11-0.015*float64(i)), 0.006), c.hi())
	}
	var dots [4]path
	for range 1500 {
		t := c.r(-1, 1)
		row := c.n(0, 17)
		y := 0.31 + 0.015*float64(row) + 0.105*(1-t*t) - 0.002*float64(row)
		i := c.n(0, 3)
		dots[i] = append(dots[i], disc(w/2+t*(w/2+0.1), y, 0.0052))
	}
	for i, k := range []float64{0.12, 0.55, 0.85} {
		c.fill(dots[i], c.tone(k))
	}
	c.fill(dots[3], c.accent(0))
	for _, x := range []float64{0.12, 0.88} {
		c.fill(taper(x*w, 0.5, x*w, 0.08, 0.014, 0.009).and(rect(x*w-0.05, 0.04, 0.1, 0.06)), c.depth(0.8))
		for i := range 8 {
			c.fill(circle(x*w-0.036+0.024*float64(i%4), 0.056+0.026*float64(i/4), 0.009), c.tone(1))
		}
		c.glow(x*w, 0.07, 0.22, c.tone(1), 0.5, grains)
	}
	// The pitch, mown in stripes.
	quad := poly(0.16*w, 0.6, 0.84*w, 0.6, w+0.12, 1.05, -0.12, 1.05)
	g0, g1 := mix(c.tone(0.55), c.accent(0.1), 0.12), mix(c.tone(0.44), c.accent(0.1), 0.12)
	c.fill(quad, g0)
	for i := range 5 {
		a, b := float64(i*2)/10, float64(i*2+1)/10
		c.fill(poly(lerp(0.16, 0.84, a)*w, 0.6, lerp(0.16, 0.84, b)*w, 0.6, lerp(-0.12, w+0.12, b), 1.05, lerp(-0.12, w+0.12, a), 1.05), g1)
	}
	white := c.tone(1)
	c.fill(ring(w/2, 0.76, 0.17, 0.055, 0.007).and(line(0.1*w, 0.76, 0.9*w, 0.76, 0.005), line(0.17*w, 0.612, 0.83*w, 0.612, 0.004)), white)
	c.fill(rect(w/2-0.07, 0.572, 0.14, 0.004).and(rect(w/2-0.07, 0.572, 0.004, 0.044), rect(w/2+0.066, 0.572, 0.004, 0.044)), white)
	for i := range 8 {
		x, y := c.r(0.2, 0.8)*w, c.r(0.66, 0.92)
		hh := lerp(0.06, 0.2, (y-0.6)/0.4)
		k := dress{coat: c.accent(0), legs: c.tone(0.95), skin: c.tint(0.7, 0.2), hair: c.tone(0.1), stride: c.r(1, 2)}
		if i%2 == 0 {
			k.coat, k.legs = c.tone(0.96), c.tone(0.15)
		}
		c.shadow(x, y, hh*0.2)
		c.figure(x, y, hh, k)
	}
	c.fill(circle(w*c.r(0.4, 0.6), 0.9, 0.013), c.tone(1))
	c.stipple(quad, c.tone(0), 0, 0.8, 0, 0, 1.05, 0.4)
}

func church(c *canvas) {
	h := c.r(0.74, 0.8)
	c.sky(h, c.r(0.2, 0.8))
	c.hills(h-0.08, 0.05, 2.2, 0.16)
	on := c.hills(h-0.02, 0.02, 3, 0.34)
	c.treeline(on, 0.06, 0.34, false)
	c.ground(h, 0.5, 0.85)
	s := c.fit(1.0)
	g := c.at(c.W*c.r(0.42, 0.58), h+0.05, s, s)
	roof := mix(g.accent(-0.15), g.side(), c.r(0, 0.6))
	g.block(-0.06, 0, 0.5, 0.26, g.face())
	nave := poly(-0.08, -0.255, 0.02, -0.44, 0.38, -0.44, 0.47, -0.255)
	g.fill(nave, roof)
	g.stipple(nave, g.tone(0), 0, -0.44, 0, 0.3, -0.24, 0.6)
	for i := range 4 {
		g.fill(arch(0.06+0.1*float64(i), -0.17, -0.05, 0.036), g.lamp(0.9))
	}
	tw := 0.085
	th := c.r(0.44, 0.52)
	g.block(-0.14-tw, 0, tw*2, th, g.hi())
	g.stipple(rect(-0.14, -th, tw, th), g.deep(), -0.14, 0, 0.05, -0.14+tw, 0, 0.55)
	g.fill(arch(-0.14, -th+0.12, -th+0.19, 0.06), g.deep())
	g.fill(arch(-0.14, -0.08, 0, 0.07), g.lamp(1))
	g.clock(-0.14, -th+0.27, 0.042)
	g.cornice(-0.14-tw, -th, tw*2, 0.016)
	top := -th - 0.016
	if c.odds(0.5) {
		g.fill(poly(-0.14-tw*1.1, top, -0.14, top-c.r(0.26, 0.34), -0.14+tw*1.1, top), roof)
		g.stipple(poly(-0.14, top, -0.14, top-0.26, -0.14+tw*1.1, top), g.tone(0), -0.14, 0, 0.3, -0.14+tw, 0, 0.6)
		top -= 0.27
	} else {
		onion := blob(-0.14-tw*0.8, top, -0.14-tw*1.15, top-0.06, -0.14-tw*0.75, top-0.12, -0.14-tw*0.18, top-0.17, -0.14, top-0.24, -0.14+tw*0.18, top-0.17, -0.14+tw*0.75, top-0.12, -0.14+tw*1.15, top-0.06, -0.14+tw*0.8, top)
		g.fill(onion, roof)
		g.stipple(onion, g.tone(0), -0.16, 0, 0, -0.06, 0, 0.8)
		top -= 0.22
	}
	g.fill(rect(-0.144, top-0.07, 0.008, 0.08).and(rect(-0.164, top-0.052, 0.048, 0.008)), g.tone(c.mood.near))
	c.fill(poly(c.W*0.3, 1.05, c.W*0.44, h+0.05, c.W*0.47, h+0.05, c.W*0.6, 1.05), mix(c.depth(0.5), c.skyAt(1), 0.35))
	var trees path
	for range 4 {
		trees = trees.and(c.poplar(c.r(0.02, 0.98)*c.W, c.r(0.86, 0.98), c.r(0.16, 0.3)))
	}
	c.fill(trees, c.depth(0.93))
	c.stipple(trees, c.skyAt(1), 0, 0.6, 0.25, 0, 0.95, 0)
	c.grass(1, 0.06, 120, c.depth(1))
}

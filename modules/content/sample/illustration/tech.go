package illustration

import "math"

func circuitBoard(c *canvas) {
	w := c.W
	board, trace, pad := c.tone(0.16), c.tone(0.4), c.tone(0.85)
	if !c.mood.dark {
		board, trace = c.tone(0.3), c.tone(0.62)
	}
	if c.mood == &moods[posterMood] {
		board, trace, pad = c.accent(-0.2), c.accent(0.4), c.tone(0.97)
	}
	c.fill(c.all(), board)
	c.stipple(c.all(), c.tone(0), 0, 0, 0, w, 1.1, 0.45)
	cx, cy, s := w*c.r(0.42, 0.58), c.r(0.46, 0.54), 0.19*c.fit(1)
	c.glow(cx, cy, 0.7, c.accent(0.2), 0.35, grains)
	// Traces leave the chip, bend at 45 degrees and end in pads.
	var lines, pads, hot, hotPads path
	for side := range 4 {
		sn, cs := math.Sincos(float64(side) * math.Pi / 2)
		turn := func(x, y float64) (float64, float64) { return cx + x*cs - y*sn, cy + x*sn + y*cs }
		n := 11
		for i := range n {
			off := (float64(i)/float64(n-1) - 0.5) * s * 1.8
			a := s + 0.03 + 0.018*math.Abs(float64(i)-float64(n)/2)
			bend := off * c.r(0.5, 1.6)
			b := a + math.Abs(bend)
			l := b + c.r(0.05, 0.8)
			x0, y0 := turn(s, off)
			x1, y1 := turn(a, off)
			x2, y2 := turn(b, off+bend)
			x3, y3 := turn(l, off+bend)
			p := stroke(points(x0, y0, x1, y1, x2, y2, x3, y3), 0.0065)
			if c.odds(0.25) {
				hot = hot.and(p)
				hotPads = hotPads.and(ring(x3, y3, 0.011, 0.011, 0.007))
			} else {
				lines = lines.and(p)
				pads = pads.and(ring(x3, y3, 0.011, 0.011, 0.007))
			}
		}
	}
	c.fill(lines, trace)
	c.fill(pads, pad)
	c.fill(hot, c.accent(0.2))
	c.fill(hotPads, c.tone(1))
	// Smaller parts around the middle.
	for i := range 16 {
		a := float64(i) / 16 * 2 * math.Pi
		d := c.r(0.42, 0.62)
		x, y := cx+math.Cos(a)*d*math.Max(1, w*0.62), cy+math.Sin(a)*d*0.82
		switch i % 4 {
		case 0:
			c.chip(x, y, c.r(0.05, 0.09), c.r(0.04, 0.06), 5)
		case 1:
			c.wash(circle(x+0.008, y+0.01, 0.036), c.tone(0), 0.5)
			c.fill(circle(x, y, 0.036), c.tone(0.55))
			c.fill(circle(x, y, 0.027), c.tone(0.86))
			c.fill(rect(x-0.02, y-0.002, 0.04, 0.004), c.tone(0.3))
		case 2:
			c.fill(rounded(x-0.03, y-0.01, 0.06, 0.02, 0.008), c.tone(0.75))
			c.fill(rect(x-0.012, y-0.01, 0.006, 0.02).and(rect(x, y-0.01, 0.005, 0.02)), c.accent(0))
		default:
			for j := range 3 {
				c.fill(rect(x+0.02*float64(j), y, 0.012, 0.022), c.tone(0.12))
				c.fill(rect(x+0.02*float64(j), y, 0.012, 0.005).and(rect(x+0.02*float64(j), y+0.017, 0.012, 0.005)), pad)
			}
		}
	}
	c.chip(cx, cy, s, s, 15)
	c.fill(rounded(cx-s*0.62, cy-s*0.62, s*1.24, s*1.24, s*0.06), c.tone(0.5))
	c.stipple(rounded(cx-s*0.62, cy-s*0.62, s*1.24, s*1.24, s*0.06), c.tone(1), cx-s*0.6, cy-s*0.6, 0.8, cx+s*0.3, cy+s*0.3, 0)
	switch c.n(0, 2) {
	case 0:
		c.fill(poly(cx-s*0.34, cy, cx, cy-s*0.34, cx+s*0.34, cy, cx, cy+s*0.34), c.accent(-0.1))
		c.fill(poly(cx-s*0.16, cy, cx, cy-s*0.16, cx+s*0.16, cy, cx, cy+s*0.16), c.tone(0.95))
	case 1:
		c.fill(ring(cx, cy, s*0.3, s*0.3, s*0.07).and(circle(cx, cy, s*0.12)), c.accent(-0.1))
	default:
		for i := range 9 {
			c.fill(rect(cx-s*0.36+s*0.26*float64(i%3), cy-s*0.36+s*0.26*float64(i/3), s*0.2, s*0.2), mix(c.accent(-0.1), c.tone(0.3), c.r(0, 0.7)))
		}
	}
}

// chip is a package with legs on four sides; w and h are half sizes.
func (c *canvas) chip(x, y, w, h float64, legs int) {
	var p path
	for i := range legs {
		f := (float64(i)+0.5)/float64(legs)*2 - 1
		t := math.Min(w, h) * 1.1 / float64(legs)
		p = p.and(rect(x+f*w*0.94-t/2, y-h-0.02, t, 2*h+0.04), rect(x-w-0.02, y+f*h*0.94-t/2, 2*w+0.04, t))
	}
	c.wash(rounded(x-w+0.012, y-h+0.016, 2*w, 2*h, 0.008), c.tone(0), 0.55)
	c.fill(p, c.tone(0.8))
	c.fill(rounded(x-w, y-h, 2*w, 2*h, 0.008), c.tone(0.07))
	c.stipple(rounded(x-w, y-h, 2*w, 2*h, 0.008), c.tone(0.5), x-w, y-h, 0.4, x+w*0.4, y+h*0.4, 0)
	c.fill(circle(x-w*0.78, y-h*0.74, math.Min(w, h)*0.07), c.tone(0.6))
}

func phoneNetwork(c *canvas) {
	w := c.W
	bg := c.tone(0.62)
	if c.mood.dark {
		bg = c.tone(0.14)
	} else if c.mood == &moods[posterMood] {
		bg = c.accent(0.15)
	}
	c.fill(c.all(), bg)
	c.glow(w/2, 0.5, 0.95, c.tone(1), 0.4, grains)
	type node struct{ x, y, r float64 }
	nodes := []node{}
	for try := 0; try < 400 && len(nodes) < int(9+w*7); try++ {
		q := node{c.r(0.04, w-0.04), c.r(0.06, 0.94), c.r(0.028, 0.062)}
		if math.Abs(q.x-w/2) < 0.27 && math.Abs(q.y-0.54) < 0.47 {
			continue
		}
		free := true
		for _, o := range nodes {
			free = free && math.Hypot(o.x-q.x, o.y-q.y) > o.r+q.r+0.04
		}
		if free {
			nodes = append(nodes, q)
		}
	}
	var net, links path
	for i, a := range nodes {
		links = links.and(line(a.x, a.y, w/2, 0.5, 0.003))
		for _, b := range nodes[i+1:] {
			if math.Hypot(a.x-b.x, a.y-b.y) < 0.34 {
				net = net.and(line(a.x, a.y, b.x, b.y, 0.0045))
			}
		}
	}
	ink := c.tone(0.2)
	if c.mood.dark {
		ink = c.tone(0.6)
	}
	c.wash(links, ink, 0.35)
	c.wash(net, ink, 0.9)
	for i, q := range nodes {
		k, f := c.tone(0.95), c.tone(0.25)
		switch i % 3 {
		case 1:
			k, f = c.accent(0), c.tone(1)
		case 2:
			k, f = c.tone(0.22), c.tone(0.9)
		}
		c.wash(circle(q.x+0.006, q.y+0.009, q.r), c.tone(0), 0.4)
		c.fill(circle(q.x, q.y, q.r), k)
		c.within(circle(q.x, q.y, q.r*0.9), func() {
			c.fill(ellipse(q.x, q.y+q.r*0.95, q.r*0.62, q.r*0.62).and(ellipse(q.x, q.y-q.r*0.15, q.r*0.27, q.r*0.34)), f)
		})
	}
	// The hand and the phone.
	g := c.at(w/2, 0.56, 1, 1).turned(c.r(-0.1, 0.1))
	skin := c.tint(0.88, 0.22)
	g.fill(blob(0.06, 0.62, 0.0, 0.3, 0.1, 0.16, 0.24, 0.06, 0.26, 0.16, 0.22, 0.36, 0.26, 0.62), skin)
	g.stipple(blob(0.06, 0.62, 0.0, 0.3, 0.1, 0.16, 0.24, 0.06, 0.26, 0.16, 0.22, 0.36, 0.26, 0.62), c.tone(0.1), 0.06, 0, 0.05, 0.27, 0, 0.35)
	g.fill(poly(0.02, 0.46, 0.28, 0.44, 0.36, 0.7, -0.02, 0.7), c.tone(0.12))
	g.wash(rounded(-0.165, -0.385, 0.36, 0.74, 0.05), c.tone(0), 0.5)
	g.fill(rounded(-0.18, -0.4, 0.36, 0.74, 0.05), c.tone(0.06))
	screenArea := rounded(-0.162, -0.38, 0.324, 0.7, 0.036)
	g.fade(screenArea, 0, -0.38, c.tone(0.97), 0, 0.32, c.tint(0.85, 0.2))
	g.fill(rounded(-0.05, -0.372, 0.1, 0.018, 0.009), c.tone(0.06))
	g.within(screenArea, func() {
		y := -0.31
		for i := range 6 {
			mine := i%2 == 1
			bw, bh := c.r(0.14, 0.22), c.r(0.05, 0.09)
			x := -0.14
			k := c.tone(0.72)
			if mine {
				x, k = 0.14-bw, c.accent(0)
			}
			if i == 3 && c.odds(0.6) {
				bh = 0.13
				g.fill(rounded(x, y, bw, bh, 0.018), c.tone(0.45))
				g.within(rounded(x, y, bw, bh, 0.018), func() {
					g.fill(poly(x, y+bh, x+bw*0.35, y+bh*0.4, x+bw*0.6, y+bh*0.75, x+bw*0.8, y+bh*0.5, x+bw, y+bh), c.tone(0.15))
					g.fill(circle(x+bw*0.72, y+bh*0.28, 0.018), c.accent(0.4))
				})
			} else {
				g.fill(rounded(x, y, bw, bh, 0.018), k)
				for j := range int(bh / 0.026) {
					g.fill(rounded(x+0.014, y+0.014+0.022*float64(j), bw*c.r(0.5, 0.84), 0.007, 0.003), c.tone(0.15+0.8*b2f(mine)))
				}
			}
			y += bh + 0.022
		}
	})
	g.stipple(screenArea, c.tone(1), -0.16, -0.38, 0.5, 0.05, 0, 0)
	for i := range 4 {
		y := -0.02 + 0.085*float64(i)
		g.fill(rounded(-0.235, y, 0.1, 0.066, 0.033), skin)
		g.stipple(rounded(-0.235, y, 0.1, 0.066, 0.033), c.tone(0.1), 0, y+0.02, 0, 0, y+0.07, 0.4)
	}
	thumb := brush(curve(points(0.26, 0.22, 0.24, 0.08, 0.17, -0.02, 0.09, -0.06), false), 0.1, 0.062).and(circle(0.088, -0.061, 0.03))
	g.fill(thumb, skin)
	g.stipple(thumb, c.tone(0.1), 0.14, 0, 0, 0.3, 0.1, 0.4)
}

func b2f(b bool) float64 {
	if b {
		return 1
	}
	return 0
}

func dataCentre(c *canvas) {
	w := c.W
	c.fill(c.all(), c.tone(0.08))
	vx, vy := w*c.r(0.42, 0.58), 0.46
	c.fade(poly(vx-0.06, vy+0.1, vx+0.06, vy+0.1, w+0.3, 1.1, -0.3, 1.1), 0, vy, c.tone(0.75), 0, 1, c.tone(0.22))
	c.fade(poly(vx-0.06, vy-0.16, vx+0.06, vy-0.16, w+0.2, -0.1, -0.2, -0.1), 0, vy-0.2, c.tone(0.5), 0, -0.1, c.tone(0.12))
	c.fill(rect(vx-0.062, vy-0.165, 0.124, 0.27), c.tone(0.95))
	c.glow(vx, vy, 0.5, c.tint(1, 0.1), 0.6, grains)
	var tiles, lamps path
	for i := range 7 {
		t := math.Pow(float64(i)/6, 2)
		y := lerp(vy+0.12, 1.05, t)
		tiles = tiles.and(rect(-0.1, y, w+0.2, 0.001+0.004*t))
	}
	for i := -5; i <= 5; i++ {
		tiles = tiles.and(taper(vx+float64(i)*0.012, vy+0.1, vx+float64(i)*0.3, 1.1, 0.001, 0.006))
	}
	c.wash(tiles, c.tone(0.1), 0.5)
	for i := range 5 {
		t := math.Pow((float64(i)+0.6)/5, 2)
		y := lerp(vy-0.18, -0.05, t)
		k := lerp(0.03, 0.22, t)
		lamps = lamps.and(rect(vx-k, y, 2*k, 0.006+0.03*t))
	}
	c.fill(lamps, c.tone(1))
	// Racks on both sides, near ones last.
	edges := []float64{0.062, 0.1, 0.155, 0.23, 0.335, 0.49, 0.72, 1.1}
	for _, side := range []float64{-1, 1} {
		for i := range len(edges) - 1 {
			a, b := edges[i]*math.Max(1, w*0.75), edges[i+1]*math.Max(1, w*0.75)
			top := func(f float64) float64 { return vy - f*0.74/math.Max(1, w*0.75)*1.35 - 0.06 }
			foot := func(f float64) float64 { return vy + f*0.74/math.Max(1, w*0.75) + 0.05 }
			at := func(u, v float64) (float64, float64) {
				f := lerp(a, b, u)
				return vx + side*f, lerp(top(f), foot(f), v)
			}
			quad := func(u0, v0, u1, v1 float64) path {
				x0, y0 := at(u0, v0)
				x1, y1 := at(u1, v0)
				x2, y2 := at(u1, v1)
				x3, y3 := at(u0, v1)
				return poly(x0, y0, x1, y1, x2, y2, x3, y3)
			}
			c.fill(quad(0, 0, 1, 1), c.tone(0.1))
			c.fill(quad(0.07, 0.02, 0.96, 0.98), c.tone(lerp(0.34, 0.16, float64(i)/6)))
			var units, led, hot path
			rows := 16
			for j := range rows {
				v := 0.04 + 0.92*float64(j)/float64(rows)
				units = units.and(quad(0.12, v, 0.9, v+0.92/float64(rows)*0.72))
				for k := range 5 {
					if c.odds(0.55) {
						u := 0.18 + 0.14*float64(k)
						q := quad(u, v+0.012, u+0.06, v+0.03)
						if c.odds(0.35) {
							hot = hot.and(q)
						} else {
							led = led.and(q)
						}
					}
				}
			}
			c.fill(units, c.tone(0.07))
			c.fill(led, c.tone(0.95))
			c.fill(hot, c.accent(0.15))
			c.stipple(quad(0, 0, 1, 1), c.tone(0.9), vx+side*a, 0, 0.28, vx+side*b, 0, 0)
		}
	}
	x := vx + c.r(-0.06, 0.06)
	c.wash(ellipse(x, 0.86, 0.11, 0.014), c.tone(0), 0.6)
	c.figure(x, 0.86, 0.38*c.fit(1), dress{coat: c.accent(-0.05), legs: c.tone(0.06), skin: c.tint(0.82, 0.14), hair: c.tone(0.06), stride: 0.6, long: c.odds(0.5)})
	c.fill(poly(x+0.03, 0.69, x+0.085, 0.68, x+0.09, 0.72, x+0.035, 0.73), c.tone(0.95))
}

package illustration

import (
	"image/color"
	"math"
)

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
		if i%3 == 1 {
			k, f = c.accent(0), c.tone(1)
		} else if i%3 == 2 {
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

func robotArm(c *canvas) {
	w := c.W
	m := c.mood
	back, floorTone := 0.7, 0.45
	if m.dark {
		back, floorTone = 0.2, 0.12
	}
	c.fade(c.all(), 0, 0, c.tone(back-0.12), 0, 0.7, c.tint(back+0.12, m.lowGlow*0.2))
	// The hall: trusses, windows, far robots.
	var truss, win path
	for i := range int(w/0.2) + 2 {
		x := 0.2 * float64(i)
		truss = truss.and(line(x, 0.05, x+0.1, 0.14, 0.007), line(x+0.1, 0.14, x+0.2, 0.05, 0.007), rect(x-0.01, 0.05, 0.02, 0.7))
		win = win.and(rect(x+0.03, 0.2, 0.14, 0.2))
	}
	c.fill(win, c.tone(math.Min(1, back+0.25)))
	c.fill(truss.and(rect(-0.1, 0.04, w+0.2, 0.014), rect(-0.1, 0.135, w+0.2, 0.012)), c.tone(back-0.2))
	for i := range 3 {
		c.arm(w*(0.1+0.4*float64(i)), 0.7, 0.26, c.tone(back-0.3), c.tone(back-0.4), c.sign())
	}
	c.mist(rect(-0.1, 0.3, w+0.2, 0.42), c.tone(back+0.15), 0, 0.3, 0, 0, 0.72, 0.6)
	c.fade(rect(-0.1, 0.7, w+0.2, 0.5), 0, 0.7, c.tone(floorTone+0.12), 0, 1, c.tone(floorTone-0.1))
	// The belt with its work pieces.
	c.fill(rect(-0.1, 0.77, w+0.2, 0.07), c.tone(0.1))
	c.fill(rect(-0.1, 0.765, w+0.2, 0.02), c.tone(0.55))
	var rollers path
	for i := range int(w/0.07) + 2 {
		rollers = rollers.and(circle(0.07*float64(i), 0.812, 0.017))
	}
	c.fill(rollers, c.tone(0.6))
	step := 0.36
	for x := c.r(-0.2, 0); x < w+0.1; x += step {
		if c.odds(0.5) {
			g := c.at(x, 0.766, 0.3, 0.3)
			body := blob(-0.5, 0, -0.52, -0.16, -0.36, -0.22, -0.2, -0.38, 0.12, -0.39, 0.28, -0.22, 0.48, -0.18, 0.52, -0.04, 0.5, 0)
			g.fill(body, c.tone(0.9))
			g.stipple(body, c.tone(0.1), 0, -0.3, 0, 0, 0, 0.6)
			g.fill(poly(-0.26, -0.22, -0.17, -0.34, -0.02, -0.35, -0.02, -0.22).and(poly(0.02, -0.22, 0.02, -0.35, 0.1, -0.35, 0.22, -0.22)), c.tone(0.15))
			g.fill(circle(-0.3, 0, 0.1).and(circle(0.3, 0, 0.1)), c.tone(0.12))
		} else {
			c.fill(rect(x-0.11, 0.766-0.13, 0.22, 0.13), c.tint(0.75, 0.2))
			c.fill(rect(x-0.11, 0.766-0.08, 0.22, 0.02), c.accent(0))
			c.stipple(rect(x-0.11, 0.636, 0.22, 0.13), c.tone(0.1), x-0.04, 0, 0, x+0.11, 0, 0.6)
		}
	}
	s := c.fit(1.1)
	x := w * c.r(0.36, 0.46)
	hx, hy := c.arm(x, 0.92, 0.84*s, c.accent(-0.02), c.accent(-0.45), 1)
	c.glow(hx, hy, 0.28, c.accent(0.5), 0.8, grains)
	var sparks path
	for range 70 {
		a, l := c.r(0, 6.28), math.Pow(c.r(0, 1), 1.5)*0.2
		sx, sy := hx+math.Cos(a)*l, hy+math.Sin(a)*l*0.8+l*l
		sparks = sparks.and(taper(sx, sy, sx+math.Cos(a)*0.03, sy+math.Sin(a)*0.025+0.012, 0.004, 0.001))
	}
	c.fill(sparks, c.tint(1, 0.1))
	c.fill(circle(hx, hy, 0.013), c.tone(1))
	c.figure(w*0.85, 0.97, 0.4*s, dress{coat: c.tone(0.88), legs: c.tone(0.12), skin: c.tint(0.8, 0.14), hair: c.tone(0.95), hat: true, stride: 0.3})
}

// arm is a jointed industrial robot of reach s on a pedestal; it returns the tip of its tool.
func (c *canvas) arm(x, y, s float64, main, dark color.RGBA, dir float64) (tx, ty float64) {
	p0 := point{x, y - s*0.24}
	p1 := point{x - dir*s*c.r(0.14, 0.22), y - s*c.r(0.66, 0.74)}
	p2 := point{x + dir*s*c.r(0.28, 0.36), y - s*c.r(0.82, 0.92)}
	p3 := point{x + dir*s*c.r(0.42, 0.5), y - s*c.r(0.5, 0.56)}
	c.fill(poly(x-s*0.17, y, x-s*0.13, y-s*0.08, x+s*0.13, y-s*0.08, x+s*0.17, y), c.tone(0.1))
	base := poly(x-s*0.11, y-s*0.08, x-s*0.09, y-s*0.26, x+s*0.09, y-s*0.26, x+s*0.11, y-s*0.08)
	c.fill(base, main)
	c.stipple(base, c.tone(0), x-s*0.03, 0, 0, x+s*0.11, 0, 0.7)
	seg := func(a, b point, w0, w1 float64) {
		q := taper(a.x, a.y, b.x, b.y, s*w0, s*w1)
		c.fill(q, main)
		c.stipple(q, c.tone(0), (a.x+b.x)/2-s*0.03, 0, 0, (a.x+b.x)/2+s*0.08, 0, 0.55)
		c.wash(taper(lerp(a.x, b.x, 0.2), lerp(a.y, b.y, 0.2), lerp(a.x, b.x, 0.8), lerp(a.y, b.y, 0.8), s*w0*0.3, s*w1*0.3), dark, 0.8)
	}
	joint := func(q point, r float64) {
		c.fill(circle(q.x, q.y, s*r), dark)
		c.fill(circle(q.x, q.y, s*r*0.7), main)
		c.fill(circle(q.x, q.y, s*r*0.32), c.tone(0.9))
	}
	c.fill(stroke(curve(points(p0.x, p0.y, p0.x-dir*s*0.22, p0.y-s*0.2, p1.x-dir*s*0.1, p1.y-s*0.1, lerp(p1.x, p2.x, 0.5), p1.y-s*0.2, p2.x, p2.y), false), s*0.016), c.tone(0.06))
	seg(p0, p1, 0.15, 0.11)
	seg(p1, p2, 0.12, 0.08)
	seg(p2, p3, 0.075, 0.05)
	joint(p0, 0.1)
	joint(p1, 0.085)
	joint(p2, 0.058)
	c.fill(rounded(p3.x-s*0.035, p3.y-s*0.02, s*0.07, s*0.07, s*0.01), dark)
	c.fill(taper(p3.x, p3.y+s*0.04, p3.x+dir*s*0.015, p3.y+s*0.15, s*0.028, s*0.01), c.tone(0.75))
	return p3.x + dir*s*0.015, p3.y + s*0.15
}

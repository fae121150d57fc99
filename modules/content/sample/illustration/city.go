package illustration

import "math"

func skyline(c *canvas) {
	h := c.r(0.66, 0.74)
	c.sky(h, c.r(0.2, 0.8))
	c.backdrop(h, 0.22, 0.1)
	c.haze(h-0.16, h, 0.4)
	c.towers(h, 0.42, 0.32, 0.85)
	c.haze(h-0.14, h+0.02, 0.45)
	c.towers(h, 0.36, 0.62, 0.55)
	c.fill(rect(-0.1, h-0.012, c.W+0.2, 0.02), c.depth(0.85))
	c.reflect(h+0.004, 0.8)
	c.ripples(h+0.01, 1, 60)
	// The near bank with people at its rail.
	bank := under(c.ridge(0.94, 0.008, 2), 1.1)
	c.fill(bank, c.depth(1))
	k := c.depth(1)
	c.fill(rect(-0.1, 0.87, c.W+0.2, 0.006), k)
	var posts path
	for x := 0.0; x < c.W; x += 0.06 {
		posts = posts.and(rect(x, 0.87, 0.005, 0.09))
	}
	c.fill(posts, k)
	x := c.r(0.15, 0.8) * c.W
	for i := range c.n(1, 3) {
		d := c.passer(0.98)
		c.figure(x+0.08*float64(i), 0.965, c.r(0.19, 0.22), d)
	}
	c.lantern(c.r(0.05, 0.95)*c.W, 0.97, 0.4)
}

// towers is a row of high buildings; share is how much of the ground they cover.
func (c *canvas) towers(base, height, d, share float64) {
	for x := c.r(-0.08, 0.02); x < c.W+0.05; {
		w := c.r(0.06, 0.13)
		if c.odds(share) {
			mid := 1 - math.Abs(x/c.W-0.5)*0.9
			k := height * c.r(0.4, 1) * mid
			g := c.at(x, base, 1, 1)
			g.fill(rect(0, -k, w, k), c.depth(d))
			g.fill(rect(w*0.64, -k, w*0.36, k), c.depth(d+0.12))
			switch c.n(0, 4) {
			case 0:
				g.fill(rect(w*0.2, -k-0.03, w*0.5, 0.03).and(taper(w*0.45, -k-0.03, w*0.45, -k-0.14, 0.006, 0.002)), c.depth(d))
			case 1:
				g.fill(poly(0, -k+0.001, w, -k+0.001, w, -k-w*0.5), c.depth(d+0.06))
			case 2:
				g.fill(dome(w/2, -k+0.001, w/2, w*0.34), c.depth(d+0.05))
			case 3:
				g.fill(rect(w*0.15, -k-0.05, w*0.7, 0.05).and(rect(w*0.3, -k-0.08, w*0.4, 0.03)), c.depth(d+0.03))
			}
			cols := max(3, int(w/0.018))
			var lit, dim path
			for i := range cols {
				for j := range int(k / 0.022) {
					if c.odds(0.25) {
						continue
					}
					q := rect(w*(float64(i)+0.25)/float64(cols), -k+0.012+0.022*float64(j), w*0.5/float64(cols), 0.011)
					if c.odds(0.3) {
						lit = lit.and(q)
					} else {
						dim = dim.and(q)
					}
				}
			}
			g.wash(dim, c.depth(d+0.22), 0.8)
			if c.mood.dark {
				g.fill(lit, mix(c.accent(0.3), c.tone(1), 0.3))
			} else {
				g.wash(lit, c.skyAt(1), 0.6)
			}
			g.stipple(rect(0, -k, w, k), c.skyAt(1), 0, -k*0.5, 0, 0, 0, 0.4)
		}
		x += w * c.r(0.85, 1.25)
	}
}

func apartmentBlocks(c *canvas) {
	h := 0.78
	c.sky(h, c.r(0.2, 0.8))
	c.hills(h-0.1, 0.04, 2.4, 0.12)
	for i := range 4 {
		x := c.W * (0.05 + 0.27*float64(i))
		c.slab(x, h, c.r(0.14, 0.2), c.r(0.26, 0.4), 0.1, 0.5)
	}
	c.haze(h-0.2, h+0.02, 0.5)
	c.ground(h, 0.4, 0.85)
	s := c.fit(1.3)
	c.slab(c.W*0.08, 0.86, 0.34*s, c.r(0.52, 0.62), 0.13, 1)
	c.slab(c.W*0.5, 0.88, 0.5*s, c.r(0.4, 0.5), 0.16, 1)
	var trees path
	for range 6 {
		trees = trees.and(c.broadleaf(c.r(0, 1)*c.W, c.r(0.88, 0.94), c.r(0.1, 0.17)))
	}
	c.fill(trees, c.depth(0.86))
	c.fill(poly(-0.1, 0.96, c.W+0.1, 0.92, c.W+0.1, 0.98, -0.1, 1.04), mix(c.depth(0.6), c.skyAt(1), 0.4))
	c.walkers(0.1*c.W, 0.9*c.W, 0.93, 0.98, 0.1, 0.12, 5)
}

// slab is a block of flats with balconies; w is its front, side its depth in view.
func (c *canvas) slab(x, y, w, h, side, near float64) {
	g := c.at(x, y, 1, 1)
	face, shade := c.face(), c.side()
	if near < 1 {
		face, shade = mix(c.depth(0.15), c.face(), 0.25), c.depth(0.3)
	}
	g.fill(rect(0, -h, w, h), face)
	g.fill(poly(w, 0, w, -h, w+side, -h+0.03, w+side, 0), shade)
	floors := int(h / 0.055)
	bays := max(3, int(w/0.07))
	fh := (h - 0.04) / float64(floors)
	bw := w / float64(bays)
	var dark, lit, rail, acc path
	for j := range floors {
		for i := range bays {
			bx, by := bw*float64(i), -h+0.015+fh*float64(j)
			q := rect(bx+bw*0.16, by+fh*0.18, bw*0.3, fh*0.52).and(rect(bx+bw*0.54, by+fh*0.18, bw*0.3, fh*0.52))
			if c.mood.dark && c.odds(0.4) {
				lit = lit.and(q)
			} else {
				dark = dark.and(q)
			}
			if i%2 == 0 {
				r := rect(bx+bw*0.08, by+fh*0.56, bw*0.84, fh*0.3)
				if (i/2+j)%3 == 0 {
					acc = acc.and(r)
				} else {
					rail = rail.and(r)
				}
			}
		}
	}
	g.fill(dark, mix(shade, c.deep(), near*0.8))
	g.fill(lit, mix(c.accent(0.3), c.tone(1), 0.4))
	g.fill(rail, mix(face, shade, 0.45))
	g.fill(acc, mix(face, c.accent(0), 0.3+0.55*near))
	var sw path
	for j := range floors {
		sw = sw.and(rect(w+side*0.35, -h+0.05+fh*float64(j)*0.97, side*0.26, fh*0.4))
	}
	g.fill(sw, mix(shade, c.deep(), 0.7))
	g.fill(rect(-0.004, -h-0.008, w+0.008, 0.012), c.hi())
	g.stipple(rect(0, -h, w, h), shade, 0, -h*0.6, 0, w, 0, 0.45)
	g.stipple(poly(w, 0, w, -h, w+side, -h+0.03, w+side, 0), c.tone(0), w, 0, 0.6, w+side, -h, 0)
	for range 2 {
		ax := c.r(0.1, 0.9) * w
		g.fill(rect(ax, -h-0.05, 0.004, 0.045).and(rect(ax-0.015, -h-0.048, 0.034, 0.003), rect(ax-0.01, -h-0.038, 0.024, 0.003)), c.depth(0.7))
	}
}

func constructionCrane(c *canvas) {
	h := 0.82
	c.sky(h, c.r(0.2, 0.8))
	c.towers(h, 0.26, 0.12, 0.7)
	c.haze(h-0.2, h, 0.5)
	c.ground(h, 0.5, 0.9)
	s := c.fit(1.3)
	// The shell of a building: slabs, columns, scaffolding.
	x, w := c.W*0.5-0.1*s, 0.52*s
	floors := c.n(4, 6)
	fh := 0.085
	for j := range floors {
		y := 0.86 - fh*float64(j)
		ww := w
		if j == floors-1 {
			ww = w * 0.6
		}
		c.fill(rect(x, y-fh, ww, fh), c.tone(lerp(c.mood.deep, c.mood.side, 0.45)))
		var cols path
		for k := range 7 {
			cx := x + ww*float64(k)/6.2
			cols = cols.and(rect(cx, y-fh, 0.014, fh))
		}
		c.fill(cols, c.face())
		c.fill(rect(x-0.015, y-fh-0.012, ww+0.03, 0.02), c.hi())
		c.stipple(rect(x, y-fh+0.008, ww, fh*0.7), c.tone(0), x, y-fh, 0.6, x, y, 0)
		if c.odds(0.7) {
			c.fill(rect(x+ww*c.r(0, 0.6), y-fh*0.82, ww*0.22, fh*0.82), c.accent(c.r(-0.25, 0)))
		}
	}
	var rods path
	top := 0.86 - fh*float64(floors)
	for k := range 9 {
		rods = rods.and(rect(x+w*0.6*float64(k)/8, top-0.05, 0.003, 0.05))
	}
	c.fill(rods, c.depth(0.95))
	c.towerCrane(x-0.1*s, 0.87, 0.74, 0.55*s, 0.95)
	c.towerCrane(c.W*0.88, 0.84, 0.5, -0.34*s, 0.45)
	c.fill(blob(-0.1, 0.97, 0.1*c.W, 0.88, 0.24*c.W, 0.92, 0.4*c.W, 1.06, -0.1, 1.1), c.depth(0.8))
	for i := range 3 {
		k := c.passer(0.9)
		k.hat, k.hair, k.coat = true, c.accent(0.15), c.tone(0.85)
		if i == 1 {
			k.coat = c.accent(0)
		}
		c.figure(c.W*(0.2+0.22*float64(i))+c.r(-0.03, 0.03), 0.95, 0.15, k)
	}
}

// towerCrane stands at x with a jib of signed length reach.
func (c *canvas) towerCrane(x, y, h, reach, d float64) {
	k := c.depth(d)
	if d > 0.6 {
		k = c.accent(-0.15)
	}
	t := h * 0.028
	var p path
	lattice := func(x0, y0, x1, y1, w float64) {
		dx, dy := x1-x0, y1-y0
		l := math.Hypot(dx, dy)
		nx, ny := -dy/l*w/2, dx/l*w/2
		p = p.and(line(x0+nx, y0+ny, x1+nx, y1+ny, t*0.16), line(x0-nx, y0-ny, x1-nx, y1-ny, t*0.16))
		n := int(l/w) + 1
		for i := range n {
			a, b := float64(i)/float64(n), float64(i+1)/float64(n)
			s := float64(i%2*2 - 1)
			p = p.and(line(x0+dx*a+nx*s, y0+dy*a+ny*s, x0+dx*b-nx*s, y0+dy*b-ny*s, t*0.1))
		}
	}
	top := y - h
	lattice(x, y, x, top, t)
	lattice(x-reach*0.3, top, x+reach, top, t*0.8)
	p = p.and(poly(x-t*0.5, top, x, top-h*0.12, x+t*0.5, top), line(x, top-h*0.12, x+reach*0.8, top-t*0.4, t*0.09), line(x, top-h*0.12, x-reach*0.28, top-t*0.4, t*0.09))
	p = p.and(rect(x-reach*0.3-t*0.8, top-t*0.3, t*1.6, t*2))
	hook := x + reach*c.r(0.45, 0.8)
	drop := h * c.r(0.2, 0.4)
	p = p.and(line(hook, top, hook, top+drop, t*0.1), rect(hook-t*1.6, top+drop, t*3.2, t*0.7))
	c.fill(p, k)
	c.fill(rounded(x+t*0.5, top+t*0.2, t*1.1, t*1.5, t*0.2), c.hi())
}

func oldTown(c *canvas) {
	c.sky(0.7, c.r(0.3, 0.7))
	on := c.hills(0.44, 0.05, 2.2, 0.14)
	g := c.at(c.W*c.r(0.55, 0.75), levelAt(on, c.W*0.65)+0.02, 0.8, 0.8)
	k := c.depth(0.24)
	g.fill(rect(-0.14, -0.13, 0.28, 0.14).and(rect(-0.18, -0.2, 0.07, 0.2), rect(0.1, -0.24, 0.08, 0.25), poly(-0.19, -0.2, -0.145, -0.29, -0.1, -0.2), poly(0.09, -0.24, 0.14, -0.33, 0.19, -0.24), rect(-0.02, -0.18, 0.05, 0.08)), k)
	c.haze(0.36, 0.62, 0.6)
	for row := range 3 {
		t := float64(row) / 2
		y := lerp(0.6, 0.84, t)
		for x := c.r(-0.12, -0.02); x < c.W+0.05; {
			w := lerp(0.11, 0.2, t) * c.r(0.8, 1.2)
			c.townhouse(x, y+c.r(0, 0.02), w, lerp(0.14, 0.3, t)*c.r(0.8, 1.1), t)
			x += w * 0.99
		}
		if row == 0 {
			c.spire(c.W*c.r(0.25, 0.4), 0.6, 0.34)
			c.haze(0.44, 0.64, 0.35)
		}
	}
	c.floor(0.84, 0.6)
	for i := range 4 {
		t := float64(i+1) / 4
		c.wash(rect(-0.1, lerp(0.84, 1, t*t), c.W+0.2, 0.003), c.depth(1), 0.3)
	}
	c.lantern(0.1*c.W, 0.94, 0.3)
	c.walkers(0.12*c.W, 0.92*c.W, 0.87, 0.96, 0.1, 0.15, 6)
}

// townhouse is a narrow old house with a steep roof; t is its nearness.
func (c *canvas) townhouse(x, y, w, h, t float64) {
	tones := []float64{1, 0.86, 0.7, 0.55}
	wall := mix(c.depth(0.2), c.tint(c.mood.face*tones[c.n(0, 3)], c.r(0, 0.2)), 0.45+0.55*t)
	if c.odds(0.16) {
		wall = mix(c.depth(0.25), c.accent(0.3), 0.3+0.6*t)
	}
	roof := mix(c.depth(0.3), c.accent(-0.25), 0.3+0.5*t)
	if c.odds(0.4) {
		roof = mix(c.depth(0.35), c.side(), 0.6)
	}
	g := c.at(x, y, 1, 1)
	g.fill(rect(0, -h, w, h+0.02), wall)
	g.stipple(rect(0, -h, w, h), c.side(), w*0.3, 0, 0, w, -h*0.2, 0.35)
	switch c.n(0, 2) {
	case 0:
		r := poly(-w*0.03, -h, w*0.5, -h-w*0.62, w*1.03, -h)
		g.fill(r, wall)
		g.fill(line(-w*0.05, -h+0.004, w*0.5, -h-w*0.64, w*0.06).and(line(w*1.05, -h+0.004, w*0.5, -h-w*0.64, w*0.06)), roof)
		g.fill(circle(w*0.5, -h-w*0.22, w*0.07), c.deep())
	case 1:
		step := w / 8
		var p path
		for i := range 4 {
			p = p.and(rect(step*float64(i), -h-w*0.14*float64(i+1), w-2*step*float64(i), w*0.15))
		}
		g.fill(p, wall)
		g.fill(rect(w*0.42, -h-w*0.32, w*0.16, w*0.2), c.lamp(0.5))
	default:
		g.gable(0, -h, w, w*0.5, w*0.12, roof)
		g.fill(rect(w*0.68, -h-w*0.6, w*0.12, w*0.3), wall)
		g.fill(rect(w*0.3, -h-w*0.3, w*0.16, w*0.18), c.hi())
		g.fill(rect(w*0.33, -h-w*0.27, w*0.1, w*0.13), c.lamp(0.6))
	}
	rows := max(2, int(h/w*1.7))
	g.grid(w*0.06, -h*0.3, w*0.88, h*0.66, 3, rows-1, 0.42, 0.6, 0.5)
	g.fill(arch(w*0.3, -h*0.16, 0, w*0.26), c.lamp(0.4))
	g.fill(rounded(w*0.58, -h*0.23, w*0.3, h*0.16, w*0.02), c.lamp(0.8))
	g.fill(rect(-0.002, -h*0.28, w+0.004, 0.006), c.hi())
}

// spire is a church tower among the roofs.
func (c *canvas) spire(x, y, h float64) {
	k := c.depth(0.42)
	w := h * 0.17
	c.fill(rect(x-w/2, y-h*0.62, w, h*0.64).and(poly(x-w*0.6, y-h*0.61, x, y-h*1.15, x+w*0.6, y-h*0.61)), k)
	c.fill(rect(x, y-h*0.62, w/2, h*0.64).and(poly(x, y-h*0.61, x, y-h*1.15, x+w*0.6, y-h*0.61)), c.depth(0.54))
	c.fill(arch(x, y-h*0.5, y-h*0.4, w*0.36), c.depth(0.8))
}

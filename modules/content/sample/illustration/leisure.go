package illustration

import (
	"image/color"
	"math"
)

func cycling(c *canvas) {
	h := c.r(0.54, 0.6)
	c.sky(h, c.r(0.2, 0.8))
	c.massif(h+0.02, 0.26, 0.1, c.r(0.1, 0.45))
	c.haze(h-0.1, h+0.04, 0.5)
	on := c.hills(h, 0.05, 2, 0.32)
	c.treeline(on, 0.05, 0.4, c.odds(0.5))
	c.ground(h+0.06, 0.45, 0.8)
	w := c.W
	road := wound(append(curve(points(-0.1, 0.8, w*0.3, 0.79, w*0.7, 0.76, w+0.1, 0.7), false), curve(points(w+0.1, 0.99, w*0.6, 1.0, w*0.3, 0.99, -0.1, 1.0), false)...))
	c.fill(road, mix(c.depth(0.35), c.skyAt(1), 0.45))
	c.stipple(road, c.tone(c.mood.near), 0, 0.8, 0, 0, 1, 0.45)
	var dash path
	for i := range 9 {
		x := w * float64(i) / 8
		dash = dash.and(line(x, 0.87-0.03*x/w, x+0.07, 0.87-0.03*(x+0.07)/w, 0.007))
	}
	c.fill(dash, c.hi())
	var posts path
	for i := range 12 {
		x := w * float64(i) / 11
		posts = posts.and(rect(x, 0.73-0.05*x/w, 0.006, 0.06))
	}
	c.fill(posts.and(line(-0.1, 0.76, w+0.1, 0.67, 0.008)), c.depth(0.75))
	n := c.n(4, 5)
	for i := range n {
		t := float64(i) / float64(n-1)
		x := lerp(w*0.84, w*0.16, t) + c.r(-0.03, 0.03)
		s := lerp(0.19, 0.34, t) * c.fit(1.25)
		kit := c.tone([]float64{0.95, 0.25, 0.7, 0.15, 0.85}[i%5])
		if i == n-1 || i == 1 {
			kit = c.accent(0)
		}
		c.cyclist(x, lerp(0.84, 0.955, t), s, kit)
	}
	c.grass(1.03, 0.1, 120, c.depth(1))
}

// cyclist rides to the right; s is the height of rider and machine.
func (c *canvas) cyclist(x, y, s float64, kit color.RGBA) {
	g := c.at(x, y, s, s)
	g.shadow(0, 0, 0.3)
	dark := c.tone(0.06)
	var p path
	for _, wx := range []float64{-0.34, 0.34} {
		p = p.and(ring(wx, -0.22, 0.21, 0.21, 0.025), circle(wx, -0.22, 0.025))
		for i := range 6 {
			sn, cs := math.Sincos(float64(i) * math.Pi / 6)
			p = p.and(line(wx-cs*0.2, -0.22-sn*0.2, wx+cs*0.2, -0.22+sn*0.2, 0.005))
		}
	}
	g.fill(p, dark)
	g.fill(line(-0.34, -0.22, -0.06, -0.2, 0.022).and(line(-0.06, -0.2, 0.24, -0.5, 0.028), line(-0.34, -0.22, -0.13, -0.5, 0.018), line(-0.13, -0.5, 0.24, -0.5, 0.024), line(-0.06, -0.2, -0.15, -0.58, 0.024), line(0.34, -0.22, 0.23, -0.55, 0.024)), kit)
	g.fill(line(-0.23, -0.58, -0.07, -0.58, 0.035).and(brush(points(0.23, -0.55, 0.32, -0.57, 0.36, -0.5, 0.3, -0.47), 0.022, 0.02), circle(-0.06, -0.2, 0.05)), dark)
	skin := c.tint(0.74, 0.16)
	a := c.r(0, 6.28)
	for i := range 2 {
		fx, fy := -0.06+0.1*math.Cos(a+math.Pi*float64(i)), -0.2+0.1*math.Sin(a+math.Pi*float64(i))
		kx, ky := (-0.13+fx)/2+0.13, (-0.56+fy)/2-0.06
		g.fill(brush(points(-0.14, -0.6, kx, ky), 0.12, 0.085), dark)
		g.fill(brush(points(kx, ky, fx, fy), 0.075, 0.045), skin)
		g.fill(ellipse(fx+0.03, fy+0.01, 0.06, 0.026), c.tone(0.95))
	}
	g.fill(brush(points(0.12, -0.86, 0.2, -0.68, 0.32, -0.56), 0.06, 0.045), skin)
	torso := blob(-0.22, -0.6, -0.2, -0.72, -0.06, -0.88, 0.1, -0.95, 0.18, -0.9, 0.14, -0.8, 0, -0.68, -0.1, -0.58)
	g.fill(torso, kit)
	g.stipple(torso, c.tone(0), 0, -0.85, 0, 0, -0.6, 0.6)
	g.fill(brush(points(0.12, -0.88, 0.19, -0.72), 0.08, 0.07), kit)
	g.fill(ellipse(0.23, -0.98, 0.062, 0.075), skin)
	g.fill(blob(0.13, -0.98, 0.14, -1.06, 0.24, -1.1, 0.32, -1.03, 0.3, -1.0, 0.2, -1.0), c.tone(0.96))
	g.fill(line(0.25, -0.99, 0.3, -0.985, 0.022), dark)
}

func skiSlope(c *canvas) {
	h := 0.52
	c.sky(h, c.r(0.2, 0.8))
	c.massif(h+0.06, 0.4, 0.14, 0.66)
	c.haze(h-0.08, h+0.12, 0.5)
	w := c.W
	slope := func(pts []point, t float64) path {
		p := under(curve(pts, false), 1.1)
		c.fill(p, mix(c.skyAt(1), c.tone(c.mood.hi), t))
		c.stipple(p, c.tone(c.mood.side), 0, h, 0, w*0.6, 1.1, 0.4)
		return p
	}
	slope(points(-0.1, h+0.14, w*0.3, h+0.1, w*0.7, h-0.02, w+0.1, h-0.1), 0.45)
	var trees path
	for range 60 {
		x := c.r(0.2, 1) * w
		y := h + 0.1 - 0.2*(x/w-0.3) + c.r(0.02, 0.08)
		trees = trees.and(c.conifer(x, y, c.r(0.06, 0.12)))
	}
	c.fill(trees, c.depth(0.5))
	near := points(-0.1, h+0.04, w*0.25, h+0.14, w*0.6, h+0.3, w+0.1, h+0.36)
	p := slope(near, 1)
	// The lift and its chairs.
	k := c.depth(0.85)
	line0 := sag(-0.1, 0.6, w+0.1, 0.12, 0.06)
	c.fill(stroke(line0, 0.005), k)
	for _, t := range []float64{0.2, 0.66} {
		q := line0[int(t*24)]
		c.fill(taper(q.x, q.y+0.5, q.x, q.y-0.02, 0.022, 0.014).and(rect(q.x-0.05, q.y-0.012, 0.1, 0.016)), k)
	}
	for i := range 5 {
		q := line0[2+i*5]
		c.fill(line(q.x, q.y, q.x, q.y+0.1, 0.005).and(rect(q.x-0.04, q.y+0.1, 0.08, 0.01), rect(q.x-0.04, q.y+0.06, 0.008, 0.045)), k)
		for j := range c.n(1, 2) {
			px := q.x - 0.018 + 0.036*float64(j)
			c.fill(blob(px-0.015, q.y+0.1, px-0.013, q.y+0.065, px, q.y+0.058, px+0.013, q.y+0.065, px+0.015, q.y+0.1).and(line(px, q.y+0.1, px+0.012, q.y+0.14, 0.012), line(px-0.01, q.y+0.145, px+0.045, q.y+0.135, 0.005)), c.accent(-0.1))
			c.fill(circle(px, q.y+0.048, 0.012), c.tone(0.12))
		}
	}
	c.within(p, func() {
		for i := range 3 {
			var tr []point
			ph := c.r(0, 6)
			for j := range 60 {
				t := float64(j) / 59
				tr = append(tr, point{lerp(w*0.02, w*(0.5+0.2*float64(i)), t) + 0.05*math.Sin(t*14+ph)*(0.4+t), lerp(h+0.1, 1.08, t)})
			}
			c.wash(brush(tr, 0.003, 0.018), c.tone(c.mood.side), 0.55)
		}
	})
	for i, q := range [][3]float64{{0.2, 0.68, 0.12}, {0.36, 0.82, 0.2}, {0.66, 0.95, 0.34}} {
		kit := c.tone(0.2)
		if i == 2 || c.odds(0.3) {
			kit = c.accent(0)
		}
		c.skier(w*q[0]+c.r(-0.03, 0.03), q[1], q[2], kit)
	}
	c.snowfall(60)
	c.fill(c.conifer(w*0.93, 1.04, 0.5).and(c.conifer(w*1.02, 1.04, 0.4)), c.depth(0.95))
}

// skier goes downhill to the right.
func (c *canvas) skier(x, y, s float64, kit color.RGBA) {
	g := c.at(x, y, s, s)
	dark := c.tone(0.06)
	g.stipple(ellipse(-0.1, 0.02, 0.55, 0.06), c.tone(c.mood.side), 0, 0, 0.8, 0.5, 0, 0.2)
	var spray path
	for range 40 {
		spray = append(spray, disc(c.r(-0.75, -0.2), c.r(-0.16, 0.02), c.r(0.006, 0.018)))
	}
	g.fill(spray, c.tone(1))
	g.fill(brush(points(-0.45, -0.1, 0.4, 0.07, 0.5, 0.05), 0.03, 0.026).and(brush(points(-0.4, -0.03, 0.4, 0.13, 0.5, 0.11), 0.03, 0.026)), dark)
	g.fill(brush(points(-0.06, -0.5, 0.16, -0.3, 0, -0.02), 0.15, 0.08).and(brush(points(-0.1, -0.48, 0.06, -0.28, -0.08, -0.04), 0.14, 0.08)), c.tone(0.16))
	g.fill(brush(points(0.22, -0.56, 0.32, -0.5, -0.35, -0.2), 0.018, 0.012).and(brush(points(0.3, -0.6, 0.6, -0.12), 0.016, 0.012)), dark)
	torso := blob(-0.16, -0.46, -0.14, -0.6, -0.02, -0.78, 0.12, -0.84, 0.2, -0.76, 0.14, -0.62, 0.02, -0.46, -0.08, -0.42)
	g.fill(torso, kit)
	g.stipple(torso, c.tone(0), 0, -0.78, 0, 0, -0.44, 0.6)
	g.fill(brush(points(0.08, -0.76, 0.12, -0.6, 0.28, -0.56), 0.09, 0.06), kit)
	g.fill(circle(0.17, -0.9, 0.075), c.tint(0.8, 0.15))
	g.fill(sector(0.165, -0.915, 0.09, 0.09, 2.9, 6.5), c.tone(0.95))
	g.fill(rounded(0.16, -0.93, 0.1, 0.04, 0.015), dark)
}

func familyWalk(c *canvas) {
	h := c.r(0.6, 0.66)
	c.sky(h, c.r(0.25, 0.75))
	c.hills(h-0.07, 0.06, 2, 0.12)
	on := c.hills(h, 0.025, 2.6, 0.3)
	c.treeline(on, 0.07, 0.34, false)
	c.ground(h+0.03, 0.42, 0.78)
	w := c.W
	pth := wound(append(curve(points(w*0.56, h+0.03, w*0.5, h+0.08, w*0.6, h+0.16, w*0.28, 1.1), false), curve(points(w*0.92, 1.1, w*0.72, h+0.17, w*0.56, h+0.08, w*0.585, h+0.03), false)...))
	c.fade(pth, 0, h, mix(c.depth(0.3), c.skyAt(1), 0.6), 0, 1, mix(c.depth(0.4), c.skyAt(1), 0.5))
	// Bare or leafy trees frame the way.
	for _, x := range []float64{0.06, 0.22, 0.94} {
		th := c.r(0.6, 0.85)
		if x == 0.22 {
			th *= 0.6
		}
		tx, ty := w*x, 0.94-0.1*math.Abs(x-0.06)
		c.fill(c.bare(tx, ty, th), c.depth(0.92))
		var leaf, acc path
		for range 150 {
			a, r := c.r(0, 6.28), math.Sqrt(c.r(0, 1))*0.3*th
			q := ellipse(tx+math.Cos(a)*r, ty-th*0.72+math.Sin(a)*r*0.8, c.r(0.008, 0.018), c.r(0.005, 0.012))
			if c.odds(0.5) {
				acc = acc.and(q)
			} else {
				leaf = leaf.and(q)
			}
		}
		c.fill(leaf, c.depth(0.62))
		c.fill(acc, c.accent(0.05))
	}
	var fallen path
	for range 60 {
		fallen = fallen.and(ellipse(c.r(0, w), c.r(h+0.12, 1), 0.008, 0.004))
	}
	c.fill(fallen, c.accent(0.1))
	x := w * c.r(0.46, 0.54)
	y := 0.93
	s := c.fit(0.9)
	ad := dress{coat: c.accent(-0.08), legs: c.tone(0.1), skin: c.tint(0.84, 0.14), hair: c.tone(0.12), long: true, stride: 0.6}
	bd := dress{coat: c.tone(0.22), legs: c.tone(0.08), skin: c.tint(0.84, 0.14), hair: c.tone(0.06), stride: 0.6}
	kid := dress{coat: c.tone(0.9), legs: c.tone(0.25), skin: c.tint(0.84, 0.14), hair: c.tone(0.3), child: true, stride: 0.8}
	for _, q := range []float64{-0.15, 0, 0.16} {
		c.shadow(x+q*s, y, 0.07)
	}
	c.figure(x-0.15*s, y, 0.4*s, ad)
	c.figure(x+0.16*s, y, 0.43*s, bd)
	c.figure(x+0.005*s, y+0.01, 0.24*s, kid)
	c.fill(brush(points(x-0.026*s, y-0.1*s, x-0.07*s, y-0.15*s, x-0.098*s, y-0.18*s), 0.016*s, 0.02*s), kid.coat)
	c.fill(brush(points(x+0.036*s, y-0.1*s, x+0.07*s, y-0.15*s, x+0.1*s, y-0.185*s), 0.016*s, 0.02*s), kid.coat)
	if c.odds(0.7) {
		c.dog(x+0.36*s, y+0.01, 0.13*s)
		c.fill(stroke(sag(x+0.22*s, y-0.19*s, x+0.33*s, y-0.09*s, 0.02), 0.003), c.tone(0.05))
	}
	c.grass(1.02, 0.08, 140, c.depth(1))
}

// dog trots to the right.
func (c *canvas) dog(x, y, s float64) {
	g := c.at(x, y, s, s)
	k := c.tone(0.1)
	if c.odds(0.5) {
		k = mix(c.tone(0.85), c.accent(0), 0.2)
	}
	g.shadow(0, 0, 0.4)
	g.fill(brush(points(-0.3, -0.4, -0.34, -0.2, -0.28, 0), 0.12, 0.07).and(brush(points(-0.24, -0.4, -0.2, -0.2, -0.22, 0), 0.12, 0.07), brush(points(0.2, -0.4, 0.24, 0), 0.1, 0.07), brush(points(0.26, -0.4, 0.34, -0.02), 0.1, 0.07),
		blob(-0.38, -0.5, -0.3, -0.62, 0.1, -0.62, 0.32, -0.66, 0.36, -0.4, 0.2, -0.32, -0.2, -0.36), brush(points(0.28, -0.56, 0.4, -0.8), 0.2, 0.16),
		blob(0.3, -0.86, 0.42, -0.94, 0.54, -0.86, 0.68, -0.8, 0.66, -0.72, 0.5, -0.7, 0.34, -0.72), brush(points(-0.36, -0.56, -0.5, -0.7, -0.54, -0.86), 0.07, 0.03)), k)
	g.fill(blob(0.34, -0.92, 0.28, -0.84, 0.3, -0.68, 0.38, -0.7, 0.42, -0.88), mix(k, c.tone(0), 0.5))
	g.fill(rect(0.26, -0.7, 0.2, 0.045), c.accent(0))
}

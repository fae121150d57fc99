package illustration

import "math"

// paperGrid is squared paper filling the picture.
func (c *canvas) paperGrid() {
	m := c.mood
	base, rule := c.tone(0.93), c.tone(0.72)
	if m.dark {
		base, rule = c.tone(0.1), c.tone(0.24)
	} else if m == &moods[posterMood] {
		base, rule = c.accent(0.35), c.accent(0.6)
	}
	c.fill(c.all(), base)
	c.stipple(c.all(), c.tone(m.side), 0, 0, 0.02, 0, 1.1, 0.3)
	var fine, bold path
	for i := 0; float64(i)*0.05 < c.W+0.1; i++ {
		q := rect(float64(i)*0.05, -0.1, 0.0016, 1.2)
		if i%4 == 2 {
			bold = bold.and(rect(float64(i)*0.05, -0.1, 0.003, 1.2))
		} else {
			fine = fine.and(q)
		}
	}
	for i := range 21 {
		q := rect(-0.1, float64(i)*0.05, c.W+0.2, 0.0016)
		if i%4 == 2 {
			bold = bold.and(rect(-0.1, float64(i)*0.05, c.W+0.2, 0.003))
		} else {
			fine = fine.and(q)
		}
	}
	c.wash(fine, rule, 0.6)
	c.wash(bold, rule, 1)
}

func chartLine(c *canvas) {
	c.paperGrid()
	w := c.W
	up := c.odds(0.5)
	n := 11
	pts := make([]point, n)
	for i := range pts {
		t := float64(i) / float64(n-1)
		v := 0.74 - 0.5*math.Pow(t, 1.3)
		if !up {
			v = 0.26 + 0.5*math.Pow(t, 1.2)
		}
		j := 0.055
		wave := 0.03 * float64(i%2*2-1)
		if i == 0 || i >= n-2 {
			j, wave = 0, 0
		}
		pts[i] = point{w * (0.06 + 0.84*t), v + c.r(-j, j) + wave}
	}
	other := make([]point, n)
	for i := range other {
		t := float64(i) / float64(n-1)
		other[i] = point{-0.05 + (w+0.1)*t, 0.7 + 0.1*math.Sin(t*6+c.r(0, 0.6)) + c.r(-0.02, 0.02)}
	}
	dark := c.tone(0.14)
	if c.mood.dark {
		dark = c.tone(0.5)
	}
	area := under(curve(other, false), 1.1)
	c.wash(area, dark, 0.35)
	c.dots(area, dark, 0, 0.65, 0.45, 0, 1.05, 0.05)
	body := under(pts, 0.94)
	c.wash(body, c.accent(0.15), 0.55)
	c.dots(body, c.accent(-0.15), 0, 0.3, 0.7, 0, 0.94, 0.1)
	c.wash(c.shifted(stroke(pts, 0.022), 0.008, 0.012), c.tone(0), 0.45)
	c.fill(stroke(pts, 0.022), c.accent(-0.1))
	for _, q := range pts {
		c.fill(circle(q.x, q.y, 0.016), c.tone(0.06))
		c.fill(circle(q.x, q.y, 0.008), c.tone(1))
	}
	a, b := pts[n-2], pts[n-1]
	dx, dy := b.x-a.x, b.y-a.y
	l := math.Hypot(dx, dy)
	dx, dy = dx/l, dy/l
	c.fill(poly(b.x+dx*0.075, b.y+dy*0.075, b.x-dx*0.02-dy*0.05, b.y-dy*0.02+dx*0.05, b.x-dx*0.02+dy*0.05, b.y-dy*0.02-dx*0.05), c.accent(-0.1))
	k := c.tone(0.08)
	if c.mood.dark {
		k = c.tone(0.85)
	}
	c.fill(rect(w*0.04, 0.06, 0.006, 0.89).and(rect(w*0.04, 0.94, w*0.92, 0.006)), k)
	for i := range 6 {
		c.fill(rect(w*0.04-0.018, 0.14+0.14*float64(i), 0.02, 0.005).and(rect(w*(0.16+0.15*float64(i)), 0.94, 0.005, 0.02)), k)
	}
	// Someone walks on the line, which gives the numbers their size.
	q := pts[c.n(2, 4)]
	man := dress{coat: c.tone(0.12), legs: c.tone(0.06), skin: c.tint(0.82, 0.14), hair: c.tone(0.08), stride: 1, bag: true}
	if c.mood.dark {
		man.coat, man.legs = c.tone(0.9), c.tone(0.7)
	}
	c.figure(q.x, q.y-0.008, 0.24*c.fit(1.1), man)
}

func chartBars(c *canvas) {
	c.paperGrid()
	w := c.W
	n := int(math.Max(5, math.Min(9, math.Round(w*5))))
	up := c.odds(0.55)
	floor := 0.9
	step := w * 0.9 / float64(n)
	bw := step * 0.62
	skew := bw * 0.3
	var tops []point
	mark := c.n(n/2, n-1)
	for i := range n {
		t := float64(i) / float64(n-1)
		if !up {
			t = 1 - t
		}
		h := 0.12 + 0.5*math.Pow(t, 1.2) + c.r(-0.05, 0.06)
		x := w*0.05 + step*float64(i)
		front, side, top := c.tone(0.46), c.tone(0.2), c.tone(0.72)
		if c.mood.dark {
			front, side, top = c.tone(0.6), c.tone(0.3), c.tone(0.9)
		}
		if i == mark {
			front, side, top = c.accent(0), c.accent(-0.4), c.accent(0.35)
		}
		c.stipple(poly(x+bw, floor, x+bw+h*0.5, floor, x+bw+h*0.3+0.03, floor-0.05, x+bw, floor-0.05), c.tone(0), x+bw, 0, 0.7, x+bw+h*0.5, 0, 0)
		f := rect(x, floor-h, bw, h)
		c.fill(f, front)
		c.dots(f, side, 0, floor-h, 0.05, 0, floor, 0.55)
		c.fill(poly(x+bw, floor, x+bw, floor-h, x+bw+skew, floor-h-skew*0.5, x+bw+skew, floor-skew*0.5), side)
		c.fill(poly(x, floor-h, x+skew, floor-h-skew*0.5, x+bw+skew, floor-h-skew*0.5, x+bw, floor-h), top)
		tops = append(tops, point{x + bw/2 + skew/2, floor - h - skew*0.25})
	}
	k := c.tone(0.08)
	if c.mood.dark {
		k = c.tone(0.85)
	}
	c.fill(rect(-0.1, floor, w+0.2, 0.008), k)
	people := c.n(2, 3)
	for i := range people {
		q := tops[(mark+i*2+1)%n]
		d := c.passer(0.95)
		if i == 0 {
			q = tops[mark]
			d.coat = c.tone(0.1)
			if c.mood.dark {
				d.coat = c.tone(0.95)
			}
		}
		d.stride = 0.5
		c.figure(q.x, q.y, math.Min(0.2, step*1.5), d)
	}
	if c.odds(0.6) {
		q, r := tops[max(0, mark-1)], tops[mark]
		if r.y < q.y {
			x := r.x - bw*0.72
			c.fill(line(x-0.05, q.y, x+0.0, r.y-0.02, 0.006).and(line(x-0.02, q.y, x+0.03, r.y-0.02, 0.006)), k)
			for j := range 12 {
				t := (float64(j) + 0.5) / 12
				y := lerp(q.y, r.y, t)
				c.fill(line(x-0.05+0.05*t, y, x-0.02+0.05*t, y, 0.005), k)
			}
		}
	}
}

// coinStack is n coins seen from the front and a little above; y is its foot.
func (c *canvas) coinStack(x, y, r float64, n int, acc bool) float64 {
	th := r * 0.26
	for i := range n {
		cx, cy := x+c.r(-0.06, 0.06)*r, y-th*float64(i)
		edge, face := c.tone(0.58), c.tone(0.92)
		if acc {
			edge, face = c.accent(-0.12), c.accent(0.35)
		}
		side := rect(cx-r, cy-th, 2*r, th).and(ellipse(cx, cy, r, r*0.3))
		c.fill(side, edge)
		var mill path
		for j := range 22 {
			a := math.Pi * (float64(j) + 0.5) / 22
			mx := cx + r*math.Cos(a)
			my := cy + r*0.3*math.Sin(a)
			mill = mill.and(rect(mx-r*0.012, my-th*0.9, r*0.024, th*0.8))
		}
		c.wash(mill, c.tone(0.05), 0.5)
		c.stipple(side, c.tone(0), cx-r*0.3, 0, 0, cx+r, 0, 0.85)
		c.fill(ellipse(cx, cy-th, r, r*0.3), face)
		c.fill(ring(cx, cy-th, r*0.82, r*0.24, r*0.03), edge)
		c.stipple(ellipse(cx, cy-th, r, r*0.3), edge, cx-r*0.2, 0, 0, cx+r, 0, 0.5)
	}
	return y - th*float64(n)
}

func coins(c *canvas) {
	w := c.W
	m := c.mood
	wall, floor := c.tone(0.7), c.tone(0.4)
	if m.dark {
		wall, floor = c.tone(0.16), c.tone(0.08)
	} else if m == &moods[posterMood] {
		wall = c.accent(0.25)
	}
	c.fade(c.all(), 0, 0, wall, 0, 0.8, mix(wall, c.tone(0.95), 0.3))
	c.glow(w*c.r(0.3, 0.7), 0.4, 0.7, c.tone(1), 0.4, grains)
	c.fade(rect(-0.1, 0.72, w+0.2, 0.5), 0, 0.72, mix(floor, wall, 0.4), 0, 1, floor)
	n := int(math.Max(3, math.Round(w*2.6)))
	step := w * 0.94 / float64(n)
	up := c.odds(0.6)
	order := c.n(0, n-1)
	for i := range n {
		t := float64(i) / float64(n-1)
		if !up {
			t = 1 - t
		}
		r := step * 0.42
		k := 1 + int(math.Pow(t, 1.3)*0.5/(r*0.26)+c.r(0, 1.6))
		x := w*0.03 + step*(float64(i)+0.5)
		y := 0.84 + 0.05*float64(i%2)
		c.stipple(ellipse(x+r*0.9, y+r*0.1, r*1.7, r*0.3), c.tone(0), x, 0, 0.8, x+r*2.4, 0, 0)
		top := c.coinStack(x, y, r, k, i == order || i == (order+2)%n)
		if i == order {
			d := dress{coat: c.tone(0.1), legs: c.tone(0.06), skin: c.tint(0.82, 0.14), hair: c.tone(0.05), stride: 0.5, bag: true}
			if m.dark {
				d.coat = c.tone(0.85)
			}
			c.figure(x, top, 0.2, d)
		} else if i == (order+1)%n && c.odds(0.7) {
			// A seedling grows out of the savings.
			g := c.at(x, top, 1, 1)
			g.fill(brush(curve(points(0, 0, 0.008, -0.06, -0.004, -0.13), false), 0.008, 0.005), c.tone(0.2))
			leaf := blob(-0.004, -0.12, 0.03, -0.17, 0.085, -0.175, 0.05, -0.13).and(blob(0.004, -0.07, -0.04, -0.12, -0.08, -0.11, -0.04, -0.075))
			g.fill(leaf, c.accent(-0.2))
			g.stipple(leaf, c.tone(1), 0, -0.16, 0.4, 0, -0.08, 0)
		}
	}
	// One coin rolls away.
	x, y, r := w*c.r(0.2, 0.8), 0.95, 0.07
	c.wash(ellipse(x+r*0.6, y, r*1.2, r*0.12), c.tone(0), 0.5)
	c.fill(circle(x+0.012, y-r, r), c.accent(-0.3))
	c.fill(circle(x, y-r, r), c.accent(0.25))
	c.fill(ring(x, y-r, r*0.78, r*0.78, r*0.05), c.accent(-0.2))
	c.fill(ring(x, y-r, r*0.36, r*0.36, r*0.1), c.accent(-0.2))
}

// candles is a price chart of bars with wicks.
func (c *canvas) candles(x, y, w, h float64, n int) {
	v := 0.5
	drift := c.r(-0.02, 0.03)
	var up, down path
	for i := range n {
		o := v
		v = math.Max(0.1, math.Min(0.9, v+drift+c.r(-0.14, 0.14)))
		cx := x + w*(float64(i)+0.5)/float64(n)
		bw := w / float64(n) * 0.56
		hi, lo := math.Max(o, v)+c.r(0.02, 0.09), math.Min(o, v)-c.r(0.02, 0.09)
		q := rect(cx-bw/2, y+h*(1-math.Max(o, v)), bw, h*math.Max(0.015, math.Abs(o-v))).and(rect(cx-bw*0.08, y+h*(1-hi), bw*0.16, h*(hi-lo)))
		if v > o {
			up = up.and(q)
		} else {
			down = down.and(q)
		}
	}
	c.fill(up, c.tone(0.92))
	c.fill(down, c.accent(0.05))
}

func exchangeFloor(c *canvas) {
	w := c.W
	c.fade(c.all(), 0, 0, c.tone(0.04), 0, 1, c.tone(0.26))
	// The wall of boards.
	big := rect(w*0.06, 0.08, w*0.88, 0.36)
	c.fill(rect(w*0.05, 0.065, w*0.9, 0.39), c.tone(0.02))
	c.fill(big, c.tone(0.13))
	var g path
	for i := range 12 {
		g = g.and(rect(w*(0.06+0.88*float64(i)/12), 0.08, 0.0016, 0.36))
	}
	for i := range 6 {
		g = g.and(rect(w*0.06, 0.08+0.06*float64(i), w*0.88, 0.0016))
	}
	c.wash(g, c.tone(0.5), 0.5)
	c.candles(w*0.07, 0.09, w*0.86, 0.34, int(22*c.W))
	c.stipple(big, c.tone(1), 0, 0.08, 0.08, 0, 0.5, 0)
	c.glow(w/2, 0.3, 0.8, c.accent(0.3), 0.16, grains)
	// Side boards with rows of figures shown as bars.
	var bars, acc path
	for i := range int(w / 0.055) {
		for j := range 3 {
			q := rect(0.02+0.055*float64(i), 0.475+0.024*float64(j), c.r(0.015, 0.042), 0.01)
			if c.odds(0.25) {
				acc = acc.and(q)
			} else {
				bars = bars.and(q)
			}
		}
	}
	c.fill(rect(-0.1, 0.465, w+0.2, 0.085), c.tone(0.03))
	c.fill(bars, c.tone(0.62))
	c.fill(acc, c.accent(0.1))
	for row := range 3 {
		t := float64(row) / 2
		y := lerp(0.66, 1.02, t)
		s := lerp(0.16, 0.34, t)
		for x := c.r(-0.1, 0.02); x < w+0.1; x += s * 1.35 {
			// A desk with two screens, and a trader behind them with the back to us.
			k := dress{coat: c.tone(lerp(0.3, 0.12, t)), skin: c.tint(0.6, 0.16), hair: c.tone(0.05), long: c.odds(0.3), bag: c.odds(0.1)}
			if c.odds(0.25) {
				k.coat = c.accent(-0.2)
			}
			for j := range 2 {
				sx := x + s*(0.08+0.62*float64(j)) - s*0.35
				c.fill(rounded(sx, y-s*0.95, s*0.56, s*0.4, s*0.03), c.tone(0.02))
				c.fill(rect(sx+s*0.03, y-s*0.92, s*0.5, s*0.34), mix(c.tone(0.45), c.accent(0), 0.15))
				c.at(sx+s*0.04, y-s*0.92, 1, 1).candles(0, 0, s*0.48, s*0.34, 8)
				c.fill(rect(sx+s*0.25, y-s*0.56, s*0.06, s*0.12), c.tone(0.02))
			}
			px := x + s*c.r(0.15, 0.45)
			if c.odds(0.2) {
				d := c.sign()
				c.fill(brush(points(px+d*s*0.34, y-s*0.2, px+d*s*0.42, y-s*0.6, px+d*s*0.37, y-s*1.05), s*0.12, s*0.07), k.coat)
				c.fill(circle(px+d*s*0.37, y-s*1.1, s*0.05), k.skin)
			}
			c.bust(px, y, s*0.86, k, c.tone(0.85))
			c.fill(rect(x-s*0.5, y-s*0.06, s*1.5, s*0.07), c.tone(lerp(0.36, 0.2, t)))
		}
		c.mist(rect(-0.1, y-s*0.1, w+0.2, s*0.4), c.tone(0.1), 0, y-s*0.1, 0.5*(1-t), 0, y+s*0.3, 0)
	}
}

package illustration

import (
	"image/color"
	"math"
)

// backRoom is a plain wall and a table top at y, with light falling in from lx.
func (c *canvas) backRoom(y, lx float64) {
	m := c.mood
	wall, table := c.tone(0.7), c.tone(0.34)
	switch {
	case m.dark:
		wall, table = c.tone(0.18), c.tone(0.2)
	case m == &moods[posterMood]:
		wall = c.accent(0.12)
	}
	c.fill(c.all(), wall)
	c.stipple(c.all(), c.tone(0), lx*c.W, 0, 0, lx*c.W+c.sign()*c.W*0.8, 1, 0.4)
	top := rect(-0.1, y, c.W+0.2, 1.1-y)
	c.fade(top, 0, y, mix(table, c.tone(0.8), 0.25), 0, 1, table)
	var veins path
	for range 16 {
		vy := c.r(y, 1)
		x := c.r(-0.1, 1) * c.W
		veins = veins.and(stroke(curve(points(x, vy, x+0.2, vy+c.r(-0.006, 0.006), x+0.5, vy+c.r(-0.008, 0.008)), false), 0.0025))
	}
	c.wash(veins, c.tone(0), 0.3)
	c.wash(rect(-0.1, y, c.W+0.2, 0.006), c.tone(1), 0.5)
}

func chess(c *canvas) {
	w := c.W
	m := c.mood
	wall := c.tone(0.6)
	if m.dark {
		wall = c.tone(0.14)
	} else if m == &moods[posterMood] {
		wall = c.accent(0.05)
	}
	c.fill(c.all(), wall)
	c.glow(w*c.r(0.35, 0.65), 0.36, 0.8, c.tone(1), 0.45, grains)
	// The board in perspective.
	hy := 0.6
	vx := w / 2
	at := func(i, j float64) point {
		t := math.Pow(j/8, 1.25)
		y := lerp(hy, 1.06, t)
		k := lerp(0.1, 0.27, t) * math.Max(0.8, w/1.4)
		return point{vx + (i-4)*k, y}
	}
	for i := -2; i < 10; i++ {
		for j := range 8 {
			a, b, d, e := at(float64(i), float64(j)), at(float64(i+1), float64(j)), at(float64(i+1), float64(j+1)), at(float64(i), float64(j+1))
			k := c.tone(0.92)
			if (i+j)%2 == 0 {
				k = c.tone(0.22)
			}
			c.fill(poly(a.x, a.y, b.x, b.y, d.x, d.y, e.x, e.y), k)
		}
	}
	c.stipple(rect(-0.1, hy, w+0.2, 0.5), c.tone(0), w*0.4, hy, 0.05, w*1.1, 1.1, 0.6)
	c.wash(rect(-0.1, hy, w+0.2, 0.005), c.tone(0), 0.6)
	light, dark := c.tone(0.95), c.tone(0.1)
	piece := func(kind int, i, j, s float64, k color.RGBA) {
		q := at(i+0.5, j+0.6)
		c.stipple(poly(q.x, q.y+0.012, q.x+s*0.5, q.y+0.012, q.x+s*1.1, q.y-s*0.12, q.x+s*0.6, q.y-s*0.16), c.tone(0), q.x, 0, 0.9, q.x+s, 0, 0.1)
		c.chessman(kind, q.x, q.y, s, k)
	}
	for i := range 8 {
		if c.odds(0.6) {
			piece([]int{0, 1, 3, 0, 2, 0, 3, 1}[i], float64(i), 0.4, 0.2, mix(dark, wall, 0.25))
		}
	}
	for i := range 3 {
		piece(0, float64(1+2*i)+c.r(0, 1.4), c.r(2, 2.6), 0.2, []color.RGBA{dark, light, dark}[i])
	}
	x := c.r(2.4, 3.4)
	piece(2, x, 4.2, 0.58, c.accent(-0.05))
	piece(1, x+1.7+c.r(0, 0.4), 4.0, 0.48, dark)
	piece(3, x-2.2, 4.8, 0.5, light)
	if w > 1.1 {
		piece(4, x+3.4, 4.6, 0.46, light)
	}
	piece(0, x-0.9, 6.2, 0.4, dark)
	piece(0, x+2.3, 6.4, 0.42, light)
}

// chessman draws pawn, rook, king, knight or bishop (0 to 4) of height s standing at (x, y).
func (c *canvas) chessman(kind int, x, y, s float64, k color.RGBA) {
	g := c.at(x, y, s, s)
	base := ellipse(0, -0.03, 0.24, 0.05).and(rect(-0.24, -0.07, 0.48, 0.04), ellipse(0, -0.1, 0.19, 0.05), rect(-0.17, -0.13, 0.34, 0.04))
	stem := blob(-0.15, -0.12, -0.08, -0.3, -0.07, -0.55, 0.07, -0.55, 0.08, -0.3, 0.15, -0.12)
	var p path
	switch kind {
	case 0:
		p = base.and(blob(-0.15, -0.12, -0.07, -0.3, -0.05, -0.46, 0.05, -0.46, 0.07, -0.3, 0.15, -0.12), ellipse(0, -0.47, 0.13, 0.03), circle(0, -0.61, 0.13))
	case 1:
		p = base.and(poly(-0.15, -0.12, -0.1, -0.62, 0.1, -0.62, 0.15, -0.12), rect(-0.16, -0.74, 0.32, 0.13), rect(-0.16, -0.82, 0.085, 0.09), rect(-0.043, -0.82, 0.085, 0.09), rect(0.075, -0.82, 0.085, 0.09))
	case 2:
		p = base.and(stem, ellipse(0, -0.56, 0.15, 0.025), blob(-0.08, -0.57, -0.15, -0.82, -0.08, -0.86, 0.08, -0.86, 0.15, -0.82, 0.08, -0.57), rect(-0.022, -1.02, 0.044, 0.18), rect(-0.075, -0.965, 0.15, 0.044))
	case 3:
		p = base.and(blob(-0.15, -0.12, -0.13, -0.34, -0.02, -0.5, -0.12, -0.47, -0.25, -0.43, -0.29, -0.52, -0.14, -0.68, -0.1, -0.8, 0, -0.83, 0.14, -0.72, 0.2, -0.5, 0.17, -0.28, 0.15, -0.12), poly(-0.08, -0.78, -0.05, -0.92, 0.02, -0.8))
	default:
		p = base.and(stem, ellipse(0, -0.56, 0.14, 0.025), blob(0, -0.88, -0.1, -0.74, -0.09, -0.62, 0, -0.57, 0.09, -0.62, 0.1, -0.74), circle(0, -0.9, 0.035))
	}
	g.fill(p, k)
	g.stipple(p, c.tone(0), -0.04, 0, 0, 0.2, 0, 0.9)
	g.stipple(p, c.tone(1), -0.2, 0, 0.5, -0.06, 0, 0)
	if kind == 3 {
		g.fill(circle(-0.09, -0.69, 0.018), c.tone(0.5))
	}
}

func deskLamp(c *canvas) {
	w := c.W
	y := 0.76
	c.backRoom(y, 0.5)
	// A window with the evening outside.
	wx := w * 0.62
	c.fade(rect(wx, 0.07, 0.42, 0.5), 0, 0.07, c.tone(0.16), 0, 0.57, c.tint(0.6, 0.4))
	c.within(rect(wx, 0.07, 0.42, 0.5), func() {
		c.fill(circle(wx+0.28, 0.2, 0.045), c.tone(0.96))
		var roofs path
		for i := range 7 {
			rx, rh := wx+0.065*float64(i), c.r(0.06, 0.2)
			roofs = roofs.and(rect(rx, 0.57-rh, 0.06, rh))
			if i%2 == 0 {
				roofs = roofs.and(poly(rx, 0.57-rh, rx+0.03, 0.53-rh, rx+0.06, 0.57-rh))
			}
		}
		c.fill(roofs, c.tone(0.08))
	})
	c.fill(rect(wx-0.012, 0.058, 0.444, 0.016).and(rect(wx-0.02, 0.57, 0.46, 0.022), rect(wx-0.012, 0.058, 0.014, 0.52), rect(wx+0.418, 0.058, 0.014, 0.52), rect(wx+0.203, 0.07, 0.01, 0.5), rect(wx, 0.3, 0.42, 0.01)), c.tone(0.88))
	// The cone of light.
	lx := w * c.r(0.26, 0.34)
	hx, hy := lx+0.24, 0.34
	c.mist(poly(hx-0.07, hy+0.03, hx+0.1, hy-0.03, hx+0.52, y+0.14, hx-0.3, y+0.14), c.tint(1, 0.12), hx, hy, 0.9, hx+0.04, y+0.12, 0.25)
	c.glow(hx+0.05, y+0.07, 0.5, c.tint(1, 0.1), 0.5, grains)
	c.fill(ellipse(hx+0.09, y+0.09, 0.36, 0.07), mix(c.tone(0.98), c.accent(0), 0.1))
	// Papers, a pen, books and a cup.
	g := c.at(hx+0.1, y+0.1, 1, 0.5).turned(c.r(-0.25, 0.1))
	for i := range 3 {
		q := c.at(hx+0.07+0.03*float64(i), y+0.09+0.01*float64(i), 1, 0.42).turned(-0.3 + 0.22*float64(i))
		q.wash(rect(-0.135, -0.16, 0.28, 0.36), c.tone(0), 0.25)
		q.fill(rect(-0.14, -0.18, 0.28, 0.36), c.tone(0.9+0.05*float64(i)))
		if i == 2 {
			var l path
			for j := range 9 {
				l = l.and(rect(-0.11, -0.14+0.034*float64(j), c.r(0.12, 0.22), 0.011))
			}
			q.wash(l, c.tone(0.1), 0.75)
		}
	}
	g.fill(taper(0.1, 0.2, 0.3, -0.15, 0.02, 0.02).and(taper(0.1, 0.2, 0.085, 0.235, 0.02, 0.002)), c.accent(-0.1))
	bx := w * 0.78
	by := y + 0.06
	for i := range c.n(3, 5) {
		bw, bh := c.r(0.26, 0.34), c.r(0.035, 0.055)
		k := c.tone(c.r(0.2, 0.8))
		if i%3 == 1 {
			k = c.accent(-0.1)
		}
		off := c.r(-0.03, 0.03)
		c.fill(rect(bx-bw/2+off, by-bh, bw, bh), k)
		c.fill(rect(bx-bw/2+off+0.01, by-bh+0.007, 0.02, bh-0.014), c.tone(0.94))
		c.wash(rect(bx+bw*0.2+off, by-bh, 0.012, bh), c.tone(0.95), 0.7)
		c.stipple(rect(bx-bw/2+off, by-bh, bw, bh), c.tone(0), bx-0.1, 0, 0.1, bx+bw/2, 0, 0.6)
		by -= bh
	}
	c.mug(w*0.62, y+0.13, 0.1)
	// The lamp.
	k := c.accent(-0.08)
	c.fill(ellipse(lx, y+0.05, 0.11, 0.022).and(rect(lx-0.11, y+0.032, 0.22, 0.018), ellipse(lx, y+0.032, 0.11, 0.02)), c.tone(0.08))
	c.fill(line(lx, y+0.03, lx-0.09, 0.5, 0.016).and(line(lx-0.09, 0.5, hx-0.06, 0.24, 0.016)), c.tone(0.1))
	c.fill(circle(lx-0.09, 0.5, 0.018).and(circle(lx, y+0.03, 0.016)), k)
	head := c.at(hx, hy, 1, 1).turned(-0.4)
	shade := blob(-0.045, -0.13, 0.045, -0.13, 0.07, -0.06, 0.14, 0.03, -0.14, 0.03, -0.07, -0.06)
	head.fill(shade, k)
	head.stipple(shade, c.tone(0), -0.02, 0, 0, 0.13, 0, 0.8)
	head.fill(ellipse(0, 0.028, 0.135, 0.022), c.tint(1, 0.08))
}

// mug is a cup with a handle and steam.
func (c *canvas) mug(x, y, s float64) {
	g := c.at(x, y, s, s)
	g.stipple(ellipse(0.4, 0, 1.1, 0.16), c.tone(0), -0.2, 0, 0.7, 1.4, 0, 0)
	body := rect(-0.42, -0.95, 0.84, 0.9).and(ellipse(0, -0.06, 0.42, 0.12))
	g.fill(ring(0.44, -0.5, 0.2, 0.25, 0.1), c.tone(0.8))
	g.fill(body, c.tone(0.95))
	g.fill(rect(-0.42, -0.62, 0.84, 0.16), c.accent(0))
	g.stipple(body, c.tone(0.1), -0.1, 0, 0, 0.42, 0, 0.8)
	g.fill(ellipse(0, -0.95, 0.42, 0.12), c.tone(0.8))
	g.fill(ellipse(0, -0.94, 0.36, 0.09), c.tone(0.12))
	for i := range 2 {
		sx := -0.12 + 0.24*float64(i)
		g.wash(brush(curve(points(sx, -1.1, sx+0.1, -1.35, sx-0.08, -1.6, sx+0.06, -1.95), false), 0.07, 0.02), c.tone(1), 0.5)
	}
}

func ballot(c *canvas) {
	w := c.W
	m := c.mood
	wall := c.tone(0.66)
	if m.dark {
		wall = c.tone(0.22)
	} else if m == &moods[posterMood] {
		wall = c.accent(0.1)
	}
	c.fill(c.all(), wall)
	c.glow(w*0.5, 0.45, 0.9, c.tone(1), 0.5, grains)
	// Rays or flags behind the box.
	if c.odds(0.5) {
		for i := range 14 {
			a := math.Pi + math.Pi*(float64(i)+0.25)/14
			b := math.Pi + math.Pi*(float64(i)+0.75)/14
			c.wash(poly(w/2, 0.66, w/2+math.Cos(a)*2, 0.66+math.Sin(a)*2, w/2+math.Cos(b)*2, 0.66+math.Sin(b)*2), c.tone(1), 0.22)
		}
	} else {
		for i := range int(w/0.3) + 1 {
			c.flag(0.1+0.3*float64(i), 0.8, 0.6, 1, mix(wall, c.accent(-0.1), 0.6))
		}
	}
	c.fade(rect(-0.1, 0.78, w+0.2, 0.4), 0, 0.78, mix(wall, c.tone(0.2), 0.55), 0, 1, mix(wall, c.tone(0.05), 0.8))
	s := c.fit(1) * c.r(0.84, 1.04)
	x := w/2 + c.r(-0.16, 0.16)*math.Max(0, w-0.6)
	g := c.at(x, 0.92, s, s)
	// The box in three planes.
	g.stipple(poly(0.1, 0, 0.9, 0, 0.7, -0.1, 0.3, -0.12), c.tone(0), 0.2, 0, 0.9, 0.85, 0, 0)
	front := rect(-0.33, -0.36, 0.56, 0.38)
	side := poly(0.23, 0.02, 0.23, -0.36, 0.38, -0.43, 0.38, -0.06)
	lid := poly(-0.33, -0.36, -0.17, -0.44, 0.38, -0.43, 0.23, -0.36)
	g.fill(front, c.tone(0.95))
	g.dots(front, c.tone(0.45), -0.3, 0, 0, 0.23, 0.1, 0.45)
	g.fill(side, c.tone(0.4))
	g.stipple(side, c.tone(0), 0.23, 0, 0.2, 0.38, 0, 0.6)
	g.fill(lid, c.tone(0.82))
	g.fill(poly(-0.1, -0.392, -0.08, -0.408, 0.18, -0.406, 0.165, -0.39), c.tone(0.05))
	g.fill(circle(-0.05, -0.16, 0.1), c.accent(0))
	g.fill(brush(points(-0.1, -0.16, -0.065, -0.12, 0.005, -0.205), 0.024, 0.024), c.tone(1))
	// The paper and the hand that lets it go.
	paper := c.at(x+0.045*s, 0.92-0.4*s, s, s).turned(c.r(-0.06, 0.06))
	sheet := poly(-0.1, 0.0, -0.09, -0.3, 0.1, -0.3, 0.11, 0.0)
	paper.fill(sheet, c.tone(1))
	paper.stipple(sheet, c.tone(0.4), 0, 0, 0.6, 0, -0.12, 0)
	paper.wash(rect(-0.06, -0.13, 0.03, 0.03).and(rect(-0.06, -0.08, 0.03, 0.03), rect(-0.015, -0.12, 0.09, 0.01), rect(-0.015, -0.07, 0.08, 0.01)), c.tone(0.1), 0.8)
	paper.fill(line(-0.057, -0.127, -0.033, -0.103, 0.008).and(line(-0.033, -0.127, -0.057, -0.103, 0.008)), c.accent(-0.1))
	skin := c.tint(c.r(0.8, 0.9), 0.24)
	shade := mix(skin, c.tone(0.2), 0.4)
	h := paper
	h.fill(blob(0.3, -0.62, 0.18, -0.5, 0.1, -0.44, 0.09, -0.3, 0.16, -0.26, 0.24, -0.3, 0.34, -0.42, 0.42, -0.56), skin)
	for i := range 4 {
		fx := 0.16 - 0.045*float64(i)
		fy := -0.27 + 0.02*float64(i)
		f := brush(curve(points(0.22-0.02*float64(i), -0.42, fx+0.015, fy-0.06, fx-0.02, fy+0.04), false), 0.062, 0.046).and(circle(fx-0.02, fy+0.04, 0.022))
		h.fill(f, mix(skin, shade, 0.25*float64(i)))
	}
	thumb := brush(curve(points(0.2, -0.47, 0.07, -0.4, 0.0, -0.3, -0.005, -0.22), false), 0.085, 0.05).and(circle(-0.005, -0.22, 0.025))
	h.fill(thumb, skin)
	h.stipple(thumb, c.tone(0.1), 0.02, -0.4, 0, 0.1, -0.3, 0.5)
	h.fill(poly(0.2, -0.56, 0.36, -0.68, 0.5, -0.5, 0.38, -0.38), c.tone(0.97))
	h.fill(poly(0.26, -0.62, 0.62, -1.1, 1.1, -0.75, 0.48, -0.44), c.tone(0.12))
	h.stipple(poly(0.26, -0.62, 0.62, -1.1, 1.1, -0.75, 0.48, -0.44), c.tone(0.6), 0.3, -0.8, 0.5, 0.5, -0.5, 0)
}

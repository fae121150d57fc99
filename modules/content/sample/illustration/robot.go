package illustration

import (
	"image/color"
	"math"
)

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

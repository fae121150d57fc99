package illustration

import "math"

func highway(c *canvas) {
	h := c.r(0.48, 0.54)
	c.sky(h, c.r(0.3, 0.7))
	c.hills(h-0.04, 0.06, 2, 0.14)
	c.hills(h+0.01, 0.03, 2.6, 0.3)
	c.ground(h+0.03, 0.4, 0.75)
	w := c.W
	vx := w * c.r(0.4, 0.6)
	vy := h + 0.04
	road := poly(vx-0.012, vy, vx+0.012, vy, w*1.12, 1.1, -0.12*w, 1.1)
	c.fade(road, 0, vy, mix(c.depth(0.3), c.skyAt(1), 0.4), 0, 1, c.tone(lerp(c.mood.near, c.mood.far, 0.3)))
	edge := func(t0, wd float64) path { return taper(vx+(t0-0.5)*0.02, vy, lerp(-0.12, 1.12, t0)*w, 1.1, 0.001, wd) }
	c.fill(edge(0.04, 0.016).and(edge(0.96, 0.016)), c.hi())
	c.fill(taper(vx, vy, w*0.5, 1.1, 0.003, 0.11), c.depth(0.62))
	c.fill(taper(vx, vy-0.004, w*0.5, 1.02, 0.002, 0.02), c.hi())
	var dash path
	for _, lane := range []float64{0.27, 0.73} {
		for i := range 10 {
			a, b := math.Pow((float64(i)+0.1)/10, 2.4), math.Pow((float64(i)+0.55)/10, 2.4)
			x0, x1 := lerp(vx, lerp(-0.12, 1.12, lane)*w, a), lerp(vx, lerp(-0.12, 1.12, lane)*w, b)
			dash = dash.and(taper(x0, lerp(vy, 1.1, a), x1, lerp(vy, 1.1, b), 0.001+0.013*a, 0.001+0.013*b))
		}
	}
	c.fill(dash, c.hi())
	// A sign gantry with blank boards.
	c.fill(rect(vx-0.3, vy-0.2, 0.008, 0.24).and(rect(vx+0.29, vy-0.2, 0.008, 0.24), rect(vx-0.3, vy-0.2, 0.6, 0.008)), c.depth(0.7))
	for _, x := range []float64{-0.24, 0.05} {
		c.fill(rounded(vx+x, vy-0.215, 0.18, 0.07, 0.008), c.accent(-0.2))
		c.fill(rounded(vx+x+0.02, vy-0.2, 0.09, 0.01, 0.004).and(rounded(vx+x+0.02, vy-0.18, 0.06, 0.01, 0.004), poly(vx+x+0.13, vy-0.17, vx+x+0.145, vy-0.2, vx+x+0.16, vy-0.17)), c.hi())
	}
	for i, t := range []float64{0.1, 0.2, 0.16, 0.34, 0.52} {
		lane := []float64{0.15, 0.84, 0.38, 0.62, 0.16}[i]
		x, y := lerp(vx, lerp(-0.12, 1.12, lane)*w, t), lerp(vy, 1.1, t)
		c.car(x, y, 0.015+0.26*t, lane < 0.5, c.odds(0.4))
	}
	var trees path
	for i := range 9 {
		t := math.Pow(float64(i+1)/9, 2)
		trees = trees.and(c.poplar(lerp(vx, -0.34*w, t), lerp(vy, 0.95, t), 0.04+0.35*t))
	}
	c.fill(trees, c.depth(0.85))
	c.stipple(trees, c.skyAt(1), 0, 0.4, 0.3, 0, 0.9, 0)
}

// car is seen from the front (facing) or from behind; s is its width.
func (c *canvas) car(x, y, s float64, facing, acc bool) {
	g := c.at(x, y, s, s)
	k := c.tone(c.r(0.3, 0.9))
	if acc {
		k = c.accent(0)
	}
	g.fill(ellipse(0, 0, 0.56, 0.06), c.tone(0))
	g.fill(blob(-0.36, -0.42, -0.27, -0.72, 0, -0.76, 0.27, -0.72, 0.36, -0.42), k)
	g.fill(blob(-0.29, -0.44, -0.23, -0.66, 0, -0.69, 0.23, -0.66, 0.29, -0.44), c.tone(0.1))
	body := rounded(-0.5, -0.46, 1, 0.36, 0.1)
	g.fill(rect(-0.46, -0.16, 0.18, 0.16).and(rect(0.28, -0.16, 0.18, 0.16)), c.tone(0.02))
	g.fill(body, k)
	g.stipple(body, c.tone(0), 0, -0.4, 0, 0, -0.1, 0.7)
	lamp := c.accent(-0.1)
	if facing {
		lamp = c.tone(1)
		if c.mood.dark {
			g.glow(-0.36, -0.32, 0.45, c.tone(1), 0.8, grains)
			g.glow(0.36, -0.32, 0.45, c.tone(1), 0.8, grains)
		}
	}
	g.fill(ellipse(-0.37, -0.33, 0.09, 0.05).and(ellipse(0.37, -0.33, 0.09, 0.05)), lamp)
	g.fill(rounded(-0.2, -0.26, 0.4, 0.09, 0.02), c.tone(0.08))
}

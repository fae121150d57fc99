package illustration

func forest(c *canvas) {
	c.sky(0.62, c.r(0.3, 0.7))
	layers := 4
	for i := range layers {
		t := float64(i) / float64(layers)
		on := c.ridge(lerp(0.55, 0.78, t), 0.03, 3)
		c.treeline(on, lerp(0.16, 0.3, t), 0.12+0.5*t, c.odds(0.8))
		c.fill(under(on, 1.1), c.depth(0.12+0.5*t))
		c.haze(lerp(0.5, 0.7, t), lerp(0.66, 0.92, t), 0.5)
	}
	near := c.ridge(0.9, 0.02, 4)
	var trunks, boughs path
	for x := c.r(-0.05, 0.1); x < c.W+0.1; x += c.r(0.1, 0.34) {
		w := c.r(0.018, 0.05)
		lean := c.r(-0.02, 0.02)
		trunks = trunks.and(taper(x, 0.98, x+lean, -0.05, w*1.25, w*0.8))
		for range 4 {
			y := c.r(0.02, 0.5)
			s := c.sign()
			l := c.r(0.05, 0.14)
			boughs = boughs.and(taper(x+lean*(1-y), y, x+s*l, y-l*c.r(0.1, 0.5), w*0.22, w*0.05))
		}
	}
	c.fill(boughs, c.depth(0.92))
	c.fill(trunks, c.depth(0.94))
	c.stipple(trunks, c.skyAt(1), 0, 0.2, 0.2, 0, 0.9, 0.05)
	c.fill(under(near, 1.1), c.depth(1))
	c.grass(0.93, 0.07, 160, c.depth(0.98))
}

func mountains(c *canvas) {
	h := c.r(0.66, 0.74)
	c.sky(h, c.r(0.2, 0.8))
	c.massif(h+0.02, c.r(0.3, 0.36), 0.08, 0.45)
	c.haze(h-0.12, h+0.04, 0.55)
	c.massif(h+0.08, c.r(0.42, 0.56), 0.32, 0.42)
	c.haze(h-0.04, h+0.12, 0.5)
	on := c.hills(h+0.08, 0.03, 3, 0.55)
	c.treeline(on, 0.06, 0.55, true)
	on = c.hills(h+0.15, 0.04, 2.4, 0.78)
	c.treeline(on, 0.1, 0.78, true)
	c.hills(0.95, 0.03, 3, 1)
	if c.odds(0.5) {
		x, y := c.r(0.25, 0.75)*c.W, h+0.16
		c.hut(x, y, 0.06)
	}
	c.grass(0.98, 0.05, 120, c.depth(1))
}

// hut is a small house with a lit window.
func (c *canvas) hut(x, y, s float64) {
	c.fill(rect(x-s, y-s*0.9, s*2, s), c.face())
	c.fill(rect(x-s, y-s*0.9, s*0.7, s), c.side())
	c.fill(poly(x-s*1.25, y-s*0.85, x-s*0.6, y-s*1.7, x+s*0.75, y-s*1.7, x+s*1.25, y-s*0.85), c.accent(-0.25))
	c.fill(rect(x+s*0.1, y-s*0.65, s*0.3, s*0.35), c.lamp(1))
}

func lake(c *canvas) {
	h := c.r(0.5, 0.6)
	c.sky(h, c.r(0.25, 0.75))
	c.massif(h, c.r(0.2, 0.34), 0.18, c.r(0, 0.5))
	c.haze(h-0.1, h+0.05, 0.5)
	on := c.ridge(h-0.03, 0.03, 2.5)
	c.treeline(on, 0.06, 0.45, true)
	c.fill(under(on, h), c.depth(0.45))
	c.reflect(h, 0.86)
	c.ripples(h, 1, 70)
	c.wash(rect(-0.1, h-0.001, c.W+0.2, 0.003), c.skyAt(1), 0.6)
	x := c.r(0.5, 0.72) * c.W
	c.boat(x, c.r(0.7, 0.8), 0.11)
	c.jetty(c.r(0.05, 0.2)*c.W, 0.82)
	c.grass(1.01, 0.17, 60, c.depth(1))
}

// boat is a rowing boat with one person in it.
func (c *canvas) boat(x, y, s float64) {
	c.wash(ellipse(x, y+s*0.12, s*1.2, s*0.1), c.depth(1), 0.5)
	c.fill(brush(points(x-s*0.9, y-s*0.55, x+s*0.1, y-s*0.12), s*0.03, s*0.03), c.depth(0.9))
	g := c.at(x, y, s, s)
	g.fill(blob(-0.12, 0, -0.2, -0.3, -0.08, -0.5, 0.1, -0.48, 0.18, -0.2, 0.15, 0), c.depth(0.8))
	g.fill(ellipse(0.02, -0.6, 0.075, 0.095), c.depth(0.95))
	g.fill(blob(-1, -0.22, -0.5, -0.1, 0.5, -0.1, 1.05, -0.26, 0.8, 0.1, 0.3, 0.17, -0.4, 0.17, -0.8, 0.1), c.accent(-0.05))
	g.stipple(blob(-1, -0.22, -0.5, -0.1, 0.5, -0.1, 1.05, -0.26, 0.8, 0.1, 0.3, 0.17, -0.4, 0.17, -0.8, 0.1), c.tone(0), 0, -0.15, 0, 0, 0.16, 0.8)
}

func (c *canvas) jetty(x, y float64) {
	k := c.depth(0.97)
	c.fill(poly(x-0.12, 1.05, x+0.05, 1.05, x+0.1, y, x+0.06, y), k)
	for i := range 4 {
		t := float64(i) / 3.4
		px, py := lerp(x+0.1, x+0.045, t), lerp(y, 0.98, t)
		c.fill(rect(px, py-0.03-0.04*t, 0.006+0.008*t, 0.08+0.06*t), k)
	}
}

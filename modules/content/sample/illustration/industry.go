package illustration

import (
	"image/color"
	"math"
)

// smoke is a plume of overlapping puffs, as wide as the chimney's mouth where it leaves it.
func (c *canvas) smoke(x, y, mouth, s, drift float64, light color.RGBA) {
	var p path
	n := 14
	for i := range n {
		t := float64(i) / float64(n-1)
		r := (mouth*(1-0.6*t) + s*0.16*math.Pow(t, 0.8)) * c.r(0.8, 1.12)
		p = p.and(circle(x+drift*s*math.Pow(t, 1.3)+c.r(-0.03, 0.03)*s*t, y-s*0.85*t, r))
	}
	c.wash(p, light, 0.92)
	c.stipple(p, c.tone(c.mood.side), x-drift*s*0.2, y, 0.55, x+drift*s*0.8, y-s*0.6, 0.05)
}

func (c *canvas) smokeTone() color.RGBA {
	if c.mood.dark {
		return mix(c.skyAt(0.6), c.tint(0.8, 0.2), 0.55)
	}
	return mix(c.skyAt(0.6), c.tone(1), 0.85)
}

// chimney is a tapering stack with bands, y at its foot.
func (c *canvas) chimney(x, y, h, w float64, k color.RGBA) {
	p := poly(x-w*0.5, y, x-w*0.34, y-h, x+w*0.34, y-h, x+w*0.5, y)
	c.fill(p, k)
	c.stipple(p, c.tone(0), x-w*0.1, y, 0, x+w*0.5, y, 0.75)
	for i := range 2 {
		yy := y - h + h*(0.03+0.1*float64(i))
		c.fill(rect(x-w*0.37, yy, w*0.74, h*0.045), c.accent(-0.05))
	}
}

func factory(c *canvas) {
	h := 0.8
	c.sky(h, c.r(0.2, 0.8))
	c.backdrop(h, 0.14, 0.16)
	c.haze(h-0.2, h, 0.4)
	w := c.W
	s := c.fit(1.5)
	x0 := w/2 - 0.66*s
	drift := c.r(0.4, 0.9)
	stacks := c.n(2, 4)
	for i := range stacks {
		x := x0 + (0.2+0.2*float64(i))*s
		k := c.r(0.46, 0.62)
		c.smoke(x, h-k, 0.018*s, c.r(0.32, 0.5), drift, c.smokeTone())
		c.chimney(x, h, k, 0.07*s, c.face())
	}
	// The hall under its saw-tooth roof.
	teeth := 6
	tw := 1.32 * s / float64(teeth)
	for i := range teeth {
		x := x0 + tw*float64(i)
		c.fill(poly(x, h-0.2, x, h-0.31, x+tw, h-0.2), c.accent(-0.3))
		glass := c.tone(lerp(c.mood.deep, 1, 0.55))
		if c.mood.dark {
			glass = mix(c.accent(0.3), c.tone(1), 0.5)
		}
		c.fill(poly(x+tw*0.05, h-0.205, x+tw*0.05, h-0.285, x+tw*0.3, h-0.25, x+tw*0.3, h-0.205), glass)
		c.stipple(poly(x, h-0.2, x, h-0.31, x+tw, h-0.2), c.tone(0), x, 0, 0.1, x+tw, 0, 0.7)
	}
	c.block(x0, h, 1.32*s, 0.205, c.face())
	c.grid(x0+0.03*s, h-0.06, 1.26*s, 0.11, 18, 1, 0.6, 0.8, 0.6)
	c.fill(rect(x0, h-0.052, 1.32*s, 0.01), c.side())
	c.fill(rect(x0+0.56*s, h-0.12, 0.18*s, 0.12), c.deep())
	var slats path
	for i := range 6 {
		slats = slats.and(rect(x0+0.56*s, h-0.115+0.012*float64(i), 0.18*s, 0.006))
	}
	c.fill(slats, c.side())
	c.floor(h, 0.65)
	c.lorry(w*c.r(0.66, 0.78), 0.9, 0.3*s)
	c.walkers(0.1*w, 0.6*w, 0.86, 0.97, 0.11, 0.18, 6)
}

// lorry is seen from the side, its cab to the right; s is its length.
func (c *canvas) lorry(x, y, s float64) {
	g := c.at(x, y, s, s)
	g.shadow(0, 0, 0.4)
	g.fill(rect(-0.5, -0.42, 0.7, 0.34), c.hi())
	g.fill(rect(-0.5, -0.28, 0.7, 0.06), c.accent(-0.05))
	g.stipple(rect(-0.5, -0.42, 0.7, 0.34), c.side(), -0.4, 0, 0, 0.2, 0, 0.5)
	g.fill(blob(0.22, -0.08, 0.22, -0.34, 0.27, -0.38, 0.4, -0.36, 0.46, -0.2, 0.49, -0.17, 0.49, -0.08), c.accent(-0.1))
	g.fill(poly(0.3, -0.22, 0.3, -0.33, 0.39, -0.33, 0.43, -0.22), c.tone(0.1))
	g.fill(rect(-0.5, -0.09, 0.99, 0.03).and(circle(-0.36, -0.05, 0.055), circle(-0.2, -0.05, 0.055), circle(0.34, -0.05, 0.055)), c.tone(0.05))
	g.fill(circle(-0.36, -0.05, 0.022).and(circle(-0.2, -0.05, 0.022), circle(0.34, -0.05, 0.022)), c.tone(0.6))
}

func steelworks(c *canvas) {
	w := c.W
	c.fade(c.all(), 0, 0, c.tone(0.05), 0, 1, c.tint(0.14, 0.25))
	px := w * c.r(0.4, 0.6)
	// The roof trusses and windows of the hall recede into the smoke.
	for i := range 4 {
		t := float64(i) / 4
		y := lerp(0.3, 0.02, t)
		k := mix(c.tint(0.3, 0.4), c.tone(0.06), t)
		var p path
		p = p.and(rect(-0.1, y, w+0.2, 0.014), rect(-0.1, y+0.09, w+0.2, 0.01))
		n := int(w / 0.14)
		for j := range n + 1 {
			x := 0.14 * float64(j)
			p = p.and(line(x, y, x+0.07, y+0.09, 0.007), line(x+0.07, y+0.09, x+0.14, y, 0.007))
		}
		for _, f := range []float64{-1, 1} {
			p = p.and(rect(w/2+f*w*lerp(0.24, 0.48, t)-0.012-0.02*t, y, 0.024+0.04*t, 0.9))
		}
		c.fill(p, k)
		c.glow(px, 0.62, 0.55, c.accent(0.2), 0.3, grains)
	}
	// The ladle pours.
	c.glow(px+0.1, 0.66, 0.7, c.accent(0.35), 0.75, grains)
	c.fill(line(px-0.13, 0.22, px-0.13, 0.36, 0.012).and(line(px+0.13, 0.22, px+0.13, 0.36, 0.012), rect(px-0.2, 0.19, 0.4, 0.04)), c.tone(0.04))
	g := c.at(px, 0.42, 1, 1).turned(0.35)
	g.fill(poly(-0.17, -0.1, 0.17, -0.1, 0.13, 0.15, -0.13, 0.15), c.tone(0.09))
	g.fill(rect(-0.185, -0.115, 0.37, 0.035).and(rect(-0.165, 0.0, 0.33, 0.02)), c.tone(0.16))
	g.fill(ellipse(0.02, -0.105, 0.15, 0.014), c.tint(1, 0.3))
	g.stipple(poly(-0.17, -0.1, 0.17, -0.1, 0.13, 0.15, -0.13, 0.15), c.accent(0.2), 0.17, 0, 0.7, -0.02, 0, 0)
	sx := px + 0.2
	stream := blob(sx-0.02, 0.38, sx+0.01, 0.37, sx+0.05, 0.5, sx+0.062, 0.74, sx+0.03, 0.74, sx+0.022, 0.52)
	c.fill(stream, c.accent(0.3))
	c.fill(blob(sx-0.008, 0.385, sx+0.008, 0.385, sx+0.042, 0.52, sx+0.052, 0.73, sx+0.04, 0.73, sx+0.03, 0.52), c.tint(1, 0.06))
	c.fill(poly(sx-0.12, 0.72, sx+0.2, 0.72, sx+0.16, 0.9, sx-0.08, 0.9), c.tone(0.07))
	c.fill(ellipse(sx+0.04, 0.72, 0.16, 0.018), c.accent(0.3))
	c.fill(ellipse(sx+0.04, 0.72, 0.1, 0.01), c.tint(1, 0.06))
	var sparks, fine path
	for range 90 {
		a, r := c.r(-2.9, -0.2), math.Pow(c.r(0, 1), 1.6)*0.42
		x, y := sx+0.05+math.Cos(a)*r, 0.72+math.Sin(a)*r*0.9
		sparks = sparks.and(taper(x, y, x+math.Cos(a)*0.03, y+math.Sin(a)*0.03+0.008, 0.004, 0.001))
		fine = append(fine, disc(x+c.r(-0.05, 0.05), y+c.r(-0.05, 0.05), 0.0022))
	}
	c.fill(sparks, c.tint(1, 0.12))
	c.fill(fine, c.accent(0.35))
	c.fade(rect(-0.1, 0.88, w+0.2, 0.3), 0, 0.88, c.tint(0.16, 0.35), 0, 1, c.tone(0.03))
	for i := range c.n(2, 3) {
		x := w * []float64{0.14, 0.27, 0.9}[i]
		k := dress{coat: c.tone(0.08), legs: c.tone(0.04), skin: c.tint(0.5, 0.3), hair: c.tone(0.2), hat: true, long: true, stride: 0.8}
		c.figure(x, 0.96, 0.4, k)
		dir := 1.0
		if x > px {
			dir = -1
		}
		c.stipple(rect(x+dir*0.015, 0.58, dir*0.05, 0.36), c.accent(0.3), x, 0, 0, x+dir*0.06, 0, 0.0)
	}
	c.fill(line(w*0.27+0.05, 0.8, px-0.06, 0.7, 0.01), c.tone(0.03))
}

func oilRefinery(c *canvas) {
	h := 0.8
	c.sky(h, c.r(0.2, 0.8))
	c.hills(h-0.06, 0.03, 2, 0.12)
	w := c.W
	tower := func(x, ht, wd, d float64) {
		k := mix(c.depth(d), c.face(), 0.55*d)
		p := rounded(x-wd/2, h-ht, wd, ht, wd*0.4)
		c.fill(p, k)
		c.stipple(p, c.deep(), x-wd*0.1, 0, 0, x+wd*0.5, 0, 0.9)
		var rails path
		for y := h - ht + 0.05; y < h-0.05; y += 0.075 {
			rails = rails.and(rect(x-wd*0.8, y, wd*1.6, 0.007), rect(x-wd*0.8, y-0.022, wd*1.6, 0.003), rect(x-wd*0.8, y-0.022, 0.003, 0.022), rect(x+wd*0.8, y-0.022, 0.003, 0.022))
		}
		rails = rails.and(rect(x-wd*0.74, h-ht+0.02, 0.007, ht-0.02))
		c.fill(rails, c.depth(math.Min(1, d+0.3)))
		c.fill(rect(x-0.004, h-ht-0.05, 0.008, 0.06), k)
		if c.mood.dark {
			for y := h - ht + 0.05; y < h; y += 0.15 {
				c.glow(x+wd*0.7, y, 0.035, c.accent(0.5), 0.9, smooth)
				c.fill(circle(x+wd*0.7, y, 0.005), c.tone(1))
			}
		}
	}
	for i := range 7 {
		tower(w*(0.04+0.15*float64(i)+c.r(-0.03, 0.03)), c.r(0.2, 0.34), c.r(0.025, 0.05), 0.25)
	}
	c.haze(h-0.3, h, 0.5)
	// The flare.
	fx := w * c.r(0.1, 0.2)
	c.fill(taper(fx, h, fx, h-0.58, 0.02, 0.012), c.depth(0.7))
	for i := range 5 {
		y := h - 0.1*float64(i+1)
		c.fill(line(fx, y, fx-0.05, h, 0.0025).and(line(fx, y, fx+0.05, h, 0.0025)), c.depth(0.6))
	}
	c.glow(fx+0.02, h-0.65, 0.24, c.accent(0.4), 0.8, grains)
	c.fill(blob(fx-0.012, h-0.58, fx-0.03, h-0.63, fx+0.01, h-0.7, fx+0.09, h-0.76, fx+0.06, h-0.68, fx+0.05, h-0.62, fx+0.014, h-0.58), c.accent(0))
	c.fill(blob(fx-0.004, h-0.585, fx-0.008, h-0.63, fx+0.03, h-0.68, fx+0.03, h-0.62, fx+0.008, h-0.585), c.tint(1, 0.15))
	for _, q := range [][3]float64{{0.42, 0.56, 0.062}, {0.53, 0.44, 0.075}, {0.66, 0.62, 0.052}, {0.74, 0.38, 0.07}} {
		tower(w*(q[0]+c.r(-0.02, 0.02)), q[1]*c.r(0.92, 1.06), q[2], 0.75)
	}
	var pipes path
	for i := range 4 {
		pipes = pipes.and(rect(w*0.25, h-0.06-0.035*float64(i), w*0.6, 0.012))
	}
	for i := range 9 {
		pipes = pipes.and(rect(w*(0.27+0.07*float64(i)), h-0.18, 0.008, 0.2))
	}
	c.fill(pipes, c.depth(0.85))
	// Storage tanks.
	c.ground(h, 0.55, 0.95)
	for i, x := range []float64{0.32, 0.86} {
		tw, th := 0.17, 0.17
		y := 0.9 + 0.01*float64(i)
		body := rect(x*w-tw, y-th, 2*tw, th).and(ellipse(x*w, y, tw, 0.024))
		c.fill(body, c.hi())
		c.stipple(body, c.deep(), x*w-tw*0.4, 0, 0, x*w+tw, 0, 0.8)
		c.fill(ellipse(x*w, y-th, tw, 0.024), c.face())
		c.fill(rect(x*w-tw, y-th*0.6, 2*tw, 0.02), c.accent(-0.05))
		var st path
		for j := range 10 {
			st = st.and(line(x*w-tw*0.6+0.024*float64(j), y-0.017*float64(j), x*w-tw*0.6+0.024*float64(j+1), y-0.017*float64(j+1), 0.006))
		}
		c.fill(st, c.deep())
	}
	c.figure(w*0.6, 0.94, 0.12, dress{coat: c.accent(0), legs: c.tone(0.1), skin: c.tone(0.6), hair: c.tone(0.95), hat: true})
	c.figure(w*0.635, 0.945, 0.12, dress{coat: c.tone(0.8), legs: c.tone(0.1), skin: c.tone(0.6), hair: c.tone(0.95), hat: true, stride: 0.6})
}

func nuclearPlant(c *canvas) {
	h := c.r(0.66, 0.7)
	c.sky(h, c.r(0.2, 0.8))
	c.hills(h-0.04, 0.04, 2, 0.14)
	w := c.W
	s := c.fit(1.3)
	cooling := func(x, y, k, d float64) {
		var l []point
		for i := 0; i <= 20; i++ {
			t := float64(i) / 20
			l = append(l, point{0.24 - 0.1*math.Sin(math.Min(1, t*1.18)*math.Pi/2) + 0.08*math.Pow(math.Max(0, t-0.72), 1.2), -0.62 * t})
		}
		var body []point
		for _, q := range l {
			body = append(body, point{x + q.x*k, y + q.y*k})
		}
		for i := len(l) - 1; i >= 0; i-- {
			body = append(body, point{x - l[i].x*k, y + l[i].y*k})
		}
		rx := l[len(l)-1].x * k
		c.smoke(x, y-0.6*k, rx*0.85, 0.66*k, c.r(0.5, 1.1), c.smokeTone())
		p := wound(body)
		wall := mix(c.depth(0.2), c.hi(), d)
		c.fill(ellipse(x, y-0.62*k, rx, 0.02*k), c.deep())
		c.fill(p, wall)
		c.stipple(p, c.deep(), x-0.06*k, 0, 0, x+0.26*k, 0, 0.85)
		c.fill(stroke(arcPts(x, y-0.62*k, rx, 0.02*k, 0, math.Pi), 0.008*k), c.hi())
		var legs path
		for i := range 14 {
			a := -0.235 + 0.036*float64(i)
			legs = legs.and(line(x+a*k, y, x+(a+0.018)*k, y-0.035*k, 0.005*k), line(x+(a+0.018)*k, y-0.035*k, x+(a+0.036)*k, y, 0.005*k))
		}
		c.fill(rect(x-0.238*k, y-0.035*k, 0.476*k, 0.037*k), c.deep())
		c.fill(legs, wall)
	}
	cooling(w*0.5+0.36*s, h, 0.62*s, 0.5)
	cooling(w*0.5-0.1*s, h, 0.66*s, 0.6)
	c.haze(h-0.2, h+0.02, 0.35)
	cooling(w*0.5-0.44*s, h+0.05, 0.92*s, 1)
	x := w*0.5 + 0.2*s
	c.block(x, h+0.03, 0.3*s, 0.16*s, c.face())
	c.fill(dome(x+0.15*s, h+0.031-0.16*s, 0.1*s, 0.09*s), c.hi())
	c.stipple(dome(x+0.15*s, h+0.031-0.16*s, 0.1*s, 0.09*s), c.deep(), x+0.12*s, 0, 0, x+0.26*s, 0, 0.8)
	c.fill(rect(x, h+0.03-0.05*s, 0.3*s, 0.012), c.accent(0))
	c.chimney(x+0.34*s, h+0.03, 0.42*s, 0.03*s, c.face())
	bank := h + 0.05
	c.fill(rect(-0.1, h+0.03, w+0.2, 0.024), c.depth(0.6))
	c.treeline([]point{{-0.2, bank}, {w + 0.2, bank}}, 0.045, 0.68, false)
	c.reflect(bank+0.01, 0.78)
	c.ripples(bank+0.01, 1, 60)
	c.grass(1.01, 0.14, 70, c.depth(1))
	if c.odds(0.6) {
		c.boat(w*c.r(0.55, 0.8), 0.88, 0.09)
	}
}

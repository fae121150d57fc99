package illustration

import (
	"image/color"
	"math"
)

func airport(c *canvas) {
	h := 0.7
	c.sky(h, c.r(0.2, 0.8))
	c.hills(h-0.05, 0.03, 2, 0.14)
	w := c.W
	// The terminal and its tower.
	c.fill(rect(0.4*w, h-0.09, w, 0.1), c.depth(0.36))
	c.fill(blob(0.38*w, h-0.09, 0.55*w, h-0.13, 0.8*w, h-0.1, w*1.1, h-0.15, w*1.1, h-0.07, 0.4*w, h-0.07), c.depth(0.5))
	var glass path
	for i := range 26 {
		glass = glass.and(rect(0.42*w+0.03*float64(i), h-0.06, 0.022, 0.045))
	}
	c.fill(glass, mix(c.skyAt(1), c.accent(0.3), 0.35))
	tx := w * 0.82
	c.fill(poly(tx-0.02, h, tx-0.014, h-0.3, tx+0.014, h-0.3, tx+0.02, h), c.depth(0.45))
	c.fill(poly(tx-0.03, h-0.3, tx-0.055, h-0.36, tx+0.055, h-0.36, tx+0.03, h-0.3), c.depth(0.6))
	c.fill(poly(tx-0.036, h-0.31, tx-0.05, h-0.35, tx+0.05, h-0.35, tx+0.036, h-0.31), mix(c.accent(0.3), c.tone(1), 0.5))
	c.fill(rect(tx-0.055, h-0.372, 0.11, 0.014).and(rect(tx-0.002, h-0.43, 0.004, 0.06)), c.depth(0.6))
	c.floor(h, 0.75)
	c.fill(poly(w*0.3, 1.1, w*0.6, h+0.02, w*0.63, h+0.02, w*0.9, 1.1), c.depth(0.7))
	var mark path
	for i := range 8 {
		a, b := math.Pow((float64(i)+0.1)/8, 2), math.Pow((float64(i)+0.6)/8, 2)
		mark = mark.and(taper(lerp(w*0.615, w*0.6, a), lerp(h+0.02, 1.1, a), lerp(w*0.615, w*0.6, b), lerp(h+0.02, 1.1, b), 0.002+0.02*a, 0.002+0.02*b))
	}
	c.fill(mark, c.hi())
	s := c.fit(1.5)
	c.airliner(w*c.r(0.4, 0.5), c.r(0.3, 0.38), 0.62*s, -0.22, c.hi())
	c.airliner(w*0.26, 0.84, 0.5*s, 0, c.face())
	for i := range 6 {
		x := w*0.5 + 0.06*float64(i)*s
		c.fill(circle(x+0.1*s, 0.94, 0.006), c.accent(0.3))
		c.glow(x+0.1*s, 0.94, 0.03, c.accent(0.3), 0.7, grains)
	}
	c.figure(w*0.08, 0.93, 0.11, c.passer(0.9))
	c.figure(w*0.11, 0.935, 0.11, dress{coat: c.accent(0), legs: c.tone(0.1), skin: c.tone(0.6), hair: c.tone(0.1), stride: 0.5})
}

// airliner is seen from the side, its nose to the right; l is its length, a its pitch.
func (c *canvas) airliner(x, y, l, a float64, k color.RGBA) {
	g := c.at(x, y, l, l).turned(a)
	dark := mix(k, c.tone(0.1), 0.55)
	g.fill(poly(-0.1, -0.01, 0.1, -0.01, -0.02, -0.15, -0.06, -0.15), dark)
	g.fill(poly(-0.46, -0.02, -0.36, -0.02, -0.44, -0.08, -0.48, -0.08), dark)
	body := blob(-0.5, -0.045, -0.4, -0.05, 0, -0.055, 0.38, -0.055, 0.46, -0.035, 0.5, 0, 0.47, 0.025, 0.38, 0.04, 0, 0.042, -0.3, 0.03)
	g.fill(body, k)
	g.stipple(body, c.tone(0.15), 0, -0.02, 0, 0, 0.045, 0.8)
	fin := poly(-0.5, -0.04, -0.54, -0.22, -0.46, -0.22, -0.34, -0.05)
	g.fill(fin, c.accent(-0.05))
	g.stipple(fin, c.tone(0), -0.5, -0.2, 0, -0.4, 0, 0.5)
	var win path
	for i := range 24 {
		win = append(win, disc(-0.34+0.03*float64(i), -0.018, 0.0065))
	}
	g.fill(win.and(poly(0.42, -0.042, 0.455, -0.03, 0.47, -0.016, 0.425, -0.016)), c.tone(0.1))
	g.fill(rect(-0.46, 0.004, 0.93, 0.007), c.accent(-0.05))
	g.fill(rounded(0.02, 0.055, 0.13, 0.05, 0.022), dark)
	g.fill(ellipse(0.148, 0.08, 0.008, 0.024), c.tone(0.05))
	wing := poly(-0.1, 0.015, 0.13, 0.02, -0.12, 0.2, -0.2, 0.2)
	g.fill(wing, mix(k, c.tone(0.2), 0.25))
	g.stipple(wing, c.tone(0), 0, 0.02, 0.5, -0.1, 0.2, 0)
	if a == 0 {
		g.fill(rect(0.34, 0.04, 0.008, 0.06).and(rect(-0.06, 0.04, 0.01, 0.06), circle(0.344, 0.1, 0.016), circle(-0.055, 0.1, 0.02)), c.tone(0.05))
	}
}

func borderGate(c *canvas) {
	h := c.r(0.6, 0.64)
	c.sky(h, c.r(0.2, 0.8))
	c.hills(h-0.06, 0.06, 2.2, 0.14)
	on := c.hills(h-0.01, 0.02, 3, 0.34)
	c.treeline(on, 0.07, 0.34, c.odds(0.6))
	c.ground(h+0.02, 0.45, 0.8)
	w := c.W
	road := poly(w*0.47, h+0.02, w*0.53, h+0.02, w*0.95, 1.1, w*0.1, 1.1)
	c.fade(road, 0, h, mix(c.depth(0.3), c.skyAt(1), 0.4), 0, 1, c.depth(0.62))
	var dash path
	for i := range 7 {
		a, b := math.Pow((float64(i)+0.1)/7, 2), math.Pow((float64(i)+0.6)/7, 2)
		dash = dash.and(taper(lerp(w*0.5, w*0.525, a), lerp(h+0.02, 1.1, a), lerp(w*0.5, w*0.525, b), lerp(h+0.02, 1.1, b), 0.003+0.02*a, 0.003+0.02*b))
	}
	c.fill(dash, c.hi())
	// The fence runs to the horizon on both sides.
	var fence path
	for _, side := range []float64{-0.15, 1.15} {
		for i := range 12 {
			t := math.Pow(float64(i)/11, 1.7)
			x, y, k := lerp(w*(0.5+0.16*(side-0.5)), side*w, t), lerp(h+0.03, 0.9, t), 0.03+0.2*t
			fence = fence.and(rect(x, y-k, 0.002+0.008*t, k))
		}
		for j := range 4 {
			f := 0.2 + 0.25*float64(j)
			fence = fence.and(taper(w*(0.5+0.16*(side-0.5)), h+0.03-0.03*f, side*w, 0.9-0.23*f, 0.001, 0.004))
		}
	}
	c.fill(fence, c.depth(0.8))
	s := c.fit(1.2)
	// The canopy, the booth and the barrier.
	x, y := w*0.22, 0.84
	c.fill(rect(x-0.02*s, y-0.46, 0.02, 0.46).and(rect(x+0.5*s, y-0.46, 0.02, 0.4)), c.depth(0.75))
	c.fill(poly(x-0.12*s, y-0.46, x-0.06*s, y-0.53, x+0.68*s, y-0.53, x+0.74*s, y-0.46), c.face())
	c.stipple(poly(x-0.12*s, y-0.46, x-0.06*s, y-0.53, x+0.68*s, y-0.53, x+0.74*s, y-0.46), c.side(), x, 0, 0, x+0.7*s, 0, 0.6)
	c.fill(rect(x-0.12*s, y-0.465, 0.86*s, 0.02), c.accent(-0.1))
	c.block(x, y, 0.2*s, 0.3, c.face())
	c.fill(rect(x+0.02*s, y-0.25, 0.16*s, 0.12), c.lamp(1))
	c.fill(rect(x-0.015, y-0.32, 0.2*s+0.03, 0.025), c.depth(0.8))
	c.figure(x+0.1*s, y-0.135, 0.13, dress{coat: c.tone(0.15), legs: c.tone(0.1), skin: c.tint(0.8, 0.15), hair: c.tone(0.08), hat: true})
	c.fill(rect(x, y-0.14, 0.2*s, 0.14), c.face())
	bx, by := x+0.26*s, y+0.02
	c.fill(rounded(bx-0.025, by-0.2, 0.05, 0.2, 0.01), c.accent(-0.1))
	lift := 0.0
	if c.odds(0.4) {
		lift = -0.75
	}
	g := c.at(bx, by-0.17, 1, 1).turned(lift)
	l := 0.62 * s
	g.fill(rect(-0.1*s, -0.013, l+0.1*s, 0.026), c.hi())
	for i := range 5 {
		g.fill(poly(l*(0.06+0.2*float64(i)), -0.013, l*(0.16+0.2*float64(i)), -0.013, l*(0.14+0.2*float64(i)), 0.013, l*(0.04+0.2*float64(i)), 0.013), c.accent(-0.05))
	}
	c.figure(bx+0.16*s, y+0.06, 0.26, dress{coat: c.tone(0.14), legs: c.tone(0.08), skin: c.tint(0.82, 0.15), hair: c.tone(0.06), hat: true, stride: 0.3})
	c.car(w*0.64, 0.97, 0.3*s, true, true)
	c.flag(w*0.9, 0.82, 0.5, -1, c.accent(0))
}

func streetMarket(c *canvas) {
	c.sky(0.6, c.r(0.3, 0.7))
	w := c.W
	for x := c.r(-0.1, 0); x < w; {
		k := c.r(0.14, 0.2)
		c.townhouse(x, 0.66, k, c.r(0.26, 0.36), 0.45)
		x += k * 0.99
	}
	c.haze(0.4, 0.68, 0.3)
	c.floor(0.66, 0.65)
	c.fill(stroke(sag(-0.1, 0.22, w*0.5, 0.26, 0.06), 0.003).and(stroke(sag(w*0.5, 0.26, w+0.1, 0.2, 0.06), 0.003)), c.depth(0.8))
	for i := range 18 {
		x := w * (float64(i) + 0.5) / 18
		y := 0.27 + 0.05*math.Abs(math.Sin(float64(i)*math.Pi/9))
		c.fill(circle(x, y, 0.009), c.accent(0.35))
		if c.mood.dark {
			c.glow(x, y, 0.05, c.accent(0.5), 0.7, grains)
		}
	}
	for i := range 5 {
		c.figure(w*c.r(0.05, 0.95), 0.74, c.r(0.15, 0.17), c.passer(0.6))
		_ = i
	}
	n := int(math.Max(2, math.Round(w/0.55)))
	step := w / float64(n)
	for i := range n {
		c.stall(step*(float64(i)+0.5)+c.r(-0.02, 0.02), 0.9+0.03*float64(i%2), math.Min(step*0.86, 0.5), i%2 == 0)
	}
	for range 3 {
		c.figure(w*c.r(0.06, 0.94), 0.985, c.r(0.3, 0.33), c.passer(0.92))
	}
}

// stall is a market stand with a striped awning and crates of fruit.
func (c *canvas) stall(x, y, w float64, acc bool) {
	k := c.tone(0.35)
	if acc {
		k = c.accent(-0.05)
	}
	c.fill(rect(x-w/2, y-0.42, w, 0.3), c.tone(lerp(c.mood.deep, c.mood.side, 0.55)))
	c.fill(rect(x-w*0.48, y-0.46, 0.012, 0.46).and(rect(x+w*0.48-0.012, y-0.46, 0.012, 0.46)), c.depth(0.9))
	c.figure(x+c.r(-0.2, 0.2)*w, y-0.02, 0.33, c.passer(0.75))
	n := 8
	for i := range n {
		a, b := float64(i)/float64(n)-0.5, float64(i+1)/float64(n)-0.5
		col := c.hi()
		if i%2 == 0 {
			col = k
		}
		c.fill(poly(x+a*w*0.92, y-0.5, x+b*w*0.92, y-0.5, x+b*w*1.1, y-0.4, x+a*w*1.1, y-0.4), col)
		c.fill(sector(x+(a+b)/2*w*1.1, y-0.401, w*1.1/float64(n)/2, 0.026, 0, math.Pi), col)
	}
	c.stipple(rect(x-w*0.55, y-0.5, w*1.1, 0.12), c.tone(0), 0, y-0.49, 0, 0, y-0.37, 0.45)
	c.fill(rect(x-w*0.5, y-0.15, w, 0.15), mix(c.side(), c.tone(0.3), 0.4))
	for i := range 4 {
		bx := x - w*0.48 + w*0.24*float64(i)
		fruit := c.tone(c.r(0.4, 0.9))
		if i%2 == 0 {
			fruit = c.accent(c.r(0, 0.3))
		}
		var p path
		for range 16 {
			p = append(p, disc(bx+c.r(0.02, 0.22)*w, y-0.155-c.r(0, 0.035), 0.014))
		}
		c.fill(p, fruit)
		c.stipple(p, c.tone(0), 0, y-0.19, 0, 0, y-0.13, 0.5)
		c.fill(rect(bx, y-0.155, w*0.23, 0.05), c.face())
		c.wash(rect(bx, y-0.132, w*0.23, 0.005), c.deep(), 0.6)
	}
}

func shoppingStreet(c *canvas) {
	c.sky(0.6, 0.5)
	w := c.W
	vx, vy := w*c.r(0.44, 0.56), 0.62
	c.spire(vx, vy, 0.3)
	c.haze(0.35, 0.64, 0.6)
	c.fade(rect(-0.1, vy, w+0.2, 0.5), 0, vy, mix(c.skyAt(1), c.face(), 0.4), 0, 1, c.tone(lerp(c.mood.far, c.mood.near, 0.55)))
	// House fronts run in perspective to the vanishing point.
	for _, side := range []float64{-1, 1} {
		edges := []float64{0.06, 0.13, 0.24, 0.4, 0.64, 1.05}
		for i := range 5 {
			a, b := edges[i], edges[i+1]
			xa, xb := vx+side*a*w*0.62, vx+side*b*w*0.62
			ht := c.r(0.85, 1.15)
			top := func(f float64) float64 { return vy - f*0.82*ht }
			foot := func(f float64) float64 { return vy + f*0.42 }
			wall := mix(c.depth(0.2+0.1*float64(i)), c.tint(c.mood.face*[]float64{1, 0.8, 0.62}[(i+c.n(0, 1))%3], 0.08), 0.35+0.12*float64(i))
			if side > 0 {
				wall = mix(wall, c.side(), 0.45)
			}
			q := poly(xa, top(a), xb, top(b), xb, foot(b), xa, foot(a))
			c.fill(q, wall)
			at := func(u, v float64) (float64, float64) {
				f := a * b / (b + (a-b)*u)
				f = lerp(a, f, 1)
				return vx + side*f*w*0.62, lerp(foot(f), top(f), v)
			}
			quad := func(u0, v0, u1, v1 float64) path {
				x0, y0 := at(u0, v0)
				x1, y1 := at(u1, v0)
				x2, y2 := at(u1, v1)
				x3, y3 := at(u0, v1)
				return poly(x0, y0, x1, y1, x2, y2, x3, y3)
			}
			var win path
			for u := range 3 {
				for v := range 3 {
					win = win.and(quad(0.12+0.28*float64(u), 0.4+0.19*float64(v), 0.3+0.28*float64(u), 0.52+0.19*float64(v)))
				}
			}
			c.fill(win, c.deep())
			shop := c.tone(0.95)
			if c.mood.dark {
				shop = mix(c.accent(0.3), c.tone(1), 0.5)
			}
			c.fill(quad(0.05, 0.02, 0.95, 0.27), c.deep())
			c.fill(quad(0.1, 0.05, 0.56, 0.24).and(quad(0.66, 0.02, 0.88, 0.24)), mix(shop, c.side(), 0.2))
			aw := c.accent(c.r(-0.2, 0.1))
			if i%2 == 1 {
				aw = c.tone(0.25)
			}
			c.fill(quad(0.02, 0.27, 0.98, 0.33), aw)
			c.stipple(q, c.tone(0), xa, 0, 0.4, xb, 0, 0)
		}
	}
	for i := range 4 {
		y := 0.12 + 0.09*float64(i)
		k := 1 - float64(i)*0.22
		c.fill(stroke(sag(vx-0.5*w*k, y, vx+0.5*w*k, y, 0.05*k), 0.003), c.depth(0.8))
		for j := range 9 {
			t := (float64(j) + 0.5) / 9
			c.fill(circle(vx+(t-0.5)*w*k, y+0.2*k*t*(1-t)+0.008, 0.009*k), c.accent(0.4))
		}
	}
	for i := range 16 {
		t := math.Pow(float64(i+1)/16, 1.5)
		spread := 0.1 + 0.3*t
		x := vx + c.r(-spread, spread)*w
		y := vy + 0.03 + 0.34*t
		hh := 0.06 + 0.3*t
		k := c.passer(0.4 + 0.55*t)
		k.bag = c.odds(0.7)
		c.shadow(x, y, hh*0.2)
		c.figure(x, y, hh, k)
	}
}

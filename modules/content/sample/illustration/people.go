package illustration

import "image/color"

type dress struct {
	coat, legs, skin, hair color.RGBA
	long, bag, hat, child  bool
	stride                 float64
}

// passer is a dress chosen at random, at a depth of the picture.
func (c *canvas) passer(d float64) dress {
	base := lerp(c.mood.far, c.mood.near, d)
	k := dress{
		coat: c.tone(base + c.r(-0.05, 0.2)), legs: c.tone(base * 0.7), skin: c.tint(lerp(base, c.mood.face, 0.78), 0.12),
		hair: c.tone(base * c.r(0.3, 0.9)), long: c.odds(0.4), bag: c.odds(0.35), hat: c.odds(0.15), stride: c.r(0.2, 1),
	}
	if c.odds(0.22) {
		k.coat = c.accent(c.r(-0.2, 0.15))
	}
	return k
}

// figure draws a standing or walking person whose feet are at (x, y); h is the height.
func (c *canvas) figure(x, y, h float64, k dress) {
	g := c.at(x, y, h, h)
	s := 0.075 * k.stride
	head := 0.058
	if k.child {
		head = 0.082
	}
	legs := taper(-0.035, -0.5, -s-0.012, -0.02, 0.085, 0.042).and(
		taper(0.035, -0.5, s+0.012, -0.02, 0.085, 0.042),
		blob(-s-0.035, 0, -s-0.03, -0.03, -s+0.02, -0.026, -s+0.055, -0.004),
		blob(s-0.012, 0, s-0.01, -0.03, s+0.035, -0.026, s+0.075, -0.004))
	g.fill(legs, k.legs)
	hem := -0.44
	if k.long {
		hem = -0.26
	}
	body := blob(-0.115, -0.79, -0.05, -0.845, 0.05, -0.845, 0.115, -0.79, 0.112, -0.62, 0.1, -0.5, 0.115, hem, 0, hem+0.015, -0.115, hem, -0.1, -0.5, -0.112, -0.62)
	arms := brush(points(-0.105, -0.785, -0.135-s*0.3, -0.62, -0.115-s*0.6, -0.44), 0.066, 0.045).and(
		brush(points(0.105, -0.785, 0.135+s*0.3, -0.62, 0.12+s*0.7, -0.45), 0.066, 0.045))
	g.fill(circle(-0.115-s*0.6, -0.425, 0.022).and(circle(0.12+s*0.7, -0.435, 0.022)), k.skin)
	g.fill(rect(-0.026, -0.885, 0.052, 0.06), k.skin)
	g.fill(body.and(arms), k.coat)
	g.stipple(body, c.tone(0), -0.1, 0, 0.5, 0.06, 0, 0)
	top := -0.93
	g.fill(ellipse(0, top, head*0.86, head*1.12), k.skin)
	if k.hat {
		g.fill(dome(0, top-head*0.35, head*0.95, head*0.95).and(ellipse(0, top-head*0.35, head*1.45, head*0.2)), k.hair)
	} else {
		g.fill(sector(0, top-head*0.22, head*0.96, head*0.98, 3.05, 6.38), k.hair)
		if k.long {
			g.fill(blob(-head*0.93, top-head*0.3, -head*0.5, top-head*0.7, -head*0.42, top+head*0.1, -head*0.5, top+head*1.25, -head*1.05, top+head*1.2).and(blob(head*0.95, top-head*0.3, head*0.8, top-head*0.4, head*0.72, top+head*0.2, head*0.7, top+head*1.1, head*1.02, top+head*1.1)), k.hair)
		}
	}
	if k.bag {
		g.fill(rounded(0.09+s*0.7, -0.43, 0.1, 0.13, 0.02).and(line(0.1+s*0.7, -0.43, 0.14+s*0.7, -0.47, 0.01), line(0.18+s*0.7, -0.43, 0.14+s*0.7, -0.47, 0.01)), k.legs)
	}
}

// walkers scatters people over the ground between two levels, the far ones first and smaller.
func (c *canvas) walkers(x0, x1, y0, y1, h0, h1 float64, n int) {
	for i := range n {
		t := (float64(i) + c.r(0, 0.9)) / float64(n)
		y, h := lerp(y0, y1, t), lerp(h0, h1, t)
		x := c.r(x0, x1)
		c.shadow(x, y, h*0.2)
		c.figure(x, y, h, c.passer(0.45+0.5*t))
	}
}

// shadow is the soft patch under something standing.
func (c *canvas) shadow(x, y, w float64) {
	c.stipple(ellipse(x+w*0.5, y, w*1.5, w*0.14), c.tone(0), x-w, y, 0.55, x+w*2, y, 0.1)
}

// bust draws a head and shoulders seen from behind; y is the lower edge, h the height.
func (c *canvas) bust(x, y, h float64, k dress, rim color.RGBA) {
	g := c.at(x, y, h, h)
	body := blob(-0.54, 0.3, -0.5, -0.12, -0.4, -0.32, -0.17, -0.42, 0, -0.44, 0.17, -0.42, 0.4, -0.32, 0.5, -0.12, 0.54, 0.3)
	neck := blob(-0.11, -0.36, -0.095, -0.6, 0.095, -0.6, 0.11, -0.36, 0, -0.34)
	ears := ellipse(-0.178, -0.74, 0.03, 0.05).and(ellipse(0.178, -0.74, 0.03, 0.05))
	hair := blob(0, -1, 0.12, -0.97, 0.18, -0.86, 0.175, -0.72, 0.11, -0.57, 0, -0.53, -0.11, -0.57, -0.175, -0.72, -0.18, -0.86, -0.12, -0.97)
	collar := blob(-0.14, -0.4, 0, -0.46, 0.14, -0.4, 0.12, -0.36, 0, -0.4, -0.12, -0.36)
	switch {
	case k.hat:
		hair = hair.and(blob(0, -1.05, 0.15, -1.02, 0.205, -0.88, 0.2, -0.76, 0, -0.74, -0.2, -0.76, -0.205, -0.88, -0.15, -1.02))
	case k.long:
		hair = blob(0, -1.02, 0.15, -0.97, 0.21, -0.82, 0.22, -0.6, 0.19, -0.4, 0.06, -0.34, -0.08, -0.35, -0.19, -0.4, -0.22, -0.6, -0.21, -0.82, -0.15, -0.97)
	case k.bag:
		hair = hair.and(circle(0.03, -1.01, 0.085))
	}
	g.fill(body, k.coat)
	g.stipple(body, c.tone(0), -0.5, 0, 0.55, 0.15, 0, 0)
	g.fill(ears.and(neck), k.skin)
	g.stipple(neck, c.tone(0), 0, -0.56, 0.6, 0, -0.36, 0.1)
	if !k.long {
		g.fill(collar, mix(k.coat, c.tone(0), 0.35))
	}
	g.fill(hair, k.hair)
	g.stipple(hair, rim, 0.04, -0.78, 0, 0.19, -0.84, 0.6)
}

func (c *canvas) crowdDress(d float64) dress {
	k := c.passer(d)
	k.hair = c.tone(lerp(c.mood.far, c.mood.near, d) * c.r(0.3, 1.1))
	if c.odds(0.14) {
		k.hair = c.tone(c.r(0.5, 0.68))
	}
	return k
}

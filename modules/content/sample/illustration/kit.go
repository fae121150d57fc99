package illustration

import (
	"image/color"
	"math"
)

// Building parts stand on y = 0 of their canvas and grow upwards into negative y.

// block is a wall with light on it and grain towards its shaded end.
func (c *canvas) block(x, y, w, h float64, k color.RGBA) {
	p := rect(x, y-h, w, h)
	c.fill(p, k)
	c.stipple(p, c.side(), x+w*0.3, y, 0, x+w, y-h*0.2, 0.3)
}

// grid is a field of windows; a share of them is lit after dark.
func (c *canvas) grid(x, y, w, h float64, cols, rows int, fw, fh, lit float64) {
	var dark, bright path
	cw, rh := w/float64(cols), h/float64(rows)
	for i := range cols {
		for j := range rows {
			q := rect(x+cw*(float64(i)+(1-fw)/2), y-h+rh*(float64(j)+(1-fh)/2), cw*fw, rh*fh)
			if c.mood.dark && c.odds(lit) {
				bright = bright.and(q)
			} else {
				dark = dark.and(q)
			}
		}
	}
	c.fill(dark, mix(c.deep(), c.side(), 0.25))
	c.fill(bright, mix(c.accent(0.3), c.tone(1), 0.4))
}

// arcade is a row of round-headed openings.
func (c *canvas) arcade(x, y, w, h float64, n int, share, lit float64) {
	step := w / float64(n)
	for i := range n {
		ow := step * share
		c.fill(arch(x+step*(float64(i)+0.5), y-h+ow/2, y, ow), c.lamp(lit))
	}
}

// colonnade is a row of columns before a dark hall.
func (c *canvas) colonnade(x, y, w, h float64, n int) {
	hall := rect(x, y-h, w, h)
	c.fill(hall, c.deep())
	if c.mood.dark {
		c.mist(hall, c.accent(0.3), x, y, 0.75, x, y-h, 0.25)
	}
	step := w / float64(n-1)
	cw := math.Min(step*0.42, h*0.13)
	var lit, shade, caps path
	for i := range n {
		cx := x + step*float64(i)
		lit = lit.and(poly(cx-cw*0.5, y, cx-cw*0.42, y-h, cx+cw*0.42, y-h, cx+cw*0.5, y))
		shade = shade.and(poly(cx+cw*0.08, y, cx+cw*0.08, y-h, cx+cw*0.42, y-h, cx+cw*0.5, y))
		caps = caps.and(rect(cx-cw*0.68, y-h, cw*1.36, cw*0.34), rect(cx-cw*0.66, y-cw*0.3, cw*1.32, cw*0.3))
	}
	c.fill(lit, c.hi())
	c.fill(shade, mix(c.side(), c.face(), 0.3))
	c.fill(caps, c.face())
}

// pediment is a gable with a recessed field.
func (c *canvas) pediment(x, y, w, h float64) {
	c.fill(poly(x, y, x+w/2, y-h, x+w, y), c.hi())
	in := w * 0.12
	c.fill(poly(x+in, y-h*0.1, x+w/2, y-h*0.78, x+w-in, y-h*0.1), c.side())
	c.fill(circle(x+w/2, y-h*0.34, h*0.15), c.face())
	c.stipple(poly(x+w/2, y, x+w/2, y-h, x+w, y), c.deep(), x+w/2, y, 0, x+w, y, 0.5)
}

// cornice is a projecting ledge with its shadow.
func (c *canvas) cornice(x, y, w, t float64) {
	c.fill(rect(x-t*0.7, y-t, w+t*1.4, t), c.hi())
	c.stipple(rect(x, y, w, t*2.2), c.deep(), x, y, 0.85, x, y+t*2.2, 0)
}

// stairs is a flight n steps high, wider towards the ground.
func (c *canvas) stairs(x, y, w, h float64, n int, spread float64) {
	for i := range n {
		t := float64(i) / float64(n)
		sw := w + spread*2*(1-t)
		sy := y - h*t
		c.fill(rect(x+w/2-sw/2, sy-h/float64(n), sw, h/float64(n)+0.0004), mix(c.face(), c.side(), 0.5*float64(i%2)+0.15*t))
	}
}

// cupola is a ribbed dome on a drum of windows with a lantern; x is its axis.
func (c *canvas) cupola(x, y, rx, ry float64, k color.RGBA) {
	drum := ry * 0.42
	c.block(x-rx*0.92, y, rx*1.84, drum, c.face())
	c.arcade(x-rx*0.86, y-drum*0.12, rx*1.72, drum*0.66, 9, 0.5, 0.8)
	c.cornice(x-rx*0.95, y-drum, rx*1.9, ry*0.05)
	top := y - drum - ry*0.05
	d := dome(x, top, rx*0.9, ry)
	c.fill(d, k)
	var ribs path
	for i := range 4 {
		f := 0.22 + 0.22*float64(i)
		ribs = ribs.and(stroke(arcPts(x, top, rx*0.9*f, ry, math.Pi, 2*math.Pi), rx*0.016))
	}
	c.wash(ribs, c.deep(), 0.45)
	c.stipple(d, c.deep(), x-rx*0.1, top, 0, x+rx*0.95, top, 0.85)
	c.stipple(d, c.tone(1), x-rx*0.3, top-ry*0.5, 0.5, x+rx*0.1, top-ry*0.4, 0)
	lw, lh := rx*0.2, ry*0.24
	ly := top - ry*0.985
	c.block(x-lw/2, ly, lw, lh, c.face())
	c.fill(rect(x-lw*0.15, ly-lh*0.8, lw*0.3, lh*0.7), c.lamp(1))
	c.fill(dome(x, ly-lh, lw*0.62, lh*0.6), k)
	c.fill(taper(x, ly-lh*1.5, x, ly-lh*2.7, lw*0.1, lw*0.03), c.deep())
}

func arcPts(x, y, rx, ry, a0, a1 float64) []point {
	p := make([]point, 25)
	for i := range p {
		s, k := math.Sincos(a0 + (a1-a0)*float64(i)/24)
		p[i] = point{x + rx*k, y + ry*s}
	}
	return p
}

// flag flies from a pole of height h; dir is the wind.
func (c *canvas) flag(x, y, h, dir float64, k color.RGBA) {
	c.fill(taper(x, y, x, y-h, h*0.022, h*0.014).and(circle(x, y-h, h*0.018)), c.deep())
	l, t := h*0.42*dir, h*0.24
	w := c.r(0.02, 0.045) * h
	top := curve(points(x, y-h*0.97, x+l*0.33, y-h*0.97-w, x+l*0.66, y-h*0.97+w, x+l, y-h*0.97-w*0.3), false)
	n := len(top)
	p := append([]point{}, top...)
	for i := n - 1; i >= 0; i-- {
		p = append(p, point{top[i].x, top[i].y + t})
	}
	f := wound(p)
	c.fill(f, k)
	band := append([]point{}, top[:n/3]...)
	for i := n/3 - 1; i >= 0; i-- {
		band = append(band, point{top[i].x, top[i].y + t})
	}
	c.fill(wound(band), c.hi())
	c.stipple(f, c.tone(0), x+l*0.3, y, 0, x+l*0.7, y, 0.4)
}

// clock is a dial with two hands.
func (c *canvas) clock(x, y, r float64) {
	c.fill(circle(x, y, r), c.deep())
	dial := c.tone(0.98)
	if c.mood.dark {
		dial = mix(c.accent(0.3), c.tone(1), 0.6)
	}
	c.fill(circle(x, y, r*0.84), dial)
	a, b := c.r(0, 6.28), c.r(0, 6.28)
	c.fill(line(x, y, x+math.Cos(a)*r*0.45, y+math.Sin(a)*r*0.45, r*0.14).and(line(x, y, x+math.Cos(b)*r*0.7, y+math.Sin(b)*r*0.7, r*0.1)), c.tone(0.05))
}

// lantern is a street lamp.
func (c *canvas) lantern(x, y, h float64) {
	k := c.tone(c.mood.near)
	c.fill(taper(x, y, x, y-h*0.86, h*0.03, h*0.018).and(rect(x-h*0.03, y-h*0.05, h*0.06, h*0.05), poly(x-h*0.035, y-h*0.86, x-h*0.05, y-h*0.97, x+h*0.05, y-h*0.97, x+h*0.035, y-h*0.86), poly(x-h*0.06, y-h*0.97, x, y-h*1.02, x+h*0.06, y-h*0.97)), k)
	glass := c.tone(0.9)
	if c.mood.dark {
		glass = c.accent(0.6)
		c.glow(x, y-h*0.91, h*0.4, c.accent(0.5), 0.7, grains)
	}
	c.fill(poly(x-h*0.026, y-h*0.875, x-h*0.036, y-h*0.96, x+h*0.036, y-h*0.96, x+h*0.026, y-h*0.875), glass)
}

// gable is a pitched roof seen from the eaves side.
func (c *canvas) gable(x, y, w, h, inset float64, k color.RGBA) {
	p := poly(x-w*0.02, y, x+inset, y-h, x+w-inset, y-h, x+w*1.02, y)
	c.fill(p, k)
	c.stipple(p, c.tone(0), x, y-h, 0, x+w, y, 0.45)
}

// backdrop is a far row of roofs and towers.
func (c *canvas) backdrop(y, h, d float64) {
	var p path
	for x := -0.1; x < c.W+0.1; {
		w := c.r(0.04, 0.11)
		k := h * c.r(0.35, 1)
		p = p.and(rect(x, y-k, w, k+0.02))
		switch c.n(0, 4) {
		case 0:
			p = p.and(poly(x, y-k, x+w/2, y-k-h*0.3, x+w, y-k))
		case 1:
			p = p.and(rect(x+w*0.3, y-k-h*0.1, w*0.2, h*0.1))
		case 2:
			if c.odds(0.3) {
				p = p.and(taper(x+w/2, y-k, x+w/2, y-k-h*0.9, w*0.4, 0.001))
			}
		}
		x += w * c.r(0.8, 1.1)
	}
	c.fill(p, c.depth(d))
	c.stipple(p, c.skyAt(1), 0, y-h*0.4, 0, 0, y, 0.4)
}

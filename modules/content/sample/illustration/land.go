package illustration

import (
	"image/color"
	"math"
)

// ridge is a wavy line across the picture around the level y.
func (c *canvas) ridge(y, amp, freq float64) []point {
	a, b, d := c.r(0, 6.3), c.r(0, 6.3), c.r(0, 6.3)
	f := freq * c.r(0.8, 1.25)
	n := 80
	pts := make([]point, n+1)
	for i := range pts {
		x := -0.1 + (c.W+0.2)*float64(i)/float64(n)
		v := math.Sin(x*f+a) + 0.45*math.Sin(x*f*2.3+b) + 0.16*math.Sin(x*f*5.1+d)
		pts[i] = point{x, y - amp*v*0.62}
	}
	return pts
}

// hills fills a ridge at a depth and shades its foot.
func (c *canvas) hills(y, amp, freq, d float64) []point {
	pts := c.ridge(y, amp, freq)
	p := under(pts, 1.1)
	c.fill(p, c.depth(d))
	c.stipple(p, c.depth(math.Max(0, d-0.25)), 0, y+amp, 0, 0, y+amp+0.22, 0.4)
	return pts
}

// ground is the plain from y down, lighter far away.
func (c *canvas) ground(y, d0, d1 float64) {
	p := rect(-0.1, y, c.W+0.2, 1.1-y)
	c.fade(p, 0, y, c.depth(d0), 0, 1, c.depth(d1))
	c.stipple(p, c.tone(0), 0, y+(1-y)*0.4, 0, 0, 1.05, 0.35)
}

// floor is paved ground: lighter than the land, so that people and buildings stand out.
func (c *canvas) floor(y float64, near float64) {
	m := c.mood
	p := rect(-0.1, y, c.W+0.2, 1.1-y)
	c.fade(p, 0, y, c.tint(lerp(m.far, m.low, 0.35), m.lowGlow*0.25), 0, 1, c.tint(lerp(m.far, m.near, near), m.lowGlow*0.08))
	c.stipple(p, c.tone(m.near), 0, y+(1-y)*0.3, 0, 0, 1.05, 0.4)
}

// ripples are lens-shaped lights and shadows that grow towards the viewer.
func (c *canvas) ripples(y0, y1 float64, n int) {
	var light, dark path
	for i := range n {
		t := math.Pow(c.r(0.02, 1), 1.3)
		y := lerp(y0, y1, t)
		w := c.r(0.03, 0.12) * (0.25 + t)
		e := ellipse(c.r(-0.05, c.W+0.05), y, w, 0.0008+0.0028*t)
		if i%3 == 0 {
			dark = dark.and(e)
		} else {
			light = light.and(e)
		}
	}
	c.wash(light, c.skyAt(0.9), 0.5)
	c.wash(dark, c.tone(c.mood.water*0.4), 0.45)
}

type peak struct{ x, y, w float64 }

// massif draws jagged mountains standing on base, lit from the right, with snow down to a share of their height.
func (c *canvas) massif(base, height, d, snow float64) {
	n := max(2, int(c.W/0.42)+c.n(0, 1))
	var peaks []peak
	for i := range n {
		x := c.W * (float64(i) + c.r(0.15, 0.85)) / float64(n)
		peaks = append(peaks, peak{x, base - height*c.r(0.55, 1), c.r(0.34, 0.5) * (0.6 + height)})
	}
	for _, p := range peaks {
		c.mountain(p, base, d, snow)
	}
}

func (c *canvas) mountain(p peak, base, d, snow float64) {
	h := base - p.y
	left := c.crag(p.x, p.y, p.x-p.w, base, 7)
	right := c.crag(p.x, p.y, p.x+p.w, base, 7)
	body := append([]point{}, left...)
	for i := len(right) - 1; i >= 0; i-- {
		body = append(body, right[i])
	}
	rock := c.depth(d)
	c.fill(wound(body), rock)
	spine := c.crag(p.x, p.y, p.x+c.r(-0.12, 0.06)*p.w, base, 8)
	shade := append([]point{}, left...)
	for i := len(spine) - 1; i >= 0; i-- {
		shade = append(shade, spine[i])
	}
	dark := c.depth(math.Min(1, d+0.3))
	c.fill(wound(shade), dark)
	if snow > 0 {
		line := p.y + h*snow
		c.within(wound(body), func() {
			teeth := []point{{p.x - p.w, p.y - 0.1}}
			for i := 0; i <= 12; i++ {
				x := p.x + p.w*(float64(i)/6-1)*0.7
				teeth = append(teeth, point{x, line + h*c.r(-0.12, 0.13) + h*0.08*float64(i%2*2-1)})
			}
			teeth = append(teeth, point{p.x + p.w, p.y - 0.1})
			cap := wound(teeth)
			c.fill(cap, c.tint(c.mood.hi, c.mood.lowGlow*0.3))
			c.within(wound(shade), func() { c.fill(cap, mix(dark, c.tone(c.mood.hi), 0.55)) })
		})
	}
	c.stipple(wound(body), c.skyAt(1), 0, base-h*0.5, 0, 0, base, 0.5)
}

// crag is a broken line between two points.
func (c *canvas) crag(x0, y0, x1, y1 float64, n int) []point {
	pts := make([]point, n+1)
	for i := range pts {
		t := float64(i) / float64(n)
		j := 0.0
		if i > 0 && i < n {
			j = 0.45 / float64(n)
		}
		pts[i] = point{lerp(x0, x1, t+c.r(-j, j)), lerp(y0, y1, t+c.r(-j, j)*0.8)}
	}
	return pts
}

func (c *canvas) conifer(x, y, h float64) path {
	p := rect(x-h*0.018, y-h*0.15, h*0.036, h*0.15)
	tiers := 5
	for i := range tiers {
		t := float64(i) / float64(tiers)
		w := h * 0.2 * (1 - t*0.82) * c.r(0.85, 1.1)
		foot := y - h*(0.1+0.72*t)
		p = p.and(poly(x-w, foot+w*0.16, x-w*0.5, foot-w*0.02, x-w*0.1, foot+w*0.1, x+w*0.45, foot, x+w, foot+w*0.18, x+w*0.05, foot-h*0.3*(1-t*0.35)))
	}
	return p
}

func (c *canvas) broadleaf(x, y, h float64) path {
	p := taper(x, y, x, y-h*0.5, h*0.06, h*0.03)
	p = p.and(taper(x, y-h*0.3, x+h*0.14, y-h*0.55, h*0.03, h*0.015), taper(x, y-h*0.34, x-h*0.13, y-h*0.58, h*0.03, h*0.015))
	for range 9 {
		a, r := c.r(0, 6.3), c.r(0, 0.2)*h
		p = p.and(circle(x+math.Cos(a)*r*1.1, y-h*0.66+math.Sin(a)*r*0.85, h*c.r(0.11, 0.17)))
	}
	return p
}

func (c *canvas) poplar(x, y, h float64) path {
	return rect(x-h*0.015, y-h*0.2, h*0.03, h*0.2).and(blob(x, y-h, x+h*0.09, y-h*0.62, x+h*0.1, y-h*0.3, x, y-h*0.1, x-h*0.1, y-h*0.3, x-h*0.085, y-h*0.64))
}

// bare is a leafless tree.
func (c *canvas) bare(x, y, h float64) path {
	var p path
	var grow func(x, y, a, l, w float64, n int)
	grow = func(x, y, a, l, w float64, n int) {
		x1, y1 := x+math.Sin(a)*l, y-math.Cos(a)*l
		p = p.and(taper(x, y, x1, y1, w, w*0.62))
		if n == 0 {
			return
		}
		p = append(p, disc(x1, y1, w*0.31))
		grow(x1, y1, a-c.r(0.2, 0.5), l*c.r(0.62, 0.8), w*0.6, n-1)
		grow(x1, y1, a+c.r(0.2, 0.5), l*c.r(0.62, 0.8), w*0.6, n-1)
	}
	grow(x, y, c.r(-0.05, 0.05), h*0.32, h*0.045, 5)
	return p
}

// treeline is a closed row of trees standing on a line of points.
func (c *canvas) treeline(on []point, h, d float64, conifers bool) {
	var p path
	step := h * 0.34
	for x := -0.1; x < c.W+0.1; x += step * c.r(0.5, 1.2) {
		y := levelAt(on, x)
		k := h * c.r(0.55, 1)
		if conifers {
			p = p.and(c.conifer(x, y+h*0.06, k))
		} else {
			p = p.and(ellipse(x, y-k*0.25, k*0.34, k*0.4), ellipse(x+k*0.2, y-k*0.1, k*0.3, k*0.3))
		}
	}
	c.fill(p, c.depth(d))
}

func levelAt(pts []point, x float64) float64 {
	for i := 1; i < len(pts); i++ {
		if pts[i].x >= x {
			a, b := pts[i-1], pts[i]
			return lerp(a.y, b.y, clamp((x-a.x)/(b.x-a.x+1e-9)))
		}
	}
	return pts[len(pts)-1].y
}

// grass is a fringe of blades along the lower edge.
func (c *canvas) grass(y, h float64, n int, k color.RGBA) {
	var p path
	for range n {
		x, l, lean := c.r(-0.05, c.W+0.05), h*c.r(0.4, 1), c.r(-0.35, 0.35)
		p = p.and(brush(curve(points(x, y+0.02, x+lean*l*0.3, y-l*0.5, x+lean*l, y-l), false), h*0.06, h*0.008))
	}
	c.fill(p, k)
}

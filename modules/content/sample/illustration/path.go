package illustration

import "math"

type point struct{ x, y float64 }

// path is a set of closed polygons, all wound the same way so that overlaps add up.
type path [][]point

func poly(xy ...float64) path {
	p := make([]point, 0, len(xy)/2)
	for i := 0; i+1 < len(xy); i += 2 {
		p = append(p, point{xy[i], xy[i+1]})
	}
	return wound(p)
}

func wound(p []point) path {
	var area float64
	for i, a := range p {
		b := p[(i+1)%len(p)]
		area += a.x*b.y - b.x*a.y
	}
	if area < 0 {
		for i, j := 0, len(p)-1; i < j; i, j = i+1, j-1 {
			p[i], p[j] = p[j], p[i]
		}
	}
	return path{p}
}

func (p path) and(q ...path) path {
	for _, r := range q {
		p = append(p, r...)
	}
	return p
}

// hole adds q wound the other way, so that it is cut out of p.
func (p path) hole(q path) path {
	for _, s := range q {
		t := make([]point, len(s))
		for i, v := range s {
			t[len(s)-1-i] = v
		}
		p = append(p, t)
	}
	return p
}

func rect(x, y, w, h float64) path {
	if w < 0 {
		x, w = x+w, -w
	}
	if h < 0 {
		y, h = y+h, -h
	}
	return path{{{x, y}, {x + w, y}, {x + w, y + h}, {x, y + h}}}
}

func ellipse(x, y, rx, ry float64) path {
	n := 56
	p := make([]point, n)
	for i := range p {
		s, k := math.Sincos(2 * math.Pi * float64(i) / float64(n))
		p[i] = point{x + rx*k, y + ry*s}
	}
	return path{p}
}

func circle(x, y, r float64) path { return ellipse(x, y, r, r) }

// sector is the part of an ellipse between two angles in radians, closed through its centre.
func sector(x, y, rx, ry, a0, a1 float64) path {
	n := 40
	p := make([]point, 0, n+2)
	p = append(p, point{x, y})
	for i := 0; i <= n; i++ {
		s, k := math.Sincos(a0 + (a1-a0)*float64(i)/float64(n))
		p = append(p, point{x + rx*k, y + ry*s})
	}
	return wound(p)
}

// dome is the upper half of an ellipse standing on y.
func dome(x, y, rx, ry float64) path { return sector(x, y, rx, ry, math.Pi, 2*math.Pi) }

// arch is an opening with a round head: w wide, its springing at y0, its foot at y1.
func arch(x, y0, y1, w float64) path {
	return sector(x, y0, w/2, w/2, math.Pi, 2*math.Pi).and(rect(x-w/2, y0-0.0001, w, y1-y0))
}

// ring is an ellipse outline of width t.
func ring(x, y, rx, ry, t float64) path {
	return ellipse(x, y, rx+t/2, ry+t/2).hole(ellipse(x, y, rx-t/2, ry-t/2))
}

func rounded(x, y, w, h, r float64) path {
	r = math.Min(r, math.Min(w, h)/2)
	var p []point
	corner := func(cx, cy, a float64) {
		for i := 0; i <= 6; i++ {
			s, k := math.Sincos(a + math.Pi/2*float64(i)/6)
			p = append(p, point{cx + r*k, cy + r*s})
		}
	}
	corner(x+w-r, y+r, -math.Pi/2)
	corner(x+w-r, y+h-r, 0)
	corner(x+r, y+h-r, math.Pi/2)
	corner(x+r, y+r, math.Pi)
	return path{p}
}

// taper is a straight bar whose width runs from w to w1.
func taper(x0, y0, x1, y1, w, w1 float64) path {
	dx, dy := x1-x0, y1-y0
	l := math.Hypot(dx, dy)
	if l == 0 {
		return nil
	}
	nx, ny := -dy/l/2, dx/l/2
	return path{{{x0 - nx*w, y0 - ny*w}, {x1 - nx*w1, y1 - ny*w1}, {x1 + nx*w1, y1 + ny*w1}, {x0 + nx*w, y0 + ny*w}}}
}

// line is a straight bar of width w.
func line(x0, y0, x1, y1, w float64) path { return taper(x0, y0, x1, y1, w, w) }

// stroke is a polyline of width w with round joints.
func stroke(pts []point, w float64) path { return brush(pts, w, w) }

// brush is a polyline whose width runs from w0 to w1, with round joints.
func brush(pts []point, w0, w1 float64) path {
	var p path
	for i := 1; i < len(pts); i++ {
		a, b := pts[i-1], pts[i]
		f0, f1 := float64(i-1)/float64(len(pts)-1), float64(i)/float64(len(pts)-1)
		p = append(p, taper(a.x, a.y, b.x, b.y, lerp(w0, w1, f0), lerp(w0, w1, f1))...)
		if i > 1 {
			p = append(p, disc(a.x, a.y, lerp(w0, w1, f0)/2))
		}
	}
	return p
}

func disc(x, y, r float64) []point {
	p := make([]point, 10)
	for i := range p {
		s, k := math.Sincos(2 * math.Pi * float64(i) / 10)
		p[i] = point{x + r*k, y + r*s}
	}
	return p
}

func points(xy ...float64) []point {
	p := make([]point, 0, len(xy)/2)
	for i := 0; i+1 < len(xy); i += 2 {
		p = append(p, point{xy[i], xy[i+1]})
	}
	return p
}

// curve runs a Catmull-Rom spline through the points.
func curve(pts []point, closed bool) []point {
	n := len(pts)
	at := func(i int) point {
		if closed {
			return pts[(i+n)%n]
		}
		return pts[max(0, min(n-1, i))]
	}
	last := n - 1
	if closed {
		last = n
	}
	const k = 8
	out := make([]point, 0, last*k+1)
	for i := 0; i < last; i++ {
		a, b, c, d := at(i-1), at(i), at(i+1), at(i+2)
		for j := range k {
			t := float64(j) / k
			t2, t3 := t*t, t*t*t
			f := func(a, b, c, d float64) float64 {
				return 0.5 * (2*b + (c-a)*t + (2*a-5*b+4*c-d)*t2 + (3*b-a-3*c+d)*t3)
			}
			out = append(out, point{f(a.x, b.x, c.x, d.x), f(a.y, b.y, c.y, d.y)})
		}
	}
	if !closed {
		out = append(out, pts[n-1])
	}
	return out
}

// blob is a closed smooth shape through the points.
func blob(xy ...float64) path { return wound(curve(points(xy...), true)) }

// under is the area between a line and the level y below it.
func under(pts []point, y float64) path {
	p := make([]point, 0, len(pts)+2)
	p = append(p, pts...)
	p = append(p, point{pts[len(pts)-1].x, y}, point{pts[0].x, y})
	return wound(p)
}

// sag is a hanging cable between two points, deepest by d in the middle.
func sag(x0, y0, x1, y1, d float64) []point {
	const n = 24
	p := make([]point, n+1)
	for i := range p {
		t := float64(i) / n
		p[i] = point{lerp(x0, x1, t), lerp(y0, y1, t) + 4*d*t*(1-t)}
	}
	return p
}

package illustration

import "math"

type projection func(lon, lat float64) point

func shape(p projection, lonLat []float64) []point {
	pts := make([]point, 0, len(lonLat)/2)
	for i := 0; i+1 < len(lonLat); i += 2 {
		pts = append(pts, p(lonLat[i], lonLat[i+1]))
	}
	return pts
}

// atlas prints sea, graticule, coasts and land of a projection.
func (c *canvas) atlas(p projection, land [][]float64, step, lon0, lon1, lat0, lat1 float64) path {
	night := c.mood.dark
	sea, soil, line := c.tone(0.5), c.tone(0.96), c.tone(0.62)
	if night {
		sea, soil, line = c.tone(0.1), c.tone(0.52), c.tone(0.22)
	} else if c.mood == &moods[posterMood] {
		sea, line = c.accent(0.12), c.accent(0.4)
	}
	c.fill(c.all(), sea)
	c.stipple(c.all(), c.tone(0), 0, 0, 0, c.W, 1.1, 0.28)
	var grid path
	for lon := lon0; lon <= lon1; lon += step {
		var l []point
		for lat := lat0; lat <= lat1; lat += step {
			l = append(l, p(lon, lat))
		}
		grid = grid.and(stroke(l, 0.0022))
	}
	for lat := lat0; lat <= lat1; lat += step {
		var l []point
		for lon := lon0; lon <= lon1; lon += step {
			l = append(l, p(lon, lat))
		}
		grid = grid.and(stroke(l, 0.0022))
	}
	c.wash(grid, line, 0.8)
	var all, coast path
	for _, poly := range land {
		pts := curve(shape(p, poly), true)
		all = all.and(wound(pts))
		closed := append(append([]point{}, pts...), pts[0])
		coast = coast.and(stroke(closed, 0.03))
	}
	c.wash(coast, line, 0.4)
	c.stipple(coast, c.tone(1), 0, 0, 0.25, 0, 1, 0.25)
	c.wash(c.shifted(all, 0.007, 0.009), c.tone(0), 0.5)
	c.fill(all, soil)
	c.stipple(all, c.tone(0.5), 0, 0, 0.02, c.W, 1, 0.18)
	return all
}

func (c *canvas) shifted(p path, dx, dy float64) path {
	out := make(path, len(p))
	for i, poly := range p {
		out[i] = make([]point, len(poly))
		for j, q := range poly {
			out[i][j] = point{q.x + dx, q.y + dy}
		}
	}
	return out
}

// pin marks a place.
func (c *canvas) pin(x, y, s float64, acc bool) {
	k := c.tone(0.08)
	if acc {
		k = c.accent(-0.05)
	}
	c.wash(ellipse(x+s*0.25, y, s*0.4, s*0.09), c.tone(0), 0.4)
	c.fill(blob(x, y, x-s*0.2, y-s*0.45, x-s*0.36, y-s*0.8, x-s*0.2, y-s*1.12, x, y-s*1.2, x+s*0.2, y-s*1.12, x+s*0.36, y-s*0.8, x+s*0.2, y-s*0.45), k)
	c.fill(circle(x, y-s*0.8, s*0.14), c.tone(1))
}

// route is an arc of dashes between two places.
func (c *canvas) route(a, b point, lift float64) {
	pts := make([]point, 41)
	for i := range pts {
		t := float64(i) / 40
		pts[i] = point{lerp(a.x, b.x, t), lerp(a.y, b.y, t) - 4*lift*t*(1-t)}
	}
	var p path
	for i := 0; i+2 < len(pts); i += 3 {
		p = p.and(stroke(pts[i:i+3], 0.007))
	}
	c.fill(p, c.accent(-0.05))
	end := pts[40]
	dx, dy := end.x-pts[38].x, end.y-pts[38].y
	l := math.Hypot(dx, dy)
	dx, dy = dx/l*0.03, dy/l*0.03
	c.fill(poly(end.x+dx*0.4, end.y+dy*0.4, end.x-dx*0.7-dy*0.5, end.y-dy*0.7+dx*0.5, end.x-dx*0.7+dy*0.5, end.y-dy*0.7-dx*0.5), c.accent(-0.05))
}

func mapEurope(c *canvas) {
	lon0, lat0 := c.r(10, 16), c.r(50, 53)
	zoom := c.r(1.0, 1.4) / 36 * math.Min(1.05, math.Max(0.72, c.W/1.5))
	tilt := c.r(-0.06, 0.06)
	p := func(lon, lat float64) point {
		k := lerp(math.Cos(lat*math.Pi/180), math.Cos(52*math.Pi/180), 0.35)
		x, y := (lon-lon0)*k*zoom, -(lat-lat0)*zoom
		s, cs := math.Sincos(tilt)
		return point{c.W/2 + x*cs - y*s, 0.5 + x*s + y*cs}
	}
	all := c.atlas(p, europeLand, 5, -60, 90, 20, 80)
	cities := [][2]float64{{2.3, 48.8}, {13.4, 52.5}, {16.4, 48.2}, {19, 47.5}, {12.5, 41.9}, {-3.7, 40.4}, {4.4, 50.8}, {21, 52.2}, {18, 59.3}, {23.7, 38}, {26.1, 44.4}, {30.5, 50.4}, {-0.1, 51.5}, {8.5, 47.4}, {24.9, 60.2}}
	hub := cities[c.n(0, len(cities)-1)]
	at := p(hub[0], hub[1])
	if c.odds(0.5) {
		c.within(all, func() {
			for i := range 4 {
				c.over(circle(at.x, at.y, 0.08+0.07*float64(3-i)), c.accent(0.2+0.12*float64(3-i)), 0.5)
			}
		})
	}
	var border path
	for _, b := range europeBorders {
		border = border.and(stroke(shape(p, b), 0.0045))
	}
	c.fill(border, mix(c.tone(0.35), c.accent(0), 0.15))
	for range c.n(3, 5) {
		q := cities[c.n(0, len(cities)-1)]
		if q == hub {
			continue
		}
		to := p(q[0], q[1])
		c.route(at, to, 0.05+0.16*math.Hypot(to.x-at.x, to.y-at.y))
	}
	for _, q := range cities {
		v := p(q[0], q[1])
		c.fill(circle(v.x, v.y, 0.0085), c.tone(0.05))
		c.fill(circle(v.x, v.y, 0.004), c.tone(1))
	}
	c.pin(at.x, at.y, 0.1, true)
}

func mapWorld(c *canvas) {
	mid := c.r(-10, 30)
	scale := math.Max(c.W/340, 1.0/190)
	p := func(lon, lat float64) point {
		d := lon - mid
		k := 0.62 + 0.38*math.Cos(lat*math.Pi/180*0.9)
		return point{c.W/2 + d*scale*k, 0.54 - lat*scale*1.04}
	}
	c.atlas(p, worldLand, 15, -225, 225, -90, 90)
	hubs := [][2]float64{{-74, 41}, {10, 51}, {116, 40}, {77, 28}, {-47, -23}, {31, 30}, {140, 36}, {103, 2}, {151, -34}, {-118, 34}, {37, 56}, {18, -34}, {3, 7}}
	a := hubs[c.n(0, 2)]
	pa := p(a[0], a[1])
	for range c.n(4, 6) {
		b := hubs[c.n(0, len(hubs)-1)]
		if b == a {
			continue
		}
		pb := p(b[0], b[1])
		c.route(pa, pb, 0.04+0.2*math.Hypot(pb.x-pa.x, pb.y-pa.y))
	}
	for _, h := range hubs {
		q := p(h[0], h[1])
		if c.mood.dark {
			c.glow(q.x, q.y, 0.05, c.accent(0.4), 0.8, grains)
		}
		c.fill(circle(q.x, q.y, 0.009), c.tone(0.05))
		c.fill(circle(q.x, q.y, 0.0045), c.tone(1))
	}
	c.pin(pa.x, pa.y, 0.085, true)
}

package illustration

func parliament(c *canvas) {
	h := c.r(0.74, 0.79)
	c.sky(h, c.r(0.25, 0.75))
	c.backdrop(h, 0.12, 0.12)
	c.haze(h-0.12, h+0.02, 0.4)
	s := c.fit(1.35) * c.r(0.95, 1.06)
	g := c.at(c.W/2, h, s, s)
	wing := c.r(0.42, 0.5)
	g.block(-0.2-wing, 0, 0.4+wing*2, 0.22, g.face())
	for _, x := range []float64{-0.2 - wing + 0.02, 0.22} {
		g.grid(x, -0.025, wing-0.04, 0.16, 8, 2, 0.42, 0.66, 0.7)
		g.cornice(x-0.02, -0.22, wing, 0.014)
		g.gable(x-0.02, -0.232, wing, 0.05, 0.02, mix(g.side(), g.accent(-0.2), 0.5))
	}
	for _, x := range []float64{-0.2 - wing, 0.1 + wing} {
		g.block(x, 0, 0.1, 0.28, g.face())
		g.grid(x+0.01, -0.03, 0.08, 0.2, 2, 2, 0.5, 0.6, 0.6)
		g.cornice(x, -0.28, 0.1, 0.012)
		g.flag(x+0.05, -0.28, 0.2, 1, g.accent(0))
	}
	g.block(-0.2, 0, 0.4, 0.3, g.face())
	g.cupola(0, -0.3, 0.17, c.r(0.17, 0.23), mix(g.accent(-0.1), g.side(), c.r(0, 0.8)))
	g.colonnade(-0.17, -0.05, 0.34, 0.2, c.n(3, 4)*2)
	g.cornice(-0.2, -0.25, 0.4, 0.018)
	g.pediment(-0.215, -0.268, 0.43, 0.1)
	g.stairs(-0.21, 0.01, 0.42, 0.06, 6, 0.1)
	c.square(h+0.008, 9)
}

// square is the paved place in front of a building, with people and lamps.
func (c *canvas) square(y float64, people int) {
	c.floor(y, 0.55)
	for i := range 5 {
		t := float64(i+1) / 5
		c.wash(rect(-0.1, lerp(y, 1, t*t), c.W+0.2, 0.001+0.003*t), c.tone(c.mood.near), 0.25)
	}
	c.lantern(c.r(0.06, 0.14)*c.W, 0.95, 0.34)
	c.lantern(c.r(0.86, 0.94)*c.W, 0.93, 0.32)
	c.walkers(0.05*c.W, 0.95*c.W, y+0.03, 0.96, 0.05, 0.2, people)
}

func courthouse(c *canvas) {
	h := c.r(0.76, 0.8)
	c.sky(h, c.r(0.2, 0.8))
	c.backdrop(h, 0.16, 0.15)
	s := c.fit(1.15) * 0.9
	g := c.at(c.W/2, h, s, s)
	g.block(-0.52, 0, 1.04, 0.4, g.face())
	g.grid(-0.5, -0.07, 0.17, 0.28, 2, 2, 0.4, 0.62, 0.5)
	g.grid(0.33, -0.07, 0.17, 0.28, 2, 2, 0.4, 0.62, 0.5)
	g.cornice(-0.52, -0.4, 1.04, 0.02)
	g.colonnade(-0.27, -0.1, 0.54, 0.3, 6)
	g.cornice(-0.33, -0.4, 0.66, 0.03)
	g.pediment(-0.36, -0.43, 0.72, 0.17)
	g.stairs(-0.33, 0.02, 0.66, 0.12, 8, 0.12)
	// The scales stand on the gable.
	k := g.accent(-0.1)
	if c.mood.dark {
		k = g.accent(0.15)
	}
	g.fill(taper(0, -0.59, 0, -0.78, 0.018, 0.01).and(line(-0.13, -0.755, 0.13, -0.735, 0.01), circle(0, -0.785, 0.014), rect(-0.05, -0.605, 0.1, 0.02)), k)
	for _, q := range [][2]float64{{-0.13, -0.755}, {0.13, -0.735}} {
		g.fill(line(q[0], q[1], q[0]-0.05, q[1]+0.1, 0.004).and(line(q[0], q[1], q[0]+0.05, q[1]+0.1, 0.004), sector(q[0], q[1]+0.1, 0.062, 0.04, 0, 3.1416)), k)
	}
	c.square(h+0.015, 6)
}

func cityHall(c *canvas) {
	h := c.r(0.76, 0.81)
	c.sky(h, c.r(0.2, 0.8))
	c.backdrop(h, 0.2, 0.2)
	s := c.fit(1.25) * 0.84
	g := c.at(c.W*c.r(0.46, 0.54), h, s, s)
	roof := mix(g.accent(-0.15), g.side(), c.r(0, 0.5))
	g.block(-0.55, 0, 1.1, 0.3, g.face())
	g.gable(-0.56, -0.3, 1.12, 0.1, 0.07, roof)
	for i := range 5 {
		x := -0.44 + 0.22*float64(i)
		if i == 2 {
			continue
		}
		g.fill(rect(x-0.03, -0.37, 0.06, 0.05), g.face())
		g.fill(poly(x-0.04, -0.37, x, -0.41, x+0.04, -0.37), roof)
		g.fill(rect(x-0.012, -0.36, 0.024, 0.035), g.lamp(0.5))
	}
	g.grid(-0.53, -0.15, 1.06, 0.13, 12, 1, 0.4, 0.8, 0.6)
	g.arcade(-0.53, 0, 1.06, 0.12, 10, 0.62, 0.8)
	g.cornice(-0.55, -0.3, 1.1, 0.014)
	tw := c.r(0.075, 0.095)
	th := c.r(0.56, 0.64)
	g.block(-tw, 0, tw*2, th, g.hi())
	g.cornice(-tw, -th, tw*2, 0.018)
	g.clock(0, -th+0.09, tw*0.6)
	g.grid(-tw*0.8, -0.16, tw*1.6, th-0.36, 2, 2, 0.4, 0.5, 0.5)
	g.fill(arch(0, -0.08, 0, 0.08), g.lamp(1))
	spire := poly(-tw*1.1, -th-0.018, -tw*0.35, -th-0.12, 0, -th-0.29, tw*0.35, -th-0.12, tw*1.1, -th-0.018)
	g.fill(spire, roof)
	g.stipple(spire, g.tone(0), -tw*0.2, 0, 0, tw, 0, 0.7)
	g.flag(-0.4, -0.4, 0.2, 1, g.accent(0))
	g.flag(0.4, -0.4, 0.2, 1, g.accent(0))
	c.square(h+0.004, 8)
}

func bank(c *canvas) {
	c.sky(0.86, c.r(0.2, 0.8))
	s := c.fit(1.2)
	h := 0.84
	g := c.at(c.W/2, h, s, s)
	g.block(-0.6, 0, 1.2, 0.62, g.face())
	for i := range 2 {
		x := []float64{-0.57, 0.36}[i]
		for j := range 5 {
			g.wash(rect(x-0.03, -0.12*float64(j)-0.13, 0.27, 0.004), g.deep(), 0.4)
		}
		g.grid(x+0.02, -0.1, 0.17, 0.44, 2, 2, 0.44, 0.62, 0.6)
	}
	g.cornice(-0.6, -0.62, 1.2, 0.03)
	g.colonnade(-0.3, -0.09, 0.6, 0.46, 6)
	g.fill(rect(-0.055, -0.36, 0.11, 0.27), g.tone(g.mood.deep*0.4))
	g.fill(rect(-0.045, -0.35, 0.042, 0.25).and(rect(0.003, -0.35, 0.042, 0.25)), g.accent(-0.15))
	g.cornice(-0.36, -0.55, 0.72, 0.04)
	g.pediment(-0.4, -0.59, 0.8, 0.17)
	g.stairs(-0.36, 0.02, 0.72, 0.11, 6, 0.08)
	c.square(h+0.015, 5)
}

package illustration

import (
	"image"
	"math"
	"math/rand/v2"
	"slices"
	"sync"
)

const (
	noiseSize = 512
	noiseMask = noiseSize - 1
)

// tiles hold the threshold patterns every picture of one height shares.
type tiles struct {
	noise []uint8
	dots  []uint8
	cell  int
}

var noiseTile = sync.OnceValue(func() []uint8 {
	rnd := rand.New(rand.NewPCG(7, 11))
	raw := make([]float64, noiseSize*noiseSize)
	for i := range raw {
		raw[i] = rnd.Float64()
	}
	at := func(x, y int) float64 { return raw[(y&noiseMask)*noiseSize+(x&noiseMask)] }
	type cell struct {
		v float64
		i int
	}
	all := make([]cell, len(raw))
	for i := range raw {
		x, y := i&noiseMask, i/noiseSize
		v := at(x, y)*4 + (at(x-1, y)+at(x+1, y)+at(x, y-1)+at(x, y+1))*0.5
		all[i] = cell{v, i}
	}
	slices.SortFunc(all, func(a, b cell) int {
		if a.v != b.v {
			if a.v < b.v {
				return -1
			}
			return 1
		}
		return a.i - b.i
	})
	// Ranks instead of values: every threshold is equally frequent, so densities come out as asked.
	out := make([]uint8, len(raw))
	for rank, k := range all {
		out[k.i] = uint8(rank * 256 / len(all))
	}
	return out
})

var (
	tileMu  sync.Mutex
	tileSet = map[int]*tiles{}
)

// textures returns the patterns for a picture height: the screen grows with the picture.
func textures(h int) *tiles {
	cell := max(4, int(math.Round(float64(h)/110)))
	tileMu.Lock()
	defer tileMu.Unlock()
	t, ok := tileSet[cell]
	if !ok {
		t = &tiles{noise: noiseTile(), dots: dotTile(cell), cell: cell}
		tileSet[cell] = t
	}
	return t
}

// dotTile is a 45 degree screen: two dots per cell, thresholds ranked like the noise.
func dotTile(cell int) []uint8 {
	type spot struct {
		v float64
		i int
	}
	all := make([]spot, cell*cell)
	for i := range all {
		x, y := (float64(i%cell)+0.5)/float64(cell), (float64(i/cell)+0.5)/float64(cell)
		v := -math.Cos(2*math.Pi*x)*0.5 - math.Cos(2*math.Pi*y)*0.5
		all[i] = spot{-math.Abs(v), i}
	}
	slices.SortFunc(all, func(a, b spot) int {
		if math.Abs(a.v-b.v) > 1e-9 {
			if a.v < b.v {
				return -1
			}
			return 1
		}
		return a.i - b.i
	})
	out := make([]uint8, len(all))
	for rank, k := range all {
		out[k.i] = uint8(rank * 256 / len(all))
	}
	return out
}

// finish lays the paper's tooth over the picture and opens the shadows with a faint screen.
func (p *page) finish() {
	t := textures(p.h)
	var tooth [256]int32
	for i := range tooth {
		tooth[i] = int32(i-128) * 6 / 128
	}
	paper := p.pal.tone(0.62)
	pr, pg, pb := int32(paper.R), int32(paper.G), int32(paper.B)
	eachRow(p.img, func(y int, row []uint8) {
		fine := t.noise[(y&noiseMask)*noiseSize : (y&noiseMask)*noiseSize+noiseSize]
		far := ((y*5 + 91) / 3 & noiseMask) * noiseSize
		dots := t.dots[(y%t.cell)*t.cell : (y%t.cell)*t.cell+t.cell]
		for x := 0; x*4 < len(row); x++ {
			q := row[x*4 : x*4+4 : x*4+4]
			r, g, b := int32(q[0]), int32(q[1]), int32(q[2])
			lum := (r*3 + g*6 + b) / 10
			if lum < 118 {
				open := (118 - lum) * 26 / 118
				if int32(dots[x%t.cell]) < 50+lum {
					r, g, b = r+(pr-r)*open/255, g+(pg-g)*open/255, b+(pb-b)*open/255
				}
				if fine[x&noiseMask] > 249 {
					r, g, b = r+(pr-r)/5, g+(pg-g)/5, b+(pb-b)/5
				}
			}
			d := tooth[fine[x&noiseMask]] + tooth[t.noise[far+(x/3&noiseMask)]]/3
			q[0], q[1], q[2] = byteOf(r+d), byteOf(g+d), byteOf(b+d)
		}
	})
}

func byteOf(v int32) uint8 { return uint8(max(0, min(255, v))) }

func eachRow(img *image.RGBA, do func(y int, row []uint8)) {
	for y := range img.Rect.Dy() {
		do(y, img.Pix[y*img.Stride:y*img.Stride+img.Rect.Dx()*4])
	}
}

// reflect mirrors the pixels above the level y0 into the water below it, rippled and tinted.
func (c *canvas) reflect(y0, keep float64) {
	_, py := c.px(0, y0)
	_, qy := c.px(0, 1)
	top, end := int(py), min(c.h, int(qy))
	water := c.tone(c.mood.water)
	wr, wg, wb := float64(water.R), float64(water.G), float64(water.B)
	phase := c.r(0, 6)
	scale := 900 / float64(c.h)
	for y := top; y < end; y++ {
		d := float64(y-top) * scale
		src := top - 1 - int(float64(y-top)*1.06)
		if src < 0 {
			src = -src % max(1, top)
		}
		amp := (0.6 + d*0.022) / scale
		wob := math.Sin(d*0.55/(1+d*0.006)+phase)*amp + math.Sin(d*0.21/(1+d*0.004)+phase*2)*amp*1.4
		shift := int(math.Round(wob))
		k := keep * (1 - 0.45*d/math.Max(1, float64(end-top)*scale))
		a, b := c.img.Pix[src*c.img.Stride:], c.img.Pix[y*c.img.Stride:]
		for x := range c.w {
			sx := max(0, min(c.w-1, x+shift))
			s, q := a[sx*4:sx*4+3:sx*4+3], b[x*4:x*4+4:x*4+4]
			q[0] = uint8(wr + (float64(s[0])-wr)*k)
			q[1] = uint8(wg + (float64(s[1])-wg)*k)
			q[2] = uint8(wb + (float64(s[2])-wb)*k)
			q[3] = 255
		}
	}
}

package media

import (
	"image"
	"image/draw"
	"math"
)

// resize scales an area of a picture to w by h pixels on white, with the
// Catmull-Rom filter. It keeps only the lines that the filter reaches: the one
// of x/image/draw holds all of them at 32 bytes a pixel, which is more than
// the rest of the process needs.
func resize(src image.Image, area image.Rectangle, w, h int) *image.RGBA {
	dst := image.NewRGBA(image.Rect(0, 0, w, h))
	if w == area.Dx() && h == area.Dy() {
		flatten(dst, src, area.Min)
		return dst
	}
	columns, rows := windows(w, area.Dx()), windows(h, area.Dy())
	reach := 0
	for _, row := range rows {
		reach = max(reach, len(row.weights))
	}
	lines := make([][]float32, reach) // narrowed, by source line modulo reach
	for i := range lines {
		lines[i] = make([]float32, 3*w)
	}
	source := image.NewRGBA(image.Rect(0, 0, area.Dx(), 1))
	sum := make([]float32, 3*w)
	next := 0
	for y, row := range rows {
		for next = max(next, row.first); next < row.first+len(row.weights); next++ {
			flatten(source, src, area.Min.Add(image.Pt(0, next)))
			narrow(lines[next%reach], source.Pix, columns)
		}
		clear(sum)
		for i, weight := range row.weights {
			for k, v := range lines[(row.first+i)%reach] {
				sum[k] += weight * v
			}
		}
		out := dst.Pix[y*dst.Stride:][:4*w]
		for x := range w {
			out[4*x], out[4*x+1], out[4*x+2], out[4*x+3] = level(sum[3*x]), level(sum[3*x+1]), level(sum[3*x+2]), 255
		}
	}
	return dst
}

// flatten fills dst from src, on white where src is transparent.
func flatten(dst *image.RGBA, src image.Image, from image.Point) {
	draw.Draw(dst, dst.Rect, image.White, image.Point{}, draw.Src)
	draw.Draw(dst, dst.Rect, src, from, draw.Over)
}

func narrow(dst []float32, pix []uint8, columns []window) {
	for x, column := range columns {
		var r, g, b float32
		p := pix[4*column.first:]
		for i, weight := range column.weights {
			r += weight * float32(p[4*i])
			g += weight * float32(p[4*i+1])
			b += weight * float32(p[4*i+2])
		}
		dst[3*x], dst[3*x+1], dst[3*x+2] = r, g, b
	}
}

func level(v float32) uint8 { return uint8(min(max(v+0.5, 0), 255)) }

// window is what one pixel of the result takes from the source.
type window struct {
	first   int
	weights []float32 // of first and the pixels after it; their sum is 1
}

// windows places n pixels over size. The filter widens as the picture shrinks, so that no pixel is left out.
func windows(n, size int) []window {
	scale := float64(size) / float64(n)
	stretch := max(scale, 1)
	all := make([]window, n)
	for i := range all {
		centre := (float64(i)+0.5)*scale - 0.5
		first := max(0, int(math.Ceil(centre-2*stretch)))
		last := min(size-1, int(math.Floor(centre+2*stretch)))
		weights := make([]float32, last-first+1)
		var sum float32
		for k := range weights {
			weights[k] = catmullRom((float64(first+k) - centre) / stretch)
			sum += weights[k]
		}
		for k := range weights {
			weights[k] /= sum
		}
		all[i] = window{first, weights}
	}
	return all
}

func catmullRom(t float64) float32 {
	switch t = math.Abs(t); {
	case t < 1:
		return float32((1.5*t-2.5)*t*t + 1)
	case t < 2:
		return float32(((2.5-0.5*t)*t-4)*t + 2)
	default:
		return 0
	}
}

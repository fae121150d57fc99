package media

import (
	"image"
	"image/draw"
)

// resize scales an area of a picture to w by h pixels on white. It keeps only
// the lines that the filter reaches: the one of x/image/draw holds all of them
// at 32 bytes a pixel, which is more than the rest of the process needs.
func resize(src image.Image, area image.Rectangle, w, h int) *image.RGBA {
	dst := image.NewRGBA(image.Rect(0, 0, w, h))
	if w == area.Dx() && h == area.Dy() {
		flatten(dst, src, area.Min)
		return dst
	}
	columns, rows := windows(0, area.Dx(), w, 1, 1), windows(0, area.Dy(), h, 1, 1)
	flat := image.NewRGBA(image.Rect(0, 0, area.Dx(), 1))
	lines := make([][]uint8, reach(rows)) // by the line of the source modulo their number
	for i := range lines {
		lines[i] = make([]uint8, 3*area.Dx())
	}
	next := 0
	filter(dst.Pix, dst.Stride, 4, columns, rows, func(y int) []uint8 {
		for ; next <= y; next++ {
			flatten(flat, src, area.Min.Add(image.Pt(0, next)))
			deinterleave(lines[next%len(lines)], flat.Pix)
		}
		return lines[y%len(lines)]
	})
	for i := 3; i < len(dst.Pix); i += 4 {
		dst.Pix[i] = 255
	}
	return dst
}

// flatten fills dst from src, on white where src is transparent.
func flatten(dst *image.RGBA, src image.Image, from image.Point) {
	draw.Draw(dst, dst.Rect, image.White, image.Point{}, draw.Src)
	draw.Draw(dst, dst.Rect, src, from, draw.Over)
}

// deinterleave writes all red of a line, then all green, then all blue.
func deinterleave(dst, pix []uint8) {
	n := len(pix) / 4
	r, g, b := dst[:n], dst[n:][:n], dst[2*n:][:n]
	for x := range r {
		p := pix[4*x:][:4]
		r[x], g[x], b[x] = p[0], p[1], p[2]
	}
}

// resizeYCbCr scales the planes of a JPEG without converting them to RGBA: in
// most, colour has a quarter of the samples, and the encoder wants it so again.
func resizeYCbCr(src *image.YCbCr, area image.Rectangle, w, h int) *image.YCbCr {
	if w == area.Dx() && h == area.Dy() {
		return src.SubImage(area).(*image.YCbCr)
	}
	dst := image.NewYCbCr(image.Rect(0, 0, w, h), image.YCbCrSubsampleRatio420)
	columns, rows := windows(area.Min.X, area.Dx(), w, 1, 1), windows(area.Min.Y, area.Dy(), h, 1, 1)
	plane := func(to []uint8, toStride int, from []uint8, stride int) {
		width := columns[len(columns)-1].end()
		filter(to, toStride, 1, columns, rows, func(y int) []uint8 { return from[y*stride:][:width] })
	}
	plane(dst.Y, dst.YStride, src.Y[src.YOffset(area.Min.X, area.Min.Y):], src.YStride)

	across, down := subsampling(src.SubsampleRatio)
	columns, rows = windows(area.Min.X, area.Dx(), w, across, 2), windows(area.Min.Y, area.Dy(), h, down, 2)
	at := src.COffset(area.Min.X, area.Min.Y)
	plane(dst.Cb, dst.CStride, src.Cb[at:], src.CStride)
	plane(dst.Cr, dst.CStride, src.Cr[at:], src.CStride)
	return dst
}

// subsampling returns how many pixels share a sample of colour.
func subsampling(r image.YCbCrSubsampleRatio) (across, down int) {
	switch r {
	case image.YCbCrSubsampleRatio422:
		return 2, 1
	case image.YCbCrSubsampleRatio420:
		return 2, 2
	case image.YCbCrSubsampleRatio440:
		return 1, 2
	case image.YCbCrSubsampleRatio411:
		return 4, 1
	case image.YCbCrSubsampleRatio410:
		return 4, 2
	default:
		return 1, 1
	}
}

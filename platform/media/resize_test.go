package media

import (
	"bytes"
	"image"
	"image/color"
	"image/jpeg"
	"math"
	"math/rand/v2"
	"os"
	"testing"

	"golang.org/x/image/draw"
)

func noise(w, h int) *image.RGBA {
	rnd := rand.New(rand.NewPCG(1, 2))
	m := image.NewRGBA(image.Rect(0, 0, w, h))
	for y := range h {
		for x := range w {
			c := color.RGBA{uint8(x * 255 / w), uint8(y * 255 / h), uint8(rnd.IntN(256)), 255}
			m.SetRGBA(x, y, c)
		}
	}
	return m
}

// The filter must give what x/image/draw gives, within the rounding of a level.
func TestResizeAgreesWithTheReference(t *testing.T) {
	t.Parallel()
	src := noise(301, 207)
	for _, area := range []image.Rectangle{
		src.Rect, image.Rect(10, 20, 210, 153), image.Rect(300, 0, 301, 207),
		image.Rect(7, 7, 8, 8),
	} {
		for _, to := range []image.Point{{160, 120}, {64, 3}, {1, 1}, {299, 207}, {301, 50}, {2, 200}} {
			want := image.NewRGBA(image.Rectangle{Max: to})
			draw.CatmullRom.Scale(want, want.Rect, src, area, draw.Src, nil)
			got := resize(src, area, to.X, to.Y)
			if got.Rect != want.Rect {
				t.Fatalf("%v to %v: %v", area, to, got.Rect)
			}
			for i := range got.Pix {
				if d := int(got.Pix[i]) - int(want.Pix[i]); d < -1 || d > 1 {
					t.Fatalf("%v to %v: byte %d is %d, want %d", area, to, i, got.Pix[i], want.Pix[i])
				}
			}
		}
	}
	same := resize(src, src.Rect, 301, 207)
	for i := range same.Pix {
		if same.Pix[i] != src.Pix[i] {
			t.Fatal("a picture of the right size was changed")
		}
	}
}

var samplings = []image.YCbCrSubsampleRatio{
	image.YCbCrSubsampleRatio444, image.YCbCrSubsampleRatio422, image.YCbCrSubsampleRatio420,
	image.YCbCrSubsampleRatio440, image.YCbCrSubsampleRatio411, image.YCbCrSubsampleRatio410,
}

func photo(t testing.TB) (file []byte, m *image.YCbCr) {
	t.Helper()
	file, err := os.ReadFile("../../tenants/sample/pictures/newsroom.jpg")
	if err != nil {
		t.Fatal(err)
	}
	decoded, err := jpeg.Decode(bytes.NewReader(file))
	if err != nil {
		t.Fatal(err)
	}
	return file, decoded.(*image.YCbCr)
}

// sampled gives a picture other samples of colour, each the mean of its pixels.
func sampled(src *image.YCbCr, ratio image.YCbCrSubsampleRatio) *image.YCbCr {
	dst := image.NewYCbCr(image.Rectangle{Max: src.Rect.Size()}, ratio)
	counts, cb, cr := make([]int, len(dst.Cb)), make([]int, len(dst.Cb)), make([]int, len(dst.Cb))
	for y := range dst.Rect.Dy() {
		for x := range dst.Rect.Dx() {
			c, i := src.YCbCrAt(src.Rect.Min.X+x, src.Rect.Min.Y+y), dst.COffset(x, y)
			dst.Y[dst.YOffset(x, y)] = c.Y
			counts[i]++
			cb[i] += int(c.Cb)
			cr[i] += int(c.Cr)
		}
	}
	for i, n := range counts {
		dst.Cb[i], dst.Cr[i] = uint8((cb[i]+n/2)/n), uint8((cr[i]+n/2)/n)
	}
	return dst
}

// viaRGBA is what the encoder reads of a picture that was scaled as RGBA.
func viaRGBA(src image.Image, area image.Rectangle, w, h int) *image.YCbCr {
	pixels := resize(src, area, w, h)
	m := image.NewYCbCr(pixels.Rect, image.YCbCrSubsampleRatio444)
	for i := range m.Y {
		m.Y[i], m.Cb[i], m.Cr[i] = color.RGBToYCbCr(pixels.Pix[4*i], pixels.Pix[4*i+1], pixels.Pix[4*i+2])
	}
	return sampled(m, image.YCbCrSubsampleRatio420)
}

// differ reports whether planes are further apart than in rounding, and than limits for the mean and for each sample.
func differ(a, b []uint8, mean float64, each int) bool {
	sum, most := 0, 0
	for i := range a {
		d := max(a[i], b[i]) - min(a[i], b[i])
		sum += int(d)
		most = max(most, int(d))
	}
	return len(a) != len(b) || float64(sum) > 1+mean*float64(len(a)) || most > each
}

// Single pixels are further apart, where RGB has no colour for what the JPEG says.
func TestYCbCrAgreesWithRGBA(t *testing.T) {
	t.Parallel()
	_, picture := photo(t)
	for _, ratio := range samplings {
		src := sampled(picture, ratio)
		for _, area := range []image.Rectangle{image.Rect(501, 257, 902, 558), image.Rect(100, 103, 501, 304)} {
			for _, w := range []int{1, 80, 161, area.Dx() - 1, area.Dx()} {
				h := max(1, (w*area.Dy()+area.Dx()/2)/area.Dx())
				want, got := viaRGBA(src, area, w, h), resizeYCbCr(src, area, w, h)
				if w == area.Dx() { // a part of the source, which the encoder reads so
					got = sampled(got, image.YCbCrSubsampleRatio420)
				}
				if got.Rect != want.Rect || differ(got.Y, want.Y, 0.3, 16) ||
					differ(got.Cb, want.Cb, 0.7, 24) || differ(got.Cr, want.Cr, 0.7, 24) {
					t.Errorf("%v, %v to %d by %d: another picture", ratio, area, w, h)
				}
			}
		}
	}
}

// Colours that grow evenly show where their samples are: at 4:2:0, half a sample would be four levels.
func TestColoursStayInPlace(t *testing.T) {
	t.Parallel()
	for _, ratio := range samplings {
		across, down := subsampling(ratio)
		src := image.NewYCbCr(image.Rect(0, 0, 64, 64), ratio)
		for y := range src.Rect.Dy() / down {
			for x := range src.Rect.Dx() / across {
				src.Cb[y*src.CStride+x] = uint8(across * 4 * x)
				src.Cr[y*src.CStride+x] = uint8(down * 4 * y)
			}
		}
		for _, area := range []image.Rectangle{
			image.Rect(0, 0, 64, 64), image.Rect(1, 1, 64, 64), image.Rect(2, 3, 59, 62), image.Rect(3, 2, 62, 63),
		} {
			for _, to := range []image.Point{{31, 32}, {25, 24}, {57, 56}} {
				got := resizeYCbCr(src, area, to.X, to.Y)
				for y := 4; y < to.Y/2-4; y++ {
					for x := 4; x < to.X/2-4; x++ {
						i := y*got.CStride + x
						cb := 4*(float64(area.Min.X)+float64((2*x+1)*area.Dx())/float64(to.X)) - 2*float64(across)
						cr := 4*(float64(area.Min.Y)+float64((2*y+1)*area.Dy())/float64(to.Y)) - 2*float64(down)
						if math.Abs(float64(got.Cb[i])-cb) > 1 || math.Abs(float64(got.Cr[i])-cr) > 1 {
							t.Fatalf("%v, %v to %v: %d and %d at %d, %d, want %.1f and %.1f",
								ratio, area, to, got.Cb[i], got.Cr[i], x, y, cb, cr)
						}
					}
				}
			}
		}
	}
}

func TestGrayIsScaledLikeY(t *testing.T) {
	t.Parallel()
	_, picture := photo(t)
	gray := &image.Gray{Pix: picture.Y, Stride: picture.YStride, Rect: picture.Rect}
	v := Variant{Width: 480, Ratio: "4x5"}
	want, got := scale(picture, v, Focus{30, 50}).(*image.YCbCr), scale(gray, v, Focus{30, 50}).(*image.RGBA)
	for i := range want.Y {
		if y := want.Y[i]; [4]uint8(got.Pix[4*i:]) != [4]uint8{y, y, y, 255} {
			t.Fatalf("pixel %d is %v, want %d", i, got.Pix[4*i:4*i+4], y)
		}
	}
}

// Every part of a tiny picture, also where it grows: an even area must stay as it is.
func TestResizeTiny(t *testing.T) {
	t.Parallel()
	for _, ratio := range samplings {
		src := image.NewYCbCr(image.Rect(0, 0, 5, 3), ratio)
		for _, plane := range [][]uint8{src.Y, src.Cb, src.Cr} {
			for i := range plane {
				plane[i] = 200
			}
		}
		for i := range 5 * 3 * 5 * 3 {
			area := image.Rect(i%5, i/5%3, i/15%5+1, i/75+1)
			for w := 1; w <= 7 && area.In(src.Rect) && area.Min.In(area); w++ {
				for h := 1; h <= 7; h++ {
					got := resizeYCbCr(src, area, w, h)
					for at := range w * h {
						x, y := got.Rect.Min.X+at%w, got.Rect.Min.Y+at/w
						if c := got.YCbCrAt(x, y); c != (color.YCbCr{Y: 200, Cb: 200, Cr: 200}) || got.Rect.Size() != image.Pt(w, h) {
							t.Fatalf("%v, %v to %d by %d: %v at %d, %d", ratio, area, w, h, c, x, y)
						}
					}
				}
			}
		}
	}
}

// The sums of both passes have room for levels between -128 and 383, and so for weights down to a seventh below zero.
func TestWeights(t *testing.T) {
	t.Parallel()
	for size := 1; size < 60; size++ {
		for n := 1; n < 80; n++ {
			for i := range 3 * 4 * 2 {
				share, from, half := []int{1, 2, 4}[i%3], i/3%4, i/12+1
				all := windows(from, size, n, share, half)
				if all[0].first != 0 || all[len(all)-1].end() != samples(from, size, share) {
					t.Fatalf("%d of %d: from %d to %d", n, size, all[0].first, all[len(all)-1].end())
				}
				for _, w := range all {
					sum, below := 0, 0
					for _, weight := range w.weights {
						sum += int(weight)
						below -= min(int(weight), 0)
					}
					if sum != one || below > one/7 {
						t.Fatalf("%d of %d: sum %d, %d below zero", n, size, sum, below)
					}
				}
			}
		}
	}
}

// For each pixel there is a worst picture: white just where its weights are below zero. It must stay black, and the
// opposite of it white.
func TestSharpestEdges(t *testing.T) {
	t.Parallel()
	const size, n = 7, 13 // where the weights below zero are largest
	src := image.NewYCbCr(image.Rect(0, 0, size, size), image.YCbCrSubsampleRatio444)
	lines := windows(0, size, n, 1, 1)
	for at := range n * n {
		for i := range src.Y {
			src.Y[i] = 0
			if (int(lines[at%n].weight(i%size)) < 0) != (int(lines[at/n].weight(i/size)) < 0) {
				src.Y[i] = 255
			}
		}
		black := resizeYCbCr(src, src.Rect, n, n)
		for i, y := range src.Y {
			src.Y[i] = 255 - y
		}
		white := resizeYCbCr(src, src.Rect, n, n)
		if i := black.YOffset(at%n, at/n); black.Y[i] != 0 || white.Y[i] != 255 {
			t.Errorf("pixel %d: %d and %d", at, black.Y[i], white.Y[i])
		}
	}
}

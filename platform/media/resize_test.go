package media

import (
	"image"
	"image/color"
	"math/rand/v2"
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

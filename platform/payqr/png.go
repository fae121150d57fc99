package payqr

import (
	"bytes"
	"image"
	"image/color"
	"image/png"
	"math"
)

// pixels is how wide a module of a picture is: sharp on a phone's screen, a few kilobytes in a letter.
const pixels = 6

// PNG draws a code for emails, black on white with its margin.
func PNG(text string, swiss bool) ([]byte, error) {
	d, err := Draw(text, swiss)
	if err != nil {
		return nil, err
	}
	at := func(f float64) int { return int(math.Round(f * pixels)) }
	img := image.NewPaletted(image.Rect(0, 0, at(d.Side), at(d.Side)), color.Palette{color.White, color.Black})
	for _, r := range d.Rects {
		shade := uint8(1)
		if r.White {
			shade = 0
		}
		for y := at(r.Y); y < at(r.Y+r.H); y++ {
			for x := at(r.X); x < at(r.X+r.W); x++ {
				img.SetColorIndex(x, y, shade)
			}
		}
	}
	var b bytes.Buffer
	err = (&png.Encoder{CompressionLevel: png.BestCompression}).Encode(&b, img)
	return b.Bytes(), err
}

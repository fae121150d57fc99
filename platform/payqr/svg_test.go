package payqr

import (
	"encoding/xml"
	"image"
	"image/color"
	"image/draw"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/makiuchi-d/gozxing"
	"github.com/makiuchi-d/gozxing/qrcode"
)

var rectangle = regexp.MustCompile(`M([0-9.]+) ([0-9.]+)h([0-9.]+)v([0-9.]+)(?:h|H)`)

// paint draws the rectangles of a picture as a browser does, pixels to the module.
func paint(t *testing.T, svg string, pixels float64) image.Image {
	t.Helper()
	var doc struct {
		ViewBox string `xml:"viewBox,attr"`
		Title   string `xml:"title"`
		Paths   []struct {
			Fill string `xml:"fill,attr"`
			D    string `xml:"d,attr"`
		} `xml:"path"`
	}
	if err := xml.Unmarshal([]byte(svg), &doc); err != nil {
		t.Fatal(err)
	}
	if doc.Title != `PF-1 <"&">` {
		t.Errorf("title %q", doc.Title)
	}
	side, err := strconv.Atoi(strings.Fields(doc.ViewBox)[2])
	if err != nil {
		t.Fatal(err)
	}
	img := image.NewGray(image.Rect(0, 0, int(float64(side)*pixels), int(float64(side)*pixels)))
	colours := map[string]color.Gray{"#fff": {255}, "#000": {0}}
	for _, p := range doc.Paths {
		for _, m := range rectangle.FindAllStringSubmatch(p.D, -1) {
			var v [4]float64
			for i := range v {
				if v[i], err = strconv.ParseFloat(m[i+1], 64); err != nil {
					t.Fatal(err)
				}
				v[i] *= pixels
			}
			draw.Draw(img, image.Rect(int(v[0]), int(v[1]), int(v[0]+v[2]), int(v[1]+v[3])), image.NewUniform(colours[p.Fill]),
				image.Point{}, draw.Src)
		}
	}
	return img
}

// The picture of a page says the same as the text, also through the cross in the middle of a Swiss one.
func TestDrawingsAreRead(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		write func(Payment) (string, error)
		pay   Payment
	}{"PAY by square": {BySquare, slovak}, "EPC": {EPC, austrian}, "QR-bill": {Swiss, swissPayment}} {
		text, err := c.write(c.pay)
		if err != nil {
			t.Fatal(err)
		}
		svg, err := SVG(text, `PF-1 <"&">`, name == "QR-bill")
		if err != nil {
			t.Fatal(err)
		}
		bitmap, err := gozxing.NewBinaryBitmapFromImage(paint(t, svg, 6))
		if err != nil {
			t.Fatal(err)
		}
		found, err := qrcode.NewQRCodeReader().Decode(bitmap, nil)
		if err != nil || found.GetText() != text {
			t.Errorf("%s is read as %v, %v", name, found, err)
		}
		if cross := strings.Count(svg, "<path"); (cross == 5) != (name == "QR-bill") {
			t.Errorf("%s is drawn with %d paths", name, cross)
		}
	}
	if _, err := SVG(strings.Repeat("x", 4000), "", false); err == nil {
		t.Error("a code holds four thousand letters")
	}
}

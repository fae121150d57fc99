package media

import (
	"image"
	"image/jpeg"
	"testing"
)

// What a picture is about stays in its crops.
func TestCropsKeepTheFocus(t *testing.T) {
	t.Parallel()
	ctx, images := in(t, "kurier"), newImages(t)
	file := encoded(t, "jpeg", corner(600, 400)) // red is the upper left quarter
	for _, c := range []struct {
		focus Focus
		red   bool // in the middle of a square
	}{{Focus{10, 30}, true}, {Focus{90, 30}, false}} {
		kept, err := images.Adopt(ctx, WithFocus(file, c.focus))
		if err != nil {
			t.Fatal(err)
		}
		f, _, err := images.Open(ctx, kept.ID, Variant{Width: 160, Ratio: "1x1"})
		if err != nil {
			t.Fatal(err)
		}
		square, err := jpeg.Decode(f)
		_ = f.Close()
		if err != nil {
			t.Fatal(err)
		}
		if _, g, _, _ := square.At(80, 40).RGBA(); (g < 0x4000) != c.red {
			t.Errorf("focus %+v: green is %x in the middle", c.focus, g)
		}
	}
}

func TestFocusIsWrittenAndRead(t *testing.T) {
	t.Parallel()
	file := encoded(t, "jpeg", corner(6, 4))
	for _, f := range []Focus{{0, 0}, {20, 75}, {100, 100}} {
		if got := focusOf(WithFocus(file, f)); got != f {
			t.Errorf("got %+v, want %+v", got, f)
		}
	}
	for name, text := range map[string][]byte{
		"none": file, "outside": WithFocus(file, Focus{101, 0}), "another comment": []byte("\xff\xd8\xff\xfe\x00\x05abc"),
		"cut off": []byte("\xff\xd8\xff\xfe\x00"), "too long": []byte("\xff\xd8\xff\xfe\xff\xfffocus 1 2"),
		"too short": []byte("\xff\xd8\xff\xfe\x00\x00"),
		"far out":   []byte("\xff\xd8\xff\xfe\x00\x0ffocus 999 999"), "nothing": nil,
	} {
		if got := focusOf(text); got != middle {
			t.Errorf("%s: got %+v", name, got)
		}
	}
	b := image.Rect(10, 20, 110, 220)
	if got := (Focus{0, 100}).around(b, 50, 100); got != image.Rect(10, 120, 60, 220) {
		t.Errorf("got %v", got)
	}
	if got := middle.around(b, 50, 100); got != image.Rect(35, 70, 85, 170) {
		t.Errorf("got %v", got)
	}
}

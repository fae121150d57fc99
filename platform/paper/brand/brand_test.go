package brand

import (
	"bytes"
	"encoding/xml"
	"image"
	"image/color"
	"image/png"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"

	"golang.org/x/image/font/gofont/gobold"

	"example.org/broadsheet/platform/paper/edition"
)

const themes = `{"default": {"accent": "#14161a", "paper": "#fffdfa"}, "at": {"accent": "#0f5a4a", "paper": "#fffdfa"}}`

func kit(t *testing.T) *Kit {
	t.Helper()
	k, err := New(fstest.MapFS{"themes.json": {Data: []byte(themes)}, "face.ttf": {Data: gobold.TTF}})
	if err != nil {
		t.Fatal(err)
	}
	return k
}

func named(name, theme string) *edition.Edition {
	return &edition.Edition{Document: edition.Document{Name: name, Tagline: "Ein Blatt, das man zu Ende liest, und das " +
		"auch übermorgen noch etwas taugt, wenn der Regen kommt", Theme: theme}}
}

func decoded(t *testing.T, b []byte, err error) image.Image {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
	img, err := png.Decode(bytes.NewReader(b))
	if err != nil {
		t.Fatal(err)
	}
	if dir := os.Getenv("BRAND_PICTURES"); dir != "" {
		if err := os.WriteFile(filepath.Join(dir, strings.ReplaceAll(t.Name(), "/", "-")+".png"), b, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return img
}

// ink is the smallest rectangle around all that has a colour.
func ink(img image.Image, c color.RGBA) image.Rectangle {
	var r image.Rectangle
	for y := img.Bounds().Min.Y; y < img.Bounds().Max.Y; y++ {
		for x := img.Bounds().Min.X; x < img.Bounds().Max.X; x++ {
			if color.RGBAModel.Convert(img.At(x, y)) == c {
				r = r.Union(image.Rect(x, y, x+1, y+1))
			}
		}
	}
	return r
}

var (
	green = color.RGBA{0x0f, 0x5a, 0x4a, 0xff}
	paper = color.RGBA{0xff, 0xfd, 0xfa, 0xff}
)

func TestIcons(t *testing.T) {
	t.Parallel()
	k := kit(t)
	const side = 192
	for name, shape := range map[string]Shape{"rounded": Rounded, "square": Square, "maskable": Maskable} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b, err := k.Icon(named("štandard", "at"), side, shape)
			img := decoded(t, b, err)
			if img.Bounds() != image.Rect(0, 0, side, side) {
				t.Errorf("it is %v", img.Bounds())
			}
			_, _, _, alpha := img.At(0, 0).RGBA()
			if (alpha == 0) != (shape == Rounded) {
				t.Errorf("a corner has the opacity %d", alpha)
			}
			letter := ink(img, paper)
			if letter.Empty() || letter.Dy() < side*4/10 {
				t.Fatalf("the letter takes %v", letter)
			}
			for _, off := range []int{letter.Min.X + letter.Max.X - side, letter.Min.Y + letter.Max.Y - side} {
				if off < -4 || off > 4 {
					t.Errorf("the letter is off centre: %v", letter)
				}
			}
			const safe = side * 8 / 10 // the diameter of the circle that no mask cuts
			if shape == Maskable && letter.Dx()*letter.Dx()+letter.Dy()*letter.Dy() > safe*safe {
				t.Errorf("a mask may cut %v", letter)
			}
		})
	}
}

func TestCard(t *testing.T) {
	t.Parallel()
	k := kit(t)
	for _, name := range []string{"Kurz", "Das Blatt mit dem wirklich sehr langen Namen"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b, err := k.Card(named(name, "at"))
			img := decoded(t, b, err)
			words := ink(img, paper)
			if img.Bounds() != image.Rect(0, 0, CardWidth, CardHeight) || color.RGBAModel.Convert(img.At(1, 1)) != green {
				t.Errorf("%v in %v", img.Bounds(), img.At(1, 1))
			}
			if words.Min.X < 60 || words.Max.X > CardWidth-60 || words.Min.Y < 60 || words.Max.Y > CardHeight-40 {
				t.Errorf("the words take %v", words)
			}
		})
	}
}

func TestSmallIcons(t *testing.T) {
	t.Parallel()
	k := kit(t)
	b, err := k.Favicon(named("Standard", "at"))
	if err != nil || !bytes.HasPrefix(b, []byte{0, 0, 1, 0, 1, 0, 48, 48}) {
		t.Fatalf("%v %v", b[:8], err)
	}
	if img := decoded(t, b[22:], nil); img.Bounds().Dx() != 48 {
		t.Errorf("it is %v", img.Bounds())
	}
	svg, err := k.SVG(named("Standard", "at"))
	if err != nil || !strings.Contains(string(svg), `fill="#0f5a4a"`) || strings.Count(string(svg), "Z") < 1 ||
		strings.Contains(string(svg), "%!") {
		t.Errorf("%s %v", svg, err)
	}
	if err := xml.Unmarshal(svg, new(struct{})); err != nil {
		t.Errorf("%s: %v", svg, err)
	}
	if accent, light := k.Colours(named("X", "unheard-of")); accent != "#14161a" || light != "#fffdfa" {
		t.Errorf("a theme that is not there: %s on %s", accent, light)
	}
	if _, err := k.Icon(named("日本", "at"), 64, Square); err != nil {
		t.Errorf("a letter that no typeface has: %v", err)
	}
}

func TestKitSaysWhatIsMissing(t *testing.T) {
	t.Parallel()
	face := &fstest.MapFile{Data: gobold.TTF}
	for name, files := range map[string]fstest.MapFS{
		"no themes":   {"face.ttf": face},
		"no typeface": {"themes.json": {Data: []byte(themes)}},
		"no default theme": {
			"themes.json": {Data: []byte(`{"at": {"accent": "#0f5a4a", "paper": "#fffdfa"}}`)},
			"face.ttf":    face,
		},
		"no colour": {
			"themes.json": {Data: []byte(`{"default": {"accent": "green", "paper": "#fffdfa"}}`)},
			"face.ttf":    face,
		},
		"a broken typeface": {"themes.json": {Data: []byte(themes)}, "face.ttf": {Data: []byte("no")}},
	} {
		if _, err := New(files); err == nil {
			t.Errorf("%s: nobody complained", name)
		}
	}
}

package illustration

import (
	"bytes"
	"fmt"
	"image"
	"image/jpeg"
	"slices"
	"strings"
	"testing"
)

var agreed = strings.Fields(`parliament courthouse city-hall ballot crowd podium border-gate bridge skyline apartment-blocks
construction-crane street-market shopping-street harbour container-port railway tram highway airport factory steelworks
power-lines wind-turbines solar-field oil-refinery nuclear-plant dam forest mountains lake farmland vineyard snow-village
flood storm map-europe map-world chart-line chart-bars coins bank exchange-floor newsroom printing-press school university
library hospital laboratory church theatre concert museum stadium cycling ski-slope satellite data-centre circuit-board
robot-arm phone-network chess desk-lamp coffee-house kitchen-table family-walk old-town`)

func drawn(t *testing.T, name string, seed uint64, w, h int) *image.RGBA {
	t.Helper()
	img, err := Draw(name, seed, w, h)
	if err != nil {
		t.Fatal(err)
	}
	return img.(*image.RGBA)
}

// thumb is the mean luminance of n by n fields.
func thumb(img *image.RGBA, n int) []float64 {
	out := make([]float64, n*n)
	count := make([]float64, n*n)
	w, h := img.Rect.Dx(), img.Rect.Dy()
	for y := range h {
		for x := range w {
			q := img.Pix[y*img.Stride+x*4:]
			i := y*n/h*n + x*n/w
			out[i] += (float64(q[0])*3 + float64(q[1])*6 + float64(q[2])) / 10
			count[i]++
		}
	}
	for i := range out {
		out[i] /= count[i]
	}
	return out
}

func distance(a, b []float64) float64 {
	var d float64
	for i := range a {
		d += (a[i] - b[i]) * (a[i] - b[i])
	}
	return d / float64(len(a))
}

func TestScenesAreTheAgreedOnes(t *testing.T) {
	t.Parallel()
	want := slices.Clone(agreed)
	slices.Sort(want)
	if got := Scenes(); !slices.Equal(got, want) {
		t.Errorf("scenes %v, want %v", got, want)
	}
}

func TestEverySceneComposesInEveryRatio(t *testing.T) {
	t.Parallel()
	ratios := []struct{ w, h int }{{320, 180}, {300, 200}, {220, 220}, {200, 250}, {195, 260}}
	for _, name := range Scenes() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			for i, r := range ratios {
				for seed := range uint64(3) {
					img := drawn(t, name, seed*7+uint64(i), r.w, r.h)
					if img.Rect.Dx() != r.w || img.Rect.Dy() != r.h {
						t.Fatalf("size %v, want %dx%d", img.Rect, r.w, r.h)
					}
					for p := 3; p < len(img.Pix); p += 4 {
						if img.Pix[p] != 255 {
							t.Fatalf("%dx%d seed %d: pixel %d is not covered", r.w, r.h, seed, p/4)
						}
					}
					fields := thumb(img, 24)
					slices.Sort(fields)
					if spread := fields[len(fields)*95/100] - fields[len(fields)*5/100]; spread < 18 {
						t.Errorf("%dx%d seed %d: luminance spread %.1f, the picture is close to a plain area", r.w, r.h, seed*7+uint64(i), spread)
					}
				}
			}
		})
	}
}

func TestSameSeedSamePicture(t *testing.T) {
	t.Parallel()
	for _, name := range Scenes() {
		a, b := drawn(t, name, 42, 160, 90), drawn(t, name, 42, 160, 90)
		if !bytes.Equal(a.Pix, b.Pix) {
			t.Errorf("%s differs between two runs", name)
		}
	}
	if !bytes.Equal(Portrait(9, 96).(*image.RGBA).Pix, Portrait(9, 96).(*image.RGBA).Pix) {
		t.Error("a portrait differs between two runs")
	}
}

func TestOtherSeedOtherPicture(t *testing.T) {
	t.Parallel()
	for _, name := range Scenes() {
		var seen [][]float64
		for seed := range uint64(4) {
			f := thumb(drawn(t, name, seed, 192, 108), 24)
			for i, o := range seen {
				if d := distance(f, o); d < 25 {
					t.Errorf("%s: seeds %d and %d look alike (%.1f)", name, i, seed, d)
				}
			}
			seen = append(seen, f)
		}
	}
}

func TestDrawRefusesBadInput(t *testing.T) {
	t.Parallel()
	cases := []struct {
		name, scene string
		w, h        int
	}{
		{"unknown scene", "unicorn", 320, 180},
		{"empty scene", "", 320, 180},
		{"no width", "forest", 0, 180},
		{"negative height", "forest", 320, -1},
		{"too small", "forest", 320, minSide - 1},
		{"too large", "forest", maxSide + 1, 180},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			if img, err := Draw(c.scene, 1, c.w, c.h); err == nil || img != nil {
				t.Errorf("got %v, %v; want an error and no picture", img != nil, err)
			}
		})
	}
}

func TestPortraitsAreDistinct(t *testing.T) {
	t.Parallel()
	var seen [][]float64
	for seed := range uint64(36) {
		f := thumb(Portrait(seed, 200).(*image.RGBA), 28)
		for i, o := range seen {
			if d := distance(f, o); d < 60 {
				t.Errorf("portraits %d and %d look alike (%.1f)", i, seed, d)
			}
		}
		seen = append(seen, f)
	}
}

func TestPortraitSizeIsBounded(t *testing.T) {
	t.Parallel()
	for size, want := range map[int]int{-5: minSide, 0: minSide, 72: 72, 400: 400} {
		if got := Portrait(1, size).Bounds(); got.Dx() != want || got.Dy() != want {
			t.Errorf("size %d gave %v, want a square of %d", size, got, want)
		}
	}
}

func BenchmarkDraw(b *testing.B) {
	for _, name := range []string{"parliament", "crowd", "forest", "map-europe", "street-market", "library"} {
		b.Run(name, func(b *testing.B) {
			for i := range b.N {
				if _, err := Draw(name, uint64(i), 1600, 900); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
	b.Run("jpeg", func(b *testing.B) {
		img, err := Draw("harbour", 3, 1600, 900)
		if err != nil {
			b.Fatal(err)
		}
		var size int
		for range b.N {
			var out bytes.Buffer
			if err := jpeg.Encode(&out, img, &jpeg.Options{Quality: 82}); err != nil {
				b.Fatal(err)
			}
			size = out.Len()
		}
		b.ReportMetric(float64(size)/1024, "KiB")
	})
	b.Run(fmt.Sprintf("portrait-%d", 400), func(b *testing.B) {
		for i := range b.N {
			Portrait(uint64(i), 400)
		}
	})
}

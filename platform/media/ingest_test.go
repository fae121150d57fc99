package media

import (
	"bytes"
	"context"
	"encoding/base64"
	"encoding/binary"
	"errors"
	"hash/crc32"
	"image"
	"image/color"
	"image/color/palette"
	"image/gif"
	"image/jpeg"
	"image/png"
	"io"
	"log/slog"
	"strings"
	"testing"
	"testing/iotest"

	"example.org/broadsheet/platform/fault"
	"example.org/broadsheet/platform/paper/edition"
)

func in(t testing.TB, id string) context.Context {
	t.Helper()
	return edition.With(t.Context(), &edition.Edition{Document: edition.Document{ID: id}})
}

func newImages(t testing.TB) *Images {
	t.Helper()
	l, _ := openLocal(t)
	return NewImages(l, slog.New(slog.DiscardHandler))
}

var red = color.RGBA{200, 0, 0, 255}

// corner draws a picture that is red in its upper left quarter and white elsewhere.
func corner(w, h int) *image.RGBA {
	m := image.NewRGBA(image.Rect(0, 0, w, h))
	for y := range h {
		for x := range w {
			if x < w/2 && y < h/2 {
				m.SetRGBA(x, y, red)
			} else {
				m.SetRGBA(x, y, color.RGBA{255, 255, 255, 255})
			}
		}
	}
	return m
}

func encoded(t testing.TB, format string, m image.Image) []byte {
	t.Helper()
	var b bytes.Buffer
	var err error
	switch format {
	case "jpeg":
		err = jpeg.Encode(&b, m, &jpeg.Options{Quality: 95})
	case "png":
		err = png.Encode(&b, m)
	case "gif":
		err = gif.Encode(&b, m, nil)
	}
	if err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// webpSample is corner(8, 6), lossless.
func webpSample(t testing.TB) []byte {
	t.Helper()
	b, err := base64.StdEncoding.DecodeString("UklGRngAAABXRUJQVlA4TGwAAAAvB0ABAI1SRvQ/" +
		"JAYIpgkAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAON0CADAAgAAiGQAAAAAAAB" +
		"AAAAAAAAAAAAAAAAAAAAAAAGAAAAAAAABABAEiyMDHAAAAyElP9287JOB4AgA=")
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func exif(order binary.AppendByteOrder, value uint16) []byte {
	b := []byte("II*\x00")
	if order == binary.AppendByteOrder(binary.BigEndian) {
		b = []byte("MM\x00*")
	}
	b = order.AppendUint32(b, 8)
	b = order.AppendUint16(b, 2)
	b = append(b, make([]byte, 12)...) // some other tag
	b = order.AppendUint16(b, 0x0112)
	b = order.AppendUint16(b, 3)
	b = order.AppendUint32(b, 1)
	b = order.AppendUint16(b, value)
	return append(b, 0, 0, 0, 0, 0, 0)
}

func withExif(t testing.TB, upload, block []byte) []byte {
	t.Helper()
	switch {
	case bytes.HasPrefix(upload, []byte("\xff\xd8")):
		block = append([]byte("Exif\x00\x00"), block...)
		head := binary.BigEndian.AppendUint16([]byte("\xff\xd8\xff\xe1"), uint16(len(block)+2))
		return append(append(head, block...), upload[2:]...)
	case bytes.HasPrefix(upload, []byte("\x89PNG")):
		c := append([]byte("eXIf"), block...)
		sum := crc32.ChecksumIEEE(c)
		c = append(binary.BigEndian.AppendUint32(nil, uint32(len(block))), c...)
		c = binary.BigEndian.AppendUint32(c, sum)
		return append(append(bytes.Clone(upload[:33]), c...), upload[33:]...)
	default:
		c := binary.LittleEndian.AppendUint32([]byte("EXIF"), uint32(len(block)))
		b := append(bytes.Clone(upload), append(c, block...)...)
		binary.LittleEndian.PutUint32(b[4:], uint32(len(b)-8))
		return b
	}
}

func stored(t testing.TB, im *Images, ed, id string) ([]byte, image.Image) {
	t.Helper()
	f, _, err := im.store.Get(t.Context(), ed+"/"+original(id))
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = f.Close() }()
	b, err := io.ReadAll(f)
	if err != nil {
		t.Fatal(err)
	}
	m, err := jpeg.Decode(bytes.NewReader(b))
	if err != nil {
		t.Fatal(err)
	}
	return b, m
}

// redCorner names the quarter of a picture that is red.
func redCorner(m image.Image) string {
	b := m.Bounds()
	found := ""
	for name, p := range map[string]image.Point{
		"upper left": {b.Dx() / 4, b.Dy() / 4}, "upper right": {b.Dx() * 3 / 4, b.Dy() / 4},
		"lower left": {b.Dx() / 4, b.Dy() * 3 / 4}, "lower right": {b.Dx() * 3 / 4, b.Dy() * 3 / 4},
	} {
		if r, g, _, _ := m.At(b.Min.X+p.X, b.Min.Y+p.Y).RGBA(); r>>8 > 150 && g>>8 < 80 {
			found += name
		}
	}
	return found
}

func TestIngestFormats(t *testing.T) {
	t.Parallel()
	im := newImages(t)
	late := image.NewPaletted(image.Rect(4, 4, 20, 16), palette.Plan9) // a frame that does not begin at the origin
	for name, tc := range map[string]struct {
		upload []byte
		w, h   int
		corner string
	}{
		"jpeg": {encoded(t, "jpeg", corner(64, 48)), 64, 48, "upper left"},
		"png":  {encoded(t, "png", corner(65, 47)), 65, 47, "upper left"},
		"gif":  {encoded(t, "gif", corner(64, 48)), 64, 48, "upper left"},
		"webp": {webpSample(t), 8, 6, "upper left"},
		"late": {encoded(t, "gif", late), 16, 12, ""},
		"tiny": {encoded(t, "png", corner(1, 1)), 1, 1, ""},
		"wide": {encoded(t, "png", corner(9000, 2)), 2400, 1, "upper left"},
		"big":  {encoded(t, "jpeg", corner(2000, 3000)), 1600, 2400, "upper left"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			ctx := in(t, "north")
			got, err := im.Ingest(ctx, bytes.NewReader(tc.upload))
			if err != nil {
				t.Fatal(err)
			}
			if got.Width != tc.w || got.Height != tc.h || got.Type != "image/jpeg" || !isID(got.ID) {
				t.Fatalf("%+v", got)
			}
			b, m := stored(t, im, "north", got.ID)
			if m.Bounds() != image.Rect(0, 0, tc.w, tc.h) || int64(len(b)) != got.Bytes {
				t.Errorf("stored %v, %d bytes", m.Bounds(), len(b))
			}
			if name != "wide" && redCorner(m) != tc.corner {
				t.Errorf("red at %q", redCorner(m))
			}
			again, err := im.Ingest(ctx, bytes.NewReader(tc.upload))
			if err != nil || again != got {
				t.Errorf("the same upload gave %+v, %v", again, err)
			}
			if found, err := im.Find(ctx, got.ID); err != nil || found != got {
				t.Errorf("found %+v, %v", found, err)
			}
			if _, err := im.Find(in(t, "south"), got.ID); !errors.Is(err, ErrNotFound) {
				t.Errorf("another edition: %v", err)
			}
		})
	}
}

func TestTransparencyBecomesWhite(t *testing.T) {
	t.Parallel()
	im := newImages(t)
	got, err := im.Ingest(in(t, "north"), bytes.NewReader(encoded(t, "png", image.NewNRGBA(image.Rect(0, 0, 3000, 10)))))
	if err != nil {
		t.Fatal(err)
	}
	_, m := stored(t, im, "north", got.ID)
	if r, g, b, _ := m.At(5, 5).RGBA(); r>>8 < 250 || g>>8 < 250 || b>>8 < 250 {
		t.Errorf("transparent became %d %d %d", r>>8, g>>8, b>>8)
	}
}

func TestOrientation(t *testing.T) {
	t.Parallel()
	im := newImages(t)
	// Where the upper left quarter of the stored picture belongs, by EXIF value.
	want := []string{
		"", "upper left", "upper right", "lower right", "lower left", "upper left", "upper right",
		"lower right", "lower left",
	}
	uploads := map[string][]byte{
		"jpeg": encoded(t, "jpeg", corner(64, 48)), "png": encoded(t, "png", corner(64, 48)),
		"webp": webpSample(t),
	}
	for format, upload := range uploads {
		for _, order := range []binary.AppendByteOrder{binary.LittleEndian, binary.BigEndian} {
			for value := uint16(1); value <= 8; value++ {
				got, err := im.Ingest(in(t, "north"), bytes.NewReader(withExif(t, upload, exif(order, value))))
				if err != nil {
					t.Fatalf("%s %v %d: %v", format, order, value, err)
				}
				b, m := stored(t, im, "north", got.ID)
				if redCorner(m) != want[value] || (got.Width < got.Height) != (value >= 5) {
					t.Errorf("%s %v %d: red at %q, %dx%d", format, order, value, redCorner(m), got.Width, got.Height)
				}
				if bytes.Contains(b, []byte("Exif")) || bytes.Contains(b, []byte("II*")) || bytes.Contains(b, []byte("MM\x00*")) {
					t.Errorf("%s %d: metadata was kept", format, value)
				}
			}
		}
	}
	// Turned in place as well, not only mirrored: 6 and 8 are told from 7 and 5 by the second corner.
	two := image.NewRGBA(image.Rect(0, 0, 2, 1))
	two.SetRGBA(1, 0, red)
	for value, p := range map[int]image.Point{
		5: {0, 1}, 6: {0, 1}, 7: {0, 0}, 8: {0, 0}, 2: {0, 0},
		3: {0, 0}, 4: {1, 0},
	} {
		if up := upright(two, value); up.RGBAAt(p.X, p.Y) != red {
			t.Errorf("orientation %d: the right pixel is not at %v", value, p)
		}
	}
}

func TestBrokenExifIsIgnored(t *testing.T) {
	t.Parallel()
	upload := encoded(t, "jpeg", corner(8, 8))
	whole := exif(binary.LittleEndian, 6)
	blocks := [][]byte{
		{},
		[]byte("II*\x00"), []byte("XX*\x00\x08\x00\x00\x00"), exif(binary.LittleEndian, 0),
		exif(binary.LittleEndian, 9), append([]byte("II*\x00\xff\xff\xff\xff"), whole...),
	}
	for cut := range whole[:len(whole)-8] {
		blocks = append(blocks, whole[:cut])
	}
	for _, block := range blocks {
		if got := orientation(withExif(t, upload, block)); got != 1 {
			t.Errorf("%x: orientation %d", block, got)
		}
	}
}

func TestIngestRefuses(t *testing.T) {
	t.Parallel()
	claims := func(w, h uint32) []byte { // a PNG header that promises a canvas
		b := encoded(t, "png", corner(8, 8))
		binary.BigEndian.PutUint32(b[16:], w)
		binary.BigEndian.PutUint32(b[20:], h)
		binary.BigEndian.PutUint32(b[29:], crc32.ChecksumIEEE(b[12:29]))
		return b
	}
	photo := encoded(t, "jpeg", corner(64, 48))
	drawing := encoded(t, "png", corner(64, 48))
	deep := encoded(t, "png", image.NewNRGBA64(image.Rect(0, 0, 8, 8)))
	binary.BigEndian.PutUint32(deep[16:], 5000)
	binary.BigEndian.PutUint32(deep[20:], 5000)
	binary.BigEndian.PutUint32(deep[29:], crc32.ChecksumIEEE(deep[12:29]))
	broken := errors.New("connection reset")
	for name, tc := range map[string]struct {
		r    io.Reader
		want error
	}{
		"nothing":          {strings.NewReader(""), ErrUnsupported},
		"text":             {strings.NewReader("<svg onload=alert(1)>"), ErrUnsupported},
		"tiff":             {strings.NewReader("II*\x00\x08\x00\x00\x00\x00\x00"), ErrUnsupported},
		"only a signature": {strings.NewReader("\xff\xd8"), ErrBroken},
		"truncated jpeg":   {bytes.NewReader(photo[:len(photo)/2]), ErrBroken},
		"truncated png":    {bytes.NewReader(drawing[:len(drawing)-20]), ErrBroken},
		"truncated webp":   {bytes.NewReader(webpSample(t)[:60]), ErrBroken},
		"flipped bits": {
			bytes.NewReader(append(bytes.Clone(drawing[:50]), bytes.Repeat([]byte{0xa5}, 60)...)),
			ErrBroken,
		},
		"too many pixels":    {bytes.NewReader(claims(8000, 8000)), ErrTooLarge},
		"too deep":           {bytes.NewReader(deep), ErrTooLarge},
		"too wide":           {bytes.NewReader(claims(MaxSide+1, 1)), ErrTooLarge},
		"a bomb":             {bytes.NewReader(claims(1<<31-1, 1<<31-1)), nil},
		"too many bytes":     {io.MultiReader(bytes.NewReader(photo), io.LimitReader(zeros{}, MaxBytes)), ErrTooLarge},
		"a broken upload":    {io.MultiReader(bytes.NewReader(photo[:99]), iotest.ErrReader(broken)), broken},
		"just small enough":  {bytes.NewReader(claims(MaxSide, 1)), ErrBroken}, // reaches the decoder, which finds too little
		"a lot after a JPEG": {io.MultiReader(bytes.NewReader(photo), io.LimitReader(zeros{}, MaxBytes/2)), io.EOF},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			im := newImages(t)
			_, err := im.Ingest(in(t, "north"), tc.r)
			if tc.want == io.EOF { //nolint:errorlint // a marker of this table, not an error that was returned
				if err != nil {
					t.Errorf("refused: %v", err)
				}
				return
			}
			var f *fault.Error
			if err == nil || tc.want != nil && !errors.Is(err, tc.want) || tc.want == nil && !errors.As(err, &f) {
				t.Errorf("got %v, want %v", err, tc.want)
			}
			if got := keys(t, im.store, ""); got != "" {
				t.Errorf("stored %s", got)
			}
		})
	}
	if _, err := newImages(t).Ingest(t.Context(), bytes.NewReader(photo)); !errors.Is(err, edition.ErrNone) {
		t.Errorf("without an edition: %v", err)
	}
}

type zeros struct{}

func (zeros) Read(p []byte) (int, error) { clear(p); return len(p), nil }

func TestDelete(t *testing.T) {
	t.Parallel()
	im := newImages(t)
	north, south := in(t, "north"), in(t, "south")
	upload := encoded(t, "jpeg", corner(640, 480))
	for _, ctx := range []context.Context{north, south} {
		got, err := im.Ingest(ctx, bytes.NewReader(upload))
		if err != nil {
			t.Fatal(err)
		}
		f, _, err := im.Open(ctx, got.ID, Variant{Width: 160})
		if err != nil {
			t.Fatal(err)
		}
		_ = f.Close()
	}
	if err := im.Delete(north, idOf(upload)); err != nil {
		t.Fatal(err)
	}
	if got := strings.Fields(keys(t, im.store, "")); len(got) != 2 || !strings.HasPrefix(got[0], "south/") {
		t.Errorf("left: %v", got)
	}
	for _, id := range []string{"", "..", "../south", idOf(nil)} {
		if err := im.Delete(north, id); err != nil {
			t.Errorf("%q: %v", id, err)
		}
	}
}

func FuzzIngest(f *testing.F) {
	for _, format := range []string{"jpeg", "png", "gif"} {
		f.Add(encoded(f, format, corner(16, 12)))
	}
	photo := encoded(f, "jpeg", corner(16, 12))
	f.Add(withExif(f, photo, exif(binary.BigEndian, 6)))
	f.Add(withExif(f, webpSample(f), exif(binary.LittleEndian, 8)))
	f.Add(photo[:100])
	im := newImages(f)
	ctx := in(f, "north")
	f.Fuzz(func(t *testing.T, upload []byte) {
		if c, _, err := image.DecodeConfig(bytes.NewReader(upload)); err == nil && c.Width*c.Height > 1<<20 &&
			c.Width*c.Height <= MaxPixels {
			return // allowed, but too slow to try a million times
		}
		got, err := im.Ingest(ctx, bytes.NewReader(upload))
		var known *fault.Error
		switch {
		case err == nil:
			if got.Width < 1 || got.Height < 1 || max(got.Width, got.Height) > MaxStored {
				t.Fatalf("%+v", got)
			}
			if err := im.Delete(ctx, got.ID); err != nil {
				t.Fatal(err)
			}
		case !errors.As(err, &known):
			t.Fatalf("not a fault: %v", err)
		}
	})
}

func BenchmarkIngest(b *testing.B) {
	im := newImages(b)
	upload := encoded(b, "jpeg", corner(6000, 4000))
	ctx := in(b, "north")
	b.ReportAllocs()
	for b.Loop() {
		got, err := im.Ingest(ctx, bytes.NewReader(upload))
		if err != nil {
			b.Fatal(err)
		}
		if err := im.Delete(ctx, got.ID); err != nil {
			b.Fatal(err)
		}
	}
}

// A picture that was made for the library is kept byte by byte, under the id that an upload of it would have.
func TestAdoptKeepsTheFile(t *testing.T) {
	t.Parallel()
	ctx, images := in(t, "kurier"), newImages(t)
	file := encoded(t, "jpeg", corner(60, 40))
	got, err := images.Adopt(ctx, file)
	if err != nil || got.Width != 60 || got.Height != 40 || got.Bytes != int64(len(file)) {
		t.Fatalf("%+v, %v", got, err)
	}
	if again, err := images.Adopt(ctx, file); err != nil || again != got {
		t.Errorf("a second time: %+v, %v", again, err)
	}
	if same, err := images.Ingest(ctx, bytes.NewReader(file)); err != nil || same != got {
		t.Errorf("as an upload: %+v, %v", same, err)
	}
	r, _, err := images.store.Get(ctx, "kurier/"+original(got.ID))
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close() //nolint:errcheck // read only
	if kept, err := io.ReadAll(r); err != nil || !bytes.Equal(kept, file) {
		t.Errorf("%d bytes were kept of %d, %v", len(kept), len(file), err)
	}
	if _, err := images.Adopt(ctx, encoded(t, "png", corner(6, 4))); !errors.Is(err, ErrUnsupported) {
		t.Errorf("a PNG: %v", err)
	}
	if _, err := images.Adopt(ctx, encoded(t, "jpeg", image.NewGray(image.Rect(0, 0, MaxStored+1, 2)))); !errors.Is(err,
		ErrTooLarge) {
		t.Errorf("one that is too wide: %v", err)
	}
}

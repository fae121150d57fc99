package media

import (
	"bytes"
	"context"
	"errors"
	"image"
	"image/jpeg"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
)

func ask(t *testing.T, im *Images, ed, method, target string, header ...string) *httptest.ResponseRecorder {
	t.Helper()
	r := httptest.NewRequestWithContext(in(t, ed), method, target, http.NoBody)
	for i := 0; i < len(header); i += 2 {
		r.Header.Set(header[i], header[i+1])
	}
	w := httptest.NewRecorder()
	im.Handler().ServeHTTP(w, r)
	return w
}

func TestHandler(t *testing.T) {
	t.Parallel()
	onEach(t, testHandler)
}

func testHandler(t *testing.T, s Store) {
	t.Helper()
	im := NewImages(s, slog.New(slog.DiscardHandler))
	pic, err := im.Ingest(in(t, "north"), bytes.NewReader(encoded(t, "jpeg", corner(1200, 900))))
	if err != nil {
		t.Fatal(err)
	}
	sizes := map[Variant][2]int{
		{Width: 160}: {160, 120}, {Width: 960}: {960, 720},
		{Width: 1600}:               {1200, 900}, // never larger than the picture
		{Width: 640, Ratio: "16x9"}: {640, 360}, {Width: 480, Ratio: "3x2"}: {480, 320},
		{Width: 320, Ratio: "1x1"}: {320, 320}, {Width: 320, Ratio: "4x5"}: {320, 400},
		{Width: 1280, Ratio: "4x5"}: {720, 900},
	}
	for v, want := range sizes {
		var first []byte
		for range 2 { // made, then kept
			w := ask(t, im, "north", http.MethodGet, URL(pic.ID, v))
			m, err := jpeg.Decode(bytes.NewReader(w.Body.Bytes()))
			if err != nil || w.Code != 200 || m.Bounds() != image.Rect(0, 0, want[0], want[1]) {
				t.Fatalf("%v: %d, %v", v, w.Code, err)
			}
			h := w.Header()
			if h.Get("Cache-Control") != "public, max-age=31536000, immutable" || h.Get("Content-Type") != "image/jpeg" ||
				h.Get("Content-Length") != strconv.Itoa(w.Body.Len()) || h.Get("X-Content-Type-Options") != "nosniff" {
				t.Errorf("%v: %v", v, h)
			}
			if first != nil && !bytes.Equal(first, w.Body.Bytes()) {
				t.Errorf("%v: two pictures at one address", v)
			}
			first = bytes.Clone(w.Body.Bytes())
			if again := ask(t, im, "north", http.MethodGet, URL(pic.ID, v), "If-None-Match", h.Get("Etag")); again.Code != 304 ||
				again.Body.Len() != 0 {
				t.Errorf("%v: %d for what the client has", v, again.Code)
			}
			if head := ask(t, im, "north", http.MethodHead, URL(pic.ID, v)); head.Code != 200 || head.Body.Len() != 0 ||
				head.Header().Get("Content-Length") == "" {
				t.Errorf("%v: HEAD %d %v", v, head.Code, head.Header())
			}
		}
	}
	if part := ask(t, im, "north", http.MethodGet, URL(pic.ID, Variant{Width: 160}), "Range",
		"bytes=0-9"); part.Code != 206 || part.Body.Len() != 10 {
		t.Errorf("range: %d, %d bytes", part.Code, part.Body.Len())
	}
}

func TestHandlerRefuses(t *testing.T) {
	t.Parallel()
	im := newImages(t)
	pic, err := im.Ingest(in(t, "north"), bytes.NewReader(encoded(t, "jpeg", corner(64, 48))))
	if err != nil {
		t.Fatal(err)
	}
	for target, want := range map[string]int{
		"/img/" + pic.ID:                                  400,
		"/img/" + pic.ID + "?w=":                          400,
		"/img/" + pic.ID + "?w=161":                       400,
		"/img/" + pic.ID + "?w=0160":                      400,
		"/img/" + pic.ID + "?w=%2B160":                    400,
		"/img/" + pic.ID + "?w=-160":                      400,
		"/img/" + pic.ID + "?w=99999999999999999999":      400,
		"/img/" + pic.ID + "?w=160&r=2x1":                 400,
		"/img/" + pic.ID + "?w=160&r=":                    400,
		"/img/" + strings.ToUpper(pic.ID) + "a?w=160":     404,
		"/img/" + strings.Repeat("0", 32) + "?w=160":      404,
		"/img/?w=160":                                     404,
		"/img/..%2f" + pic.ID + "?w=160":                  404,
		"/img/" + pic.ID + "/original.jpg?w=160":          404,
		"/img/" + pic.ID + "?w=160&utm_source=newsletter": 200,
	} {
		w := ask(t, im, "north", http.MethodGet, target)
		if w.Code != want {
			t.Errorf("%s: %d, want %d", target, w.Code, want)
		}
		if want != 200 && w.Header().Get("Cache-Control") != "no-store" {
			t.Errorf("%s: %q", target, w.Header().Get("Cache-Control"))
		}
	}
	if w := ask(t, im, "south", http.MethodGet, URL(pic.ID, Variant{Width: 160})); w.Code != 404 {
		t.Errorf("another edition's picture: %d", w.Code)
	}
	if w := ask(t, im, "north", http.MethodPost, URL(pic.ID, Variant{Width: 160})); w.Code != 405 ||
		w.Header().Get("Allow") == "" {
		t.Errorf("POST: %d", w.Code)
	}
}

// watched counts reads of originals and can fail writes of variants.
type watched struct {
	Store
	reads    atomic.Int64
	readOnly atomic.Bool
}

func (s *watched) Get(ctx context.Context, key string) (io.ReadSeekCloser, Info, error) {
	if strings.HasSuffix(key, "original.jpg") {
		s.reads.Add(1)
	}
	return s.Store.Get(ctx, key)
}

func (s *watched) Put(ctx context.Context, key string, r io.Reader, size int64, contentType string) error {
	if s.readOnly.Load() {
		return errors.New("no space left")
	}
	return s.Store.Put(ctx, key, r, size, contentType)
}

func TestVariantIsMadeOnce(t *testing.T) {
	t.Parallel()
	im := newImages(t)
	store := &watched{Store: im.store}
	im.store = store
	pic, err := im.Ingest(in(t, "north"), bytes.NewReader(encoded(t, "jpeg", corner(1200, 800))))
	if err != nil {
		t.Fatal(err)
	}
	store.reads.Store(0)
	ctx := in(t, "north")
	for range cap(im.scaling) {
		im.scaling <- struct{}{} // nothing is made until all are waiting
	}
	var wg sync.WaitGroup
	for range 20 {
		wg.Go(func() {
			f, info, err := im.Open(ctx, pic.ID, Variant{Width: 320, Ratio: "1x1"})
			if err != nil {
				t.Error(err)
				return
			}
			if n, err := io.Copy(io.Discard, f); err != nil || n != info.Size {
				t.Errorf("%d of %d bytes, %v", n, info.Size, err)
			}
			_ = f.Close()
		})
	}
	gone, cancel := context.WithCancel(ctx)
	cancel()
	if _, _, err := im.Open(gone, pic.ID, Variant{Width: 320, Ratio: "1x1"}); !errors.Is(err, context.Canceled) {
		t.Errorf("a caller that has gone: %v", err)
	}
	for range cap(im.scaling) {
		<-im.scaling
	}
	wg.Wait()
	if n := store.reads.Load(); n != 1 {
		t.Errorf("made %d times", n)
	}

	store.readOnly.Store(true)
	if w := ask(t, im, "north", http.MethodGet, URL(pic.ID, Variant{Width: 640})); w.Code != 200 {
		t.Errorf("a full disk: %d", w.Code)
	}
}

func TestCropIsCentred(t *testing.T) {
	t.Parallel()
	for _, b := range []image.Rectangle{
		image.Rect(0, 0, 1600, 900), image.Rect(0, 0, 900, 1600), image.Rect(0, 0, 1, 1),
		image.Rect(5, 7, 2405, 9), image.Rect(3, 3, 4, 2403),
	} {
		for name, r := range Ratios {
			c := crop(b, name, middle)
			if c.Empty() || !c.In(b) {
				t.Fatalf("%v %s: %v", b, name, c)
			}
			if dx := (c.Min.X - b.Min.X) - (b.Max.X - c.Max.X); dx < -1 || dx > 1 {
				t.Errorf("%v %s: %v is off centre", b, name, c)
			}
			if d := c.Dx()*r[1] - c.Dy()*r[0]; min(b.Dx(), b.Dy()) > 100 && (d < -max(r[0], r[1]) || d > max(r[0], r[1])) {
				t.Errorf("%v %s: %v has another ratio", b, name, c)
			}
		}
	}
}

// Every step of making a variant.
func BenchmarkVariant(b *testing.B) {
	file, m := photo(b)
	b.Run("decode", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			if _, err := jpeg.Decode(bytes.NewReader(file)); err != nil {
				b.Fatal(err)
			}
		}
	})
	for _, w := range []int{160, 320, 480, 800, 1280} {
		v := Variant{Width: w, Ratio: "3x2"}
		b.Run("scale/"+strconv.Itoa(w), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				scale(m, v, middle)
			}
		})
		scaled := scale(m, v, middle)
		b.Run("encode/"+strconv.Itoa(w), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if err := jpeg.Encode(io.Discard, scaled, &jpeg.Options{Quality: variantQuality}); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

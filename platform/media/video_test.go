package media

import (
	"bytes"
	"errors"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

func watch(t *testing.T, im *Images, ed, target string, header ...string) *httptest.ResponseRecorder {
	t.Helper()
	r := httptest.NewRequestWithContext(in(t, ed), http.MethodGet, target, http.NoBody)
	for i := 0; i < len(header); i += 2 {
		r.Header.Set(header[i], header[i+1])
	}
	w := httptest.NewRecorder()
	im.VideoHandler().ServeHTTP(w, r)
	return w
}

func TestVideosAreServedInRanges(t *testing.T) {
	t.Parallel()
	onEach(t, testVideos)
}

func testVideos(t *testing.T, s Store) {
	t.Helper()
	im := NewImages(s, slog.New(slog.DiscardHandler))
	for ext, head := range map[string]string{
		".mp4":  "\x00\x00\x00\x20ftypisom....",
		".webm": "\x1a\x45\xdf\xa3.....webm....",
	} {
		upload := []byte(head + strings.Repeat("frame", 1000))
		address, err := im.IngestVideo(in(t, "north"), bytes.NewReader(upload))
		if err != nil || !IsVideoPath(address) || !strings.HasSuffix(address, ext) {
			t.Fatalf("%s: %q %v", ext, address, err)
		}
		if again, err := im.IngestVideo(in(t, "north"), bytes.NewReader(upload)); err != nil || again != address {
			t.Errorf("%s again: %q %v", ext, again, err)
		}
		w := watch(t, im, "north", address)
		if w.Code != 200 || !bytes.Equal(w.Body.Bytes(), upload) || w.Header().Get("Content-Type") != "video/"+ext[1:] ||
			w.Header().Get("Accept-Ranges") != "bytes" {
			t.Errorf("%s: %d, %d bytes, %v", ext, w.Code, w.Body.Len(), w.Header())
		}
		if w := watch(t, im, "north", address, "Range", "bytes=4-7"); w.Code != 206 ||
			w.Body.String() != string(upload[4:8]) {
			t.Errorf("%s, a range: %d %q", ext, w.Code, w.Body)
		}
		if w := watch(t, im, "south", address); w.Code != 404 {
			t.Errorf("%s of another edition: %d", ext, w.Code)
		}
	}
	for _, target := range []string{
		"/media/x.mp4", "/media/../north/video/x.mp4",
		"/media/" + strings.Repeat("a", 32) + ".mp4", "/media/" + strings.Repeat("a", 32) + ".jpg", "/media/",
	} {
		if w := watch(t, im, "north", target); w.Code != 404 {
			t.Errorf("%s: %d", target, w.Code)
		}
	}
	for _, upload := range []string{"", "GIF89a", "<html>ftyp", "\x1a\x45\xdf\xa3 matroska"} {
		if address, err := im.IngestVideo(in(t, "north"), strings.NewReader(upload)); !errors.Is(err, ErrUnsupported) {
			t.Errorf("%q became %q, %v", upload, address, err)
		}
	}
}

package app

import (
	"bytes"
	"image"
	"image/jpeg"
	"log/slog"
	"net/http"
	"slices"
	"strings"
	"testing"

	"example.org/broadsheet/platform/media"
	"example.org/broadsheet/platform/paper/edition"
	"example.org/broadsheet/platform/testkit/s3server"
	"example.org/broadsheet/platform/testkit/wait"
)

// Processes with one bucket are one paper: a picture that one of them takes is on the pages of all. While the bucket's
// service fails, pages are delivered and a process starts; when it answers again, so do the pictures.
func TestPicturesInABucket(t *testing.T) {
	t.Parallel()
	f := newFleet(t)
	server := s3server.Start(t)
	f.settings = append(f.settings, "BROADSHEET_MEDIA_URL="+server.Address("paper"))
	store, err := media.OpenS3(server.Address("paper"), nil)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = store.Close() }()
	var file bytes.Buffer
	if err := jpeg.Encode(&file, image.NewGray(image.Rect(0, 0, 64, 48)), nil); err != nil {
		t.Fatal(err)
	}
	ed := f.app.registry.All()[0]
	picture, err := media.NewImages(store, slog.New(slog.DiscardHandler)).Ingest(edition.With(t.Context(), ed), &file)
	if err != nil {
		t.Fatal(err)
	}
	variant := func(width int) string { return media.URL(picture.ID, media.Variant{Width: width}) }
	first := f.member(t, "serve")
	first.ready()
	if code, _ := first.get(ed.Hosts[0], variant(160)); code != http.StatusOK {
		t.Errorf("the picture of another process: %d", code)
	}

	server.Break(func(w http.ResponseWriter, _ *http.Request) bool {
		s3server.Refuse(w, http.StatusInternalServerError, "InternalError")
		return true
	})
	second := f.member(t, "serve")
	second.ready()
	for name, m := range map[string]*member{"the first": first, "one that has started since": second} {
		if code, _ := m.get(ed.Hosts[0], "/"); code != http.StatusOK {
			t.Errorf("%s, the front page: %d", name, code)
		}
		if code, _ := m.get(ed.Hosts[0], variant(160)); code != http.StatusServiceUnavailable {
			t.Errorf("%s, a picture: %d", name, code)
		}
	}
	if !strings.Contains(second.log.String(), "no pictures until their storage answers") {
		t.Error("the start does not say that there are no pictures")
	}

	server.Break(nil)
	for name, m := range map[string]*member{"the first": first, "the second": second} {
		wait.Until(t, name+" has pictures again", func() bool {
			code, _ := m.get(ed.Hosts[0], variant(320))
			return code == http.StatusOK
		})
		if strings.Contains(m.log.String(), s3server.Secret) {
			t.Errorf("%s has logged the secret", name)
		}
	}
}

// A bucket that is not there and a key that is refused are mistakes that no waiting mends: they end the start.
func TestAMistakeInTheAddressOfABucket(t *testing.T) {
	t.Parallel()
	f := newFleet(t)
	address := s3server.Start(t).Address("")
	usual := f.settings
	for name, tc := range map[string]struct{ address, want string }{
		"no such bucket": {strings.Replace(address, "/"+s3server.Bucket, "/pictrues", 1), "bucket pictrues"},
		"a refused key":  {strings.Replace(address, s3server.Key, "somebody", 1), "InvalidAccessKeyId"},
		"no address":     {strings.Replace(address, "tls=false", "tsl=false", 1), "this is not s3://"},
	} {
		f.settings = slices.Concat(usual, []string{"BROADSHEET_MEDIA_URL=" + tc.address})
		for _, role := range []string{"serve", "work"} {
			m := f.member(t, role)
			wait.Until(t, role+" says so: "+name, func() bool {
				said := m.log.String()
				return strings.Contains(said, "media.url: ") && strings.Contains(said, tc.want)
			})
			if err := <-m.ended; err == nil || strings.Contains(m.log.String(), s3server.Secret) {
				t.Errorf("%s, %s: ended with %v: %s", name, role, err, m.log.String())
			}
		}
	}
}

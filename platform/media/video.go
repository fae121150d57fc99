package media

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"path"
	"strings"
	"time"
)

// VideoPath is where VideoHandler expects to be mounted, for GET and HEAD.
const VideoPath = "/media/"

// MaxVideoBytes bounds a recording. Longer ones belong to a service that has more than one quality.
const MaxVideoBytes = 64 << 20

// errVideo is an upload that is no recording that browsers play.
var errVideo = errors.New("neither MP4 nor WebM")

// IsVideoPath reports whether an address is that of a recording of the media library.
func IsVideoPath(address string) bool {
	name, found := strings.CutPrefix(address, VideoPath)
	ext := path.Ext(name)
	return found && (ext == ".mp4" || ext == ".webm") && isID(strings.TrimSuffix(name, ext))
}

// IngestVideo stores an MP4 or WebM as it is and returns its address on the edition's host, the same for the same
// bytes. Faults: ErrTooLarge, ErrUnsupported.
func (im *Images) IngestVideo(ctx context.Context, r io.Reader) (address string, err error) {
	store, _, err := im.of(ctx)
	if err != nil {
		return "", err
	}
	upload, err := io.ReadAll(io.LimitReader(r, MaxVideoBytes+1))
	if err != nil {
		return "", fmt.Errorf("media: read upload: %w", err)
	}
	if len(upload) > MaxVideoBytes {
		return "", ErrTooLarge.With("max_megabytes", MaxVideoBytes>>20)
	}
	ext := container(upload)
	if ext == "" {
		return "", ErrUnsupported.Because(errVideo)
	}
	name := idOf(upload) + ext
	if _, err := store.Head(ctx, "video/"+name); err == nil {
		return VideoPath + name, nil
	} else if !errors.Is(err, ErrNotFound) {
		return "", err
	}
	return VideoPath + name, store.Put(ctx, "video/"+name, bytes.NewReader(upload), int64(len(upload)), types[ext])
}

// container tells a format by how its files begin.
func container(b []byte) string {
	switch {
	case len(b) > 12 && string(b[4:8]) == "ftyp":
		return ".mp4"
	case bytes.HasPrefix(b, []byte("\x1a\x45\xdf\xa3")) && bytes.Contains(b[:min(len(b), 64)], []byte("webm")):
		return ".webm"
	}
	return ""
}

// VideoHandler answers GET /media/{id}.mp4 for the edition of the request's context, whole or in ranges.
func (im *Images) VideoHandler() http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if !IsVideoPath(r.URL.Path) {
			refuse(w, http.StatusNotFound)
			return
		}
		store, _, err := im.of(r.Context())
		if err != nil {
			im.fail(w, r, err)
			return
		}
		name := strings.TrimPrefix(r.URL.Path, VideoPath)
		f, info, err := store.Get(r.Context(), "video/"+name)
		if err != nil {
			im.fail(w, r, err)
			return
		}
		defer func() { _ = f.Close() }()
		h := w.Header()
		h.Set("Content-Type", info.ContentType)
		h.Set("Cache-Control", "public, max-age=31536000, immutable")
		h.Set("Etag", `"`+name+`"`)
		h.Set("X-Content-Type-Options", "nosniff")
		http.ServeContent(w, r, "", time.Time{}, f)
	})
}

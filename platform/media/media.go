// Package media keeps files and makes pictures: an upload becomes a bounded
// original without metadata, and the original becomes the widths and crops
// that pages ask for, made once each.
//
// Pictures are JPEG. Lossless WebP was tried on drawn scenes, where it has its
// best chance: 2 to 12 times the bytes of JPEG at quality 80. A lossy encoder
// in Go that is maintained would be worth another look.
package media

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"runtime"

	"golang.org/x/sync/singleflight"

	"example.org/broadsheet/platform/fault"
	"example.org/broadsheet/platform/paper/edition"
)

// Bounds of what Ingest takes and keeps.
const (
	MaxBytes  = 25 << 20   // of an upload
	MaxPixels = 40_000_000 // of an upload; half as many at 16 bits a channel
	MaxSide   = 12_000     // pixels, of an upload
	MaxStored = 2400       // pixels, the longer side of what is kept
)

const (
	jpegType        = "image/jpeg"
	originalQuality = 92 // high, since every variant is compressed once more
	variantQuality  = 66 // an eighth smaller than at 72, and on a dense screen no eye tells them apart

	// revision is part of ids and keys: another quality or method makes other
	// addresses, because the old ones are cached for good. A change in rounding
	// does not raise it: with another revision, whatever is uploaded or imported
	// again would be stored a second time, under another id.
	revision = "3"
)

// Faults of Ingest.
var (
	ErrTooLarge    = fault.New(fault.TooLarge, "IMAGE_TOO_LARGE")
	ErrUnsupported = fault.New(fault.Unsupported, "IMAGE_UNSUPPORTED")
	ErrBroken      = fault.New(fault.Invalid, "IMAGE_BROKEN")
)

// Image is a stored picture.
type Image struct {
	ID            string // 32 hex digits, the same for the same upload
	Width, Height int    // pixels, upright
	Type          string // content type
	Bytes         int64
}

// Images is the picture library of all editions; each edition (of the
// context) has its own. Safe for concurrent use.
type Images struct {
	store   Store
	log     *slog.Logger
	flights singleflight.Group
	scaling chan struct{} // one token for each picture being made
	reading chan struct{} // one upload at a time: it may take a hundred megabytes
}

// NewImages makes a library on top of store.
func NewImages(store Store, log *slog.Logger) *Images {
	return &Images{
		store:   store,
		log:     log,
		scaling: make(chan struct{}, max(1, runtime.GOMAXPROCS(0)-1)), // leaves a core to pages
		reading: make(chan struct{}, 1),
	}
}

// Has reports whether the library of the edition of ctx has a picture.
func (im *Images) Has(ctx context.Context, id string) (bool, error) {
	store, _, err := im.of(ctx)
	if err != nil {
		return false, err
	}
	_, err = store.Head(ctx, original(id))
	if errors.Is(err, ErrNotFound) {
		return false, nil
	}
	return err == nil, err
}

// Delete removes a picture and all that was made of it.
func (im *Images) Delete(ctx context.Context, id string) error {
	store, _, err := im.of(ctx)
	if err != nil {
		return err
	}
	if !isID(id) {
		return nil
	}
	for info, err := range store.List(ctx, folder(id)+"/") {
		if err != nil {
			return err
		}
		if err := store.Delete(ctx, info.Key); err != nil {
			return err
		}
	}
	return nil
}

// of returns the store of the context's edition, and its id.
func (im *Images) of(ctx context.Context) (Store, string, error) {
	ed, err := edition.From(ctx)
	if err != nil {
		return nil, "", fmt.Errorf("media: %w", err)
	}
	store, err := Sub(im.store, ed.ID)
	return store, ed.ID, err
}

func folder(id string) string   { return "img/" + id }
func original(id string) string { return folder(id) + "/original.jpg" }

func isID(s string) bool {
	if len(s) != 32 {
		return false
	}
	for i := range len(s) {
		if c := s[i]; (c < '0' || c > '9') && (c < 'a' || c > 'f') {
			return false
		}
	}
	return true
}

package media

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"image"
	"image/color"
	_ "image/gif" // decoder, of the first frame
	"image/jpeg"
	_ "image/png" // decoder
	"io"
	"slices"

	_ "golang.org/x/image/webp" // decoder
)

// formats are what an upload may be; other packages of the program may have registered more.
var formats = []string{"jpeg", "png", "gif", "webp"}

// Ingest stores a picture: upright, on white where it was transparent, at most
// MaxStored pixels wide and high, and without any metadata. The same bytes
// give the same Image again. Faults: ErrTooLarge, ErrUnsupported, ErrBroken.
func (im *Images) Ingest(ctx context.Context, r io.Reader) (Image, error) {
	store, _, err := im.of(ctx)
	if err != nil {
		return Image{}, err
	}
	if err := enter(ctx, im.reading); err != nil {
		return Image{}, err
	}
	defer func() { <-im.reading }()

	upload, err := io.ReadAll(io.LimitReader(r, MaxBytes+1))
	if err != nil {
		return Image{}, fmt.Errorf("media: read upload: %w", err)
	}
	if len(upload) > MaxBytes {
		return Image{}, ErrTooLarge.With("max_megabytes", MaxBytes>>20)
	}
	id := idOf(upload)
	if known, err := im.find(ctx, store, id); !errors.Is(err, ErrNotFound) {
		return known, err
	}
	decoded, err := decode(upload)
	if err != nil {
		return Image{}, err
	}
	picture := upright(bounded(decoded), orientation(upload))
	var out bytes.Buffer
	if err := jpeg.Encode(&out, picture, &jpeg.Options{Quality: originalQuality}); err != nil {
		return Image{}, fmt.Errorf("media: %w", err)
	}
	size := int64(out.Len())
	if err := store.Put(ctx, original(id), bytes.NewReader(out.Bytes()), size, jpegType); err != nil {
		return Image{}, err
	}
	return newImage(id, picture.Bounds().Dx(), picture.Bounds().Dy(), size), nil
}

// Adopt stores a JPEG of ours as it is: one that was made for the library, upright and within MaxStored, with nothing
// else in it. Only its header is read, and the picture is the one that Ingest of the same bytes gives. Faults:
// ErrUnsupported, ErrTooLarge.
func (im *Images) Adopt(ctx context.Context, file []byte) (Image, error) {
	store, _, err := im.of(ctx)
	if err != nil {
		return Image{}, err
	}
	c, err := jpeg.DecodeConfig(bytes.NewReader(file))
	switch {
	case err != nil || orientation(file) != 1:
		return Image{}, ErrUnsupported.Because(errors.New("not an upright JPEG"))
	case max(c.Width, c.Height) > MaxStored:
		return Image{}, ErrTooLarge.With("max_side", MaxStored)
	}
	id, size := idOf(file), int64(len(file))
	if known, err := im.find(ctx, store, id); !errors.Is(err, ErrNotFound) {
		return known, err
	}
	return newImage(id, c.Width, c.Height, size), store.Put(ctx, original(id), bytes.NewReader(file), size, jpegType)
}

// Find describes a stored picture; ErrNotFound where there is none.
func (im *Images) Find(ctx context.Context, id string) (Image, error) {
	store, _, err := im.of(ctx)
	if err != nil {
		return Image{}, err
	}
	if !isID(id) {
		return Image{}, fmt.Errorf("%w: %q", ErrNotFound, id)
	}
	return im.find(ctx, store, id)
}

func (im *Images) find(ctx context.Context, store Store, id string) (Image, error) {
	f, info, err := store.Get(ctx, original(id))
	if err != nil {
		return Image{}, err
	}
	defer func() { _ = f.Close() }()
	c, err := jpeg.DecodeConfig(f)
	if err != nil {
		return Image{}, fmt.Errorf("media: original of %s: %w", id, err)
	}
	return newImage(id, c.Width, c.Height, info.Size), nil
}

func newImage(id string, width, height int, size int64) Image {
	return Image{ID: id, Width: width, Height: height, Type: jpegType, Bytes: size}
}

func idOf(upload []byte) string {
	sum := sha256.New()
	_, _ = io.WriteString(sum, revision+"\x00")
	_, _ = sum.Write(upload)
	return hex.EncodeToString(sum.Sum(nil)[:16])
}

// enter takes a token, or gives up with its context.
func enter(ctx context.Context, tokens chan struct{}) error {
	select {
	case tokens <- struct{}{}:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// decode reads the header first, so that a small file cannot claim a large canvas.
func decode(upload []byte) (_ image.Image, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = ErrBroken.Because(fmt.Errorf("decoder panicked: %v", p))
		}
	}()
	c, format, err := image.DecodeConfig(bytes.NewReader(upload))
	switch {
	case errors.Is(err, image.ErrFormat), err == nil && !slices.Contains(formats, format):
		return nil, ErrUnsupported.With("formats", formats)
	case err != nil:
		return nil, ErrBroken.Because(err)
	case c.Width <= 0 || c.Height <= 0:
		return nil, ErrBroken.Because(errors.New("no pixels"))
	case c.Width > MaxSide || c.Height > MaxSide || c.Width*c.Height*depth(c.ColorModel) > MaxPixels:
		return nil, ErrTooLarge.With("max_megapixels", MaxPixels/1_000_000).With("max_side", MaxSide)
	}
	picture, _, err := image.Decode(bytes.NewReader(upload))
	if err != nil {
		return nil, ErrBroken.Because(err)
	}
	// A frame of a GIF may be anywhere on its canvas, and be empty.
	if picture.Bounds().Empty() {
		return nil, ErrBroken.Because(errors.New("an empty frame"))
	}
	return picture, nil
}

// depth counts 16-bit pictures twice: they take twice the memory.
func depth(m color.Model) int {
	switch m {
	case color.RGBA64Model, color.NRGBA64Model, color.Gray16Model:
		return 2
	default:
		return 1
	}
}

// bounded scales a picture down to MaxStored where it is larger.
func bounded(src image.Image) *image.RGBA {
	w, h := fit(src.Bounds().Dx(), src.Bounds().Dy(), MaxStored)
	return resize(src, src.Bounds(), w, h)
}

func fit(w, h, side int) (int, int) {
	longer := max(w, h)
	if longer <= side {
		return w, h
	}
	return max(1, (w*side+longer/2)/longer), max(1, (h*side+longer/2)/longer)
}

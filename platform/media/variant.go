package media

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"image"
	"image/jpeg"
	"io"
	"strings"
	"time"
)

// Variant says what to make of a picture. The closed lists bound what can be asked of a machine.
type Variant struct {
	Width int    // pixels, one of Widths; less where the picture has no more
	Ratio string // one of Ratios, cropped around the focus; "" keeps the picture's own
}

// Widths are what pages may ask for.
var Widths = []int{160, 240, 320, 480, 640, 800, 960, 1280, 1600}

// Ratios are the crops of the art direction, and the one of shared addresses, as width and height.
var Ratios = map[string][2]int{"16x9": {16, 9}, "3x2": {3, 2}, "1x1": {1, 1}, "4x5": {4, 5}, "40x21": {40, 21}}

// ErrBusy is a picture that could not be made in time.
var ErrBusy = errors.New("media: too many pictures to make")

const makingTimeout = 20 * time.Second

func (v Variant) String() string {
	if v.Ratio == "" {
		return fmt.Sprintf("%d", v.Width)
	}
	return fmt.Sprintf("%d-%s", v.Width, v.Ratio)
}

func (v Variant) key(id string) string {
	return folder(id) + "/r" + revision + "/" + v.String() + ".jpg"
}

// IsVariant reports whether a key of an edition's store is that of a variant: it is made again from the original.
func IsVariant(key string) bool {
	parts := strings.Split(key, "/")
	return len(parts) == 4 && parts[0] == "img" && isID(parts[1]) && strings.HasPrefix(parts[2], "r")
}

// Open returns a variant of a picture, making it where nobody has asked for it
// before. Errors: ErrNotFound, ErrBusy, the context's own.
func (im *Images) Open(ctx context.Context, id string, v Variant) (io.ReadSeekCloser, Info, error) {
	store, ed, err := im.of(ctx)
	if err != nil {
		return nil, Info{}, err
	}
	if !isID(id) {
		return nil, Info{}, fmt.Errorf("%w: %q", ErrNotFound, id)
	}
	key := v.key(id)
	r, info, err := store.Get(ctx, key)
	if !errors.Is(err, ErrNotFound) {
		return r, info, err
	}
	made := im.flights.DoChan(ed+"/"+key, func() (any, error) {
		// Others may wait for it, so it does not end with whoever came first.
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), makingTimeout)
		defer cancel()
		return im.make(ctx, store, id, v)
	})
	select {
	case got := <-made:
		if got.Err != nil {
			return nil, Info{}, got.Err
		}
		b := got.Val.([]byte)
		return memory{bytes.NewReader(b)}, Info{Key: key, Size: int64(len(b)), ContentType: jpegType}, nil
	case <-ctx.Done():
		return nil, Info{}, ctx.Err()
	}
}

type memory struct{ *bytes.Reader }

// Close does nothing: the bytes are in memory.
func (memory) Close() error { return nil }

func (im *Images) make(ctx context.Context, store Store, id string, v Variant) (_ []byte, err error) {
	defer func() {
		if p := recover(); p != nil { // nobody's handler is above this
			err = fmt.Errorf("media: making %s of %s panicked: %v", v, id, p)
		}
	}()
	f, info, err := store.Get(ctx, original(id))
	if err != nil {
		return nil, err
	}
	defer func() { _ = f.Close() }()
	if err := enter(ctx, im.scaling); err != nil {
		return nil, ErrBusy
	}
	defer func() { <-im.scaling }()

	file := make([]byte, info.Size)
	if _, err := io.ReadFull(f, file); err != nil {
		return nil, fmt.Errorf("media: original of %s: %w", id, err)
	}
	src, err := jpeg.Decode(bytes.NewReader(file))
	if err != nil {
		return nil, fmt.Errorf("media: original of %s: %w", id, err)
	}
	var out bytes.Buffer
	if err := jpeg.Encode(&out, scale(src, v, focusOf(file)), &jpeg.Options{Quality: variantQuality}); err != nil {
		return nil, fmt.Errorf("media: %w", err)
	}
	if err := store.Put(ctx, v.key(id), bytes.NewReader(out.Bytes()), int64(out.Len()), jpegType); err != nil {
		// The picture is there all the same; only the next one will be made again.
		im.log.WarnContext(ctx, "picture not kept", "id", id, "variant", v.String(), "err", err)
	}
	return out.Bytes(), nil
}

func scale(src image.Image, v Variant, f Focus) image.Image {
	area := crop(src.Bounds(), v.Ratio, f)
	w, h := v.fit(area)
	if src, ok := src.(*image.YCbCr); ok {
		return resizeYCbCr(src, area, w, h)
	}
	return resize(src, area, w, h)
}

// Size is how many pixels the variant of a picture has.
func (v Variant) Size(width, height int) (w, h int) {
	return v.fit(crop(image.Rect(0, 0, width, height), v.Ratio, middle))
}

func (v Variant) fit(area image.Rectangle) (w, h int) {
	w = min(v.Width, area.Dx())
	return w, max(1, (w*area.Dy()+area.Dx()/2)/area.Dx())
}

// crop returns the largest area of a ratio around the focus of b.
func crop(b image.Rectangle, ratio string, f Focus) image.Rectangle {
	r, ok := Ratios[ratio]
	if !ok {
		return b
	}
	w, h := b.Dx(), b.Dy()
	if w*r[1] > h*r[0] {
		w = max(1, h*r[0]/r[1])
	} else {
		h = max(1, w*r[1]/r[0])
	}
	return f.around(b, w, h)
}

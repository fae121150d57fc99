package pagefile

import (
	"bytes"
	"context"
	"fmt"
	"hash/fnv"
	"image"
	"image/jpeg"
	"io"
	"io/fs"
	"strconv"

	"example.org/broadsheet/modules/content"
	"example.org/broadsheet/modules/content/sample/illustration"
	"example.org/broadsheet/platform/media"
)

// Sizes of what is drawn: wide enough for the width of a page at twice its pixels.
const (
	sceneWidth, sceneHeight = 1680, 840
	faceSize                = 480
	quality                 = 80
)

// images is the library of pictures, as far as pages need it.
type images interface {
	Ingest(ctx context.Context, r io.Reader) (media.Image, error)
}

// drawing is a picture that a page names: one of the library, a file, a scene or a face.
type drawing struct {
	known, file, scene string
	face               uint64
	alt                string
}

func (p *Page) picture() (drawing, bool) {
	alt := p.Caption
	if alt == "" {
		alt = p.Title
	}
	switch {
	case p.Image != "":
		return drawing{scene: p.Image, alt: alt}, true
	case p.Picture != "":
		return named(p.Picture, alt), true
	}
	return drawing{}, false
}

func (it Item) picture() (drawing, bool) {
	if it.Picture != "" {
		return named(it.Picture, it.Title), true
	}
	seed, err := face(it)
	return drawing{face: seed, alt: it.Title}, err == nil && it.Portrait != ""
}

func named(picture, alt string) drawing {
	if mediaID.MatchString(picture) {
		return drawing{known: picture}
	}
	return drawing{file: picture, alt: alt}
}

// face is the number of the portrait of a person; its parity says whether it is a woman or a man.
func face(it Item) (uint64, error) {
	h := fnv.New64a()
	_, _ = h.Write([]byte(it.Title))
	seed := h.Sum64() % 1000
	switch it.Portrait {
	case "":
		return 0, nil
	case "woman":
		return seed &^ 1, nil
	case "man":
		return seed | 1, nil
	}
	n, err := strconv.ParseUint(it.Portrait, 10, 32)
	if err != nil {
		return 0, fmt.Errorf("%q is neither woman nor man nor the number of a face", it.Portrait)
	}
	return n, nil
}

// keep stores a picture and returns it; one of the library is left as it is.
func (w drawing) keep(ctx context.Context, store images, files fs.FS, credit string) (content.Picture, error) {
	var b bytes.Buffer
	switch {
	case w.known != "":
		return content.Picture{ID: w.known}, nil
	case w.file != "":
		if files == nil {
			return content.Picture{}, fmt.Errorf("there is no folder for the picture %q", w.file)
		}
		text, err := fs.ReadFile(files, w.file)
		if err != nil {
			return content.Picture{}, err
		}
		b.Write(text)
		credit = ""
	default:
		var img image.Image
		var err error
		if w.scene == "" {
			img = illustration.Portrait(w.face, faceSize)
		} else if img, err = illustration.Draw(w.scene, uint64(len(w.alt)), sceneWidth, sceneHeight); err != nil {
			return content.Picture{}, err
		}
		if err := jpeg.Encode(&b, img, &jpeg.Options{Quality: quality}); err != nil {
			return content.Picture{}, err
		}
	}
	kept, err := store.Ingest(ctx, &b)
	return content.Picture{ID: kept.ID, Width: kept.Width, Height: kept.Height, Alt: w.alt, Credit: credit}, err
}

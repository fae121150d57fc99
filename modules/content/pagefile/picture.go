package pagefile

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"io/fs"

	"example.org/broadsheet/modules/content/post"
	"example.org/broadsheet/platform/media"
)

// images is the library of pictures, as far as pages need it.
type images interface {
	Ingest(ctx context.Context, r io.Reader) (media.Image, error)
}

// picture is a picture that a page names: one of the library, or a file.
type picture struct {
	known, file string
	alt         string
}

func (p *Page) picture() (picture, bool) {
	alt := p.Alt
	if alt == "" {
		alt = p.Caption
	}
	if alt == "" {
		alt = p.Title
	}
	return named(p.Picture, alt), p.Picture != ""
}

func (it Item) picture() (picture, bool) { return named(it.Picture, it.Title), it.Picture != "" }

func named(name, alt string) picture {
	if mediaID.MatchString(name) {
		return picture{known: name}
	}
	return picture{file: name, alt: alt}
}

// keep stores a picture and returns it; one of the library is left as it is.
func (w picture) keep(ctx context.Context, store images, files fs.FS) (post.Picture, error) {
	if w.known != "" {
		return post.Picture{ID: w.known}, nil
	}
	if files == nil {
		return post.Picture{}, fmt.Errorf("there is no folder for the picture %q", w.file)
	}
	text, err := fs.ReadFile(files, w.file)
	if err != nil {
		return post.Picture{}, err
	}
	kept, err := store.Ingest(ctx, bytes.NewReader(text))
	return post.Picture{ID: kept.ID, Width: kept.Width, Height: kept.Height, Alt: w.alt}, err
}

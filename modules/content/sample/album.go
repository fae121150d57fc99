package sample

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"image/jpeg"
	"io"
	"io/fs"
	"path"
	"slices"
	"strings"

	"example.org/broadsheet/modules/content"
	"example.org/broadsheet/modules/content/post"
	"example.org/broadsheet/platform/media"
	"example.org/broadsheet/platform/paper/edition"
)

// Picture is one entry of pictures.yaml: a file of the folder pictures that every edition may show, and what is to be
// seen in it, in the languages of the editions.
type Picture struct {
	Name string `yaml:"name"`
	SK   string `yaml:"sk"`
	DE   string `yaml:"de"`
	// Focus is what the picture is about, in per cent of its width and height; the middle, where none is given.
	Focus []int `yaml:"focus"`
}

func (p Picture) file() string { return "pictures/" + p.Name + ".jpg" }

func portraitFile(author string) string { return "portraits/" + author + ".jpg" }

// alt is the alternative text for the readers of an edition.
func (p Picture) alt(ed *edition.Edition) string {
	switch {
	case ed.Locale == "sk":
		return p.SK
	case strings.HasSuffix(ed.IntlLocale, "-CH"):
		return strings.ReplaceAll(p.DE, "ß", "ss")
	}
	return p.DE
}

// mediaLibrary keeps pictures and recordings.
type mediaLibrary interface {
	Adopt(ctx context.Context, file []byte) (media.Image, error)
	Ingest(ctx context.Context, r io.Reader) (media.Image, error)
	IngestVideo(ctx context.Context, r io.Reader) (address string, err error)
}

// makePictures stores the files of the album and the portraits in the edition's media library, and returns them by
// file.
func (l *Library) makePictures(ctx context.Context, ed *edition.Edition,
	store mediaLibrary,
) (map[string]post.Picture, error) {
	alts, focus := map[string]string{}, map[string][]int{}
	for _, p := range l.Pictures {
		alts[p.file()], focus[p.file()] = p.alt(ed), p.Focus
	}
	for _, a := range l.Authors {
		alts[portraitFile(a.Key)] = a.Name
	}
	made := map[string]post.Picture{}
	for file, alt := range alts {
		text, err := fs.ReadFile(l.files, file)
		if err != nil {
			return nil, err
		}
		if at := focus[file]; at != nil {
			text = media.WithFocus(text, media.Focus{X: at[0], Y: at[1]})
		}
		kept, err := store.Adopt(ctx, text)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", file, err)
		}
		made[file] = post.Picture{ID: kept.ID, Width: kept.Width, Height: kept.Height, Alt: alt, Credit: ed.Name}
	}
	return made, nil
}

// checkPictures reports what the album lacks, and what is named and not in it.
func (l *Library) checkPictures() (errs []error) {
	known := map[string]bool{}
	for _, p := range l.Pictures {
		if known[p.Name] || p.Name == "" || p.SK == "" || p.DE == "" {
			errs = append(errs, fmt.Errorf("picture %q: name twice, or something is missing", p.Name))
		}
		if n := len(p.Focus); n != 0 && n != 2 {
			errs = append(errs, fmt.Errorf("picture %q: a focus has two numbers", p.Name))
		}
		known[p.Name] = true
		errs = append(errs, l.checkFile(p.file()))
	}
	for _, a := range l.Authors {
		errs = append(errs, l.checkFile(portraitFile(a.Key)))
	}
	for _, a := range l.Articles {
		if !known[a.Picture] {
			errs = append(errs, fmt.Errorf("article %q: there is no picture %q", a.Key, a.Picture))
		}
		for _, f := range figures(a.Body) {
			if !known[f.picture] {
				errs = append(errs, fmt.Errorf("article %q: there is no picture %q", a.Key, f.picture))
			}
		}
	}
	for _, t := range l.Topics {
		for _, name := range t.Covers {
			if !known[name] {
				errs = append(errs, fmt.Errorf("topic %q: there is no picture %q", t.Slug, name))
			}
		}
	}
	return errs
}

func (l *Library) checkFile(name string) error {
	f, err := l.files.Open(name)
	if err != nil {
		return err
	}
	defer f.Close() //nolint:errcheck // read only
	if _, err := jpeg.DecodeConfig(f); err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	return nil
}

// keepRecordings puts the recordings that ship into the edition's library. A file is called by its subject and its
// length in seconds: harbour-7.mp4.
func (s Seeder) keepRecordings(ctx context.Context, l *Library) ([]content.Video, error) {
	names, err := fs.Glob(l.files, "video/*.mp4")
	if err != nil {
		return nil, err
	}
	if len(names) == 0 {
		return nil, errors.New("there are no sample recordings")
	}
	slices.Sort(names)
	var out []content.Video
	for _, name := range names {
		text, err := fs.ReadFile(l.files, name)
		if err != nil {
			return nil, err
		}
		address, err := s.Images.IngestVideo(ctx, bytes.NewReader(text))
		if err != nil {
			return nil, fmt.Errorf("recording %s: %w", name, err)
		}
		seconds, err := secondsOf(path.Base(name))
		if err != nil {
			return nil, err
		}
		out = append(out, content.Video{URL: address, Seconds: seconds})
	}
	return out, nil
}

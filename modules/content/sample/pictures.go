package sample

import (
	"bytes"
	"context"
	"fmt"
	"image"
	"image/jpeg"
	"io"
	"runtime"

	"golang.org/x/sync/errgroup"

	"example.org/broadsheet/modules/content"
	"example.org/broadsheet/modules/content/sample/illustration"
	"example.org/broadsheet/platform/media"
)

// Library of pictures, as far as seeding needs it.
type images interface {
	Ingest(ctx context.Context, r io.Reader) (media.Image, error)
	IngestVideo(ctx context.Context, r io.Reader) (address string, err error)
}

// Size and quality of a drawn picture: wide enough for the lead at twice its width.
const (
	drawWidth, drawHeight = 1440, 960
	portraitSize          = 480
	quality               = 80
)

// variants is how many different pictures one scene gives within an edition.
const variants = 2

// drawing is one picture to be made.
type drawing struct {
	name string // "harbour:3", or "author:<key>"
	draw func() (image.Image, error)
	alt  string
}

// scenes are the pictures that the articles ask for, by name; each article then finds its own with
// sceneOf. Editions start at different seeds, so that sister papers do not look alike.
func scenes(l *Library, offset uint64) (list []drawing, of map[string]string) {
	used := map[string]int{}
	known := map[string]bool{}
	of = map[string]string{}
	for _, a := range l.Articles {
		seed := offset + uint64(used[a.Image]%variants)
		used[a.Image]++
		name := fmt.Sprintf("%s:%d", a.Image, seed)
		of[a.Key] = name
		if !known[name] {
			known[name] = true
			scene := a.Image
			list = append(list, drawing{name: name, alt: a.Caption, draw: func() (image.Image, error) {
				return illustration.Draw(scene, seed, drawWidth, drawHeight)
			}})
		}
	}
	return list, of
}

// portraits are the authors' faces; the seed's parity chooses a woman or a man.
func portraits(l *Library, offset uint64) (list []drawing) {
	seeds := [2]uint64{offset &^ 1, offset | 1}
	for _, a := range l.Authors {
		man := uint64(0)
		if a.Portrait == "man" {
			man = 1
		}
		seed := seeds[man]
		seeds[man] += 2
		list = append(list, drawing{name: "author:" + a.Key, alt: a.Name, draw: func() (image.Image, error) {
			return illustration.Portrait(seed, portraitSize), nil
		}})
	}
	return list
}

// makePictures draws and stores pictures on all cores and returns them by name.
func makePictures(ctx context.Context, list []drawing, credit string, store images) (map[string]content.Picture, error) {
	made := make([]content.Picture, len(list))
	g, ctx := errgroup.WithContext(ctx)
	g.SetLimit(runtime.GOMAXPROCS(0))
	for i, d := range list {
		g.Go(func() error {
			img, err := d.draw()
			if err != nil {
				return err
			}
			var b bytes.Buffer
			if err := jpeg.Encode(&b, img, &jpeg.Options{Quality: quality}); err != nil {
				return err
			}
			kept, err := store.Ingest(ctx, &b)
			if err != nil {
				return fmt.Errorf("picture %s: %w", d.name, err)
			}
			made[i] = content.Picture{ID: kept.ID, Width: kept.Width, Height: kept.Height, Alt: d.alt, Credit: credit}
			return nil
		})
	}
	if err := g.Wait(); err != nil {
		return nil, err
	}
	byName := make(map[string]content.Picture, len(list))
	for i, d := range list {
		byName[d.name] = made[i]
	}
	return byName, nil
}

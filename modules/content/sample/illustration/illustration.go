// Package illustration draws editorial pictures: composed scenes and portraits in a few inks on paper,
// the same for the same scene, seed and size.
package illustration

import (
	"fmt"
	"hash/fnv"
	"image"
	"math/rand/v2"
	"slices"
)

const (
	minSide = 48
	maxSide = 4096
)

// scene is one subject: how it is painted, and in which lights it may be seen.
type scene struct {
	paint func(*canvas)
	moods []int
	// fixed pictures read in one direction only and are never mirrored.
	fixed bool
}

// Scenes returns the names Draw accepts, sorted.
func Scenes() []string {
	names := make([]string, 0, len(scenes))
	for name := range scenes {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

// Draw paints a scene w by h pixels large; the seed chooses inks, light, weather and arrangement.
// It fails for an unknown scene and for sides outside 48 to 4096 pixels.
func Draw(name string, seed uint64, w, h int) (image.Image, error) {
	s, ok := scenes[name]
	if !ok {
		return nil, fmt.Errorf("illustration: unknown scene %q", name)
	}
	if w < minSide || h < minSide || w > maxSide || h > maxSide {
		return nil, fmt.Errorf("illustration: size %dx%d is outside %d to %d pixels", w, h, minSide, maxSide)
	}
	rnd := source(name, seed)
	// Neighbouring seeds step through inks and lights, so that they never look alike.
	turn := seed + hash(name)>>8
	pal := &palettes[turn*5%uint64(len(palettes))]
	light := s.moods[(turn/2+turn*2)%uint64(len(s.moods))]
	c := newCanvas(w, h, pal, &moods[light], rnd)
	if flip := rnd.IntN(2) == 1; flip && !s.fixed {
		c.mirror()
	}
	if !s.fixed {
		c.frame()
	}
	s.paint(c)
	c.finish()
	return c.img, nil
}

func source(name string, seed uint64) *rand.Rand {
	return rand.New(rand.NewPCG(seed, hash(name)))
}

func hash(name string) uint64 {
	h := fnv.New64a()
	_, _ = h.Write([]byte(name))
	return h.Sum64()
}

package lettering

import (
	"archive/zip"
	"bytes"
	_ "embed"
	"fmt"
	"io"
	"sync"

	"github.com/go-text/typesetting/font"
	"golang.org/x/image/font/gofont/goregular"
)

// packed are the fonts for what the first one lacks, in the order in which they are asked: made by fonts/make.
//
//go:embed fonts/fonts.zip
var packed []byte

// fonts are all, in the order in which they are asked for a letter. Each is unpacked when the ones before it lack
// something, and kept.
var fonts = sync.OnceValue(func() []func() *font.Font {
	list := []func() *font.Font{sync.OnceValue(func() *font.Font { return mustParse("go", goregular.TTF) })}
	z, err := zip.NewReader(bytes.NewReader(packed), int64(len(packed)))
	if err != nil {
		panic(fmt.Errorf("lettering: the fonts of this program cannot be unpacked: %w", err))
	}
	for _, f := range z.File {
		list = append(list, sync.OnceValue(func() *font.Font {
			r, err := f.Open()
			if err != nil {
				panic(fmt.Errorf("lettering: font %s: %w", f.Name, err))
			}
			defer r.Close() //nolint:errcheck // read to the end
			raw, err := io.ReadAll(r)
			if err != nil {
				panic(fmt.Errorf("lettering: font %s: %w", f.Name, err))
			}
			return mustParse(f.Name, raw)
		}))
	}
	return list
})

// mustParse reads a font of this program, which the tests have read.
func mustParse(name string, ttf []byte) *font.Font {
	face, err := font.ParseTTF(bytes.NewReader(ttf))
	if err != nil {
		panic(fmt.Errorf("lettering: font %s: %w", name, err))
	}
	return face.Font
}

// fontOf returns the place of the first font that has a letter; -1 for none.
func fontOf(r rune) int {
	for i, f := range fonts() {
		if _, has := f().NominalGlyph(r); has {
			return i
		}
	}
	return -1
}

// faces are the fonts of one text, which only one goroutine at a time may use.
type faces map[int]*font.Face

// ResolveFace implements shaping.Fontmap.
func (f faces) ResolveFace(r rune) *font.Face {
	i := max(0, fontOf(r))
	if f[i] == nil {
		f[i] = font.NewFace(fonts()[i]())
	}
	return f[i]
}

// Package brand draws what an edition is recognised by outside its own pages: icons, and the card of a shared address.
// Everything follows from the edition's name, its tagline and the colour of its theme; the typeface is that of the
// masthead.
package brand

import (
	"encoding/json"
	"errors"
	"fmt"
	"image/color"
	"io/fs"
	"strconv"
	"strings"

	"golang.org/x/image/font/sfnt"

	"example.org/broadsheet/platform/paper/edition"
)

// Kit is what the frontend's build leaves to draw with. Safe for concurrent use.
type Kit struct {
	fonts  []*sfnt.Font // the first that has a letter sets it
	themes map[string]theme
}

type theme struct {
	Accent colour `json:"accent"`
	Paper  colour `json:"paper"`
}

// standIn is the theme of editions whose own is not known.
const standIn = "default"

// New reads themes.json and the typefaces (*.ttf) of a folder.
func New(fsys fs.FS) (*Kit, error) {
	b, err := fs.ReadFile(fsys, "themes.json")
	if err != nil {
		return nil, err
	}
	k := &Kit{}
	if err := json.Unmarshal(b, &k.themes); err != nil {
		return nil, fmt.Errorf("themes.json: %w", err)
	}
	if _, ok := k.themes[standIn]; !ok {
		return nil, fmt.Errorf("themes.json: there is no theme %q", standIn)
	}
	names, err := fs.Glob(fsys, "*.ttf")
	if err != nil {
		return nil, err
	}
	for _, name := range names {
		if b, err = fs.ReadFile(fsys, name); err != nil {
			return nil, err
		}
		f, err := sfnt.Parse(b)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		k.fonts = append(k.fonts, f)
	}
	if len(k.fonts) == 0 {
		return nil, errors.New("there is no typeface to draw with")
	}
	return k, nil
}

func (k *Kit) theme(ed *edition.Edition) theme {
	if t, ok := k.themes[ed.Theme]; ok {
		return t
	}
	return k.themes[standIn]
}

// Colours returns the edition's colour and that of its paper, "#rrggbb".
func (k *Kit) Colours(ed *edition.Edition) (accent, paper string) {
	t := k.theme(ed)
	return t.Accent.String(), t.Paper.String()
}

// colour is "#rrggbb" in JSON.
type colour color.RGBA

// UnmarshalText reads "#rrggbb".
func (c *colour) UnmarshalText(b []byte) error {
	n, err := strconv.ParseUint(strings.TrimPrefix(string(b), "#"), 16, 24)
	if err != nil || len(b) != 7 || b[0] != '#' {
		return fmt.Errorf("%q is no colour such as #0f5a4a", b)
	}
	*c = colour{R: uint8(n >> 16), G: uint8(n >> 8), B: uint8(n), A: 0xff}
	return nil
}

func (c colour) String() string { return fmt.Sprintf("#%02x%02x%02x", c.R, c.G, c.B) }

// Package licenses has the licences and notices of all that others wrote and the program contains.
package licenses

import (
	_ "embed"
	"fmt"
	"io/fs"

	"example.org/broadsheet/frontend"
	"example.org/broadsheet/platform/pages"
)

//go:generate go run ./gen

// goText is about the Go modules, and the fonts that documents are written with.
//
//go:embed go.txt
var goText string

// Text returns the licences and notices of Go modules, of packages in the frontend's bundles, and of fonts. It returns
// pages.ErrNotBuilt if the program has no frontend.
func Text() (string, error) {
	bundles, err := fs.ReadFile(frontend.Dist, "dist/client/"+pages.Licenses)
	if err != nil {
		return "", fmt.Errorf("%w: %w", pages.ErrNotBuilt, err)
	}
	return goText + "\n" + string(bundles), nil
}

// Package frontend holds the built frontend: client/ is what browsers load, server/ is what the renderer runs.
package frontend

import "embed"

// Dist is the folder that `npm run build` fills; before a build it holds a note alone.
//
//go:embed all:dist
var Dist embed.FS

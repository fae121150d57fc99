// Package frontend holds the built frontend: client/ is what browsers load, server/ is what the renderer runs,
// and api/ is the viewer of the HTTP API that `broadsheet dev` alone hands out.
package frontend

import "embed"

// Dist is the folder that `npm run build` fills; before a build it holds a note alone.
//
//go:embed all:dist
var Dist embed.FS

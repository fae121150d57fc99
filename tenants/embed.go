// Package tenants ships the documents of the sample publication and its content. An operator's
// own documents are files beside the binary; these are what `dev` starts with.
package tenants

import "embed"

// FS holds <id>.yaml and sample/<id>/*.yaml.
//
//go:embed *.yaml all:sample
var FS embed.FS

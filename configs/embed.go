// Package configs holds the default of every setting.
package configs

import _ "embed"

// Default is default.yaml.
//
//go:embed default.yaml
var Default []byte

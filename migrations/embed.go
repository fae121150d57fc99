// Package migrations holds the schema, as one stream that every edition gets all of, and
// the platform's own "core" schema. Migrations only add: an old and a new binary run on
// the same schema during a deployment.
package migrations

import "embed"

// FS holds edition/*.sql and core/*.sql.
//
//go:embed edition/*.sql core/*.sql
var FS embed.FS

// Package migrations holds the schema in two streams: "edition", which every edition gets in a PostgreSQL schema of its
// own, and "core", what the platform shares. Each stream begins with one file; a change is a further file,
// named by its time (20261124020000_what_it_does.tx.up.sql), and UPDATE=1 go test ./migrations records the result in
// schema.txt. Migrations only add: an old and a new binary run on the same schema during a deployment.
package migrations

import "embed"

// FS holds edition/*.sql and core/*.sql.
//
//go:embed edition/*.sql core/*.sql
var FS embed.FS

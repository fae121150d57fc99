package sessions

import (
	"example.org/broadsheet/platform/retention"
)

// Retentions is how long sessions are kept.
var Retentions = []retention.Rule{
	{
		Name: "identity_sessions", Rows: "sessions, after their end", Kept: kept,
		Where: "x.ended_at < ?0 OR x.expires_at < ?0",
	},
	{
		Name: "identity_sessions.idle", Rows: "sessions, after their last use", Kept: IdleTTL + kept,
		Where: "x.seen_at < ?0",
	},
}

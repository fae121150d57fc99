package help

import (
	"example.org/broadsheet/platform/retention"
)

// Retentions is how long messages are kept.
var Retentions = []retention.Rule{
	{
		Name: "identity_help_messages", Rows: "messages of those who forgot their address, after support got them",
		Kept: Kept, Where: "x.sent_at < ?0",
	},
}

package personaldata

import (
	"time"

	"example.org/broadsheet/platform/retention"
)

// Retentions is how long requests and erasures are kept.
var Retentions = []retention.Rule{
	{
		Name: "identity_leaves", Rows: "mails with the code that deletes an account, after they were asked for",
		Kept: 24 * time.Hour, Where: "x.created_at < ?0",
	},
	{
		Name: "identity_erasures", Rows: "that an account was erased, and when", Kept: 3 * 365 * 24 * time.Hour,
		Where: "x.finished_at < ?0",
	},
}

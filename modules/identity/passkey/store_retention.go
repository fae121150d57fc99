package passkey

import (
	"example.org/broadsheet/platform/retention"
)

// Retentions is how long challenges are kept.
var Retentions = []retention.Rule{
	{
		Name: "identity_passkey_challenges", Rows: "what a device was asked to sign, after it ran out",
		Where: "x.expires_at < ?0",
	},
}

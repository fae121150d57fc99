package identity

import (
	"time"

	"example.org/broadsheet/platform/retention"
)

// auditKept is how long support's actions can be proved.
const auditKept = 3 * 365 * 24 * time.Hour

// retentions is how long this module keeps what an account does not need for as long as it lives.
var retentions = []retention.Rule{
	{
		Name: "identity_login_attempts", Rows: "login mails, after they were asked for", Kept: attemptKept,
		Where: "x.created_at < ?0",
	},
	// As long as there can be emails to the address. Those that were done are kept with the account, see formerAddress.
	{
		Name: "identity_address_changes", Rows: "changes of address that were not made, after they were asked for",
		Kept: addressKept, Where: "x.done_at IS NULL AND x.created_at < ?0",
	},
	{
		Name: "identity_audit", Rows: "what support did", Kept: auditKept, Where: "x.at < ?0",
		Setting: "identity.kept_since",
	},
}

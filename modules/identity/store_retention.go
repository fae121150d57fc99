package identity

import (
	"example.org/broadsheet/platform/retention"
)

// retentions is how long this module keeps what an account does not need for as long as it lives.
var retentions = []retention.Rule{
	{
		Name: "identity_login_attempts", Rows: "login mails, after they were asked for", Kept: attemptsKept,
		Where: "x.created_at < ?0",
	},
	// As long as there can be emails to the address. Those that were done are kept with the account, see formerAddress.
	{
		Name: "identity_address_changes", Rows: "changes of address that were not made, after they were asked for",
		Kept: addressKept, Where: "x.done_at IS NULL AND x.created_at < ?0",
	},
}

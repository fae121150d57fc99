package transfer

import "example.org/broadsheet/platform/audit"

// The actions of operators about the bank's payments, and with them about what readers have.
var (
	ActionMatch   = audit.WithReason("bank-match")
	ActionUnmatch = audit.WithReason("bank-unmatch")
	ActionRefund  = audit.WithReason("bank-refund")
	ActionDismiss = audit.WithReason("bank-dismiss")
	ActionSplit   = audit.WithReason("bank-split")
)

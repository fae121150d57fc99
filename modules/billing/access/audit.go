package access

import "example.org/broadsheet/platform/audit"

// The actions of operators about access.
var (
	ActionGrant  = audit.WithReason("grant")
	ActionReview = audit.WithReason("parked-resolve") // of the review queue
)

package withdrawal

import "example.org/broadsheet/platform/audit"

// ActionConfirm confirms a withdrawal for a sender who has proved who they are.
var ActionConfirm = audit.WithReason("withdrawal-confirm")

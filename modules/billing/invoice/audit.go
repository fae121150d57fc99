package invoice

import "example.org/broadsheet/platform/audit"

// ActionCorrect issues an invoice anew for another buyer.
var ActionCorrect = audit.WithReason("invoice-correct")

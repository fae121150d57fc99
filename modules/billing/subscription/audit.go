package subscription

import "example.org/broadsheet/platform/audit"

// ActionPromise grants trials to addresses, which may have no account yet.
var ActionPromise = audit.WithReason("promise")

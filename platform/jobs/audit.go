package jobs

import "example.org/broadsheet/platform/audit"

// ActionRequeue gives work that was given up another life.
var ActionRequeue = audit.WithReason("jobs-requeue")

// ActionDrop gives work up for good that nobody shall do any more.
var ActionDrop = audit.WithReason("jobs-drop")

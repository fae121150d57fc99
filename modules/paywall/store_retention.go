package paywall

import (
	"time"

	"example.org/broadsheet/platform/retention"
)

// openedKept is longer than any period of the meter.
const openedKept = 90 * 24 * time.Hour

// retentions is how long this module keeps what.
var retentions = []retention.Rule{
	{Name: "paywall_opened", Rows: "what a reader has opened by a credit", Kept: openedKept, Where: "x.opened_at < ?0"},
}

package paywall

import "example.org/broadsheet/platform/paper/edition"

var _ = edition.Section(checkMeter)

// checkMeter checks how many articles are free.
func checkMeter(c *edition.Checker, d *edition.Document) {
	m := d.Meter
	c.Between("meter.limit", int64(m.Limit), 0, 1000)
	// Visitors cannot be counted honestly: whoever forgets a cookie starts again.
	c.Between("meter.anonymous_limit", int64(m.AnonymousLimit), 0, 0)
	c.Between("meter.videos", int64(m.Videos), 0, 1000)
	c.Choice("meter.period", m.Period)
}

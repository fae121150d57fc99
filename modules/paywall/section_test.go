package paywall

import (
	"testing"

	"example.org/broadsheet/platform/testkit"
)

func TestSectionMeter(t *testing.T) {
	t.Parallel()
	testkit.DocumentProblems(t, map[string][3]string{
		"period":             {"period: month", "period: day", "meter.period"},
		"meter for visitors": {"anonymous_limit: 0", "anonymous_limit: 1", "meter.anonymous_limit: 1 is not between 0 and 0"},
	})
}

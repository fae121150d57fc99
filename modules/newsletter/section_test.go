package newsletter

import (
	"testing"

	"example.org/broadsheet/platform/testkit"
)

func TestSectionNewsletters(t *testing.T) {
	t.Parallel()
	testkit.DocumentProblems(t, map[string][3]string{
		"kind of list": {"kind: brief", "kind: weekly", "newsletters[0].kind: \"weekly\" is none of"},
		"hour":         {"at: '06:00'", "at: '6 am'", "newsletters[0].at: \"6 am\" is not right"},
	})
}

package identity

import (
	"testing"

	"example.org/broadsheet/platform/testkit"
)

func TestSectionIdentity(t *testing.T) {
	t.Parallel()
	testkit.DocumentProblems(t, map[string][3]string{
		"domains without list": {"domains: 'off'", "domains: allow", "identity.domain_list: is needed when domains is allow"},
	})
}

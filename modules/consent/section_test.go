package consent

import (
	"testing"

	"example.org/broadsheet/platform/testkit"
)

func TestSectionConsent(t *testing.T) {
	t.Parallel()
	testkit.DocumentProblems(t, map[string][3]string{
		"group of no document": {
			"{document: privacy, sections: 7}", "{document: soul, sections: 7}",
			"consent.accordions[0].document: \"soul\" is none of the documents",
		},
		"group without parts": {
			"{document: privacy, sections: 7}", "{document: privacy, sections: 0}",
			"consent.accordions[0].sections: must be at least 1",
		},
		"no group": {
			"  accordions:\n    - {document: privacy, sections: 7}\n", "  accordions: []\n",
			"consent.accordions: at least one is needed",
		},
		"group twice": {
			"    - {document: privacy, sections: 7}\n",
			"    - {document: privacy, sections: 7}\n    - {document: privacy, sections: 7}\n",
			"consent.accordions[1].document: \"privacy\" is that of",
		},
	})
}

package consent

import (
	"fmt"

	"example.org/broadsheet/platform/paper/edition"
)

var _ = edition.Section(checkConsent)

// checkConsent checks what readers are asked to agree to.
func checkConsent(c *edition.Checker, d *edition.Document) {
	c.Filled("consent.cookie_version", d.Consent.CookieVersion)
	if len(d.Consent.Documents) == 0 {
		c.Fail("consent.documents", "at least one is needed")
	}
	ids := map[string]string{}
	for i, doc := range d.Consent.Documents {
		at := fmt.Sprintf("consent.documents[%d]", i)
		c.Matches(at+".id", doc.ID, edition.WordShape, "such as terms")
		c.Filled(at+".version", doc.Version)
		c.Matches(at+".static", doc.Static, edition.SlugShape, "such as privacy-policy")
		c.Unique(ids, at+".id", doc.ID)
	}
	checkAccordions(c, d.Consent, ids)
}

// checkAccordions checks the parts of the question; known are the ids of the documents.
func checkAccordions(c *edition.Checker, d edition.Consent, known map[string]string) {
	if len(d.Accordions) == 0 {
		c.Fail("consent.accordions", "at least one is needed")
	}
	seen := map[string]string{}
	for i, a := range d.Accordions {
		at := fmt.Sprintf("consent.accordions[%d]", i)
		if _, ok := known[a.Document]; !ok {
			c.Fail(at+".document", "%q is none of the documents", a.Document)
		}
		c.Unique(seen, at+".document", a.Document)
		if a.Sections < 1 {
			c.Fail(at+".sections", "must be at least 1")
		}
	}
}

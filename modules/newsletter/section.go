package newsletter

import (
	"fmt"
	"regexp"

	"example.org/broadsheet/platform/paper/edition"
)

var clockShape = regexp.MustCompile(`^([01][0-9]|2[0-3]):[0-5][0-9]$`)

var _ = edition.Section(checkLists)

// checkLists checks the newsletters that an edition offers.
func checkLists(c *edition.Checker, d *edition.Document) {
	ids := map[string]string{}
	for i, n := range d.Newsletters {
		at := fmt.Sprintf("newsletters[%d]", i)
		c.Matches(at+".id", n.ID, edition.WordShape, "such as morning")
		c.Unique(ids, at+".id", n.ID)
		c.Choice(at+".kind", n.Kind)
		c.Filled(at+".name", n.Name)
		c.Filled(at+".description", n.Description)
		if n.Kind == edition.NewsletterBreaking {
			if n.At != "" {
				c.Fail(at+".at", "a breaking newsletter has no hour")
			}
		} else {
			c.Matches(at+".at", n.At, clockShape, "such as 06:00, in the edition's zone")
		}
		if n.Kind == edition.NewsletterTopic {
			c.Choice(at+".weekday", n.Weekday)
		} else if n.Weekday != "" {
			c.Fail(at+".weekday", "only a newsletter of the kind topic has a weekday")
		}
	}
}

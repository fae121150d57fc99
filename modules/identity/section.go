package identity

import (
	"fmt"

	"example.org/broadsheet/platform/paper/edition"
)

var _ = edition.Section(checkLogin)

// checkLogin checks who may register, and how.
func checkLogin(c *edition.Checker, d *edition.Document) {
	c.Filled("identity.mail_app_name", d.Identity.MailAppName)
	c.Choice("identity.registration", d.Identity.Registration)
	c.Choice("identity.domains", d.Identity.Domains)
	c.Choice("identity.exists_mode", d.Identity.ExistsMode)
	c.Between("identity.surge", int64(d.Identity.Surge), 0, 1_000_000)
	if d.Identity.Domains != "off" && len(d.Identity.DomainList) == 0 {
		c.Fail("identity.domain_list", "is needed when domains is %s", d.Identity.Domains)
	}
	for i, v := range d.Identity.DomainList {
		c.Matches(fmt.Sprintf("identity.domain_list[%d]", i), v, edition.HostShape, "such as mail.example")
	}
}

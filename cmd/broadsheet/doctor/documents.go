package doctor

import (
	"context"
	"strings"

	"example.org/broadsheet/modules/billing/invoice"
	"example.org/broadsheet/platform/paper/edition"
)

// documents looks for invoices that the accountant would miss.
func documents(ctx context.Context, p *Paper) []Finding {
	if p.Registry == nil {
		return nil
	}
	var found []Finding
	for _, ed := range p.Registry.All() {
		failing, err := invoice.FindFailing(edition.With(ctx, ed), p.Database)
		if err != nil {
			found = append(found, warn("", "%s: not all invoices were looked at: %v", ed.ID, err))
		}
		if n := len(failing); n > 0 {
			found = append(found, problem("broadsheet invoice redraw --dry-run --edition "+ed.ID+" says why.",
				"%s: %d invoices cannot be drawn or mailed: %s", ed.ID, n, strings.Join(failing[:min(n, 20)], ", ")))
		}
	}
	return or(found, "every invoice of this year and the last one is whole")
}

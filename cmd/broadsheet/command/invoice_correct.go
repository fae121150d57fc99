package command

import (
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"example.org/broadsheet/cmd/broadsheet/app"
	"example.org/broadsheet/modules/billing/invoice"
	"example.org/broadsheet/platform/audit"
	"example.org/broadsheet/platform/i18n"
	"example.org/broadsheet/platform/paper/edition"
)

// buyerFlags are the flags that say who an invoice is made out to.
var buyerFlags = []struct {
	name, usage string
	set         func(*invoice.Buyer, string)
}{
	{"company", "name of the company", func(d *invoice.Buyer, s string) { d.Company = s }},
	{"company-id", "its number in the register", func(d *invoice.Buyer, s string) { d.ICO = s }},
	{"tax-id", "its tax number", func(d *invoice.Buyer, s string) { d.DIC = s }},
	{"vat-id", "its VAT number", func(d *invoice.Buyer, s string) { d.ICDPH = s }},
	{"name", "name of the person", func(d *invoice.Buyer, s string) { d.Name = s }},
	{"line1", "street and number", func(d *invoice.Buyer, s string) { d.Line1 = s }},
	{"line2", "second line of the address", func(d *invoice.Buyer, s string) { d.Line2 = s }},
	{"postal-code", "postal code", func(d *invoice.Buyer, s string) { d.PostalCode = s }},
	{"city", "city", func(d *invoice.Buyer, s string) { d.City = s }},
	{"country", "country, by its code or name", func(d *invoice.Buyer, s string) { d.Country = s }},
	{"email", "address on the invoice, to which both documents are mailed", func(d *invoice.Buyer, s string) {
		d.Email = s
	}},
}

func invoiceCorrect(f *flags) *cobra.Command {
	var id string
	var fromAccount, dry bool
	entry := audit.Entry{Action: invoice.ActionCorrect}
	cmd := &cobra.Command{
		Use: "correct NUMBER", Short: "Make an invoice out to another buyer: a credit note and a new invoice",
		Args: cobra.ExactArgs(1),
		Example: "  broadsheet invoice correct FV-2026-000117 --from-account --edition standard --reason 'asked by mail'\n" +
			"  broadsheet invoice correct FV-2026-000117 --company 'Lipa, s. r. o.' --company-id 99123456 --edition standard " +
			"--reason 'asked by mail'",
		Long: "Issues a credit note over all that is left of a tax invoice, and a new invoice over the same sum to the " +
			"buyer that is named, in one transaction.\n" +
			"What no flag names stays as on the invoice; an empty text takes it away. No money moves, and a later refund " +
			"belongs to the new invoice.\n" +
			"Both are mailed in one email. Asked again for the same, it does nothing. It stands in the audit log: who, what, " +
			"when and why.",
	}
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		change, mailTo, err := buyerOf(cmd, fromAccount)
		if err != nil {
			return err
		}
		entry.Operator = operator(entry.Operator)
		if err := entry.Check(); err != nil {
			return err
		}
		return f.withModules(cmd, id, func(ctx context.Context, a *app.App, ed *edition.Edition) error {
			c, err := a.Billing.Invoices.Correct(ctx, args[0], change, mailTo, true)
			if err != nil {
				return err
			}
			if !dry && !c.Again {
				entry.ReaderID, entry.Detail = c.ReaderID, args[0]
				if err := audit.Write(ctx, a.DB, entry); err != nil {
					return err
				}
				if c, err = a.Billing.Invoices.Correct(ctx, args[0], change, mailTo, false); err != nil {
					return err
				}
			}
			printCorrection(cmd.OutOrStdout(), ed, c, dry)
			return nil
		})
	}
	for _, b := range buyerFlags {
		cmd.Flags().String(b.name, "", b.usage)
	}
	cmd.Flags().StringVar(&id, "edition", "", "id of the edition")
	cmd.Flags().BoolVar(&fromAccount, "from-account", false,
		"take the invoice data that the reader has set in the account")
	cmd.Flags().BoolVar(&dry, "dry-run", false, "say what would be done, and do nothing")
	cmd.Flags().StringVar(&entry.Reason, "reason", "", "why, for the audit log")
	cmd.Flags().StringVar(&entry.Operator, "operator", "", "who, for the audit log; otherwise the machine's user")
	return cmd
}

// buyerOf is how the flags change the buyer; nil for the data of the account.
func buyerOf(cmd *cobra.Command, fromAccount bool) (change func(*invoice.Buyer), mailTo string, err error) {
	named := 0
	for _, b := range buyerFlags {
		if cmd.Flags().Changed(b.name) {
			named++
		}
	}
	if (named > 0) == fromAccount {
		return nil, "", errors.New("say who the buyer is: with --from-account, or with --company, --name, --vat-id and the " +
			"others")
	}
	if fromAccount {
		return nil, "", nil
	}
	if cmd.Flags().Changed("email") {
		mailTo = cmd.Flags().Lookup("email").Value.String()
	}
	return func(d *invoice.Buyer) {
		for _, b := range buyerFlags {
			if cmd.Flags().Changed(b.name) {
				b.set(d, cmd.Flags().Lookup(b.name).Value.String())
			}
		}
	}, mailTo, nil
}

func printCorrection(out io.Writer, ed *edition.Edition, c invoice.Correction, dry bool) {
	switch {
	case c.Again:
		fmt.Fprint(out, "done before: ")
	case dry:
		fmt.Fprint(out, "dry run, nothing is changed: ")
	}
	printf(out, "%s (%s) is taken back by %s and replaced by %s (%s)\n", c.Invoice, c.Was, c.CreditNote,
		c.NewInvoice, c.Now)
	printf(out, "base %s, VAT %s, total %s", i18n.MoneyIn(ed, c.Net, c.Currency), i18n.MoneyIn(ed, c.VAT, c.Currency),
		i18n.MoneyIn(ed, c.Total, c.Currency))
	if c.ReverseCharged {
		fmt.Fprint(out, " (the customer owes the VAT)")
	}
	fmt.Fprintln(out)
}

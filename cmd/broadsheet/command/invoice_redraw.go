package command

import (
	"context"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"example.org/broadsheet/modules/billing/invoice"
	"example.org/broadsheet/platform/audit"
	"example.org/broadsheet/platform/db"
	"example.org/broadsheet/platform/paper/edition"
)

func invoiceRedraw(f *flags) *cobra.Command {
	var id string
	var dry bool
	entry := audit.Entry{Action: invoice.ActionRedraw}
	cmd := &cobra.Command{
		Use: "redraw [NUMBER...]", Short: "Draw invoices again that could not be drawn, and mail them",
		Example: "  broadsheet invoice redraw --dry-run --edition standard\n  broadsheet invoice redraw --edition standard " +
			"--reason 'after the update'",
		Long: "Draws the documents whose email was given up, or those that are named, as PDF and as XML, and says of each " +
			"whether it can be drawn.\n" +
			"The emails of those that can are sent; no email is sent twice. The exit code is 1 if one still cannot be drawn.\n" +
			"It stands in the audit log: who, what, when and why.",
	}
	cmd.RunE = func(cmd *cobra.Command, numbers []string) error {
		entry.Operator = operator(entry.Operator)
		if err := entry.Check(); err != nil && !dry {
			return err
		}
		return f.inEdition(cmd, id, func(ctx context.Context, d *db.DB, _ *edition.Edition) error {
			list, err := invoice.Redraw(ctx, d, true, numbers...)
			if err != nil {
				return err
			}
			if mails := printRedrawn(cmd.OutOrStdout(), list, dry); mails > 0 && !dry {
				entry.Detail = quantity(mails, "document", "documents")
				if err := audit.Write(ctx, d, entry); err != nil {
					return err
				}
				if _, err := invoice.Redraw(ctx, d, false, numbers...); err != nil {
					return err
				}
			}
			failed := 0
			for _, r := range list {
				if r.Err != nil {
					failed++
				}
			}
			if failed > 0 {
				return fmt.Errorf("%s cannot be drawn", quantity(failed, "document", "documents"))
			}
			return nil
		})
	}
	cmd.Flags().StringVar(&id, "edition", "", "id of the edition")
	cmd.Flags().BoolVar(&dry, "dry-run", false, "say what would be done, and send nothing")
	cmd.Flags().StringVar(&entry.Reason, "reason", "", "why, for the audit log")
	cmd.Flags().StringVar(&entry.Operator, "operator", "", "who, for the audit log; otherwise the machine's user")
	return cmd
}

// printRedrawn says what came of each document, and returns how many emails are sent.
func printRedrawn(out io.Writer, list []invoice.Redrawn, dry bool) (mails int) {
	if dry {
		fmt.Fprintln(out, "dry run, nothing is sent:")
	}
	for _, r := range list {
		switch {
		case r.Err != nil:
			printf(out, "%s cannot be drawn: %s\n", r.Number, r.Err)
		case r.Mails:
			mails++
			printf(out, "%s is drawn, and its email is sent\n", r.Number)
		default:
			printf(out, "%s is drawn; its email was not given up\n", r.Number)
		}
	}
	if len(list) == 0 {
		fmt.Fprintln(out, "no email about a document was given up")
	}
	return mails
}

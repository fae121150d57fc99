package command

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"

	"example.org/broadsheet/cmd/broadsheet/app"
	"example.org/broadsheet/modules/billing"
	"example.org/broadsheet/modules/billing/transfer"
	"example.org/broadsheet/platform/audit"
	"example.org/broadsheet/platform/camt"
	"example.org/broadsheet/platform/i18n"
	"example.org/broadsheet/platform/paper/edition"
)

func bankCommand(f *flags) *cobra.Command {
	root := &cobra.Command{Use: "bank", Short: "Pair payments of the bank with orders"}
	root.AddCommand(bankImport(f), bankList(f), (&bankAction{f: f}).match(), (&bankAction{f: f}).unmatch(),
		(&bankAction{f: f}).refund(), (&bankAction{f: f}).dismiss(), (&bankAction{f: f}).split())
	return root
}

func bankImport(f *flags) *cobra.Command {
	var id string
	var dry bool
	cmd := &cobra.Command{
		Use: "import FILE", Short: "Read bank statements (camt.053) and pay the orders that their payments name",
		Args: cobra.ExactArgs(1),
		Example: "  broadsheet bank import statement.xml --edition standard\n  cat statement.xml | broadsheet bank import " +
			"- --edition standard",
		Long: "A payment with the reference of one open order, over its sum and in its currency, pays it: the reader " +
			"reads, the invoice is issued, the emails go out.\n" +
			"Every other payment waits for a person (`bank list`). The same file, or one that overlaps with it, can be read " +
			"again.\n" +
			"FILE is XML of camt.053, versions 2 to 13, in any charset and envelope, or a ZIP archive of such files; - is the " +
			"standard input. Every payment is in one count. An entry that cannot be read is named and waits for a person; it " +
			"does not stop the others.",
		RunE: func(cmd *cobra.Command, args []string) error {
			in := cmd.InOrStdin()
			if args[0] != "-" {
				file, err := os.Open(args[0])
				if err != nil {
					return err
				}
				defer func() { _ = file.Close() }()
				in = file
			}
			return f.withModules(cmd, id, func(ctx context.Context, a *app.App, ed *edition.Edition) error {
				sum, err := a.Billing.Transfers.Import(ctx, in, dry)
				printImport(cmd.OutOrStdout(), sum, dry)
				return err
			})
		},
	}
	cmd.Flags().StringVar(&id, "edition", "", "id of the edition")
	cmd.Flags().BoolVar(&dry, "dry-run", false, "say what would be paired, and change nothing")
	return cmd
}

func printImport(out io.Writer, sum transfer.Imported, dry bool) {
	for _, note := range sum.Notes {
		printf(out, "note: %s\n", note)
	}
	if dry {
		fmt.Fprint(out, "dry run, nothing is changed: ")
	}
	printf(out, "%d payments paired, %d in the queue, %d known before, %d that are no payments of readers, "+
		"%d only announced, %d of other accounts", sum.Matched, sum.Queued, sum.Known, sum.Left, sum.Announced, sum.Elsewhere)
	if sum.Failed > 0 {
		printf(out, ", %d failed", sum.Failed)
	}
	printf(out, "\ntogether %s in %s of the file", quantity(sum.Payments(), "payment", "payments"),
		quantity(sum.Counts.Entries(), "entry", "entries"))
	if rest := sum.Entries - sum.Counts.Entries(); rest > 0 {
		printf(out, "; %s left: import the file again", quantity(rest, "entry is", "entries are"))
	}
	fmt.Fprintln(out)
	if sum.Again {
		fmt.Fprintln(out, "this file was read before")
	}
	if sum.Queued > 0 && !dry {
		fmt.Fprintln(out, "`broadsheet bank list` shows the queue")
	}
}

func bankList(f *flags) *cobra.Command {
	var id string
	var all bool
	cmd := &cobra.Command{
		Use: "list", Short: "List the payments that wait for a person, and why", Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return f.withModules(cmd, id, func(ctx context.Context, a *app.App, ed *edition.Edition) error {
				list, err := a.Billing.Transfers.Lines(ctx, all)
				if err != nil {
					return err
				}
				w := tabwriter.NewWriter(cmd.OutOrStdout(), 0, 4, 2, ' ', 0)
				fmt.Fprintln(w, "LINE\tBOOKED\tAMOUNT\tSTATE\tREASON\tORDER\tPAYER\tIBAN\tGIVEN")
				for _, l := range list {
					printf(w, "%d\t%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\n", l.ID, l.Booked.Format(time.DateOnly), lineAmount(ed, l),
						l.State, orDash(l.Reason), orDash(l.Reference),
						orDash(l.Payer), orDash(l.PayerIBAN), orDash(l.Given))
				}
				return w.Flush()
			})
		},
	}
	cmd.Flags().StringVar(&id, "edition", "", "id of the edition")
	cmd.Flags().BoolVar(&all, "all", false, "also what was paired, paid back or dismissed in the last 90 days")
	return cmd
}

func lineAmount(ed *edition.Edition, l transfer.Line) string {
	if l.Amount == 0 {
		return "?" // it could not be read
	}
	sum := i18n.MoneyIn(ed, l.Amount, l.Currency)
	if n := camt.Decimals(l.Currency); n != 2 {
		digits := fmt.Sprintf("%0*d", n+1, l.Amount)
		sum = strings.TrimSuffix(digits[:len(digits)-n]+"."+digits[len(digits)-n:], ".") + "\u00a0" + l.Currency
	}
	if !l.Credit {
		sum = "-" + sum
	}
	return sum
}

// bankAction is what a person does about one payment. It stands in the audit log before it is done.
type bankAction struct {
	f       *flags
	edition string
	dry     bool
	entry   audit.Entry
}

func (b *bankAction) command(action audit.Action, cmd *cobra.Command,
	do func(context.Context, *billing.Module, int64, []string, bool) (transfer.Line, error),
	said string,
) *cobra.Command {
	b.entry.Action = action
	cmd.Long += "\nIt stands in the audit log: who, what, when and why. A dry run says what would be done."
	cmd.Flags().StringVar(&b.edition, "edition", "", "id of the edition")
	cmd.Flags().BoolVar(&b.dry, "dry-run", false, "say what would be done, and do nothing")
	cmd.Flags().StringVar(&b.entry.Reason, "reason", "", "why, for the audit log")
	cmd.Flags().StringVar(&b.entry.Operator, "operator", "", "who, for the audit log; otherwise the machine's user")
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		id, err := strconv.ParseInt(args[0], 10, 64)
		if err != nil || id <= 0 {
			return errors.New("the line is the number that `broadsheet bank list` shows first")
		}
		b.entry.Operator = operator(b.entry.Operator)
		if err := b.entry.Check(); err != nil {
			return err
		}
		return b.f.withModules(cmd, b.edition, func(ctx context.Context, a *app.App, ed *edition.Edition) error {
			l, err := do(ctx, a.Billing, id, args[1:], true)
			if err != nil {
				return err
			}
			if !b.dry {
				b.entry.ReaderID, b.entry.Detail = l.ReaderID, strings.TrimSpace(fmt.Sprintf("payment %d %s", id, l.Reference))
				if err := audit.Write(ctx, a.DB, b.entry); err != nil {
					return err
				}
				if l, err = do(ctx, a.Billing, id, args[1:], false); err != nil {
					return err
				}
			}
			out := cmd.OutOrStdout()
			if b.dry {
				fmt.Fprint(out, "dry run, nothing is changed: ")
			}
			printf(out, "payment %d over %s %s", l.ID, lineAmount(ed, l), said)
			if l.Reference != "" {
				printf(out, ": order %s of reader %d", l.Reference, l.ReaderID)
			}
			if l.State == "refunded" && l.Credit {
				printf(out, "; to %s, %s", orDash(l.PayerIBAN), orDash(l.Payer))
			}
			fmt.Fprintln(out)
			return nil
		})
	}
	return cmd
}

func (b *bankAction) match() *cobra.Command {
	anyAmount := false
	cmd := b.command(transfer.ActionMatch, &cobra.Command{
		Use: "match LINE REFERENCE", Short: "Pay an order with a payment of the queue", Args: cobra.ExactArgs(2),
		Long: "Pays the order that has this reference, or whose pre-invoice has this number, also one that is void by now.",
	}, func(ctx context.Context, m *billing.Module, id int64, args []string, dry bool) (transfer.Line, error) {
		return m.Transfers.Match(ctx, id, args[0], anyAmount, dry)
	}, "pays")
	cmd.Flags().BoolVar(&anyAmount, "any-amount", false,
		"accept another sum than that of the order; the invoice is over what came")
	return cmd
}

func (b *bankAction) unmatch() *cobra.Command {
	return b.command(transfer.ActionUnmatch, &cobra.Command{
		Use: "unmatch LINE", Short: "Take a payment from its order and put it into the queue", Args: cobra.ExactArgs(1),
		Long: "Ends what the payment has opened and issues the credit note. What was marked as paid back goes into the " +
			"queue, too.",
	}, func(ctx context.Context, m *billing.Module, id int64, _ []string, dry bool) (transfer.Line, error) {
		return m.Transfers.Unmatch(ctx, id, dry)
	}, "waits in the queue")
}

func (b *bankAction) refund() *cobra.Command {
	return b.command(transfer.ActionRefund, &cobra.Command{
		Use: "refund LINE", Short: "Note that a payment was sent back to its payer", Args: cobra.ExactArgs(1),
		Long: "Sends no money: do that at the bank. A payment that pays an order is taken from it first.",
	}, func(ctx context.Context, m *billing.Module, id int64, _ []string, dry bool) (transfer.Line, error) {
		return m.Transfers.Refund(ctx, id, dry)
	}, "is noted as paid back")
}

func (b *bankAction) dismiss() *cobra.Command {
	return b.command(transfer.ActionDismiss, &cobra.Command{
		Use: "dismiss LINE", Short: "Take a payment out of the queue about which there is nothing to do",
		Args: cobra.ExactArgs(1),
		Long: "For money that is not a reader's, and for a payment that is the same as another line. Nothing is paid or " +
			"sent back; `unmatch` puts it into the queue again.",
	}, func(ctx context.Context, m *billing.Module, id int64, _ []string, dry bool) (transfer.Line, error) {
		return m.Transfers.Dismiss(ctx, id, dry)
	}, "is dismissed")
}

func (b *bankAction) split() *cobra.Command {
	return b.command(transfer.ActionSplit, &cobra.Command{
		Use: "split LINE SUM SUM ...", Short: "Make a line of each payment of a collection", Args: cobra.MinimumNArgs(3),
		Example: "  broadsheet bank split 12 89.00 89.00 --reason 'list of the bank' --edition standard",
		Long: "For several payments that the bank has booked as one and does not list in the file. The sums are those of " +
			"the payments, and the line's together; each waits in the queue then.",
	}, func(ctx context.Context, m *billing.Module, id int64, args []string, dry bool) (transfer.Line, error) {
		return m.Transfers.Split(ctx, id, args, dry)
	}, "is split")
}

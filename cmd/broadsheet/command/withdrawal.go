package command

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"

	"example.org/broadsheet/cmd/broadsheet/app"
	"example.org/broadsheet/modules/billing/withdrawal"
	"example.org/broadsheet/platform/audit"
	"example.org/broadsheet/platform/paper/edition"
)

func withdrawalCommand(f *flags) *cobra.Command {
	root := &cobra.Command{Use: "withdrawal", Short: "Look after withdrawals that nobody has confirmed from the mailbox"}
	root.AddCommand(withdrawalList(f), withdrawalConfirm(f))
	return root
}

func withdrawalList(f *flags) *cobra.Command {
	var id string
	var all bool
	cmd := &cobra.Command{
		Use: "list", Short: "List withdrawals that wait to be confirmed", Args: cobra.NoArgs,
		Long: "Who withdraws without being logged in confirms it by a link that is mailed to the address of the contract. " +
			"Until then nothing ends, and no\n" +
			"time runs out: what counts is when the statement was received. Ask a sender who does not confirm.",
		RunE: func(cmd *cobra.Command, _ []string) error {
			return f.withModules(cmd, id, func(ctx context.Context, a *app.App, ed *edition.Edition) error {
				list, err := a.Billing.Withdrawals.Statements(ctx, all)
				if err != nil {
					return err
				}
				w := tabwriter.NewWriter(cmd.OutOrStdout(), 0, 4, 2, ' ', 0)
				fmt.Fprintln(w, "NUMBER\tRECEIVED\tCONFIRMED\tCONTRACT\tSTATE\tEMAIL\tNAME")
				for _, s := range list {
					confirmed := "-"
					if !s.ConfirmedAt.IsZero() {
						confirmed = s.ConfirmedAt.In(ed.Location).Format(time.DateTime)
					}
					printf(w, "%d\t%s\t%s\t%s\t%s\t%s\t%s\n", s.ID, s.ReceivedAt.In(ed.Location).Format(time.DateTime), confirmed,
						s.Contract, s.State, orDash(s.Email), orDash(s.Name))
				}
				return w.Flush()
			})
		},
	}
	cmd.Flags().StringVar(&id, "edition", "", "id of the edition")
	cmd.Flags().BoolVar(&all, "all", false, "also what was confirmed or settled in the last 90 days")
	return cmd
}

func withdrawalConfirm(f *flags) *cobra.Command {
	var id string
	var dry bool
	entry := audit.Entry{Action: withdrawal.ActionConfirm}
	cmd := &cobra.Command{
		Use: "confirm NUMBER", Short: "Carry a withdrawal out whose sender has proved who they are", Args: cobra.ExactArgs(1),
		Long: "Ends the contract and gives back what was paid, as the link in the email does. For senders who cannot reach " +
			"their mailbox any more.\n" +
			"It stands in the audit log: who, what, when and why. A dry run says what would be done.",
		RunE: func(cmd *cobra.Command, args []string) error {
			number, err := strconv.ParseInt(args[0], 10, 64)
			if err != nil || number <= 0 {
				return errors.New("the number is the one that `broadsheet withdrawal list` shows first")
			}
			entry.Operator = operator(entry.Operator)
			if err := entry.Check(); err != nil {
				return err
			}
			return f.withModules(cmd, id, func(ctx context.Context, a *app.App, _ *edition.Edition) error {
				s, err := a.Billing.Withdrawals.Confirm(ctx, number, true)
				if err != nil {
					return err
				}
				if dry {
					printf(cmd.OutOrStdout(), "dry run, nothing is changed: withdrawal %d (%s) is confirmed\n", s.ID, s.Contract)
					return nil
				}
				entry.Detail = fmt.Sprintf("withdrawal %d, %s", s.ID, s.Contract)
				if err := audit.Write(ctx, a.DB, entry); err != nil {
					return err
				}
				if s, err = a.Billing.Withdrawals.Confirm(ctx, number, false); err != nil {
					return err
				}
				printf(cmd.OutOrStdout(), "withdrawal %d (%s) is confirmed\n", s.ID, s.Contract)
				return nil
			})
		},
	}
	cmd.Flags().StringVar(&id, "edition", "", "id of the edition")
	cmd.Flags().BoolVar(&dry, "dry-run", false, "say what would be done, and do nothing")
	cmd.Flags().StringVar(&entry.Reason, "reason", "", "why, for the audit log")
	cmd.Flags().StringVar(&entry.Operator, "operator", "", "who, for the audit log; otherwise the machine's user")
	return cmd
}

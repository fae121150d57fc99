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
	"example.org/broadsheet/modules/billing/access"
	"example.org/broadsheet/platform/audit"
	"example.org/broadsheet/platform/paper/edition"
)

func reviewCommand(f *flags) *cobra.Command {
	root := &cobra.Command{Use: "review", Short: "Work through the review queue of card payments"}
	root.AddCommand(reviewList(f), reviewResolve(f))
	return root
}

func reviewList(f *flags) *cobra.Command {
	var id string
	var all bool
	cmd := &cobra.Command{
		Use: "list", Short: "List what needs review", Args: cobra.NoArgs,
		Long: "second_subscription: a reader has two, and the second one could not be given back yet. unknown_customer: a " +
			"subscription of nobody that is known.\n" +
			"dispute: a payment that the bank took back, or asks about. unknown_price: a subscription of a product that the " +
			"document does not know. known_card: an introductory price, with a card that has paid one for somebody else.\n" +
			"repeated_withdrawal: a withdrawal after the first of a year; it is carried out, or refused, by resolve. " +
			"extension: a next payment that could not be moved behind what a code has opened.",
		RunE: func(cmd *cobra.Command, _ []string) error {
			return f.withModules(cmd, id, func(ctx context.Context, a *app.App, ed *edition.Edition) error {
				list, err := a.Billing.Access.Reviews(ctx, all)
				if err != nil {
					return err
				}
				w := tabwriter.NewWriter(cmd.OutOrStdout(), 0, 4, 2, ' ', 0)
				fmt.Fprintln(w, "NUMBER\tSINCE\tKIND\tPROVIDER\tREADER\tDETAIL\tSETTLED")
				day := func(t time.Time) string {
					if t.IsZero() {
						return "-"
					}
					return t.In(ed.Location).Format(time.DateOnly)
				}
				for _, p := range list {
					reader := "-"
					if p.ReaderID != 0 {
						reader = strconv.FormatInt(p.ReaderID, 10)
					}
					printf(w, "%d\t%s\t%s\t%s\t%s\t%s\t%s\n", p.ID, day(p.CreatedAt), p.Kind, p.ProviderID, reader,
						orDash(p.Detail), day(p.ResolvedAt))
				}
				return w.Flush()
			})
		},
	}
	cmd.Flags().StringVar(&id, "edition", "", "id of the edition")
	cmd.Flags().BoolVar(&all, "all", false, "also what was settled in the last 90 days")
	return cmd
}

func reviewResolve(f *flags) *cobra.Command {
	var id string
	var dry, refuse bool
	action := audit.Entry{Action: access.ActionReview}
	cmd := &cobra.Command{
		Use: "resolve NUMBER", Short: "Mark something as settled, and have it checked again",
		Args: cobra.ExactArgs(1),
		Long: "A repeated_withdrawal is carried out: the contract ends, the money goes back and its sender is told; with " +
			"--refuse nothing ends, and the sender is told that, too.\n" +
			"Of anything else it moves no money: do that at the provider. What is about a subscription is " +
			"compared with the provider within minutes, and waits again if it is still wrong.\n" +
			"It stands in the audit log: who, what, when and why. A dry run says what would be done.",
		RunE: func(cmd *cobra.Command, args []string) error {
			number, err := strconv.ParseInt(args[0], 10, 64)
			if err != nil || number <= 0 {
				return errors.New("the number is the one that `broadsheet review list` shows first")
			}
			action.Operator = operator(action.Operator)
			if err := action.Check(); err != nil {
				return err
			}
			return f.withModules(cmd, id, func(ctx context.Context, a *app.App, ed *edition.Edition) error {
				p, err := a.Billing.ResolveReview(ctx, number, refuse, true)
				if err != nil {
					return err
				}
				refused := ""
				if refuse {
					refused = " refused"
				}
				if !dry {
					action.ReaderID, action.Detail = p.ReaderID, fmt.Sprintf("%s %s%s", p.Kind, p.ProviderID, refused)
					if err := audit.Write(ctx, a.DB, action); err != nil {
						return err
					}
					if p, err = a.Billing.ResolveReview(ctx, number, refuse, false); err != nil {
						return err
					}
				}
				out := cmd.OutOrStdout()
				if dry {
					fmt.Fprint(out, "dry run, nothing is changed: ")
				}
				printf(out, "%s %s is settled\n", p.Kind, p.ProviderID)
				return nil
			})
		},
	}
	cmd.Flags().StringVar(&id, "edition", "", "id of the edition")
	cmd.Flags().BoolVar(&refuse, "refuse", false, "refuse a repeated_withdrawal")
	cmd.Flags().BoolVar(&dry, "dry-run", false, "say what would be done, and do nothing")
	cmd.Flags().StringVar(&action.Reason, "reason", "", "why, for the audit log")
	cmd.Flags().StringVar(&action.Operator, "operator", "", "who, for the audit log; otherwise the machine's user")
	return cmd
}

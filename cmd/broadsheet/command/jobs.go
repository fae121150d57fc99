package command

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"

	"example.org/broadsheet/platform/audit"
	"example.org/broadsheet/platform/db"
	"example.org/broadsheet/platform/jobs"
	"example.org/broadsheet/platform/paper/edition"
	"example.org/broadsheet/platform/web"
)

func jobsCommand(f *flags) *cobra.Command {
	root := &cobra.Command{Use: "jobs", Short: "Look at work that waits or was given up, and bring it back"}
	root.AddCommand(jobsList(f), jobsRequeue(f))
	return root
}

func jobsList(f *flags) *cobra.Command {
	var id string
	var dead bool
	var limit int
	cmd := &cobra.Command{
		Use: "list", Short: "List work that is due and not done, oldest first", Args: cobra.NoArgs,
		Long: "Work that failed is tried for four days, at least every ten minutes. What cannot succeed is given up at " +
			"once (--dead).",
		RunE: func(cmd *cobra.Command, _ []string) error {
			if limit < 1 {
				return errors.New("--limit is a number of rows, 1 at least")
			}
			return f.inEdition(cmd, id, func(ctx context.Context, d *db.DB, _ *edition.Edition) error {
				find := jobs.Open
				if dead {
					find = jobs.Dead
				}
				list, err := find(ctx, d, limit)
				if err != nil {
					return err
				}
				w := tabwriter.NewWriter(cmd.OutOrStdout(), 0, 4, 2, ' ', 0)
				fmt.Fprintln(w, "ID\tEVENT\tDUE\tFAILURES\tNEXT\tGIVEN UP\tLAST ERROR")
				for _, r := range list {
					next := r.NextAt.UTC().Format(time.RFC3339)
					if r.DeadAt != nil {
						next = "-"
					}
					printf(w, "%d\t%s\t%s\t%d\t%s\t%s\t%s\n", r.ID, r.Event, r.DueAt.UTC().Format(time.RFC3339), r.Attempts, next,
						formatGivenUp(r.DeadAt),
						orDash(web.Redact(singleLine(r.LastError))))
				}
				return w.Flush()
			})
		},
	}
	cmd.Flags().StringVar(&id, "edition", "", "id of the edition")
	cmd.Flags().BoolVar(&dead, "dead", false, "what was given up, the newest first, instead")
	cmd.Flags().IntVar(&limit, "limit", 200, "rows at most")
	return cmd
}

func formatGivenUp(t *time.Time) string {
	if t == nil {
		return "-"
	}
	return t.UTC().Format(time.RFC3339)
}

func jobsRequeue(f *flags) *cobra.Command {
	var id string
	var all, dry bool
	entry := audit.Entry{Action: jobs.ActionRequeue}
	cmd := &cobra.Command{
		Use: "requeue [ID...]", Short: "Try work again that was given up",
		Long: "Gives work that was given up as much time again as if it were due now. Emails that were sent, and payments " +
			"that were made, are not repeated.\n" +
			"It stands in the audit log: who, what, when and why.",
		Example: "  broadsheet jobs list --dead --edition standard\n  broadsheet jobs requeue 17 23 --edition standard " +
			"--reason \"the mail server is back\"",
		RunE: func(cmd *cobra.Command, args []string) error {
			if all == (len(args) > 0) {
				return errors.New("name the rows by the numbers that `broadsheet jobs list --dead` shows first, or all of them " +
					"with --all")
			}
			ids := make([]int64, len(args))
			for i, a := range args {
				n, err := strconv.ParseInt(a, 10, 64)
				if err != nil || n <= 0 {
					return fmt.Errorf("%q is no number of a row; `broadsheet jobs list --dead` shows them first", a)
				}
				ids[i] = n
			}
			entry.Operator, entry.Detail = operator(entry.Operator), "rows "+strings.Join(args, " ")
			if all {
				entry.Detail = "all rows"
			}
			if err := entry.Check(); err != nil && !dry {
				return err
			}
			return f.inEdition(cmd, id, func(ctx context.Context, d *db.DB, _ *edition.Edition) error {
				n, err := jobs.CountDead(ctx, d, ids...)
				if err != nil {
					return err
				}
				if !all && n != int64(len(ids)) {
					return fmt.Errorf("only %d of these %d rows were given up, and none is tried again; `broadsheet jobs list "+
						"--dead` shows which", n, len(ids))
				}
				if dry {
					printf(cmd.OutOrStdout(), "dry run, nothing is changed: %d rows would be tried again\n", n)
					return nil
				}
				if err := audit.Write(ctx, d, entry); err != nil {
					return err
				}
				if n, err = jobs.Requeue(ctx, d, ids...); err != nil {
					return err
				}
				printf(cmd.OutOrStdout(), "%d rows are tried again\n", n)
				return nil
			})
		},
	}
	cmd.Flags().StringVar(&id, "edition", "", "id of the edition")
	cmd.Flags().BoolVar(&all, "all", false, "all that was given up")
	cmd.Flags().BoolVar(&dry, "dry-run", false, "say how many rows, and change none")
	cmd.Flags().StringVar(&entry.Reason, "reason", "", "why, for the audit log")
	cmd.Flags().StringVar(&entry.Operator, "operator", "", "who, for the audit log; otherwise the machine's user")
	return cmd
}

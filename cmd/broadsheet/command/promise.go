package command

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"example.org/broadsheet/cmd/broadsheet/app"
	"example.org/broadsheet/modules/billing/subscription"
	"example.org/broadsheet/platform/audit"
	"example.org/broadsheet/platform/paper/edition"
)

func grantTrialCommand(f *flags) *cobra.Command {
	var id, file string
	var dry bool
	entry := audit.Entry{Action: subscription.ActionPromise}
	cmd := &cobra.Command{
		Use: "promise [EMAIL...]", Short: "Promise the trial of a campaign to addresses",
		Example: "  broadsheet reader promise --edition standard --reason \"fair in May\" jana@example.org\n  broadsheet " +
			"reader promise --edition standard --reason \"fair in May\" --file addresses.txt",
		Long: "Promises the trial to all of the addresses or, where one of them is none, to nobody. It begins with the " +
			"first login; who had a trial or bought before is promised none.\n" +
			"Nothing is mailed: tell the people yourself. It stands in the audit log: who, how many, when and why.",
		RunE: func(cmd *cobra.Command, args []string) error {
			addresses, err := addressesOf(cmd.InOrStdin(), file, args)
			if err != nil {
				return err
			}
			entry.Operator = operator(entry.Operator)
			if err := entry.Check(); err != nil {
				return err
			}
			return f.withModules(cmd, id, func(ctx context.Context, a *app.App, ed *edition.Edition) error {
				list, err := a.Billing.Subscriptions.GrantTrials(ctx, true, addresses...)
				if err == nil && !dry {
					entry.Detail = fmt.Sprintf("%d addresses", len(list))
					if err = audit.Write(ctx, a.DB, entry); err == nil {
						list, err = a.Billing.Subscriptions.GrantTrials(ctx, false, addresses...)
					}
				}
				if err != nil {
					return fmt.Errorf("nobody was promised anything: %w", err)
				}
				printTrialGrants(cmd, ed, list, dry)
				return nil
			})
		},
	}
	cmd.Flags().StringVar(&id, "edition", "", "id of the edition")
	cmd.Flags().
		StringVar(&file, "file", "", "file with an address a line, - for standard input; lines with # are left out")
	cmd.Flags().BoolVar(&dry, "dry-run", false, "say what would be done, and do nothing")
	cmd.Flags().StringVar(&entry.Reason, "reason", "", "why, for the audit log")
	cmd.Flags().StringVar(&entry.Operator, "operator", "", "who, for the audit log; otherwise the machine's user")
	return cmd
}

func printTrialGrants(cmd *cobra.Command, ed *edition.Edition, list []subscription.TrialGrant, dry bool) {
	if dry {
		fmt.Fprintln(cmd.OutOrStdout(), "dry run, nothing is changed:")
	}
	for _, p := range list {
		printf(cmd.OutOrStdout(), "%s is %s\n", p.Email, p.State)
	}
	if t := ed.Billing.Trial; t.For != "campaign" {
		printf(cmd.ErrOrStderr(), "%s gives trials to %q; promises count only where its document says "+
			"billing.trial.for: campaign\n", ed.ID, t.For)
	}
}

// addressesOf reads addresses from the command line, or from a file with one in each line.
func addressesOf(stdin io.Reader, file string, args []string) ([]string, error) {
	if (file == "") == (len(args) == 0) {
		return nil, errors.New("name addresses, or a file with --file")
	}
	if file == "" {
		return args, nil
	}
	in := stdin
	if file != "-" {
		f, err := os.Open(filepath.Clean(file))
		if err != nil {
			return nil, err
		}
		defer func() { _ = f.Close() }()
		in = f
	}
	var list []string
	lines := bufio.NewScanner(in)
	for lines.Scan() {
		if line := strings.TrimSpace(strings.TrimPrefix(lines.Text(), "\ufeff")); line != "" &&
			!strings.HasPrefix(line, "#") {
			list = append(list, line)
		}
	}
	if err := lines.Err(); err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	if len(list) == 0 {
		return nil, fmt.Errorf("%s holds no address", file)
	}
	return list, nil
}

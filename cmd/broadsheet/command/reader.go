package command

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"example.org/broadsheet/modules/identity"
	"example.org/broadsheet/platform/db"
	"example.org/broadsheet/platform/paper/edition"
)

func readerCommand(f *flags) *cobra.Command {
	root := &cobra.Command{Use: "reader", Short: "Look after an edition's readers"}
	root.AddCommand(inviteCommand(f), grantTrialCommand(f))
	root.AddCommand(supportCommands(f)...)
	return root
}

func inviteCommand(f *flags) *cobra.Command {
	var id string
	var quiet bool
	cmd := &cobra.Command{
		Use: "invite EMAIL...", Short: "Let addresses register where an edition is by invitation",
		Args: cobra.MinimumNArgs(1),
		Long: "Invites all of the addresses or, where one of them is none, nobody. Each is told so by an email, once; " +
			"with\n" +
			"--no-email nothing is mailed: tell the people yourself.\n" +
			"Where the edition gives a trial to the invited, theirs begins with their first login.",
		RunE: func(cmd *cobra.Command, args []string) error {
			return f.inEdition(cmd, id, func(ctx context.Context, d *db.DB, ed *edition.Edition) error {
				list, err := identity.Invite(ctx, d, !quiet, args...)
				if err != nil {
					return fmt.Errorf("nobody was invited: %w", err)
				}
				for _, in := range list {
					printf(cmd.OutOrStdout(), "%s is %s\n", in.Email, in.State)
				}
				if ed.Identity.Registration != "invite" {
					printf(cmd.ErrOrStderr(), "%s lets everybody register; an invitation is needed only where its document "+
						"says identity.registration: invite\n", ed.ID)
				}
				return nil
			})
		},
	}
	cmd.Flags().StringVar(&id, "edition", "", "id of the edition")
	cmd.Flags().BoolVar(&quiet, "no-email", false, "invite without an email")
	return cmd
}

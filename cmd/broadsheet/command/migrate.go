package command

import (
	"github.com/spf13/cobra"

	"example.org/broadsheet/cmd/broadsheet/progress"
)

func migrateCommand(f *flags) *cobra.Command {
	var newSecret bool
	cmd := &cobra.Command{
		Use: "migrate", Short: "Bring the schemas of all editions up to date", Args: cobra.NoArgs,
		Annotations: resumed,
		RunE: func(cmd *cobra.Command, _ []string) error {
			_, r, stop, err := f.openRegistry(cmd)
			if err != nil {
				return err
			}
			defer stop()
			if newSecret {
				if err := r.RenewLogins(cmd.Context()); err != nil {
					return err
				}
			}
			line := progress.New(cmd.ErrOrStderr(), "editions")
			defer line.End()
			if err := r.MigrateAll(cmd.Context(), line.At); err != nil {
				return err
			}
			printf(cmd.OutOrStdout(), "%s\n", quantity(len(r.All()), "edition is up to date", "editions are up to date"))
			return nil
		},
	}
	cmd.Flags().BoolVar(&newSecret, "new-secret", false, "the secret has changed: give the editions' logins the "+
		"passwords that follow from the new one")
	return cmd
}

package command

import (
	"github.com/spf13/cobra"

	"example.org/broadsheet/cmd/broadsheet/app"
)

func devCommand(f *flags) *cobra.Command {
	var listenOn, admin string
	var resetOnly, empty bool
	cmd := &cobra.Command{
		Use: "dev", Short: "Run everything on embedded parts, with sample content", Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			cfg, err := f.load()
			if err != nil {
				return err
			}
			if resetOnly {
				return app.ResetDev(cmd.Context(), cfg, cmd.OutOrStdout())
			}
			cfg.Web.Listen, cfg.Web.Admin = listenOn, admin
			return app.Dev(cmd.Context(), cfg, cmd.OutOrStdout(), empty)
		},
	}
	cmd.Flags().StringVar(&listenOn, "listen", "127.0.0.1:8080", "address for readers")
	cmd.Flags().StringVar(&admin, "admin", "127.0.0.1:9090", "address for operators")
	cmd.Flags().BoolVar(&empty, "empty", false, "apply the editions, write no sample content")
	cmd.Flags().BoolVar(&resetOnly, "reset-only", false, "remove the data folder and end")
	return cmd
}

package command

import (
	"github.com/spf13/cobra"

	"example.org/broadsheet/cmd/broadsheet/app"
)

func serveCommand(f *flags) *cobra.Command {
	return &cobra.Command{
		Use: "serve", Short: "Answer readers (any number of these may run)", Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return f.runRole(cmd, app.Serve) },
	}
}

func workCommand(f *flags) *cobra.Command {
	return &cobra.Command{
		Use: "work", Short: "Send emails, follow payments, keep the time (any number of these may run)", Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return f.runRole(cmd, app.Work) },
	}
}

func (f *flags) runRole(cmd *cobra.Command, r app.Role) error {
	cfg, err := f.load()
	if err != nil {
		return err
	}
	return app.Run(cmd.Context(), cfg, r)
}

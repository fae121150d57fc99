package command

import (
	"runtime/debug"

	"github.com/spf13/cobra"
)

func versionCommand(version string) *cobra.Command {
	return &cobra.Command{
		Use: "version", Short: "Say which program this is", Args: cobra.NoArgs,
		Run: func(cmd *cobra.Command, _ []string) {
			info := version
			if b, ok := debug.ReadBuildInfo(); ok {
				info += " (" + b.GoVersion + ")"
			}
			printf(cmd.OutOrStdout(), "broadsheet %s\n", info)
		},
	}
}

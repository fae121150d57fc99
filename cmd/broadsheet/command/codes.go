package command

import (
	"maps"
	"slices"

	"github.com/spf13/cobra"

	"example.org/broadsheet/platform/fault"
)

func codesCommand() *cobra.Command {
	return &cobra.Command{
		Use: "codes", Short: "List every error code with its status", Args: cobra.NoArgs,
		Run: func(cmd *cobra.Command, _ []string) {
			codes := fault.Codes()
			for _, code := range slices.Sorted(maps.Keys(codes)) {
				printf(cmd.OutOrStdout(), "%d %s\n", codes[code], code)
			}
		},
	}
}

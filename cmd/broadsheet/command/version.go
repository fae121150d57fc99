package command

import (
	"io"
	"runtime/debug"

	"github.com/spf13/cobra"

	"example.org/broadsheet/cmd/broadsheet/licenses"
)

func versionCommand(version string) *cobra.Command {
	var withLicences bool
	c := &cobra.Command{
		Use: "version", Short: "Say which program this is", Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if withLicences {
				text, err := licenses.Text()
				if err == nil {
					_, err = io.WriteString(cmd.OutOrStdout(), text)
				}
				return err
			}
			info := version
			if b, ok := debug.ReadBuildInfo(); ok {
				info += " (" + b.GoVersion + ")"
			}
			printf(cmd.OutOrStdout(), "broadsheet %s\n", info)
			return nil
		},
	}
	c.Flags().BoolVar(&withLicences, "licenses", false, "print the licences and notices of all parts by others instead")
	return c
}

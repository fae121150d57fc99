package app_test

import (
	"github.com/spf13/cobra"

	"example.org/broadsheet/cmd/broadsheet/app"
	"example.org/broadsheet/cmd/broadsheet/command"
)

func init() {
	app.NewCommand = func() *cobra.Command { return command.New("test") }
	app.RunProgram = func() int { return command.Main("test") }
}

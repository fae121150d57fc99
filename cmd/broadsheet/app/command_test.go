package app

import "github.com/spf13/cobra"

// The commands import this package, so that its tests get them from outside; program_test.go sets both.
var (
	NewCommand func() *cobra.Command // the program with its sub-commands
	RunProgram func() int            // runs it on the arguments of the process, and returns its status
)

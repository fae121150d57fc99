package command

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// usageError is a mistake in the command line. The program ends with status 2, as shells' own commands do.
type usageError struct{ error }

func (e usageError) Unwrap() error { return e.error }

// resumed marks commands that may be stopped at any time: the next run goes on where one was stopped.
var resumed = map[string]string{"resumed": "yes"}

// stoppedError is the error of a command that an interrupt has stopped; with it the program ends with status 130, as
// shells expect.
type stoppedError struct {
	by    *cobra.Command
	cause error
}

func (e stoppedError) Error() string {
	text := "stopped"
	if e.by.Annotations["resumed"] != "" {
		text = "stopped; what was done stays, and the same command goes on from there"
	}
	if !errors.Is(e.cause, context.Canceled) {
		text += " (" + e.cause.Error() + ")"
	}
	return text
}

// exitCode is the status that a command ends with after err.
func exitCode(err error) int {
	if stopped := (stoppedError{}); errors.As(err, &stopped) {
		return 130
	}
	if usage := (usageError{}); errors.As(err, &usage) {
		return 2
	}
	return 1
}

// strict makes mistakes in the command line of c and of all below it usage errors. A group of commands lists them when
// it is called alone, and refuses a name that is none of them, unless it does something of its own.
func strict(c *cobra.Command) {
	check := c.Args
	if c.HasSubCommands() && c.RunE == nil {
		check = unknownCommand
		c.RunE = func(cmd *cobra.Command, _ []string) error { return cmd.Help() }
	}
	c.Args = func(cmd *cobra.Command, args []string) error {
		if check == nil {
			return nil
		}
		if err := check(cmd, args); err != nil {
			return usageError{fmt.Errorf("%w\nRun '%s --help' for usage", err, cmd.CommandPath())}
		}
		return nil
	}
	c.SetFlagErrorFunc(func(cmd *cobra.Command, err error) error {
		return usageError{fmt.Errorf("%w\nRun '%s --help' for usage", err, cmd.CommandPath())}
	})
	c.LocalFlags().VisitAll(func(f *pflag.Flag) {
		if name := valueNames[f.Name]; name != "" {
			f.Value = namedValue{f.Value, name}
			if f.DefValue == "[]" {
				f.DefValue = "" // help leaves out what is empty
			}
		}
	})
	for _, sub := range c.Commands() {
		strict(sub)
	}
}

// valueNames is what help calls the value of a flag, wherever the flag is.
var valueNames = map[string]string{
	"admin": "host:port", "category": "slug", "city": "name", "company": "name", "company-id": "number", "config": "file",
	"country": "code", "data": "folder", "edition": "id", "email": "address", "file": "file", "folder": "folder",
	"from": "date", "line1": "text", "line2": "text", "listen": "host:port", "locked": "list", "media": "folder",
	"month": "yyyy-mm", "name": "text", "operator": "name", "out": "file", "overdue": "run|drop",
	"password-file": "file", "postal-code": "code", "product": "name", "quarter": "yyyy-n", "readers": "file",
	"reason": "text", "report": "file", "smtp": "host:port",
	"tax-id": "number", "to": "date", "until": "date", "url": "address", "user": "name", "variant": "rule",
	"vat-id": "number", "webhooks": "host:port", "year": "yyyy",
}

// namedValue is a flag's value under a name of its own in help.
type namedValue struct {
	pflag.Value
	name string
}

// Type implements pflag.Value.
func (n namedValue) Type() string { return n.name }

// unknownCommand refuses an argument where the name of a command belongs, with the names that look like it.
func unknownCommand(group *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	group.SuggestionsMinimumDistance = 2
	text := fmt.Sprintf("unknown command %q for %q", args[0], group.CommandPath())
	if near := group.SuggestionsFor(args[0]); len(near) > 0 {
		text += "\n\nDid you mean this?\n\t" + strings.Join(near, "\n\t") + "\n"
	}
	return errors.New(text)
}

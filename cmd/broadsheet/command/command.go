// Package command is what operators type: one file for each sub-command of broadsheet. Each reads its flags and calls
// app or, for work on the data of an edition, a module. It may import app, the modules and the platform. Start at New.
package command

import (
	"context"
	"os"
	"os/signal"
	"strings"
	"syscall"

	"github.com/spf13/cobra"

	"example.org/broadsheet/platform/config"
)

// flags are those that every command takes.
type flags struct {
	config string // path of a settings file
	data   string // data folder of the embedded database

	log     lineBuffer // of the requests
	sandbox string     // API of the payment sandbox, when openRegistry has found a running `dev`
}

// Main runs the program on the arguments of the process, until a signal or its end, and returns its status.
func Main(version string) int {
	signals := []os.Signal{os.Interrupt, syscall.SIGTERM}
	if !signal.Ignored(syscall.SIGHUP) { // as under nohup
		signals = append(signals, syscall.SIGHUP)
	}
	ctx, stop := signal.NotifyContext(context.Background(), signals...)
	defer stop()
	context.AfterFunc(ctx, func() {
		signal.Ignore(syscall.SIGHUP) // a terminal that is closed may hang up more than once
		stop()                        // another signal ends the process at once
	})
	f := &flags{}
	defer func() { f.log.Flush() }()
	if err := execute(ctx, newCommand(version, f)); err != nil {
		printError(os.Stderr, err)
		return exitCode(err)
	}
	return 0
}

// execute runs the command that the arguments name. Its error is a stoppedError when ctx has ended before it could.
func execute(ctx context.Context, root *cobra.Command) error {
	cmd, err := root.ExecuteContextC(ctx)
	if err != nil && ctx.Err() != nil {
		return stoppedError{cmd, err}
	}
	return err
}

// New returns the program as a command with its sub-commands; version is that of the release.
func New(version string) *cobra.Command { return newCommand(version, &flags{}) }

func newCommand(version string, f *flags) *cobra.Command {
	root := &cobra.Command{
		Use:           "broadsheet",
		Short:         "A daily newspaper with several editions, in one program",
		SilenceUsage:  true,
		SilenceErrors: true,
		PersistentPreRunE: func(cmd *cobra.Command, _ []string) error {
			if cmd.HasSubCommands() {
				return nil // it lists them, whatever the settings are
			}
			cfg, err := f.load()
			if err != nil {
				return err
			}
			collectGarbage(cfg.Process)
			return startLog(cfg, f)
		},
	}
	root.PersistentFlags().StringVar(&f.config, "config", "", "settings file (YAML)")
	root.PersistentFlags().StringVar(&f.data, "data", "",
		"data folder; its database is used, or started while the command runs")
	root.AddCommand(
		serveCommand(f), workCommand(f), devCommand(f), allowTakingRoles(migrateCommand(f)),
		editionCommand(f.openRegistry, f.providerKeys, f.hasDatabase, trial{f.smokeTest, f.fillSample},
			f.endSubscriptions), importCommand(f),
		syncCommand(f), seedCommand(f), pageCommand(f),
		readerCommand(f), invoiceCommand(f), discussionCommand(f), newsletterCommand(f), couponCommand(f), bankCommand(f),
		reviewCommand(f), withdrawalCommand(f), mailCommand(f), jobsCommand(f), sandboxCommand(f),
		backupCommand(f), allowTakingRoles(restoreCommand(f)), exportCommand(f),
		codesCommand(), doctorCommand(f), versionCommand(version),
	)
	root.SetUsageTemplate(strings.Replace(root.UsageTemplate(), "{{if .Runnable}}",
		"{{if and .Runnable (or (not .HasSubCommands) (ne .Use .Name))}}", 1))
	root.InitDefaultHelpCmd()
	root.InitDefaultCompletionCmd()
	strict(root)
	return root
}

// hasDatabase reports whether the settings name a database, so that none has to be started.
func (f *flags) hasDatabase() bool {
	cfg, err := f.load()
	return err == nil && (cfg.Database.URL != "" || f.data != "")
}

// load reads the settings; --data and --config stand over the environment.
func (f *flags) load() (*config.Config, error) {
	cfg, err := config.Load(f.config)
	if err != nil {
		return nil, err
	}
	if f.data != "" {
		cfg.Data.Dir = f.data
	}
	return cfg, nil
}

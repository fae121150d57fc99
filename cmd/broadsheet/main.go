// Command broadsheet is the whole paper in one program: web, workers, and the tools of its operators.
package main

import (
	"context"
	"fmt"
	"log/slog"
	"os"
	"os/signal"
	"runtime/debug"
	"strings"
	"syscall"

	"github.com/spf13/cobra"

	"example.org/broadsheet/platform/config"
)

// version is set by the linker for releases.
var version = "development"

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	context.AfterFunc(ctx, stop) // a second signal ends the process at once
	if err := command().ExecuteContext(ctx); err != nil {
		fmt.Fprintln(os.Stderr, "broadsheet: "+err.Error())
		stop()
		os.Exit(exitCode(err)) //nolint:gocritic // stop was called
	}
}

// flags are those that every command takes.
type flags struct {
	config string // path of a settings file
	data   string // data folder of the embedded database

	sandbox string // API of the payment sandbox, when openRegistry has found a running `dev`
}

func command() *cobra.Command {
	f := &flags{}
	root := &cobra.Command{
		Use:           "broadsheet",
		Short:         "A daily newspaper with several editions, in one program",
		SilenceUsage:  true,
		SilenceErrors: true,
		PersistentPreRunE: func(cmd *cobra.Command, _ []string) error {
			return startLog(cmd, f)
		},
	}
	root.PersistentFlags().StringVar(&f.config, "config", "", "settings file (YAML)")
	root.PersistentFlags().StringVar(&f.data, "data", "",
		"data folder; its database is used, or started while the command runs")
	root.AddCommand(
		serveCommand(f), workCommand(f), devCommand(f), migrateCommand(f),
		editionCommand(f.openRegistry, f.providerKeys), importCommand(f), syncCommand(f), seedCommand(f), pageCommand(f),
		readerCommand(f), invoiceCommand(f), discussionCommand(f), newsletterCommand(f), couponCommand(f), bankCommand(f),
		reviewCommand(f), withdrawalCommand(f), mailCommand(f), jobsCommand(f),
		codesCommand(), doctorCommand(f), versionCommand(),
	)
	root.SetUsageTemplate(strings.Replace(root.UsageTemplate(), "{{if .Runnable}}",
		"{{if and .Runnable (not .HasSubCommands)}}", 1))
	root.InitDefaultHelpCmd()
	root.InitDefaultCompletionCmd()
	strict(root)
	return root
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

func startLog(cmd *cobra.Command, f *flags) error {
	if cmd.HasSubCommands() {
		return nil // it lists them, whatever the settings are
	}
	cfg, err := f.load()
	if err != nil {
		return err
	}
	if cfg.Process.MemoryMB > 0 && os.Getenv("GOMEMLIMIT") == "" {
		debug.SetMemoryLimit(int64(cfg.Process.MemoryMB) << 20)
	}
	var level slog.Level
	if err := level.UnmarshalText([]byte(cfg.Log.Level)); err != nil {
		return fmt.Errorf("log.level: %w", err)
	}
	o := &slog.HandlerOptions{Level: level}
	var h slog.Handler = slog.NewTextHandler(os.Stderr, o)
	if cfg.Log.Format == "json" {
		h = slog.NewJSONHandler(os.Stderr, o)
	}
	slog.SetDefault(slog.New(h))
	return nil
}

func versionCommand() *cobra.Command {
	return &cobra.Command{
		Use: "version", Short: "Say which program this is", Args: cobra.NoArgs,
		Run: func(cmd *cobra.Command, _ []string) {
			info := version
			if b, ok := debug.ReadBuildInfo(); ok {
				info += " (" + b.GoVersion + ")"
			}
			fmt.Fprintln(cmd.OutOrStdout(), "broadsheet "+strings.TrimSpace(info))
		},
	}
}

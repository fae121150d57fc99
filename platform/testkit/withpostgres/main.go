// Command withpostgres runs a command, such as go test ./..., with a PostgreSQL server that ends with it: all packages
// of tests share the server and its templates, where each would otherwise start one of its own.
package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"syscall"
	"time"

	"example.org/broadsheet/platform/embedded/postgres"
	"example.org/broadsheet/platform/testkit"
)

func main() {
	if len(os.Args) < 2 {
		fmt.Fprintln(os.Stderr, "usage: withpostgres COMMAND [ARGUMENT...]")
		os.Exit(2)
	}
	status, err := run(os.Args[1], os.Args[2:]...)
	if err != nil {
		fmt.Fprintln(os.Stderr, "withpostgres:", err)
		os.Exit(1)
	}
	os.Exit(status)
}

// run returns the command's status. A signal goes to the command, which ends by it; then the server is stopped.
func run(name string, args ...string) (status int, err error) {
	signals := make(chan os.Signal, 1)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM)
	ctx, cancel := context.WithTimeout(context.Background(), 3*time.Minute)
	defer cancel()
	env := os.Environ()
	if os.Getenv(testkit.DatabaseURL) == "" {
		s, err := postgres.Start(ctx, testkit.ServerOptions())
		if err != nil {
			return 0, err
		}
		defer func() {
			ctx, cancel := context.WithTimeout(context.Background(), 20*time.Second)
			defer cancel()
			err = errors.Join(err, s.Stop(ctx))
		}()
		env = append(env, testkit.DatabaseURL+"="+s.DSN("postgres"))
	}
	cmd := exec.Command(name, args...)
	cmd.Env, cmd.Stdin, cmd.Stdout, cmd.Stderr = env, os.Stdin, os.Stdout, os.Stderr
	if err := cmd.Start(); err != nil {
		return 0, err
	}
	go func() {
		for s := range signals {
			_ = cmd.Process.Signal(s) // fails only if it has just ended
		}
	}()
	var exit *exec.ExitError
	if err := cmd.Wait(); err != nil && !errors.As(err, &exit) {
		return 0, err
	}
	return cmd.ProcessState.ExitCode(), nil
}

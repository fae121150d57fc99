package postgres

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// pidFile is what a server writes about itself into its cluster.
type pidFile struct {
	pid       int
	socketDir string
	ready     bool
}

func (c cluster) pidFilePath() string { return filepath.Join(c.dir, "postmaster.pid") }

func (c cluster) pidFile() (pidFile, error) {
	content, err := os.ReadFile(c.pidFilePath())
	if err != nil {
		return pidFile{}, err
	}
	lines := strings.Split(string(content), "\n")
	line := func(i int) string {
		if i < len(lines) {
			return strings.TrimSpace(lines[i])
		}
		return ""
	}
	pid, err := strconv.Atoi(line(0))
	if err != nil || pid < 1 {
		return pidFile{}, fmt.Errorf("%s is damaged", c.pidFilePath())
	}
	return pidFile{pid: pid, socketDir: line(4), ready: line(7) == "ready"}, nil
}

// evict ends a server that outlived the process that started it, and removes a pid file that would wrongly
// stop the next server. Any other left-over is for PostgreSQL itself. The caller holds the folder's lock.
func (c cluster) evict(ctx context.Context, log *slog.Logger) error {
	if file, err := c.pidFile(); errors.Is(err, fs.ErrPermission) {
		return err
	} else if err := c.stopLeftovers(ctx, file.pid, log); err != nil { // without a readable file the number is 0, nobody's
		return err
	}
	file, fileErr := c.pidFile()
	if errors.Is(fileErr, fs.ErrNotExist) {
		return nil
	}
	// PostgreSQL refuses to start while the file names a living process, even when that one is a stranger with
	// a reused number or a zombie that nobody reaps, and when the file is damaged.
	_, unsure := usersOf(c.dir, file.pid)
	if unsure || (fileErr == nil && errors.Is(syscall.Kill(file.pid, 0), syscall.ESRCH)) {
		return nil
	}
	log.WarnContext(ctx, "removing a stale pid file", "file", c.pidFilePath(), "pid", file.pid)
	return os.Remove(c.pidFilePath())
}

// stopLeftovers ends the processes that still work on the cluster: politely, then less so.
func (c cluster) stopLeftovers(ctx context.Context, postmaster int, log *slog.Logger) error {
	began := time.Now()
	sent := syscall.Signal(0)
	for {
		pids, _ := usersOf(c.dir, postmaster)
		if len(pids) == 0 {
			return nil
		}
		signal := leftoverSignal(time.Since(began), slices.Contains(pids, postmaster))
		if signal != sent && signal != 0 {
			log.WarnContext(ctx, "stopping a server that was left behind", "dir", c.dir, "pids", pids, "signal", signal.String())
			if signal == syscall.SIGINT {
				pids = []int{postmaster}
			}
			for _, pid := range pids {
				if err := syscall.Kill(pid, signal); err != nil && !errors.Is(err, syscall.ESRCH) {
					return fmt.Errorf("a server that was left behind (process %d) cannot be stopped: %w", pid, err)
				}
			}
			sent = signal
		}
		if time.Since(began) > 30*time.Second {
			return fmt.Errorf("a server that was left behind does not end: processes %v", pids)
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(10 * time.Millisecond):
		}
	}
}

// leftoverSignal: a postmaster gets time for a clean shutdown; children without one leave by themselves, or are told.
func leftoverSignal(waited time.Duration, postmasterLives bool) syscall.Signal {
	switch {
	case waited > 20*time.Second:
		return syscall.SIGKILL
	case waited > 15*time.Second, waited > 2*time.Second && !postmasterLives:
		return syscall.SIGQUIT
	case postmasterLives:
		return syscall.SIGINT
	default:
		return 0
	}
}

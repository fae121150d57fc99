package media

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"iter"
	"os"
	"path"
	"strings"
	"syscall"
	"time"
)

// incoming holds files that are being written. No valid key begins with a dot.
const incoming = ".incoming"

// types are what a folder can keep: it has no place for a content type, so it
// must follow from the key.
var types = map[string]string{
	".jpg": "image/jpeg", ".png": "image/png", ".gif": "image/gif", ".webp": "image/webp",
	".pdf": "application/pdf", ".xml": "application/xml", ".json": "application/json",
	".csv": "text/csv", ".txt": "text/plain", ".html": "text/html", ".mp3": "audio/mpeg", ".mp4": "video/mp4",
	".webm": "video/webm",
}

// TypeOf is the content type of a key; "" where it cannot name an object.
func TypeOf(key string) string { return types[path.Ext(key)] }

// Local keeps objects as files below one folder. Several processes may share it.
type Local struct{ root *os.Root }

// OpenLocal opens the folder, making it where there is none, and removes what
// a crash has left half written.
func OpenLocal(folder string) (*Local, error) {
	if err := os.MkdirAll(folder, 0o750); err != nil {
		return nil, fmt.Errorf("media: %w", err)
	}
	root, err := os.OpenRoot(folder)
	if err != nil {
		return nil, fmt.Errorf("media: %w", err)
	}
	l := &Local{root}
	if err := l.sweep(); err != nil {
		_ = root.Close()
		return nil, fmt.Errorf("media: %w", err)
	}
	return l, nil
}

// Close releases the folder.
func (l *Local) Close() error { return l.root.Close() }

// sweep leaves young files alone: another process may be writing them.
func (l *Local) sweep() error {
	if err := l.root.MkdirAll(incoming, 0o750); err != nil {
		return err
	}
	files, err := fs.ReadDir(l.root.FS(), incoming)
	if err != nil {
		return err
	}
	for _, f := range files {
		if info, err := f.Info(); err == nil && time.Since(info.ModTime()) > 24*time.Hour {
			_ = l.root.Remove(path.Join(incoming, f.Name()))
		}
	}
	return nil
}

// Put implements Store; the content type must be the one of the key's extension.
func (l *Local) Put(ctx context.Context, key string, r io.Reader, size int64, contentType string) (err error) {
	if err := checkType(key, contentType); err != nil {
		return err
	}
	temp := path.Join(incoming, rand.Text())
	f, err := l.root.OpenFile(temp, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o640)
	if err != nil {
		return fmt.Errorf("media: %w", err)
	}
	defer func() {
		if err != nil {
			_ = f.Close()
			_ = l.root.Remove(temp)
		}
	}()
	n, err := io.Copy(f, reader{ctx, r})
	if err != nil {
		return fmt.Errorf("media: put %s: %w", key, err)
	}
	if n != size {
		return fmt.Errorf("media: put %s: %d bytes instead of %d: %w", key, n, size, io.ErrUnexpectedEOF)
	}
	if err := errors.Join(f.Sync(), f.Close()); err != nil {
		return fmt.Errorf("media: put %s: %w", key, err)
	}
	if err := l.root.MkdirAll(path.Dir(key), 0o750); err != nil {
		return fmt.Errorf("media: put %s: %w", key, err)
	}
	if err := l.root.Rename(temp, key); err != nil {
		return fmt.Errorf("media: put %s: %w", key, err)
	}
	return nil
}

// reader stops a copy whose caller has gone.
type reader struct {
	ctx context.Context
	r   io.Reader
}

func (r reader) Read(p []byte) (int, error) {
	if err := r.ctx.Err(); err != nil {
		return 0, err
	}
	return r.r.Read(p)
}

// Get implements Store.
func (l *Local) Get(_ context.Context, key string) (io.ReadSeekCloser, Info, error) {
	if err := CheckKey(key); err != nil {
		return nil, Info{}, err
	}
	f, err := l.root.Open(key)
	if err != nil {
		return nil, Info{}, missing(key, err)
	}
	stat, err := f.Stat()
	if err == nil && !stat.Mode().IsRegular() {
		err = fs.ErrNotExist
	}
	if err != nil {
		_ = f.Close()
		return nil, Info{}, missing(key, err)
	}
	return f, describe(key, stat), nil
}

// Head implements Store.
func (l *Local) Head(_ context.Context, key string) (Info, error) {
	if err := CheckKey(key); err != nil {
		return Info{}, err
	}
	stat, err := l.root.Stat(key)
	if err == nil && !stat.Mode().IsRegular() {
		err = fs.ErrNotExist
	}
	if err != nil {
		return Info{}, missing(key, err)
	}
	return describe(key, stat), nil
}

// Delete implements Store.
func (l *Local) Delete(_ context.Context, key string) error {
	if err := CheckKey(key); err != nil {
		return err
	}
	stat, err := l.root.Stat(key)
	if err == nil && stat.IsDir() {
		return nil // a folder is not an object
	}
	if err == nil {
		err = l.root.Remove(key)
	}
	if err = missing(key, err); errors.Is(err, ErrNotFound) {
		return nil
	}
	return err
}

// List implements Store.
func (l *Local) List(ctx context.Context, prefix string) iter.Seq2[Info, error] {
	return func(yield func(Info, error) bool) {
		if err := checkPrefix(prefix); err != nil {
			yield(Info{}, err)
			return
		}
		folder := path.Dir(prefix + "x") // "a/b" lists from a, "a/b/" from a/b
		err := fs.WalkDir(l.root.FS(), folder, func(key string, d fs.DirEntry, err error) error {
			valid := CheckKey(key) == nil
			switch {
			case errors.Is(err, fs.ErrNotExist):
				return nil // removed meanwhile, or there is no such folder
			case err != nil:
				return err
			case ctx.Err() != nil:
				return ctx.Err()
			case d.IsDir() && key != "." && !valid:
				return fs.SkipDir
			case d.IsDir(), !strings.HasPrefix(key, prefix), !valid, !d.Type().IsRegular():
				return nil
			}
			stat, err := d.Info()
			if errors.Is(err, fs.ErrNotExist) {
				return nil
			}
			if err != nil {
				return err
			}
			if !yield(describe(key, stat), nil) {
				return fs.SkipAll
			}
			return nil
		})
		if err != nil {
			yield(Info{}, fmt.Errorf("media: list %s: %w", prefix, err))
		}
	}
}

func describe(key string, stat fs.FileInfo) Info {
	return Info{Key: key, Size: stat.Size(), ContentType: types[path.Ext(key)], ModTime: stat.ModTime()}
}

// missing maps "not there" to ErrNotFound; also a key below an object, which is a file and no folder.
func missing(key string, err error) error {
	switch {
	case err == nil:
		return nil
	case errors.Is(err, fs.ErrNotExist), errors.Is(err, syscall.ENOTDIR):
		return fmt.Errorf("%w: %s", ErrNotFound, key)
	default:
		return fmt.Errorf("media: %w", err)
	}
}

package media

import (
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"path"
	"strings"
	"time"
)

// Errors of a Store.
var (
	ErrNotFound = errors.New("media: no such object")
	ErrKey      = errors.New("media: not a valid key")
	// ErrUnavailable is a service that does not answer, or fails; the same call may succeed later.
	ErrUnavailable = errors.New("media: the storage does not answer")
)

// Info describes one object.
type Info struct {
	Key         string
	Size        int64 // bytes
	ContentType string
	ModTime     time.Time
}

// Store keeps objects under keys: Local in a folder, S3 in a bucket. Safe for
// concurrent use.
type Store interface {
	// Put writes an object or replaces it, whole or not at all. The size must
	// be what r holds.
	Put(ctx context.Context, key string, r io.Reader, size int64, contentType string) error
	// Get opens an object; ErrNotFound where there is none.
	Get(ctx context.Context, key string) (io.ReadSeekCloser, Info, error)
	// Head describes an object; ErrNotFound where there is none.
	Head(ctx context.Context, key string) (Info, error)
	// Delete removes an object; one that is not there is no error.
	Delete(ctx context.Context, key string) error
	// List gives all objects whose keys begin with prefix, in no fixed order.
	List(ctx context.Context, prefix string) iter.Seq2[Info, error]
}

// StoreCloser is a store that was opened.
type StoreCloser interface {
	Store
	io.Closer
}

const (
	maxKey     = 512
	maxSegment = 128
)

// CheckKey reports whether key may name an object: segments of a-z, 0-9, '.',
// '_' and '-' that begin with a letter or digit, separated by single slashes.
// That is safe on every file system, also on those that ignore case.
func CheckKey(key string) error {
	if key == "" || len(key) > maxKey {
		return fmt.Errorf("%w: %d bytes long", ErrKey, len(key))
	}
	for segment := range strings.SplitSeq(key, "/") {
		if segment == "" || len(segment) > maxSegment || !isAlphanumeric(segment[0]) || strings.HasSuffix(segment, ".") {
			return fmt.Errorf("%w: %q", ErrKey, key)
		}
		for i := range len(segment) {
			if c := segment[i]; !isAlphanumeric(c) && c != '.' && c != '_' && c != '-' {
				return fmt.Errorf("%w: %q", ErrKey, key)
			}
		}
	}
	return nil
}

func isAlphanumeric(c byte) bool { return c >= 'a' && c <= 'z' || c >= '0' && c <= '9' }

// checkType also takes the content type: a folder has no place for one, so it must follow from the key.
func checkType(key, contentType string) error {
	if err := CheckKey(key); err != nil {
		return err
	}
	if want := types[path.Ext(key)]; want == "" || want != contentType {
		return fmt.Errorf("%w: %q for %q", ErrKey, key, contentType)
	}
	return nil
}

// checkPrefix takes what a valid key can begin with.
func checkPrefix(prefix string) error { return CheckKey(prefix + "x") }

// Sub returns the part of a store below a folder, such as an edition's. What
// is put into it cannot be reached by another folder's keys, nor the reverse.
func Sub(s Store, folder string) (Store, error) {
	if err := CheckKey(folder); err != nil {
		return nil, err
	}
	return sub{s, folder + "/"}, nil
}

type sub struct {
	store  Store
	prefix string
}

// full checks the key before the prefix goes in front of it, so that no key climbs out.
func (s sub) full(key string) (string, error) { return s.prefix + key, CheckKey(key) }

func (s sub) own(info Info) Info {
	info.Key = strings.TrimPrefix(info.Key, s.prefix)
	return info
}

// Put stores below the folder.
func (s sub) Put(ctx context.Context, key string, r io.Reader, size int64, contentType string) error {
	full, err := s.full(key)
	if err != nil {
		return err
	}
	return s.store.Put(ctx, full, r, size, contentType)
}

// Get opens below the folder.
func (s sub) Get(ctx context.Context, key string) (io.ReadSeekCloser, Info, error) {
	full, err := s.full(key)
	if err != nil {
		return nil, Info{}, err
	}
	r, info, err := s.store.Get(ctx, full)
	return r, s.own(info), err
}

// Head describes what is below the folder.
func (s sub) Head(ctx context.Context, key string) (Info, error) {
	full, err := s.full(key)
	if err != nil {
		return Info{}, err
	}
	info, err := s.store.Head(ctx, full)
	return s.own(info), err
}

// Delete removes below the folder.
func (s sub) Delete(ctx context.Context, key string) error {
	full, err := s.full(key)
	if err != nil {
		return err
	}
	return s.store.Delete(ctx, full)
}

// List lists what is below the folder.
func (s sub) List(ctx context.Context, prefix string) iter.Seq2[Info, error] {
	return func(yield func(Info, error) bool) {
		if err := checkPrefix(prefix); err != nil {
			yield(Info{}, err)
			return
		}
		for info, err := range s.store.List(ctx, s.prefix+prefix) {
			if !yield(s.own(info), err) {
				return
			}
		}
	}
}

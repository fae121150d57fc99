package media

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"path"
	"strings"
	"time"

	"github.com/minio/minio-go/v7"
)

// putTimeout bounds the writing of one object: nothing else bounds a server that stops reading. It is enough for a
// recording of MaxVideoBytes at half a megabyte a second.
const putTimeout = 2 * time.Minute

// S3 keeps objects in a bucket of an S3-compatible service. Several processes may share it. An object is written by
// one request, so that it is there whole or not at all, and a process that is killed leaves nothing behind.
type S3 struct {
	core    minio.Core
	host    string
	bucket  string
	prefix  string // of all keys; "" or with a slash at its end
	release func() // closes connections that are not in use
}

// String names the bucket, without a secret.
func (s *S3) String() string { return "bucket " + s.bucket + " at " + s.host }

// Close releases connections.
func (s *S3) Close() error {
	s.release()
	return nil
}

// Check asks for an object that is not there, which takes the address, the key, the bucket and the permission to tell
// "missing" from "forbidden". ErrUnavailable: the service does not answer; other errors will not go away by themselves.
func (s *S3) Check(ctx context.Context) error {
	_, err := s.get(ctx, "check.txt", 0, "")
	if errors.Is(err, ErrNotFound) {
		return nil
	}
	return err
}

// Put implements Store; the content type must be the one of the key's extension, as for Local.
func (s *S3) Put(ctx context.Context, key string, r io.Reader, size int64, contentType string) error {
	if err := checkType(key, contentType); err != nil {
		return err
	}
	body, err := measured(ctx, r, size)
	if err != nil {
		return fmt.Errorf("media: put %s: %w", key, err)
	}
	limited, cancel := context.WithTimeout(ctx, putTimeout)
	defer cancel()
	_, err = s.core.Client.PutObject(limited, s.bucket, s.prefix+key, body, size, minio.PutObjectOptions{
		ContentType: contentType, DisableMultipart: true,
		DisableContentSha256: size == 0, // the client signs an empty body in chunks, without the length that services want
	})
	return s.failure(ctx, "put", key, err)
}

// measured returns what r holds if that is size bytes. It can be read again, for the client to repeat a request.
func measured(ctx context.Context, r io.Reader, size int64) (io.ReadSeeker, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	// The client repeats what it can read at any place, and of that it needs no copy.
	body, ok := r.(interface {
		io.ReadSeeker
		io.ReaderAt
	})
	if !ok {
		b, err := io.ReadAll(io.LimitReader(reader{ctx, r}, size+1))
		if err != nil {
			return nil, err
		}
		body = bytes.NewReader(b)
	}
	start, err := body.Seek(0, io.SeekCurrent)
	if err != nil {
		return nil, err
	}
	end, err := body.Seek(0, io.SeekEnd)
	if err != nil {
		return nil, err
	}
	if end-start != size {
		return nil, fmt.Errorf("%d bytes instead of %d: %w", end-start, size, io.ErrUnexpectedEOF)
	}
	_, err = body.Seek(start, io.SeekStart)
	return body, err
}

// Get implements Store. The object is asked for at once, and again from where a reader seeks to.
func (s *S3) Get(ctx context.Context, key string) (io.ReadSeekCloser, Info, error) {
	if err := CheckKey(key); err != nil {
		return nil, Info{}, err
	}
	first, err := s.get(ctx, key, 0, "")
	if err != nil {
		return nil, Info{}, err
	}
	size := first.info.Size
	object := &s3Object{size: size, part: first, open: func(offset int64) (*part, error) {
		next, err := s.get(ctx, key, offset, first.etag)
		if err == nil && next.info.Size != size-offset {
			_ = next.body.Close()
			return nil, s.failure(ctx, "get", key, errors.New("the answer is not the range that was asked for"))
		}
		return next, err
	}}
	return object, first.info, nil
}

// get asks for an object from an offset on; with an etag it must still be the same object.
func (s *S3) get(ctx context.Context, key string, offset int64, etag string) (*part, error) {
	var opts minio.GetObjectOptions
	if offset > 0 {
		if err := opts.SetRange(offset, 0); err != nil {
			return nil, err
		}
	}
	if etag != "" {
		if err := opts.SetMatchETag(etag); err != nil {
			return nil, err
		}
	}
	body, found, _, err := s.core.GetObject(ctx, s.bucket, s.prefix+key, opts)
	if err != nil {
		return nil, s.failure(ctx, "get", key, err)
	}
	if found.Size < 0 {
		_ = body.Close()
		return nil, s.failure(ctx, "get", key, errors.New("the answer does not say how long the object is"))
	}
	failed := func(err error) error { return s.failure(ctx, "get", key, err) }
	return &part{body: body, at: offset, etag: found.ETag, info: describeObject(key, found), failed: failed}, nil
}

// Head implements Store.
func (s *S3) Head(ctx context.Context, key string) (Info, error) {
	if err := CheckKey(key); err != nil {
		return Info{}, err
	}
	found, err := s.core.StatObject(ctx, s.bucket, s.prefix+key, minio.StatObjectOptions{})
	if err != nil {
		return Info{}, s.failure(ctx, "head", key, err)
	}
	return describeObject(key, found), nil
}

// Delete implements Store.
func (s *S3) Delete(ctx context.Context, key string) error {
	if err := CheckKey(key); err != nil {
		return err
	}
	err := s.core.RemoveObject(ctx, s.bucket, s.prefix+key, minio.RemoveObjectOptions{})
	if err = s.failure(ctx, "delete", key, err); errors.Is(err, ErrNotFound) {
		return nil
	}
	return err
}

// List implements Store.
func (s *S3) List(ctx context.Context, prefix string) iter.Seq2[Info, error] {
	return func(yield func(Info, error) bool) {
		if err := checkPrefix(prefix); err != nil {
			yield(Info{}, err)
			return
		}
		// The client's iterator ends with its context.
		listing, cancel := context.WithCancel(ctx)
		defer cancel()
		opts := minio.ListObjectsOptions{Prefix: s.prefix + prefix, Recursive: true}
		for found := range s.core.ListObjectsIter(listing, s.bucket, opts) {
			if found.Err != nil {
				yield(Info{}, s.failure(ctx, "list", prefix, found.Err))
				return
			}
			key := strings.TrimPrefix(found.Key, s.prefix)
			if CheckKey(key) == nil && !yield(describeObject(key, found), nil) {
				return
			}
		}
		if err := ctx.Err(); err != nil {
			yield(Info{}, s.failure(ctx, "list", prefix, err))
		}
	}
}

// describeObject takes the content type from the key, as Local does: who copies a folder into a bucket need not set it.
func describeObject(key string, found minio.ObjectInfo) Info {
	return Info{Key: key, Size: found.Size, ContentType: types[path.Ext(key)], ModTime: found.LastModified}
}

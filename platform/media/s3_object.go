package media

import (
	"errors"
	"io"
)

// s3Object reads an object whose size is known. Seeking costs nothing until the next Read, so that http.ServeContent
// can find the end and come back, and read a range, with as few requests as there are ranges.
type s3Object struct {
	open func(offset int64) (*part, error)
	part *part // being read; nil where none is
	pos  int64 // of the next Read
	size int64
}

// part is the answer to one request for an object.
type part struct {
	body   io.ReadCloser
	at     int64 // position of the next byte
	etag   string
	info   Info
	failed func(error) error // says of which object an error is
}

// Read implements io.Reader. An object that ends too early is an error, never a shorter object.
func (o *s3Object) Read(p []byte) (int, error) {
	if o.pos >= o.size {
		return 0, io.EOF
	}
	if o.part == nil || o.part.at != o.pos {
		_ = o.Close()
		next, err := o.open(o.pos)
		if err != nil {
			return 0, err
		}
		o.part = next
	}
	if left := o.size - o.pos; int64(len(p)) > left {
		p = p[:left]
	}
	n, err := o.part.body.Read(p)
	o.pos += int64(n)
	o.part.at = o.pos
	if o.pos == o.size || err == nil {
		return n, nil
	}
	return n, o.part.failed(err)
}

// Seek implements io.Seeker.
func (o *s3Object) Seek(offset int64, whence int) (int64, error) {
	switch whence {
	case io.SeekCurrent:
		offset += o.pos
	case io.SeekEnd:
		offset += o.size
	}
	if offset < 0 {
		return 0, errors.New("media: seek to before the beginning")
	}
	o.pos = offset
	return offset, nil
}

// Close ends the request that is being read.
func (o *s3Object) Close() error {
	if o.part == nil {
		return nil
	}
	err := o.part.body.Close()
	o.part = nil
	return err
}

package media

import (
	"context"
	"errors"
	"io"
	"net/http"
	"time"
)

// errStalled is a cause of its own, because the caller did not cancel the request.
var errStalled = errors.New("the answer has stopped")

// stallTransport ends an answer that does not go on. A time limit for the whole would end recordings that are sent to
// slow readers as well.
type stallTransport struct {
	next     http.RoundTripper
	patience time.Duration
}

// RoundTrip implements http.RoundTripper.
func (t stallTransport) RoundTrip(r *http.Request) (*http.Response, error) {
	ctx, cancel := context.WithCancelCause(r.Context())
	res, err := t.next.RoundTrip(r.WithContext(ctx))
	if err != nil {
		cancel(nil)
		return nil, err
	}
	res.Body = &stallBody{res.Body, ctx, cancel, t.patience}
	return res, nil
}

type stallBody struct {
	io.ReadCloser
	ctx      context.Context //nolint:containedctx // of the request that the body answers
	cancel   context.CancelCauseFunc
	patience time.Duration
}

// Read implements io.Reader.
func (b *stallBody) Read(p []byte) (int, error) {
	timer := time.AfterFunc(b.patience, func() { b.cancel(errStalled) })
	defer timer.Stop()
	n, err := b.ReadCloser.Read(p)
	if err != nil && errors.Is(context.Cause(b.ctx), errStalled) {
		err = errStalled
	}
	return n, err
}

// Close ends the request.
func (b *stallBody) Close() error {
	defer b.cancel(nil)
	return b.ReadCloser.Close()
}

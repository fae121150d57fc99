package media

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"net"
	"net/http"

	"github.com/minio/minio-go/v7"
)

// failure says what went wrong with an object, and names the bucket. Neither the client's errors nor the addresses in
// them hold the secret: requests carry a signature in a header.
func (s *S3) failure(ctx context.Context, verb, key string, err error) error {
	var answer minio.ErrorResponse
	switch {
	case err == nil:
		return nil
	case ctx.Err() != nil:
		return fmt.Errorf("media: bucket %s: %s %s: %w", s.bucket, verb, key, ctx.Err())
	case errors.As(err, &answer) && answer.Code == minio.NoSuchKey:
		return fmt.Errorf("%w: %s", ErrNotFound, key)
	case refused(answer.StatusCode), misconfigured(err):
		return fmt.Errorf("media: bucket %s: %s %s: %w", s.bucket, verb, key, explained{answer.Code, err})
	default:
		// The error itself is not wrapped: one by which the client has ended a request would look as if the caller had.
		return fmt.Errorf("%w: bucket %s: %s %s: %s", ErrUnavailable, s.bucket, verb, key, err.Error())
	}
}

// explained puts the service's own code in front of its words, which alone can be as short as "Access Denied."
type explained struct {
	code string
	error
}

// Error implements error.
func (e explained) Error() string {
	if e.code == "" {
		return e.error.Error()
	}
	return e.code + ": " + e.error.Error()
}

// Unwrap returns the client's error.
func (e explained) Unwrap() error { return e.error }

// refused reports whether an answer will be the same again.
func refused(status int) bool {
	return status >= http.StatusMultipleChoices && status < http.StatusInternalServerError &&
		status != http.StatusRequestTimeout && status != http.StatusTooManyRequests
}

// misconfigured reports whether no answer can come from this address: the name leads nowhere, or the TLS is not that of
// the service.
func misconfigured(err error) bool {
	var name *net.DNSError
	var certificate *tls.CertificateVerificationError
	return errors.As(err, &name) && name.IsNotFound || errors.As(err, &certificate) ||
		errors.Is(err, http.ErrSchemeMismatch)
}

package event

import (
	"context"
	"errors"
)

// ErrReaderLeft is the error for a reader who has deleted the account, which can happen before an event is handled.
var ErrReaderLeft = errors.New("the reader has left")

// UnlessLeft ends work that is about a reader without an error once that reader has left.
func UnlessLeft[P any](fn func(context.Context, P) error) func(context.Context, P) error {
	return func(ctx context.Context, p P) error {
		if err := fn(ctx, p); !errors.Is(err, ErrReaderLeft) {
			return err
		}
		return nil
	}
}

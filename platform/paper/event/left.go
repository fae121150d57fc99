package event

import (
	"context"
	"errors"
)

// ErrReaderLeft is what asking about a reader who has left returns: events outlive their readers.
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

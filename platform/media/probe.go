package media

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"strings"
)

const probeText = "written to see whether it can be read and deleted\n"

// Probe writes an object of its own, reads it and deletes it. An error names the step.
func Probe(ctx context.Context, s Store) (err error) {
	key := "probe-" + strings.ToLower(rand.Text()) + ".txt"
	if err := s.Put(ctx, key, strings.NewReader(probeText), int64(len(probeText)), TypeOf(key)); err != nil {
		return fmt.Errorf("an object cannot be written: %w", err)
	}
	defer func() {
		if derr := s.Delete(ctx, key); derr != nil {
			err = errors.Join(err, fmt.Errorf("an object cannot be deleted: %w", derr))
		}
	}()
	r, _, err := s.Get(ctx, key)
	if err != nil {
		return fmt.Errorf("an object cannot be read: %w", err)
	}
	defer func() { _ = r.Close() }()
	b, err := io.ReadAll(r)
	if err != nil {
		return fmt.Errorf("an object cannot be read: %w", err)
	}
	if string(b) != probeText {
		return fmt.Errorf("an object is not as it was written: %d bytes instead of %d", len(b), len(probeText))
	}
	return nil
}

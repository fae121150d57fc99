package app

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"net/http"
	"os"
	"time"

	"example.org/broadsheet/platform/config"
	"example.org/broadsheet/platform/embedded/postgres"
	"example.org/broadsheet/platform/media"
)

// mediaCheckTimeout bounds how much longer a start takes while the storage does not answer.
const mediaCheckTimeout = 5 * time.Second

// MediaDir is the folder of pictures, by default inside the data folder; "" where they are in a bucket.
func MediaDir(cfg *config.Config) (string, error) {
	if cfg.Media.URL != "" {
		return "", nil
	}
	data := cfg.Data.Dir
	if data == "" && cfg.Media.Dir == "" {
		var err error
		if data, err = postgres.DefaultDir(); err != nil {
			return "", err
		}
	}
	return cfg.MediaDir(data), nil
}

// OpenMedia opens the bucket or the folder of pictures. wrap, which may be nil, adds to how a bucket is asked.
func OpenMedia(ctx context.Context, cfg *config.Config, wrap func(http.RoundTripper) http.RoundTripper,
) (media.StoreCloser, error) {
	if cfg.Media.URL != "" {
		return openMediaBucket(ctx, cfg.Media.URL, wrap)
	}
	return openMediaFolder(ctx, cfg)
}

// openMediaBucket refuses what is a mistake in the settings. A service that does not answer is none: pages are
// delivered without pictures until it does.
func openMediaBucket(ctx context.Context, address string, wrap func(http.RoundTripper) http.RoundTripper,
) (media.StoreCloser, error) {
	store, err := media.OpenS3(address, wrap)
	if err != nil {
		return nil, err
	}
	checking, cancel := context.WithTimeout(ctx, mediaCheckTimeout)
	defer cancel()
	err = store.Check(checking)
	switch {
	case ctx.Err() == nil && (errors.Is(err, media.ErrUnavailable) || errors.Is(err, context.DeadlineExceeded)):
		slog.WarnContext(ctx, "no pictures until their storage answers", "storage", store.String(), "error", err)
	case err != nil:
		_ = store.Close()
		return nil, fmt.Errorf("media.url: %s cannot be used: correct the setting, or make the bucket and give the key its "+
			"rights (docs/scaling.md): %w", store, err)
	}
	return store, nil
}

// openMediaFolder opens the folder of pictures. One that the settings name must be there: a folder that was made for a
// name that was mistyped would be empty, and all pictures gone.
func openMediaFolder(ctx context.Context, cfg *config.Config) (media.StoreCloser, error) {
	dir, err := MediaDir(cfg)
	if err != nil {
		return nil, err
	}
	if cfg.Media.Dir == "" {
		err = os.MkdirAll(dir, 0o755)
	} else if _, err = os.Stat(dir); errors.Is(err, fs.ErrNotExist) {
		err = fmt.Errorf("media.dir: %s is not there: correct the setting, or make the folder", dir)
	}
	if err != nil {
		return nil, err
	}
	store, err := media.OpenLocal(dir)
	if err != nil {
		return nil, err
	}
	warnUnlessWritable(ctx, slog.Default(), dir, store)
	return store, nil
}

// warnUnlessWritable tries out a store. One that cannot be written is no reason not to start: its pictures are shown.
func warnUnlessWritable(ctx context.Context, log *slog.Logger, name string, store media.Store) {
	if err := media.Probe(ctx, store); err != nil {
		log.WarnContext(ctx, "no pictures can be added", "storage", name, "error", err)
	}
}

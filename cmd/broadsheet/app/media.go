package app

import (
	"errors"
	"fmt"
	"io/fs"
	"os"

	"example.org/broadsheet/platform/config"
	"example.org/broadsheet/platform/embedded/postgres"
	"example.org/broadsheet/platform/media"
)

// MediaDir is the folder of pictures, by default inside the data folder.
func MediaDir(cfg *config.Config) (string, error) {
	data := cfg.Data.Dir
	if data == "" && cfg.Media.Dir == "" {
		var err error
		if data, err = postgres.DefaultDir(); err != nil {
			return "", err
		}
	}
	return cfg.MediaDir(data), nil
}

// OpenMedia opens the folder of pictures. One that the settings name must be there: a folder that was made for a name
// that was mistyped would be empty, and all pictures gone.
func OpenMedia(cfg *config.Config) (*media.Local, error) {
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
	return media.OpenLocal(dir)
}

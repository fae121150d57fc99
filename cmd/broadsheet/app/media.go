package app

import (
	"os"

	"example.org/broadsheet/platform/config"
	"example.org/broadsheet/platform/embedded/postgres"
	"example.org/broadsheet/platform/media"
)

// OpenMedia opens the folder of pictures, by default inside the data folder.
func OpenMedia(cfg *config.Config) (*media.Local, error) {
	data := cfg.Data.Dir
	if data == "" && cfg.Media.Dir == "" {
		var err error
		if data, err = postgres.DefaultDir(); err != nil {
			return nil, err
		}
	}
	dir := cfg.MediaDir(data)
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return nil, err
	}
	return media.OpenLocal(dir)
}

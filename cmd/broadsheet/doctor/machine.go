package doctor

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"syscall"
)

// What has to be free: pictures, and the log of whatever goes wrong.
const (
	littleFree = 2 << 30   // bytes
	hardlyFree = 200 << 20 // bytes
)

func disk(_ context.Context, p *Paper) []Finding {
	folders := []string{p.MediaDir, p.Config.Data.Dir, os.TempDir()}
	folders = slices.DeleteFunc(folders, func(f string) bool { return f == "" })
	var found []Finding
	for _, f := range slices.Compact(folders) {
		if free, ok := freeBytes(nearest(f)); ok {
			found = append(found, room(f, free)...)
		}
	}
	return or(found, "more than %d GiB free", littleFree>>30)
}

func room(folder string, free uint64) []Finding {
	const advice = "Make room, or move the folder."
	switch {
	case free < hardlyFree:
		return []Finding{problem(advice, "%s has %d MiB free", folder, free>>20)}
	case free < littleFree:
		return []Finding{warn(advice, "%s has %d MiB free", folder, free>>20)}
	}
	return nil
}

// nearest is a folder, or the one above it that is there.
func nearest(folder string) string {
	for {
		if _, err := os.Stat(folder); err == nil || filepath.Dir(folder) == folder {
			return folder
		}
		folder = filepath.Dir(folder)
	}
}

// fewDescriptors is less than what readers, Postgres and files need on a busy day.
const fewDescriptors = 4096

func descriptors(context.Context, *Paper) []Finding {
	var l syscall.Rlimit
	if err := syscall.Getrlimit(syscall.RLIMIT_NOFILE, &l); err != nil {
		return []Finding{warn("", "the limit is not known: %v", err)}
	}
	return openFiles(l.Max)
}

func openFiles(limit uint64) []Finding {
	if limit < fewDescriptors {
		return []Finding{warn("systemd: LimitNOFILE=65536; a shell: ulimit -n.", "at most %d may be open", limit)}
	}
	return fine("%d may be open", limit)
}

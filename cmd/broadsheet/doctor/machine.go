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
		free, ok := freeBytes(nearest(f))
		const advice = "Make room, or move the folder."
		switch {
		case !ok:
		case free < hardlyFree:
			found = append(found, problem(advice, "%s has %d MiB free", f, free>>20))
		case free < littleFree:
			found = append(found, warn(advice, "%s has %d MiB free", f, free>>20))
		}
	}
	return or(found, "more than %d GiB free", littleFree>>30)
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
	if l.Max < fewDescriptors {
		return []Finding{warn("systemd: LimitNOFILE=65536; a shell: ulimit -n.", "at most %d may be open", l.Max)}
	}
	return fine("%d may be open", l.Max)
}

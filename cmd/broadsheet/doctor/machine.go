package doctor

import (
	"context"
	"errors"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"syscall"

	"example.org/broadsheet/modules/content"
	"example.org/broadsheet/platform/media"
	"example.org/broadsheet/platform/paper/edition"
)

// pictures looks whether the folder of pictures is there, can be written, and is that of the editions.
func pictures(ctx context.Context, p *Paper) []Finding {
	const whose = "Is media.dir the folder of the other processes, and does it belong to the user of serve and work?"
	if i, err := os.Stat(p.MediaDir); errors.Is(err, fs.ErrNotExist) {
		return []Finding{problem("Correct media.dir, or make the folder: mkdir "+p.MediaDir, "%s is not there", p.MediaDir)}
	} else if err != nil || !i.IsDir() {
		return []Finding{problem(whose, "%s is no folder that can be read: %v", p.MediaDir, err)}
	}
	probe, err := os.CreateTemp(p.MediaDir, ".doctor-*")
	if err == nil {
		_, err = probe.WriteString("written by broadsheet doctor\n")
		err = errors.Join(err, probe.Close(), os.Remove(probe.Name()))
	}
	if err != nil {
		return []Finding{problem(whose, "%s cannot be written: %v", p.MediaDir, err)}
	}
	if p.Registry == nil {
		return fine("%s can be written", p.MediaDir)
	}
	store, err := media.OpenLocal(p.MediaDir)
	if err != nil {
		return []Finding{problem(whose, "%v", err)}
	}
	defer store.Close() //nolint:errcheck // it was read
	images := media.NewImages(store, slog.New(slog.DiscardHandler))
	var found []Finding
	for _, ed := range p.Registry.All() {
		missing, err := missingPicture(edition.With(ctx, ed), p, images)
		switch {
		case err != nil:
			found = append(found, problem("", "%s: %v", ed.ID, err))
		case missing != "":
			found = append(found, problem(whose, "%s: the picture %s is not in %s", ed.ID, missing, p.MediaDir))
		}
	}
	return or(found, "%s can be written, and has the newest pictures of each edition", p.MediaDir)
}

// sampled is how many pictures of an edition are looked for.
const sampled = 5

// missingPicture is one of the newest pictures of the edition of ctx that the library does not have, "" for none.
func missingPicture(ctx context.Context, p *Paper, images *media.Images) (string, error) {
	ids, err := content.NewestPictures(ctx, p.Database, sampled)
	for _, id := range ids {
		if has, err := images.Has(ctx, id); err != nil || !has {
			return id, err
		}
	}
	return "", err
}

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

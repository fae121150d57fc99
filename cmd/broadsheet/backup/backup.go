// Package backup writes editions to a folder, brings them back, and writes out what they hold for other programs. Start
// at Write, Restore and Export.
package backup

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"example.org/broadsheet/platform/db"
	"example.org/broadsheet/platform/media"
	"example.org/broadsheet/platform/paper/edition"
)

// Source is what is backed up, or restored to.
type Source struct {
	DB       *db.DB
	Registry *edition.Registry
	Store    media.Store // of the pictures of all editions
	Tools    string      // folder of pg_dump and pg_restore; "" for the PATH
	Program  string      // version of this program
	// Progress is called with how much of a part is done; it may be nil.
	Progress func(part string, done, all int)
}

func (s Source) tell(part string, done, all int) {
	if s.Progress != nil {
		s.Progress(part, done, all)
	}
}

// unfinished is a file in a folder to which a backup is being written.
const unfinished = "UNFINISHED"

// Write backs editions up to a folder that does not exist yet: for each its database, as pg_dump's archive, and its
// pictures, all databases as of one moment. The folder has its name when all of it is there; what a run that was
// stopped has left, the next one removes.
func Write(ctx context.Context, s Source, dir string, editions []*edition.Edition) (*Manifest, error) {
	if _, err := os.Lstat(dir); !errors.Is(err, fs.ErrNotExist) {
		return nil, errors.Join(err, fmt.Errorf("%s is there already: name a folder that is to be made", dir))
	}
	partial := filepath.Clean(dir) + ".partial"
	if err := makeFolder(partial); err != nil {
		return nil, err
	}
	snap, err := take(ctx, s.DB)
	if err != nil {
		return nil, err
	}
	defer snap.close(ctx)
	m := &Manifest{
		Format: format, Program: s.Program, Server: snap.server, TakenAt: s.DB.Now().UTC().Truncate(time.Second),
		Files: map[string]File{},
	}
	for i, ed := range editions {
		s.tell("editions", i, len(editions))
		part, err := s.dump(ctx, snap, partial, m, ed)
		if err != nil {
			return nil, fmt.Errorf("edition %s: %w", ed.ID, err)
		}
		m.Editions = append(m.Editions, *part)
	}
	s.tell("editions", len(editions), len(editions))
	// Pictures are never changed, so that those after the moment of the databases have all that the databases name.
	for i, ed := range editions {
		if m.Editions[i].Pictures, err = s.copyPictures(ctx, partial, m, ed.ID); err != nil {
			return nil, fmt.Errorf("edition %s: %w", ed.ID, err)
		}
	}
	if err := m.write(partial); err != nil {
		return nil, err
	}
	if err := os.Remove(filepath.Join(partial, unfinished)); err != nil {
		return nil, err
	}
	return m, os.Rename(partial, dir)
}

// makeFolder makes an empty folder; it replaces one that a stopped run has left.
func makeFolder(partial string) error {
	if _, err := os.Lstat(partial); err == nil {
		if _, err := os.Lstat(filepath.Join(partial, unfinished)); err != nil {
			return fmt.Errorf("%s is there, and is not of a backup that was stopped: move it away", partial)
		}
		if err := os.RemoveAll(partial); err != nil {
			return err
		}
	}
	if err := os.Mkdir(partial, 0o700); err != nil { // readers' addresses are in it
		return err
	}
	text := []byte("A backup that is being written, or was stopped.\n")
	return os.WriteFile(filepath.Join(partial, unfinished), text, 0o600)
}

func (s Source) dump(ctx context.Context, snap *snapshot, dir string, m *Manifest, ed *edition.Edition) (*Part, error) {
	document, err := s.Registry.Text(ctx, ed.ID)
	if err != nil {
		return nil, err
	}
	tables, err := snap.tables(ctx, ed.ID)
	if err != nil {
		return nil, err
	}
	name := ed.ID + ".dump"
	if err := os.WriteFile(filepath.Join(dir, name), nil, 0o600); err != nil { // pg_dump keeps the mode
		return nil, err
	}
	err = s.run(ctx, "pg_dump", "--format=custom", "--schema="+ed.Schema, "--snapshot="+snap.id,
		"--role="+db.OwnerOf(ed.ID), "--file="+filepath.Join(dir, name))
	if err != nil {
		return nil, err
	}
	if m.Files[name], err = sum(filepath.Join(dir, name)); err != nil {
		return nil, err
	}
	return &Part{ID: ed.ID, Document: document, Dump: name, Tables: tables}, nil
}

// copyPictures copies what an edition has in the store, but for sizes that are made again when they are asked for.
func (s Source) copyPictures(ctx context.Context, dir string, m *Manifest, id string) (n int, err error) {
	store, err := media.Sub(s.Store, id)
	if err != nil {
		return 0, err
	}
	var keys []string
	for info, err := range store.List(ctx, "") {
		if err != nil {
			return 0, err
		}
		if !media.IsVariant(info.Key) {
			keys = append(keys, info.Key)
		}
	}
	for i, key := range keys {
		s.tell("files of "+id, i, len(keys))
		name := filepath.ToSlash(filepath.Join(picturesFolder, id, key))
		if m.Files[name], err = copyFile(ctx, store, key, filepath.Join(dir, filepath.FromSlash(name))); err != nil {
			return 0, err
		}
	}
	s.tell("files of "+id, len(keys), len(keys))
	return len(keys), nil
}

func copyFile(ctx context.Context, store media.Store, key, file string) (_ File, err error) {
	r, _, err := store.Get(ctx, key)
	if err != nil {
		return File{}, fmt.Errorf("%s: %w", key, err)
	}
	defer r.Close() //nolint:errcheck // read only
	if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
		return File{}, err
	}
	w, err := os.OpenFile(file, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return File{}, err
	}
	defer func() { err = errors.Join(err, w.Close()) }()
	hash := sha256.New()
	size, err := io.Copy(io.MultiWriter(w, hash), r)
	if err != nil {
		return File{}, fmt.Errorf("%s: %w", key, err)
	}
	return File{Size: size, SHA256: hex.EncodeToString(hash.Sum(nil))}, ctx.Err()
}

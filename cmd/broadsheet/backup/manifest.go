package backup

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"time"
)

const (
	manifestName = "manifest.json"
	format       = 1
)

// Manifest says what a backup holds, and what all of it must be equal to.
type Manifest struct {
	Format   int             `json:"format"`
	Program  string          `json:"program"`  // version of the program that wrote it
	Server   string          `json:"server"`   // version of PostgreSQL
	TakenAt  time.Time       `json:"taken_at"` // of all databases
	Editions []Part          `json:"editions"`
	Files    map[string]File `json:"files"` // by name in the folder
}

// Part is one edition of a backup.
type Part struct {
	ID       string           `json:"id"`
	Document string           `json:"document"` // as it was applied
	Dump     string           `json:"dump"`     // name of the file
	Tables   map[string]Table `json:"tables"`
	Pictures int              `json:"pictures"`
}

// Table is what a table held.
type Table struct {
	Rows int64  `json:"rows"`
	Sum  string `json:"sum"` // of the rows' contents, in any order
}

// File is what a file must be.
type File struct {
	Size   int64  `json:"size"` // bytes
	SHA256 string `json:"sha256"`
}

// Rows are those of all tables.
func (p Part) Rows() (n int64) {
	for _, t := range p.Tables {
		n += t.Rows
	}
	return n
}

func (m *Manifest) write(dir string) error {
	b, err := json.MarshalIndent(m, "", "  ")
	if err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(dir, manifestName), append(b, '\n'), 0o600)
}

// Read reads a backup's manifest and compares every file with it, so that nothing is begun with half a backup.
func Read(dir string, tell func(part string, done, all int)) (*Manifest, error) {
	b, err := os.ReadFile(filepath.Join(dir, manifestName))
	if err != nil {
		return nil, fmt.Errorf("%s is no backup, or one that was not finished: %w", dir, err)
	}
	var m Manifest
	if err := json.Unmarshal(b, &m); err != nil {
		return nil, fmt.Errorf("%s: %s: %w", dir, manifestName, err)
	}
	if m.Format != format {
		return nil, fmt.Errorf("%s has format %d; this program reads %d", dir, m.Format, format)
	}
	var errs []error
	names := slices.Sorted(maps.Keys(m.Files))
	for i, name := range names {
		if tell != nil {
			tell("files", i, len(names))
		}
		if !filepath.IsLocal(name) {
			return nil, fmt.Errorf("%s: %q is not a file of the folder", manifestName, name)
		}
		got, err := sum(filepath.Join(dir, filepath.FromSlash(name)))
		switch {
		case err != nil:
			errs = append(errs, err)
		case got != m.Files[name]:
			errs = append(errs, fmt.Errorf("%s is not the file of the backup (its size is %d bytes, the backup's %d)",
				name, got.Size, m.Files[name].Size))
		}
	}
	if tell != nil {
		tell("files", len(names), len(names))
	}
	return &m, errors.Join(errs...)
}

func sum(file string) (File, error) {
	f, err := os.Open(file)
	if err != nil {
		return File{}, err
	}
	defer f.Close() //nolint:errcheck // read only
	hash := sha256.New()
	size, err := io.Copy(hash, f)
	return File{Size: size, SHA256: hex.EncodeToString(hash.Sum(nil))}, err
}

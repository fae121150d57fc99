package backup

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

const (
	manifestName   = "manifest.json"
	picturesFolder = "media"
	format         = 1
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

// Read reads a backup's manifest and compares every file with it, so that no restore starts with half a backup. It
// returns the manifest and a DamagedError if files are missing or not what they were.
func Read(dir string, tell func(part string, done, all int)) (*Manifest, error) {
	m, err := readManifest(dir)
	if err != nil {
		return nil, err
	}
	damaged := map[string]string{}
	names := slices.Sorted(maps.Keys(m.Files))
	for i, name := range names {
		if tell != nil {
			tell("files", i, len(names))
		}
		got, err := sum(filepath.Join(dir, filepath.FromSlash(name)))
		if errors.Is(err, fs.ErrPermission) {
			return nil, err
		}
		if fault := m.Files[name].differs(got, err); fault != "" {
			damaged[name] = fault
		}
	}
	if tell != nil {
		tell("files", len(names), len(names))
	}
	if len(damaged) > 0 {
		return m, &DamagedError{damaged}
	}
	return m, nil
}

func readManifest(dir string) (*Manifest, error) {
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
	for name := range m.Files {
		if !filepath.IsLocal(name) {
			return nil, fmt.Errorf("%s: %q is not a file of the folder", manifestName, name)
		}
	}
	return &m, nil
}

// differs returns how a file that was read, or could not be, is not what it must be; "" if it is.
func (f File) differs(got File, err error) string {
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return "is missing"
	case err != nil:
		return "cannot be read: " + err.Error()
	case got.Size != f.Size:
		return fmt.Sprintf("has %d bytes, the backup's has %d", got.Size, f.Size)
	case got != f:
		return fmt.Sprintf("has the size of the backup's and another content: its SHA-256 is %s, the backup's %s", got.SHA256,
			f.SHA256)
	}
	return ""
}

// DamagedError names the files of a backup that are missing or not what they were.
type DamagedError struct {
	Files map[string]string // to how each is damaged
}

// Error implements error.
func (e *DamagedError) Error() string {
	var lines []string
	for _, name := range slices.Sorted(maps.Keys(e.Files)) {
		lines = append(lines, name+" "+e.Files[name])
	}
	if len(e.pictures()) == len(e.Files) {
		lines = append(lines, "all else is whole: --without-damaged-pictures goes on without them")
	}
	return strings.Join(lines, "\n")
}

// pictures lists the damaged files that are in the folder of pictures.
func (e *DamagedError) pictures() (names []string) {
	for _, name := range slices.Sorted(maps.Keys(e.Files)) {
		if strings.HasPrefix(name, picturesFolder+"/") {
			names = append(names, name)
		}
	}
	return names
}

// LeaveOut takes the damaged pictures of an error of Read out of the manifest, and returns their names. It returns the
// error if it names anything else.
func (m *Manifest) LeaveOut(err error) (names []string, _ error) {
	var damaged *DamagedError
	if !errors.As(err, &damaged) {
		return nil, err
	}
	names = damaged.pictures()
	if len(names) < len(damaged.Files) {
		return nil, err
	}
	for _, name := range names {
		delete(m.Files, name)
	}
	return names, nil
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

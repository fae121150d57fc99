package backup

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// newDamaged writes a folder with a dump and three pictures, all of the same content, and does something to it.
func newDamaged(t *testing.T, do func(t *testing.T, file func(name string) string)) (dir string) {
	t.Helper()
	dir = t.TempDir()
	m := &Manifest{Format: format, Files: map[string]File{}}
	file := func(name string) string { return filepath.Join(dir, filepath.FromSlash(name)) }
	for _, name := range []string{"standard.dump", "media/standard/a.jpg", "media/standard/b.jpg", "media/at/c.jpg"} {
		if err := os.MkdirAll(filepath.Dir(file(name)), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file(name), []byte("content"), 0o600); err != nil {
			t.Fatal(err)
		}
		var err error
		if m.Files[name], err = sum(file(name)); err != nil {
			t.Fatal(err)
		}
	}
	if err := m.write(dir); err != nil {
		t.Fatal(err)
	}
	do(t, file)
	return dir
}

func TestRead_Damage(t *testing.T) {
	t.Parallel()
	content := func(text string, names ...string) func(*testing.T, func(string) string) {
		return func(t *testing.T, file func(string) string) {
			t.Helper()
			for _, name := range names {
				if err := os.WriteFile(file(name), []byte(text), 0o600); err != nil {
					t.Fatal(err)
				}
			}
		}
	}
	const a, b, c, dump = "media/standard/a.jpg", "media/standard/b.jpg", "media/at/c.jpg", "standard.dump"
	remove := func(t *testing.T, file func(string) string) {
		t.Helper()
		if err := os.Remove(file(a)); err != nil {
			t.Fatal(err)
		}
	}
	for name, tc := range map[string]struct {
		do       func(*testing.T, func(string) string)
		says     []string
		saysNot  string
		pictures string // left out, if that is possible
	}{
		"a changed byte": {
			content("cantent", a), []string{a, "the size of the backup's and another content", "SHA-256"}, "bytes", a,
		},
		"a cut picture": {content("cont", a), []string{a + " has 4 bytes, the backup's has 7"}, "SHA-256", a},
		"no picture":    {remove, []string{a + " is missing"}, "bytes", a},
		"three pictures": {
			content("x", a, b, c), []string{a, b, c, "--without-damaged-pictures"}, "SHA-256", c + " " + a + " " + b,
		},
		"a folder for a picture": {func(t *testing.T, file func(string) string) {
			t.Helper()
			remove(t, file)
			if err := os.Mkdir(file(a), 0o700); err != nil {
				t.Fatal(err)
			}
		}, []string{a + " cannot be read"}, "SHA-256", a},
		"the dump":               {content("x", dump), []string{dump}, "--without-damaged-pictures", ""},
		"the dump and a picture": {content("x", dump, a), []string{dump, a}, "--without-damaged-pictures", ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			m, err := Read(newDamaged(t, tc.do), nil)
			if err == nil {
				t.Fatal("the damage was not found")
			}
			for _, want := range tc.says {
				if !strings.Contains(err.Error(), want) {
					t.Errorf("%q is not said:\n%v", want, err)
				}
			}
			if strings.Contains(err.Error(), tc.saysNot) {
				t.Errorf("%q is said:\n%v", tc.saysNot, err)
			}
			left, err := m.LeaveOut(err)
			if got := strings.Join(left, " "); got != tc.pictures || (err == nil) != (tc.pictures != "") {
				t.Errorf("left out: got %q, %v, want %q", got, err, tc.pictures)
			}
			if want := 4 - len(left); len(m.Files) != want {
				t.Errorf("files that are restored: got %d, want %d", len(m.Files), want)
			}
		})
	}
	t.Run("none", func(t *testing.T) {
		t.Parallel()
		m, err := Read(newDamaged(t, func(*testing.T, func(string) string) {}), nil)
		if err != nil {
			t.Fatal(err)
		}
		if left, err := m.LeaveOut(nil); err != nil || len(left) != 0 {
			t.Errorf("left out: got %v, %v, want nothing", left, err)
		}
	})
	t.Run("another error", func(t *testing.T) {
		t.Parallel()
		failed := errors.New("failed")
		if _, err := (&Manifest{}).LeaveOut(failed); !errors.Is(err, failed) {
			t.Errorf("got %v, want it to stay", err)
		}
	})
}

// All of a backup is its user's alone, also where it is copied out of its folder.
func TestWrite_Modes(t *testing.T) {
	t.Parallel()
	s := machine(t)
	ctx, ed := add(t, s, "standard.yaml")
	if err := s.Store.Put(ctx, "standard/"+aPicture, strings.NewReader("picture"), 7, "image/jpeg"); err != nil {
		t.Fatal(err)
	}
	dir, _ := write(t, s, ed)
	n := 0
	err := filepath.WalkDir(dir, func(path string, e fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := e.Info()
		if err != nil {
			return err
		}
		want := fs.FileMode(0o600)
		if e.IsDir() {
			want = 0o700
		}
		if got := info.Mode().Perm(); got != want {
			t.Errorf("%s: got %o, want %o", path, got, want)
		}
		n++
		return nil
	})
	if err != nil || n < 6 { // the folder, those of the picture, and three files
		t.Errorf("%d entries, %v", n, err)
	}
}

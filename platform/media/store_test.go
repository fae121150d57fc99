package media

import (
	"bytes"
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/iotest"
	"time"

	"example.org/broadsheet/platform/testkit/s3server"
)

func openLocal(t testing.TB) (*Local, string) {
	t.Helper()
	folder := t.TempDir()
	l, err := OpenLocal(folder)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = l.Close() })
	return l, folder
}

// stores are all kinds: whatever one of them does, the others do.
var stores = map[string]func(testing.TB) Store{
	"folder": func(t testing.TB) Store {
		t.Helper()
		l, _ := openLocal(t)
		return l
	},
	"bucket": func(t testing.TB) Store {
		t.Helper()
		return bucketOf(t, s3server.Start(t), "")
	},
	"folder of a bucket": func(t testing.TB) Store {
		t.Helper()
		s := s3server.Start(t)
		put(t, bucketOf(t, s, ""), "img/of-somebody-else.txt", "not ours")
		return bucketOf(t, s, "paper/media")
	},
}

// onEach runs a test on a store of each kind.
func onEach(t *testing.T, test func(*testing.T, Store)) {
	t.Helper()
	for name, open := range stores {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			test(t, open(t))
		})
	}
}

func put(t testing.TB, s Store, key, text string) {
	t.Helper()
	if err := s.Put(t.Context(), key, strings.NewReader(text), int64(len(text)), types[filepath.Ext(key)]); err != nil {
		t.Fatal(err)
	}
}

func read(t *testing.T, s Store, key string) string {
	t.Helper()
	r, info, err := s.Get(t.Context(), key)
	if err != nil {
		return err.Error()
	}
	defer func() { _ = r.Close() }()
	b, err := io.ReadAll(r)
	if err != nil || info.Key != key || info.Size != int64(len(b)) || info.ContentType != types[filepath.Ext(key)] {
		t.Errorf("%s: %+v, %v", key, info, err)
	}
	if _, err := r.Seek(0, io.SeekStart); err != nil {
		t.Error(err)
	}
	return string(b)
}

func keys(t *testing.T, s Store, prefix string) string {
	t.Helper()
	var found []string
	for info, err := range s.List(t.Context(), prefix) {
		if err != nil {
			return err.Error()
		}
		found = append(found, info.Key)
	}
	slices.Sort(found)
	return strings.Join(found, " ")
}

var badKeys = []string{
	"", "/", "/a.txt", "a.txt/", "a//b.txt", ".", "..", "../a.txt", "a/../b.txt", "a/./b.txt", ".hidden.txt",
	"a/.hidden.txt", incoming + "/a.txt",
	"A.txt", "a b.txt", "a\\b.txt", "a\x00.txt", "a\n.txt", "č.txt", "a.txt.", "a./b.txt", "-a.txt", "c:a.txt",
	"a%2f.txt", "~.txt",
	strings.Repeat("a", maxSegment+1), strings.Repeat("a/", maxKey/2) + "a.txt",
}

func TestBadKeys(t *testing.T) {
	t.Parallel()
	onEach(t, testBadKeys)
}

func testBadKeys(t *testing.T, l Store) {
	t.Helper()
	inner, err := Sub(l, "north")
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range []Store{l, inner} {
		for _, key := range badKeys {
			err1 := s.Put(t.Context(), key, strings.NewReader("x"), 1, "text/plain")
			_, _, err2 := s.Get(t.Context(), key)
			_, err3 := s.Head(t.Context(), key)
			err4 := s.Delete(t.Context(), key)
			for i, err := range []error{err1, err2, err3, err4} {
				if !errors.Is(err, ErrKey) {
					t.Errorf("%q, method %d: %v", key, i+1, err)
				}
			}
		}
		for _, prefix := range []string{"..", "../", "/", "a//", ".", "A"} {
			if got := keys(t, s, prefix); !strings.Contains(got, ErrKey.Error()) {
				t.Errorf("list %q: %s", prefix, got)
			}
		}
	}
	for _, name := range []string{"", "..", "a/..", "/a"} {
		if _, err := Sub(l, name); !errors.Is(err, ErrKey) {
			t.Errorf("sub %q: %v", name, err)
		}
	}
	if err := l.Put(t.Context(), "a.exe", strings.NewReader(""), 0, "text/plain"); !errors.Is(err, ErrKey) {
		t.Errorf("a type that a folder cannot keep: %v", err)
	}
	if err := l.Put(t.Context(), "a.txt", strings.NewReader(""), 0, "image/png"); !errors.Is(err, ErrKey) {
		t.Errorf("a type that the key contradicts: %v", err)
	}
}

// A link that leads out of the folder is not followed.
func TestALinkLeadsNowhere(t *testing.T) {
	t.Parallel()
	l, folder := openLocal(t)
	// A link that leads out of the folder is not followed either.
	outside := filepath.Join(t.TempDir(), "secret.txt")
	if err := os.WriteFile(outside, []byte("secret"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(outside, filepath.Join(folder, "link.txt")); err != nil {
		t.Fatal(err)
	}
	if got := read(t, l, "link.txt"); got == "secret" {
		t.Error("a link led out of the folder")
	}
}

func TestStore(t *testing.T) {
	t.Parallel()
	onEach(t, testStore)
}

func testStore(t *testing.T, l Store) {
	t.Helper()
	north, _ := Sub(l, "north")
	south, _ := Sub(l, "south")
	put(t, north, "img/a/original.jpg", "north a")
	put(t, south, "img/a/original.jpg", "south a")
	put(t, north, "img/a/r1/640-3x2.jpg", "variant")
	put(t, north, "img/ab.txt", "text")
	put(t, north, "img/ab.txt", "longer text")
	for key, want := range map[string]string{"img/a/original.jpg": "north a", "img/ab.txt": "longer text"} {
		if got := read(t, north, key); got != want {
			t.Errorf("%s: %q", key, got)
		}
	}
	if got := read(t, l, "south/img/a/original.jpg"); got != "south a" {
		t.Errorf("%q", got)
	}
	for prefix, want := range map[string]string{
		"":         "img/a/original.jpg img/a/r1/640-3x2.jpg img/ab.txt",
		"img/a":    "img/a/original.jpg img/a/r1/640-3x2.jpg img/ab.txt",
		"img/a/":   "img/a/original.jpg img/a/r1/640-3x2.jpg",
		"img/a/r":  "img/a/r1/640-3x2.jpg",
		"img/b":    "",
		"nothing/": "",
	} {
		if got := keys(t, north, prefix); got != want {
			t.Errorf("list %q: %s", prefix, got)
		}
	}
	for _, key := range []string{"img/none.txt", "img/a", "img/ab.txt/below.txt"} {
		_, err := north.Head(t.Context(), key)
		if !errors.Is(err, ErrNotFound) || !strings.Contains(read(t, north, key), ErrNotFound.Error()) {
			t.Errorf("%s: %v, %s", key, err, read(t, north, key))
		}
		if err := north.Delete(t.Context(), key); err != nil {
			t.Errorf("delete %s: %v", key, err)
		}
	}
	if err := north.Delete(t.Context(), "img/a/original.jpg"); err != nil {
		t.Fatal(err)
	}
	if _, err := north.Head(t.Context(), "img/a/original.jpg"); !errors.Is(err, ErrNotFound) {
		t.Errorf("deleted: %v", err)
	}
	if got := read(t, south, "img/a/original.jpg"); got != "south a" {
		t.Errorf("another folder's object: %q", got)
	}
}

// A write that fails leaves what was there, and nothing beside it.
func TestFailedPutChangesNothing(t *testing.T) {
	t.Parallel()
	onEach(t, testFailedPuts)
}

func testFailedPuts(t *testing.T, s Store) {
	t.Helper()
	cancelled, cancel := context.WithCancel(t.Context())
	cancel()
	put(t, s, "a.txt", "old")
	for name, tc := range map[string]struct {
		ctx  context.Context
		r    io.Reader
		size int64
	}{
		"too short":   {t.Context(), strings.NewReader("new"), 4},
		"too long":    {t.Context(), strings.NewReader("new"), 2},
		"short bytes": {t.Context(), iotest.OneByteReader(strings.NewReader("new")), 4},
		"long bytes":  {t.Context(), iotest.OneByteReader(strings.NewReader("new")), 2},
		"read error":  {t.Context(), io.MultiReader(strings.NewReader("ne"), iotest.ErrReader(io.ErrClosedPipe)), 3},
		"cancelled":   {cancelled, strings.NewReader("new"), 3},
	} {
		if err := s.Put(tc.ctx, "a.txt", tc.r, tc.size, "text/plain"); err == nil {
			t.Errorf("%s: no error", name)
		}
		if got := read(t, s, "a.txt"); got != "old" {
			t.Errorf("%s: it holds %q", name, got)
		}
	}
	if got := keys(t, s, ""); got != "a.txt" {
		t.Errorf("left behind: %s", got)
	}
	if l, ok := s.(*Local); ok {
		if left, err := fs.ReadDir(l.root.FS(), incoming); len(left) != 0 || err != nil {
			t.Errorf("left behind: %v %v", left, err)
		}
	}
}

// Readers seek as http.ServeContent does, and read parts.
func TestSeeking(t *testing.T) {
	t.Parallel()
	onEach(t, testSeeking)
}

func testSeeking(t *testing.T, s Store) {
	t.Helper()
	put(t, s, "a.txt", "0123456789")
	put(t, s, "empty.txt", "")
	if got := read(t, s, "empty.txt"); got != "" {
		t.Errorf("an empty object holds %q", got)
	}
	r, _, err := s.Get(t.Context(), "a.txt")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = r.Close() }()
	for _, step := range []struct {
		offset int64
		whence int
		at     int64
		want   string
	}{
		{0, io.SeekEnd, 10, ""},
		{0, io.SeekStart, 0, "0123"},
		{0, io.SeekCurrent, 4, "4567"},
		{2, io.SeekStart, 2, "2345"},
		{-3, io.SeekEnd, 7, "789"},
		{20, io.SeekStart, 20, ""},
		{-8, io.SeekEnd, 2, "2345"},
	} {
		at, err := r.Seek(step.offset, step.whence)
		if err != nil || at != step.at {
			t.Fatalf("%+v: at %d, %v", step, at, err)
		}
		b, err := io.ReadAll(io.LimitReader(r, 4))
		if err != nil || string(b) != step.want {
			t.Errorf("%+v: %q, %v", step, b, err)
		}
	}
	if _, err := r.Seek(-1, io.SeekStart); err == nil {
		t.Error("a place before the beginning")
	}
}

func TestProbe(t *testing.T) {
	t.Parallel()
	onEach(t, func(t *testing.T, s Store) {
		t.Helper()
		if err := Probe(t.Context(), s); err != nil {
			t.Error(err)
		}
		if left := keys(t, s, ""); left != "" {
			t.Errorf("left behind: %s", left)
		}
	})
}

func TestParallelPuts(t *testing.T) {
	t.Parallel()
	onEach(t, testParallelPuts)
}

func testParallelPuts(t *testing.T, l Store) {
	t.Helper()
	texts := []string{strings.Repeat("a", 1<<16), strings.Repeat("b", 1<<15)}
	put(t, l, "x/a.txt", texts[0])
	var wg sync.WaitGroup
	for i := range 20 {
		wg.Go(func() {
			b := texts[i%2]
			if err := l.Put(context.Background(), "x/a.txt", bytes.NewReader([]byte(b)), int64(len(b)),
				"text/plain"); err != nil {
				t.Error(err)
			}
			if got := read(t, l, "x/a.txt"); !slices.Contains(texts, got) {
				t.Errorf("a half-written object of %d bytes", len(got))
			}
		})
	}
	wg.Wait()
}

func TestOpenSweepsOldLeftovers(t *testing.T) {
	t.Parallel()
	_, folder := openLocal(t)
	old, young := filepath.Join(folder, incoming, "old"), filepath.Join(folder, incoming, "young")
	for _, name := range []string{old, young} {
		if err := os.WriteFile(name, nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	past := time.Now().Add(-25 * time.Hour)
	if err := os.Chtimes(old, past, past); err != nil {
		t.Fatal(err)
	}
	again, err := OpenLocal(folder)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = again.Close() }()
	if _, err := os.Stat(old); !errors.Is(err, os.ErrNotExist) {
		t.Error("an old leftover was kept")
	}
	if _, err := os.Stat(young); err != nil {
		t.Error("a file that may still be written was removed")
	}
}

func FuzzCheckKey(f *testing.F) {
	for _, key := range append(badKeys, "a.txt", "img/0/original.jpg", "north_2/a-b.c.txt") {
		f.Add(key)
	}
	l, folder := openLocal(f)
	f.Fuzz(func(t *testing.T, key string) {
		if CheckKey(key) != nil {
			return
		}
		if !filepath.IsLocal(key) || filepath.Clean(key) != key || strings.ToLower(key) != key ||
			strings.HasPrefix(key, ".") {
			t.Fatalf("%q passed", key)
		}
		full := filepath.Join(folder, key)
		if !strings.HasPrefix(full, folder+string(filepath.Separator)) {
			t.Fatalf("%q leads to %q", key, full)
		}
		if _, err := l.Head(t.Context(), key); err != nil && !errors.Is(err, ErrNotFound) {
			t.Fatalf("%q: %v", key, err)
		}
	})
}

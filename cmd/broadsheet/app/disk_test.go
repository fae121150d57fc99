package app

import (
	"bytes"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"example.org/broadsheet/platform/media"
	"example.org/broadsheet/platform/testkit/wait"
)

// smallDisk puts a file system of some megabytes at a folder, with what was there. It reports false where the test may
// not mount one: that takes root.
func smallDisk(t testing.TB, dir string, megabytes int) bool {
	t.Helper()
	info, err := os.Stat(dir)
	if err != nil {
		t.Fatal(err)
	}
	owner, ok := info.Sys().(*syscall.Stat_t)
	if !ok {
		t.Fatalf("%s has no owner", dir)
	}
	before := dir + ".before"
	if err := os.Rename(dir, before); err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir(dir, info.Mode().Perm()); err != nil {
		t.Fatal(err)
	}
	options := fmt.Sprintf("size=%dm,mode=%o,uid=%d,gid=%d", megabytes, info.Mode().Perm(), owner.Uid, owner.Gid)
	err = syscall.Mount("tmpfs", dir, "tmpfs", 0, options)
	if errors.Is(err, syscall.EPERM) {
		return false
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = syscall.Unmount(dir, syscall.MNT_DETACH) })
	if out, err := exec.Command("cp", "-a", before+"/.", dir).CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	return true
}

// fill leaves no room in a folder, until the file that it names is removed.
func fill(t testing.TB, dir string) (file string) {
	t.Helper()
	file = filepath.Join(dir, "something-large")
	f, err := os.Create(file)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close() //nolint:errcheck // what it holds is worth nothing
	for block := make([]byte, 1<<20); len(block) > 0; {
		if _, err := f.Write(block); errors.Is(err, syscall.ENOSPC) {
			block = block[:len(block)/2]
		} else if err != nil {
			t.Fatal(err)
		}
	}
	return file
}

// When the disk of Postgres' log is full, pages that are in memory are given, whatever writes is told to come again,
// and /readyz says so. When there is room again, all comes back by itself, and what was confirmed is there.
func TestAFullDisk(t *testing.T) {
	t.Parallel()
	mounted := false
	f := newFleetWith(t, fleetOptions{
		postgres: map[string]string{
			"synchronous_commit": "on", "full_page_writes": "on", "max_wal_size": "32MB", "min_wal_size": "32MB",
		},
		prepare: func(dir string) { mounted = smallDisk(t, filepath.Join(dir, "postgres", "pg_wal"), 80) },
	})
	if !mounted {
		t.Log("a small disk takes root: only the server's start was tried")
	}
	f.publish(1, false)
	m, w := f.member(t, "serve"), f.member(t, "work")
	m.ready()
	w.ready()
	host := f.hosts()[0]
	if code, _ := m.get(host, "/"); code != http.StatusOK {
		t.Fatalf("the front page: %d", code)
	}
	reader := f.browser("standard")
	f.signIn(reader, "reader@example.org")
	if !mounted {
		return
	}

	ballast := fill(t, filepath.Join(f.cfg.Data.Dir, "postgres", "pg_wal"))
	var confirmed []string
	full := false
	for i := 0; !full && i < 400; i++ {
		text := fmt.Sprintf("choice-%d", i)
		if r, err := reader.try(http.MethodPost, "/fns/user-login", "application/json", fmt.Sprintf(
			`{"payload":{"email":"%s@example.org","referrer":"/"},"type":"registration"}`, text)); err == nil &&
			r.Status == http.StatusOK {
			confirmed = append(confirmed, text+"@example.org")
		}
		m.get(host, "/") // it lies in memory, whatever has changed on it meanwhile
		// Much at once: checkpoints make room as fast as a busy machine fills it bit by bit.
		_, err := f.app.DB.Core().Exec(
			"SELECT pg_logical_emit_message(false, 'test', repeat('a', 1000000)) FROM generate_series(1, 12)")
		full = err != nil
	}
	// At once: when Postgres has come back for a moment, what was missed meanwhile is unknown, and copies are dropped.
	if code, took := m.get(host, "/"); code != http.StatusOK {
		t.Errorf("what lies in memory: %d after %s", code, took)
	}
	if !full || len(confirmed) == 0 {
		t.Fatalf("the disk is full: %t, after %d emails were promised", full, len(confirmed))
	}
	wait.Until(t, "the process is not ready", func() bool {
		code, _, _ := m.readyz()
		return code == http.StatusServiceUnavailable
	})
	if code, took := m.get(host, "/search/word"); code != http.StatusServiceUnavailable {
		t.Errorf("what needs the database: %d after %s", code, took)
	}

	if err := os.Remove(ballast); err != nil {
		t.Fatal(err)
	}
	m.ready()
	w.ready()
	for _, address := range confirmed {
		f.mailTo(address, f.started)
	}
	if r := reader.get("/user/me/"); !strings.Contains(r.Body, "reader@example.org") {
		t.Errorf("the session of before: %d %s", r.Status, r.Body)
	}
}

// A picture that the disk has no room for is refused, leaves nothing behind, and can be taken when there is room again.
func TestAFullMediaFolder(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "media")
	if err := os.Mkdir(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	limited := smallDisk(t, dir, 4)
	l, err := media.OpenLocal(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = l.Close() }()
	picture := bytes.Repeat([]byte("p"), 1<<20)
	put := func(key string) error {
		return l.Put(t.Context(), key, bytes.NewReader(picture), int64(len(picture)), "image/jpeg")
	}
	if err := put("ab/before.jpg"); err != nil {
		t.Fatal(err)
	}
	startsWith := func(l media.Store) string {
		var said bytes.Buffer
		warnUnlessWritable(t.Context(), slog.New(slog.NewTextHandler(&said, nil)), dir, l)
		return said.String()
	}
	if starts := startsWith(l); starts != "" {
		t.Errorf("there is room, and a start says %q", starts)
	}
	if !limited {
		t.Log("a small disk takes root: only a picture that there is room for was tried")
		return
	}
	ballast := fill(t, dir)
	if starts := startsWith(l); !strings.Contains(starts, "no pictures can be added") {
		t.Errorf("a start says %q", starts)
	}
	if err := put("ab/after.jpg"); !errors.Is(err, syscall.ENOSPC) {
		t.Errorf("a picture that there is no room for: %v", err)
	}
	if _, err := os.Stat(filepath.Join(dir, "ab", "after.jpg")); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("part of a picture was left: %v", err)
	}
	if b, err := os.ReadFile(filepath.Join(dir, "ab", "before.jpg")); err != nil || !bytes.Equal(b, picture) {
		t.Errorf("the picture of before: %d bytes, %v", len(b), err)
	}
	if err := os.Remove(ballast); err != nil {
		t.Fatal(err)
	}
	// A process that another test starts has the removed file open until its own program runs, and its room taken.
	wait.Until(t, "a picture that there is room for again", func() bool { return put("ab/after.jpg") == nil })
}

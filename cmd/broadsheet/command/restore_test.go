package command

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"example.org/broadsheet/platform/testkit"
)

// Pictures that are damaged in a backup keep nothing else from coming back, if the operator says so.
func TestRestore_DamagedPictures(t *testing.T) {
	media := t.TempDir()
	for name, value := range map[string]string{
		"REDIS_URL": "redis://127.0.0.1:1/0", "MAIL_URL": "smtp://127.0.0.1:1", "MEDIA_DIR": media,
	} {
		t.Setenv("BROADSHEET_"+name, value)
	}
	c := testkit.NewCluster(t)
	c.CreateDatabase(t)
	paper := neighbour{c.DSN(t), "the secret of the paper that runs, 0123456789"}
	paper.must(t, "edition", "add", sampleDocument("standard"))
	picture := func(folder, name string) string {
		return filepath.Join(folder, "standard", "img", strings.Repeat(name, 32), "original.jpg")
	}
	put := func(file, text string) {
		t.Helper()
		if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for _, name := range []string{"a", "b", "c"} {
		put(picture(media, name), "picture")
	}
	backup := filepath.Join(t.TempDir(), "backup")
	paper.must(t, "backup", backup)
	put(picture(filepath.Join(backup, "media"), "a"), "pictore")
	if err := os.Remove(picture(filepath.Join(backup, "media"), "b")); err != nil {
		t.Fatal(err)
	}

	other := neighbour{c.CreateSecondDatabase(t, "other"), paper.secret}
	after := t.TempDir()
	t.Setenv("BROADSHEET_MEDIA_DIR", after)
	names := []string{strings.Repeat("a", 32), strings.Repeat("b", 32)}
	for _, args := range [][]string{{"restore", backup}, {"restore", backup, "--verify"}} {
		out, err := other.run(t, "", args...)
		if err == nil {
			t.Fatalf("%v: nothing was refused:\n%s", args, out)
		}
		for _, want := range append(names, "SHA-256", "is missing", "--without-damaged-pictures") {
			if !strings.Contains(err.Error(), want) {
				t.Errorf("%v: %q is not said:\n%v", args, want, err)
			}
		}
		if left, err := os.ReadDir(filepath.Join(after, "standard")); err == nil {
			t.Errorf("%v: a refused restore has written %v", args, left)
		}
	}
	for _, tc := range []struct {
		says string
		args []string
	}{
		{"lacks 2 pictures", []string{"restore", backup, "--without-damaged-pictures", "--verify"}},
		{"standard is as it was", []string{"restore", backup, "--without-damaged-pictures"}},
	} {
		out, err := other.run(t, "", tc.args...)
		if err != nil {
			t.Fatalf("%v: %v\n%s", tc.args, err, out)
		}
		for _, want := range append(names, tc.says, "left out") {
			if !strings.Contains(out, want) {
				t.Errorf("%v: %q is not said:\n%s", tc.args, want, out)
			}
		}
	}
	for name, want := range map[string]bool{"a": false, "b": false, "c": true} {
		if _, err := os.Stat(picture(after, name)); (err == nil) != want {
			t.Errorf("the picture %s: %v, want it there: %v", name, err, want)
		}
	}
}

package app

import (
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// A fresh machine often installs updates of its own just when the tests begin.
func TestInstallingWaitsForAnotherAptGetAndStartsNoService(t *testing.T) {
	t.Parallel()
	programs, root := t.TempDir(), t.TempDir()
	program := func(name, script string) {
		if err := os.WriteFile(filepath.Join(programs, name), []byte("#!/bin/sh\n"+script), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	program("id", "echo 0\n")
	program("apt-get", `cd '`+programs+`' && echo "$@" >>calls
policy='`+root+`/usr/sbin/policy-rc.d'
case $(wc -l <calls) in
1) echo 'E: Could not get lock /var/lib/apt/lists/lock. It is held by process 4711 (apt-get)' && exit 100 ;;
3) echo 'E: Unable to acquire the dpkg frontend lock (/var/lib/dpkg/lock-frontend), is another process using it?' && `+
		`exit 100 ;;
4) "$policy" && echo 'services are started' && exit 1 ;;
5) echo 'E: Unable to locate package nonesuch' && exit 100 ;;
esac
exit 0
`)
	apt := func(packages ...string) (string, error) {
		cmd := exec.CommandContext(t.Context(), "../../../.ci/apt", packages...)
		cmd.Env = append(os.Environ(), "PATH="+programs+":"+os.Getenv("PATH"), "APT_ROOT="+root, "APT_PAUSE=0")
		out, err := cmd.CombinedOutput()
		return string(out), err
	}
	if out, err := apt("redis-server"); err != nil {
		t.Errorf("%v: %s", err, out)
	}
	if out, err := apt("nonesuch"); err == nil || !strings.Contains(out, "Unable to locate package") {
		t.Errorf("a package that there is not: %v: %s", err, out)
	}
	calls, err := os.ReadFile(filepath.Join(programs, "calls"))
	if err != nil || strings.Count(string(calls), "\n") != 5 {
		t.Errorf("%v: apt-get was called with:\n%s", err, calls)
	}
	err = filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
		if err == nil && !entry.IsDir() {
			t.Errorf("%s stays behind", path)
		}
		return err
	})
	if err != nil {
		t.Error(err)
	}
}

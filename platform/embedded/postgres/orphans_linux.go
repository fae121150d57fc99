package postgres

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// usersOf lists the PostgreSQL processes that work in a cluster's folder. unsure means that there are others
// whose folder this process may not see, as in a container whose root lacks the right to trace.
func usersOf(dir string, _ int) (pids []int, unsure bool) {
	dir, err := filepath.EvalSymlinks(dir)
	if err != nil {
		return nil, false // no folder, no users
	}
	entries, err := os.ReadDir("/proc")
	if err != nil {
		return nil, true
	}
	for _, entry := range entries {
		pid, err := strconv.Atoi(entry.Name())
		if err != nil || pid == os.Getpid() {
			continue
		}
		proc := filepath.Join("/proc", entry.Name())
		line, err := os.ReadFile(filepath.Join(proc, "cmdline"))
		if err != nil || !isPostgres(string(line)) { // ended meanwhile, or somebody's shell standing in the folder
			continue
		}
		cwd, err := os.Readlink(filepath.Join(proc, "cwd"))
		switch {
		case cwd == dir, strings.Contains(string(line), "\x00-D\x00"+dir+"\x00"):
			pids = append(pids, pid)
		case os.IsPermission(err):
			unsure = true
		}
	}
	return pids, unsure
}

func isPostgres(commandLine string) bool {
	program, _, _ := strings.Cut(commandLine, "\x00")
	if strings.HasPrefix(program, "postgres:") { // how its children call themselves
		return true
	}
	name := filepath.Base(program)
	return name == "postgres" || name == "initdb"
}

package postgres

import (
	"context"
	"fmt"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

const oldestMajor = 15

// binaries is a folder with postgres and initdb.
type binaries struct {
	dir     string
	version string // such as 15.18
	major   int
}

func (b binaries) path(program string) string { return filepath.Join(b.dir, program) }

var versionPattern = regexp.MustCompile(`PostgreSQL\) ((\d+)\S*)`)

// inspect asks both programs for their version, which also proves that they run on this machine.
func inspect(ctx context.Context, dir string) (binaries, error) {
	found := binaries{dir: dir}
	for _, program := range []string{"initdb", "postgres"} {
		cmd := exec.CommandContext(ctx, found.path(program), "--version") //nolint:gosec // a folder that the operator chose
		cmd.Env = environment()
		out, err := cmd.Output()
		if err != nil {
			return binaries{}, fmt.Errorf("%s: %w", found.path(program), err)
		}
		match := versionPattern.FindStringSubmatch(string(out))
		if match == nil {
			return binaries{}, fmt.Errorf("%s says %q, which is no version of PostgreSQL", found.path(program),
				strings.TrimSpace(string(out)))
		}
		found.version = match[1]
		if found.major, err = strconv.Atoi(match[2]); err != nil {
			return binaries{}, fmt.Errorf("%s: %w", found.path(program), err)
		}
	}
	return found, nil
}

// findBinaries looks in the named folder, else for the newest installed ones, else has npm fetch them. An existing
// cluster takes only the major version that made it (clusterMajor; 0 when there is none).
func findBinaries(ctx context.Context, opts Options, clusterMajor int) (binaries, error) {
	fits := func(b binaries) bool {
		return b.major >= oldestMajor && (clusterMajor == 0 || b.major == clusterMajor)
	}
	if opts.BinDir != "" {
		found, err := inspect(ctx, opts.BinDir)
		switch {
		case err != nil:
			return binaries{}, fmt.Errorf("BROADSHEET_PG_BIN: %w", err)
		case found.major < oldestMajor:
			return binaries{}, fmt.Errorf("BROADSHEET_PG_BIN: %s has PostgreSQL %s; %d or later is needed", opts.BinDir,
				found.version, oldestMajor)
		case !fits(found):
			return binaries{}, fmt.Errorf("BROADSHEET_PG_BIN: %s has PostgreSQL %s, but the database was made with %d",
				opts.BinDir, found.version, clusterMajor)
		}
		return found, nil
	}
	if !opts.fetchOnly {
		for _, found := range installed(ctx) {
			if fits(found) {
				return found, nil
			}
		}
	}
	if clusterMajor != 0 && clusterMajor != fetchedMajor {
		return binaries{},
			fmt.Errorf("the database was made with PostgreSQL %d, which is not installed; install that version, "+
				"name its folder in BROADSHEET_PG_BIN, or start over with an empty data folder", clusterMajor)
	}
	found, err := fetch(ctx, opts)
	if err != nil {
		return binaries{}, fmt.Errorf("no PostgreSQL %d or later is installed, and fetching it failed: %w; "+
			"install PostgreSQL, or set BROADSHEET_PG_BIN or BROADSHEET_DATABASE_URL", oldestMajor, err)
	}
	return found, nil
}

// Tools is the folder of pg_dump and pg_restore: that of binDir, or of the newest server that is installed; "" where
// there is none and the PATH has to do. Newer tools understand older servers.
func Tools(ctx context.Context, binDir string) string {
	if binDir != "" {
		return binDir
	}
	for _, found := range installed(ctx) {
		if _, err := exec.LookPath(found.path("pg_dump")); err == nil {
			return found.dir
		}
	}
	return ""
}

var usualPlaces = []string{
	"/usr/lib/postgresql/*/bin",
	"/usr/pgsql-*/bin",
	"/opt/homebrew/opt/postgresql@*/bin",
	"/usr/local/opt/postgresql@*/bin",
	"/home/linuxbrew/.linuxbrew/opt/postgresql@*/bin",
	"/Applications/Postgres.app/Contents/Versions/*/bin",
}

// installed lists what is on the machine, newest first. What does not run is left out.
func installed(ctx context.Context) []binaries {
	var dirs []string
	for _, place := range usualPlaces {
		found, _ := filepath.Glob(place) // fails on a bad pattern only
		dirs = append(dirs, found...)
	}
	if program, err := exec.LookPath("postgres"); err == nil {
		if real, err := filepath.EvalSymlinks(program); err == nil {
			dirs = append(dirs, filepath.Dir(real))
		}
	}
	slices.Sort(dirs)
	var all []binaries
	for _, dir := range slices.Compact(dirs) {
		if found, err := inspect(ctx, dir); err == nil {
			all = append(all, found)
		}
	}
	slices.SortStableFunc(all, func(a, b binaries) int { return b.major - a.major })
	return all
}

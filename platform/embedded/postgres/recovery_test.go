package postgres

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"example.org/broadsheet/platform/testkit/wait"
)

// serve runs the server of dir in a process of its own, whose number is the first result; the second is the server's.
func serve(t *testing.T, dir string, wrapper ...string) (*exec.Cmd, int) {
	t.Helper()
	cmd, lines := launchSelf(t, dir, wrapper...)
	line, err := lines.ReadString('\n')
	var pid int
	if _, scanErr := fmt.Sscanf(line, "ready %d", &pid); err != nil || scanErr != nil {
		t.Fatalf("the process says %q: %v", line, errors.Join(err, scanErr))
	}
	return cmd, pid
}

func launchSelf(t *testing.T, dir string, wrapper ...string) (*exec.Cmd, *bufio.Reader) {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	if len(wrapper) > 0 { // another user cannot run what the go command has built in its private folder
		self = copyProgram(t, self)
	}
	args := slices.Concat(wrapper, []string{self})
	cmd := exec.Command(args[0], args[1:]...)
	cmd.Env = append(os.Environ(), "TEST_SERVE_DIR="+dir)
	cmd.Stderr = t.Output()
	cmd.WaitDelay = time.Second
	out, in := io.Pipe()
	cmd.Stdout = in
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = cmd.Process.Kill() // mostly dead already
		_ = cmd.Wait()         // the kill is its error
		_ = out.Close()
	})
	return cmd, bufio.NewReader(out)
}

func copyProgram(t *testing.T, from string) string {
	t.Helper()
	content, err := os.ReadFile(from)
	if err != nil {
		t.Fatal(err)
	}
	to := filepath.Join(tempDir(t), "serve")
	if err := os.WriteFile(to, content, 0o755); err != nil {
		t.Fatal(err)
	}
	return to
}

func alive(pid int) bool { return syscall.Kill(pid, 0) == nil }

func kill(t *testing.T, pid int, signal syscall.Signal) {
	t.Helper()
	if err := syscall.Kill(pid, signal); err != nil {
		t.Fatal(err)
	}
}

// attach connects to the server that another process runs.
func attach(t *testing.T, dir string) *Server {
	t.Helper()
	s, err := Attach(t.Context(), dir)
	if err != nil || s == nil {
		t.Fatalf("attach: %v, %v", s, err)
	}
	return s
}

func TestNothingIsLostHoweverItIsKilled(t *testing.T) {
	t.Parallel()
	for name, killing := range map[string]func(t *testing.T, parent *exec.Cmd, postmaster int){
		"the parent": func(t *testing.T, parent *exec.Cmd, postmaster int) {
			kill(t, parent.Process.Pid, syscall.SIGKILL)
			wait.Until(t, "the server ends with its parent", func() bool { return !alive(postmaster) })
		},
		"parent and server at once": func(t *testing.T, parent *exec.Cmd, postmaster int) {
			kill(t, parent.Process.Pid, syscall.SIGSTOP) // or it would restart the server in between
			kill(t, postmaster, syscall.SIGKILL)
			kill(t, parent.Process.Pid, syscall.SIGKILL)
		},
		"the parent, and the next start does not wait": func(t *testing.T, parent *exec.Cmd, _ int) {
			kill(t, parent.Process.Pid, syscall.SIGKILL)
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := tempDir(t)
			parent, postmaster := serve(t, dir)
			run(t, attach(t, dir), "CREATE TABLE kept AS SELECT generate_series(1, 1000) AS n")
			killing(t, parent, postmaster)
			_ = parent.Wait() // it was killed

			again := start(t, Options{Dir: dir, NoSync: true})
			if n := query[int](t, again, "SELECT count(*) FROM kept"); n != 1000 {
				t.Errorf("%d rows are left", n)
			}
		})
	}
}

func TestServerComesBackWhenItDies(t *testing.T) {
	t.Parallel()
	s := start(t, Options{Dir: tempDir(t)})
	run(t, s, "CREATE TABLE kept AS SELECT 1 AS n")
	for want := int64(1); want <= 2; want++ {
		kill(t, s.Pid(), syscall.SIGKILL)
		wait.Until(t, "the restart is counted", func() bool { return s.Restarts() == want })
		run(t, s, "INSERT INTO kept VALUES (1)")
	}
	if n := query[int](t, s, "SELECT count(*) FROM kept"); n != 3 {
		t.Errorf("%d rows", n)
	}
	select {
	case <-s.Done():
		t.Error("the server counts as ended")
	default:
	}
}

func TestServerEndsForGoodWhenItsDataVanish(t *testing.T) {
	t.Parallel()
	s, err := Start(t.Context(), Options{Dir: tempDir(t), NoSync: true, Log: testLog(t)})
	if err != nil {
		t.Fatal(err)
	}
	if err := os.RemoveAll(s.cluster.dir); err != nil {
		t.Fatal(err)
	}
	kill(t, s.Pid(), syscall.SIGKILL)
	if err := s.Wait(); err == nil || !strings.Contains(err.Error(), "vanished") {
		t.Errorf("error: %v", err)
	}
}

func TestSecondStartIsRefused(t *testing.T) {
	t.Parallel()
	dir := tempDir(t)
	start(t, Options{Dir: dir, NoSync: true})
	_, err := Start(t.Context(), Options{Dir: dir})
	if !errors.Is(err, ErrInUse) || !strings.Contains(err.Error(), strconv.Itoa(os.Getpid())) ||
		!strings.Contains(err.Error(), dir) {
		t.Errorf("error: %v", err)
	}
}

func TestOpenUsesARunningServerOrStartsOne(t *testing.T) {
	t.Parallel()
	dir := tempDir(t)
	if s, err := Attach(t.Context(), dir); s != nil || err != nil {
		t.Fatalf("attached to nothing: %v, %v", s, err)
	}
	_, lines := launchSelf(t, dir)
	wait.Until(t, "the other process has taken the folder", func() bool {
		held, err := locked(dir)
		return held && err == nil
	})

	guest, err := Open(t.Context(), Options{Dir: dir}) // the host is still making the database
	if err != nil {
		t.Fatal(err)
	}
	if !guest.Attached() {
		t.Error("a second server was started")
	}
	run(t, guest, "CREATE TABLE common ()")
	stop(t, guest)
	if _, err := lines.ReadString('\n'); err != nil {
		t.Fatal(err)
	}
	run(t, attach(t, dir), "DROP TABLE common")
}

func TestOpenStartsAServerWhereNoneRuns(t *testing.T) {
	t.Parallel()
	s, err := Open(t.Context(), Options{Dir: tempDir(t), NoSync: true, Log: testLog(t)})
	if err != nil {
		t.Fatal(err)
	}
	if s.Attached() {
		t.Error("attached to nothing")
	}
	run(t, s, "SELECT 1")
	stop(t, s)
	if err := try(s, "SELECT 1"); err == nil {
		t.Error("it still runs")
	}
}

func TestAttachGivesUpWithItsContext(t *testing.T) {
	t.Parallel()
	dir := tempDir(t)
	lock, err := takeLock(t.Context(), dir)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = lock.Close() }) // closing is what unlocks
	ctx, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
	defer cancel()
	if _, err := Attach(ctx, dir); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("error: %v", err)
	}
}

func TestStalePidFilesDoNotStopAStart(t *testing.T) {
	t.Parallel()
	dir := tempDir(t)
	made := start(t, Options{Dir: dir, NoSync: true})
	stop(t, made)
	// PostgreSQL takes only processes of its own user for another server.
	as := &syscall.SysProcAttr{Credential: made.cluster.account.cred}
	stranger := exec.Command("sleep", "600")
	stranger.SysProcAttr, stranger.Dir = as, "/"
	if err := stranger.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = stranger.Process.Kill(); _ = stranger.Wait() })
	zombie := exec.Command("true")
	zombie.SysProcAttr, zombie.Dir = as, "/"
	if err := zombie.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = zombie.Wait() })
	path := filepath.Join(dir, "postgres", "postmaster.pid")
	for name, content := range map[string]string{
		"a stranger has the number": fmt.Sprintf("%d\n%s\n1\n5432\n/tmp\n\n1 1\nready\n", stranger.Process.Pid, dir),
		"a zombie has the number":   fmt.Sprintf("%d\n%s\n1\n5432\n/tmp\n\n1 1\nready\n", zombie.Process.Pid, dir),
		"nobody has the number":     fmt.Sprintf("%d\n%s\n1\n5432\n/tmp\n\n1 1\nready\n", 4_000_000, dir),
		"it is this very process":   fmt.Sprintf("%d\n", os.Getpid()),
		"the file is empty":         "",
		"the file is no pid file":   "\x00\xff rubbish",
	} {
		t.Run(name, func(t *testing.T) {
			if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
				t.Fatal(err)
			}
			if err := made.cluster.account.own(path); err != nil {
				t.Fatal(err)
			}
			s := start(t, Options{Dir: dir, NoSync: true})
			run(t, s, "SELECT 1")
			stop(t, s)
		})
	}
	if !alive(stranger.Process.Pid) {
		t.Error("the stranger was killed")
	}
}

// A shell that merely stands in the folder is none of the server's processes.
func TestOnlyServersAreEvicted(t *testing.T) {
	t.Parallel()
	dir := tempDir(t)
	bystander := exec.Command("sleep", "600")
	bystander.Dir = dir
	if err := bystander.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = bystander.Process.Kill(); _ = bystander.Wait() })
	if pids, _ := usersOf(dir, bystander.Process.Pid); len(pids) > 0 {
		t.Errorf("would evict %v", pids)
	}
}

func TestHalfMadeDatabaseIsMadeAnew(t *testing.T) {
	t.Parallel()
	dir := tempDir(t)
	cmd, _ := launchSelf(t, dir)
	half := filepath.Join(dir, "postgres.new", "PG_VERSION")
	wait.Until(t, "the database is being made", func() bool { _, err := os.Stat(half); return err == nil })
	kill(t, cmd.Process.Pid, syscall.SIGKILL)
	_ = cmd.Wait() // it was killed
	if _, err := os.Stat(filepath.Join(dir, "postgres")); err == nil {
		t.Fatal("it was killed too late to prove anything")
	}
	run(t, start(t, Options{Dir: dir, NoSync: true}), "SELECT 1")
	if _, err := os.Stat(filepath.Dir(half)); !os.IsNotExist(err) {
		t.Errorf("the half stays: %v", err)
	}
}

func TestSweepRemovesOnlyWhatNobodyUses(t *testing.T) {
	temp := tempDir(t)
	t.Setenv("TMPDIR", temp)
	make := func(name string, age time.Duration) string {
		dir := filepath.Join(temp, tempPrefix+name)
		if err := os.Mkdir(dir, 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.Chtimes(dir, time.Time{}, time.Now().Add(-age)); err != nil {
			t.Fatal(err)
		}
		return dir
	}
	dead, fresh, used := make("dead", time.Hour), make("fresh", time.Second), make("used", time.Hour)
	lock, err := takeLock(t.Context(), used)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = lock.Close() }) // closing is what unlocks
	if err := os.Chtimes(used, time.Time{}, time.Now().Add(-time.Hour)); err != nil {
		t.Fatal(err)
	}
	sweepTemp(t.Context(), testLog(t))
	for dir, want := range map[string]bool{dead: false, fresh: true, used: true} {
		if _, err := os.Stat(dir); (err == nil) != want {
			t.Errorf("%s exists: %v", dir, err == nil)
		}
	}
}

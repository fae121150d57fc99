package command

import (
	"net"
	"os"
	"os/exec"
	"syscall"
	"testing"

	"example.org/broadsheet/platform/testkit"
	"example.org/broadsheet/platform/testkit/wait"
)

const asProgram = "BROADSHEET_TEST_AS_PROGRAM"

// TestMain lets the test binary be the program that gets signals.
func TestMain(m *testing.M) {
	if os.Getenv(asProgram) != "" {
		os.Exit(Main("test"))
	}
	os.Exit(m.Run())
}

// A terminal that is closed, an interrupt and a supervisor end a command in the same way.
func TestMain_Signals(t *testing.T) {
	t.Parallel()
	start := func(t *testing.T, shell string) (cmd *exec.Cmd, listens func() bool) {
		t.Helper()
		address := "127.0.0.1:" + testkit.FreePort(t)
		exe, err := os.Executable()
		if err != nil {
			t.Fatal(err)
		}
		cmd = exec.CommandContext(t.Context(), "sh", "-c", shell+`exec "$0" "$@"`, exe, "sandbox", "mailbox", "--listen",
			address, "--smtp", "127.0.0.1:"+testkit.FreePort(t), "--data", t.TempDir())
		cmd.Env = append(os.Environ(), asProgram+"=1")
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		listens = func() bool {
			conn, err := net.Dial("tcp", address)
			if err == nil {
				_ = conn.Close()
			}
			return err == nil
		}
		wait.Until(t, "the program listens", listens)
		return cmd, listens
	}
	ends := func(t *testing.T, cmd *exec.Cmd) {
		t.Helper()
		_ = cmd.Wait() // its status counts
		if s, ok := cmd.ProcessState.Sys().(syscall.WaitStatus); !ok || s.Signaled() {
			t.Errorf("it did not end by itself: %v", cmd.ProcessState)
		}
	}
	for _, signal := range []syscall.Signal{syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP} {
		t.Run(signal.String(), func(t *testing.T) {
			t.Parallel()
			cmd, _ := start(t, "")
			if err := cmd.Process.Signal(signal); err != nil {
				t.Fatal(err)
			}
			ends(t, cmd)
		})
	}
	t.Run("under nohup", func(t *testing.T) {
		t.Parallel()
		cmd, listens := start(t, "trap '' HUP; ")
		for range 3 {
			if err := cmd.Process.Signal(syscall.SIGHUP); err != nil {
				t.Fatal(err)
			}
			if !listens() {
				t.Error("it has ended with its terminal")
			}
		}
		if err := cmd.Process.Signal(syscall.SIGTERM); err != nil {
			t.Fatal(err)
		}
		ends(t, cmd)
	})
}

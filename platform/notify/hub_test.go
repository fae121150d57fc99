package notify

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"example.org/broadsheet/platform/db"
	"example.org/broadsheet/platform/testkit"
	"example.org/broadsheet/platform/testkit/wait"
)

// journal collects what a hub says.
type journal struct {
	mu    sync.Mutex
	lines []string
}

func (j *journal) add(line string) { j.mu.Lock(); defer j.mu.Unlock(); j.lines = append(j.lines, line) }

func (j *journal) text() string { j.mu.Lock(); defer j.mu.Unlock(); return strings.Join(j.lines, " ") }

func listening(t *testing.T, d *db.DB, quiet time.Duration) *journal {
	t.Helper()
	h, j := NewHub(d, nil), &journal{}
	h.quiet = quiet
	h.On(Content, func(m Message) { j.add(fmt.Sprint(m.Edition, m.Keys)) })
	h.OnReset(func() {
		if h.Connected() {
			t.Error("connected before the functions of OnReset have run")
		}
		j.add("reset")
	})
	listen(t, h)
	return j
}

// listen runs a hub for as long as the test, and returns when it is connected.
func listen(t *testing.T, h *Hub) {
	t.Helper()
	run(t, h)
	wait.Until(t, "connected", h.Connected)
}

// run starts a hub that may not become connected.
func run(t *testing.T, h *Hub) {
	t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	var done sync.WaitGroup
	done.Go(func() { h.Listen(ctx) })
	t.Cleanup(func() { cancel(); done.Wait() })
}

func tell(ctx context.Context, d *db.DB, verdict error, topic string, keys ...string) error {
	return d.InTx(ctx, func(ctx context.Context, tx db.Tx) error {
		if err := Tell(ctx, tx, topic, keys...); err != nil {
			return err
		}
		return verdict
	})
}

func TestNoticesArriveWithTheCommit(t *testing.T) {
	t.Parallel()
	ctx, d := testkit.Edition(t)
	j := listening(t, d, defaultQuiet)
	if err := tell(ctx, d, context.Canceled, Content, "post:1"); err == nil {
		t.Fatal("it was not rolled back")
	}
	long := make([]string, 2000)
	for i := range long {
		long[i] = "post:12345"
	}
	for _, keys := range [][]string{{"post:2", "front"}, long} {
		if err := tell(ctx, d, nil, Content, keys...); err != nil {
			t.Fatal(err)
		}
	}
	if err := tell(ctx, d, nil, Reader, "7"); err != nil {
		t.Fatal(err)
	}
	if err := d.Notify(ctx, d.Core(), Content, "end"); err != nil {
		t.Fatal(err)
	}
	if _, err := d.Core().ExecContext(ctx, "NOTIFY "+Channel+", 'not JSON'"); err != nil {
		t.Fatal(err)
	}
	if err := d.Notify(ctx, d.Core(), Content, "end2"); err != nil {
		t.Fatal(err)
	}
	wait.Until(t, "the last notice", func() bool { return strings.Contains(j.text(), "end2") })
	if got := j.text(); got != "reset test_sk[post:2 front] test_sk[] end[] end2[]" {
		t.Errorf("got %s", got)
	}
}

func TestALostConnectionIsRenewedAndSaidSo(t *testing.T) {
	t.Parallel()
	ctx, d := testkit.Edition(t)
	j := listening(t, d, defaultQuiet)
	var killed int
	err := d.Core().NewRaw("SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity WHERE datname = "+
		"current_database() AND query LIKE 'LISTEN%'").Scan(ctx, &killed)
	if err != nil || killed != 1 {
		t.Fatalf("%d ended, %v", killed, err)
	}
	wait.Until(t, "a second reset", func() bool { return j.text() == "reset reset" })
	if err := tell(ctx, d, nil, Content, "a"); err != nil {
		t.Fatal(err)
	}
	wait.Until(t, "a notice on the new connection", func() bool { return strings.HasSuffix(j.text(), "test_sk[a]") })
}

func TestSilenceIsNoBreak(t *testing.T) {
	t.Parallel()
	ctx, d := testkit.Edition(t)
	j := listening(t, d, 5*time.Millisecond)
	time.Sleep(60 * time.Millisecond)
	if err := tell(ctx, d, nil, Content, "a"); err != nil {
		t.Fatal(err)
	}
	wait.Until(t, "a notice after some silence", func() bool { return j.text() == "reset test_sk[a]" })
}

// The server ends sessions that say nothing, and hearing is not saying.
func TestAHubThatHearsMuchSpeaksToo(t *testing.T) {
	t.Parallel()
	ctx, d := testkit.Edition(t)
	const quiet = 200 * time.Millisecond
	j := listening(t, d, quiet)
	wait.Until(t, "the server was asked while notices came", func() bool {
		if err := d.Notify(ctx, d.Core(), Content, "post:1"); err != nil {
			t.Fatal(err)
		}
		var last string
		err := d.Core().NewRaw("SELECT query FROM pg_stat_activity WHERE application_name = ? AND datname = "+
			"current_database()", db.Listener("")).Scan(ctx, &last)
		if err != nil {
			t.Fatal(err)
		}
		return strings.Contains(last, "ping")
	})
	if text := j.text(); strings.Count(text, "reset") != 1 || !strings.Contains(text, "post:1") {
		t.Error("heard: " + text)
	}
}

package sandbox_test

import (
	"bufio"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stripe/stripe-go/v76"

	sandbox "example.org/broadsheet/platform/sandbox/stripe"
	"example.org/broadsheet/platform/testkit/wait"
)

func (s *shop) journal() string {
	s.t.Helper()
	found, err := filepath.Glob(filepath.Join(s.opts.Dir, "*.jsonl"))
	if err != nil || len(found) != 1 {
		s.t.Fatalf("journals are %v, %v", found, err)
	}
	return found[0]
}

func (s *shop) restart() {
	s.t.Helper()
	if err := s.box.Close(); err != nil {
		s.t.Fatal(err)
	}
	s.start()
}

func TestRestartKeepsEverything(t *testing.T) {
	t.Parallel()
	s := open(t)
	sub := s.subscribe(s.price(100, "week", 4))
	s.introduce(sub, s.price(796, "week", 4))
	s.flush()
	s.hooks.answer(503)
	params := &stripe.CustomerParams{Email: str("a@example.org"), Params: stripe.Params{IdempotencyKey: str("k")}}
	cu := must[*stripe.Customer](t)(s.api.Customers.New(params))
	wait.Until(t, "the attempts", func() bool { return s.box.Deliveries()[len(s.box.Deliveries())-1].Attempts >= 2 })
	before := s.listed()
	s.restart()

	if got := s.listed(); strings.Join(got, " ") != strings.Join(before, " ") {
		t.Errorf("events are %d, were %d", len(got), len(before))
	}
	if again := must[*stripe.Customer](t)(s.api.Customers.New(params)); again.ID != cu.ID {
		t.Error("an idempotency key was forgotten")
	}
	s.hooks.answer(200)
	s.advance(time.Hour)
	wait.Until(t, "the webhook from before", func() bool {
		d := s.box.Deliveries()
		return d[len(d)-1].State == "delivered"
	})
	s.advance(28 * day)
	if got := s.sub(sub.ID); got.LatestInvoice.AmountPaid != 796 || got.Schedule == nil {
		t.Errorf("the schedule goes on: %+v", got)
	}
}

func TestCrashInTheMiddleOfALine(t *testing.T) {
	t.Parallel()
	s := open(t)
	cu := s.customer()
	s.flush()
	if err := s.box.Close(); err != nil {
		t.Fatal(err)
	}
	file, err := os.OpenFile(s.journal(), os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := file.WriteString(`{"put":[{"id":"cus_torn","kind":"customer","data":{"id":"cus_to`); err != nil {
		t.Fatal(err)
	}
	_ = file.Close()
	s.start()
	must[*stripe.Customer](t)(s.api.Customers.Get(cu.ID, nil))
	if _, err := s.api.Customers.Get("cus_torn", nil); code(err) != "resource_missing" {
		t.Errorf("half a transaction counts: %v", err)
	}
	later := s.customer()
	s.restart()
	must[*stripe.Customer](t)(s.api.Customers.Get(later.ID, nil))
}

func TestDamagedJournalIsRefused(t *testing.T) {
	t.Parallel()
	s := open(t)
	s.customer()
	s.flush()
	if err := s.box.Close(); err != nil {
		t.Fatal(err)
	}
	path := s.journal()
	whole, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, append([]byte("{broken\n"), whole...), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := sandbox.New(s.opts); err == nil || !strings.Contains(err.Error(), "line 1 is damaged") ||
		!strings.Contains(err.Error(), filepath.Base(path)) {
		t.Errorf("a damaged journal: %v", err)
	}
	if err := os.WriteFile(path, whole, 0o600); err != nil {
		t.Fatal(err)
	}
	s.start()
}

func TestOneProcessADirectory(t *testing.T) {
	t.Parallel()
	s := open(t)
	if _, err := sandbox.New(s.opts); err == nil || !strings.Contains(err.Error(), "in use") {
		t.Errorf("a second sandbox in the same directory: %v", err)
	}
	for name, opts := range map[string]sandbox.Options{
		"no directory": {Clock: s.clock}, "no clock": {Dir: t.TempDir()},
		"no such ending": {Dir: t.TempDir(), Clock: s.clock, AfterRetries: "free"},
		"no key":         {Dir: t.TempDir(), Clock: s.clock, Accounts: []sandbox.Account{{}}},
	} {
		if box, err := sandbox.New(opts); err == nil {
			t.Errorf("%s: no error", name)
			_ = box.Close()
		}
	}
}

// TestMain lets the test binary be a sandbox of its own, to be killed.
func TestMain(m *testing.M) {
	if dir := os.Getenv("SANDBOX_VICTIM"); dir != "" {
		victim(dir)
	}
	os.Exit(m.Run())
}

// victim makes customers and prints each that was answered, until it is killed.
func victim(dir string) {
	box, err := sandbox.New(sandbox.Options{
		Dir: dir, Clock: &manualClock{now: begin},
		Accounts: []sandbox.Account{{SecretKey: shopKey}},
	})
	if err != nil {
		panic(err)
	}
	for api := connect(box, shopKey); ; {
		cu, err := api.Customers.New(&stripe.CustomerParams{Email: str("a@example.org")})
		if err != nil {
			panic(err)
		}
		fmt.Println(cu.ID)
	}
}

func TestKillLosesNothingThatWasAnswered(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	for round := range 3 {
		process := exec.CommandContext(ctx, os.Args[0])
		process.Env = append(os.Environ(), "SANDBOX_VICTIM="+dir)
		out, err := process.StdoutPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := process.Start(); err != nil {
			t.Fatal(err)
		}
		var ids []string
		for lines := bufio.NewScanner(out); lines.Scan(); {
			if ids = append(ids, lines.Text()); len(ids) == 20 {
				if err := process.Process.Kill(); err != nil {
					t.Fatal(err)
				}
			}
		}
		_ = process.Wait()
		if len(ids) < 20 {
			t.Fatalf("round %d: only %d customers were made", round, len(ids))
		}
		box, err := sandbox.New(sandbox.Options{
			Dir: dir, Clock: &manualClock{now: begin},
			Accounts: []sandbox.Account{{SecretKey: shopKey}},
		})
		if err != nil {
			t.Fatal(err)
		}
		for _, id := range ids {
			if _, err := connect(box, shopKey).Customers.Get(id, nil); err != nil {
				t.Errorf("round %d: %s was answered and is lost: %v", round, id, err)
			}
		}
		if err := box.Close(); err != nil {
			t.Error(err)
		}
	}
}

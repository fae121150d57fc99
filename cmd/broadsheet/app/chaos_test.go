package app

import (
	"context"
	"flag"
	"fmt"
	"maps"
	"math/rand/v2"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"example.org/broadsheet/platform/clock"
	sandbox "example.org/broadsheet/platform/sandbox/stripe"
)

// The storm of the normal tests is short; `make chaos` and `make chaos-long` ask for more.
var (
	chaosSeed  = flag.Uint64("chaos.seed", 2, "what TestChaos draws its faults from")
	chaosFor   = flag.Duration("chaos.for", 12*time.Second, "how long TestChaos makes faults")
	chaosAway  = flag.Duration("chaos.away", 0, "how long Redis is away once; 0: only the short times that are drawn")
	chaosReady = flag.Duration("chaos.ready", 30*time.Second, "within which a process that was killed has to be ready; "+
		"and all within twice that after any other fault")
)

// storm is a fleet under load whose parts fail, and what was promised to its readers meanwhile.
type storm struct {
	*fleet
	rand    *rand.Rand
	stripe  *sandbox.Sandbox
	hosted  http.Handler // the provider's pages
	serves  []*member
	works   []*member
	clocks  map[*member]string // the file of its clock
	front   string             // nginx
	redisAt string             // port
	wall    time.Time          // the beginning

	mu       sync.Mutex
	fault    string // that is on; "" is none
	injected map[string]int
	order    []string
	ready    map[string][]time.Duration // from a process' start, or a fault's end, until all are
	drained  []time.Duration            // from Redis' return to the last job that had waited for it
	visits   map[string]*visits         // by the fault that was on
	ledger   promises
	broken   []string // promises
	stages   []string // with the time that each took
	since    time.Time
	settled  time.Time     // when all that was due was done; some more falls due while it is checked
	ahead    time.Duration // how far the clocks of the processes are ahead once the storm is over
}

// visits counts what visitors were answered.
type visits struct {
	asked, failed int
	slowest       time.Duration
}

// Whatever fails under load, one thing after another in an order that the seed draws: what readers were told to be done
// is done, once, and nobody gets what is not theirs.
func TestChaos(t *testing.T) {
	t.Parallel()
	s := newStorm(t, *chaosSeed)
	load, end := context.WithCancel(t.Context())
	var visitors, readers sync.WaitGroup
	for v := range 3 {
		visitors.Go(func() { s.visit(load, v) })
	}
	for r := range 2 {
		readers.Go(func() { s.read(load, r) })
	}
	s.stage("the storm")
	s.blow(*chaosFor)
	end()
	s.stage("readers come to their end")
	s.expireClaims()
	readers.Wait()
	visitors.Wait()
	s.stage("jobs come to their end")
	s.settle()
	s.stage("the check")
	s.check(t)
	s.stage("")
	t.Log(s.summary())
	if file := os.Getenv("CHAOS_REPORT"); file != "" {
		if err := os.WriteFile(file, []byte(s.summary()), 0o600); err != nil {
			t.Error(err)
		}
	}
	for _, what := range s.broken {
		t.Error(what)
	}
	for name, v := range s.visits { // the paper reads without Redis
		if strings.HasPrefix(name, "Redis") && v.failed > v.asked/1000 {
			t.Errorf("%s: %d of %d pages failed", name, v.failed, v.asked)
		}
	}
	for part, list := range s.ready {
		limit := *chaosReady
		if strings.HasPrefix(part, "after") {
			limit *= 2 // a silence is noticed late
		}
		if longest := slices.Max(list); longest > limit {
			t.Errorf("%s: ready after %s", part, longest)
		}
	}
}

// newStorm sets up two of both behind nginx, with the mailbox and the payment provider of `dev`.
func newStorm(t testing.TB, seed uint64) *storm {
	t.Helper()
	f := newFleetWith(t, fleetOptions{
		// A server that is killed keeps what it has confirmed; only the machine's power is taken for granted.
		postgres: map[string]string{"synchronous_commit": "on", "full_page_writes": "on"},
		mails:    100000,
	})
	f.publish(6, true)
	for _, ed := range f.app.registry.All() { // old enough to be there for a clock that is behind
		if _, err := f.app.DB.Core().Exec(
			"UPDATE " + ed.Schema + ".content_posts SET published_at = published_at - interval '1 hour'"); err != nil {
			t.Fatal(err)
		}
	}
	f.first = true // nginx has the first address
	s := &storm{
		fleet: f, rand: rand.New(rand.NewPCG(seed, 0)), front: "127.0.0.1:" + f.port, wall: time.Now(),
		clocks: map[*member]string{}, injected: map[string]int{}, ready: map[string][]time.Duration{},
		visits: map[string]*visits{}, ledger: newPromises(),
	}
	s.redisAt = strings.TrimSuffix(f.cfg.Redis.URL[strings.LastIndex(f.cfg.Redis.URL, ":")+1:], "/0")
	var err error
	s.stripe, err = sandbox.New(sandbox.Options{Dir: t.TempDir(), Clock: &clock.Clock{}, Volatile: true})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.stripe.Close() })
	s.hosted = s.stripe.Handler()
	for _, ed := range f.app.registry.All() {
		k := SandboxKeys(s.stripe.BaseURL(), ed.ID)
		if err := s.stripe.AddAccount(sandbox.Account{
			SecretKey: k.SecretKey, Name: ed.Name, WebhookURL: ed.URL("/webhooks/stripe"), WebhookSecret: k.WebhookSecret,
			SiteURL: ed.Origin, Location: ed.Location,
		}); err != nil {
			t.Fatal(err)
		}
	}
	f.settings = append(f.settings, "BROADSHEET_STRIPE_API_BASE="+s.stripe.BaseURL(),
		"BROADSHEET_WEB_TRUSTED_PROXIES=127.0.0.1", "BROADSHEET_WEB_STOP_DELAY=0s", "BROADSHEET_LOG_LEVEL=info")
	all := f.settings
	for i, role := range []string{"serve", "serve", "work", "work"} {
		file := filepath.Join(t.TempDir(), "clock")
		f.settings = append(slices.Clone(all), clockFile+"="+file)
		m := f.member(t, role)
		s.clocks[m] = file
		if i < 2 {
			s.serves = append(s.serves, m)
		} else {
			s.works = append(s.works, m)
		}
	}
	f.settings = all
	// By default nginx asks no server for ten seconds that has failed once, also when all have.
	startNginxAt(t, s.front, " fail_timeout=1s", s.serves[0].site, s.serves[1].site)
	for _, m := range s.members() {
		m.ready()
	}
	return s
}

// stage begins a part of the test, or, as "", ends the last one.
func (s *storm) stage(name string) {
	if n := len(s.stages); n > 0 {
		s.stages[n-1] += fmt.Sprintf(" %.1f s", time.Since(s.since).Seconds())
	}
	s.since = time.Now()
	if name != "" {
		s.stages = append(s.stages, name)
	}
}

func (s *storm) members() []*member { return slices.Concat(s.serves, s.works) }

// blow makes one fault after another until the time is over.
func (s *storm) blow(lasts time.Duration) {
	s.t.Helper()
	until := time.Now().Add(lasts)
	if *chaosAway > 0 {
		s.begin(fmt.Sprintf("Redis away for %s", *chaosAway))
		s.redisAway(*chaosAway)
		s.recovered("Redis came back")
	}
	for deck := []mishap(nil); time.Now().Before(until); {
		if len(deck) == 0 {
			deck = slices.Clone(mishaps)
			s.rand.Shuffle(len(deck), func(i, j int) { deck[i], deck[j] = deck[j], deck[i] })
		}
		// Everything is drawn before it is done, so that the order is the seed's whatever the machine does.
		next, dice := deck[0], draw{s.rand.IntN(1 << 20), s.rand.Float64()}
		pause := time.Duration(500+s.rand.IntN(2000)) * time.Millisecond
		deck = deck[1:]
		s.begin(next.name)
		next.make(s, dice)
		s.recovered("after: " + next.name)
		time.Sleep(pause)
	}
}

func (s *storm) begin(name string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.fault = name
	s.injected[name]++
	s.order = append(s.order, fmt.Sprintf("%.0f s %s", time.Since(s.wall).Seconds(), name))
}

// recovered waits until every process says that it is ready.
func (s *storm) recovered(name string) {
	s.t.Helper()
	began := time.Now()
	s.readySince(began, s.members()...)
	s.took(name, time.Since(began))
	s.mu.Lock()
	defer s.mu.Unlock()
	s.fault = ""
}

// readySince waits until processes are ready. They are asked together, as a balancer does: each finds out by the
// question what it has lost.
func (s *storm) readySince(began time.Time, members ...*member) {
	s.t.Helper()
	for {
		var all sync.WaitGroup
		var late atomic.Pointer[member]
		for _, m := range members {
			all.Go(func() {
				if code, _, _ := m.readyz(); code != http.StatusOK {
					late.Store(m)
				}
			})
		}
		all.Wait()
		m := late.Load()
		if m == nil {
			return
		}
		if time.Since(began) > 90*time.Second {
			s.t.Fatalf("%s is not ready after %s", m.role, time.Since(began))
		}
		time.Sleep(20 * time.Millisecond)
	}
}

func (s *storm) took(name string, d time.Duration) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.ready[name] = append(s.ready[name], d)
}

// summary says what was done to the paper, and what came of it.
func (s *storm) summary() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	var b strings.Builder
	total := 0
	for _, n := range s.injected {
		total += n
	}
	fmt.Fprintf(&b, "seed %d: %d faults; %s\n", *chaosSeed, total, strings.Join(s.stages, ", "))
	for _, name := range slices.Sorted(maps.Keys(s.injected)) {
		fmt.Fprintf(&b, "  %3d × %s\n", s.injected[name], name)
	}
	fmt.Fprintf(&b, "in this order: %s\n%s\n", strings.Join(s.order, ", "), s.ledger.String())
	fmt.Fprintf(&b, "lost or wrong: %d\n", len(s.broken))
	for _, what := range s.broken {
		fmt.Fprintf(&b, "  %s\n", what)
	}
	fmt.Fprintln(&b, "time to be ready:")
	for _, name := range slices.Sorted(maps.Keys(s.ready)) {
		list := slices.Sorted(slices.Values(s.ready[name]))
		fmt.Fprintf(&b, "  %-52s %3d times, median %5.2f s, longest %5.2f s\n", name, len(list),
			list[len(list)/2].Seconds(), list[len(list)-1].Seconds())
	}
	if len(s.drained) > 0 {
		fmt.Fprintf(&b, "jobs that had waited for Redis were done within %.1f s of its return\n",
			slices.Max(s.drained).Seconds())
	}
	fmt.Fprintln(&b, "visitors, by what was failing:")
	for _, name := range slices.Sorted(maps.Keys(s.visits)) {
		v := s.visits[name]
		label := name
		if label == "" {
			label = "(nothing)"
		}
		fmt.Fprintf(&b, "  %-52s %6d pages, %4d errors (%.2f %%), slowest %5.2f s\n", label, v.asked, v.failed,
			100*float64(v.failed)/float64(max(v.asked, 1)), v.slowest.Seconds())
	}
	return b.String()
}

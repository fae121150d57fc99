package billing

import (
	"context"
	"runtime"
	"sync"
	"testing"
	"time"

	"example.org/broadsheet/modules/billing/subscription"
	"example.org/broadsheet/platform/db"
	"example.org/broadsheet/platform/testkit"
)

// crowd are subscriptions of all kinds, one reader each, most of which need no notice.
type crowd struct {
	tb  testing.TB
	ctx context.Context //nolint:containedctx // of the test's edition
	db  *db.DB
	due int
}

// kinds of what is in a crowd: how many of a hundred thousand (of those that are due), and the columns that differ. n
// counts them.
var kinds = []struct {
	share   int
	due     bool
	columns string // status, trial, product, paid, start, end, ended_at
}{
	{1000, true, "'active', false, 'product_yearly', 8900, interval '-352 days', interval '1 minute' * (n % 20000 + 1), " +
		"NULL"},
	{400, true, "'active', false, 'product_monthly', 100, interval '-22 days', interval '1 minute' * (n % 10000 + 1), " +
		"NULL"},
	{500, true, "'past_due', false, 'product_monthly', 0, interval '-1 minute' * (n % 1000 + 1), interval '27 days', " +
		"NULL"},
	{600, true, "'trialing', true, 'no_product', 0, interval '-26 days', interval '1 minute' * (n % 4000 + 1), NULL"},
	{300, true, "'canceled', false, 'product_monthly', 796, interval '-40 days', interval '-12 days', interval '-1 " +
		"minute' * (n % 9000 + 1)"},
	// Told that it is over.
	{200, true, "'trialing', true, 'no_product', 0, interval '-28 days', interval '-1 minute' * (n % 600 + 1), NULL"},
	{30000, false, "'active', false, 'product_monthly', 796, interval '-20 days', interval '1 minute' * (n % 40000 + " +
		"1), NULL"},
	{22000, false, "'active', false, 'product_yearly', 8900, interval '-100 days', interval '15 days' + interval '1 " +
		"minute' * (n % 500000), NULL"},
	{10000, false, "'trialing', true, 'no_product', 0, interval '-10 days', interval '4 days' + interval '1 minute' * " +
		"(n % 30000), NULL"},
	{35000, false, "'canceled', false, 'product_monthly', 796, interval '-400 days', interval '-370 days', interval '-8 " +
		"days' - interval '1 minute' * (n % 500000)"},
}

// fill makes a crowd of so many.
func fill(tb testing.TB, size int) *crowd {
	tb.Helper()
	c := &crowd{tb: tb}
	c.ctx, c.db = testkit.Edition(tb)
	begin := 0
	for _, k := range kinds {
		count := k.share * size / 100_000
		if k.due {
			c.due += count
		}
		for from := begin; from < begin+count; from += 100_000 {
			c.run(`INSERT INTO billing_subscriptions (reader_id, provider_id, status, trial, product, paid, amount, currency,
				period_start, period_end, ended_at, started_at, updated_at)
				SELECT n, CASE WHEN trial THEN NULL ELSE 'sub_' || n END, status, trial, product, paid, greatest(paid, 796),
				'eur', ?0::timestamptz + a, ?0::timestamptz + e, ?0::timestamptz + x::interval, ?0::timestamptz + a, ?0
				FROM generate_series(?1::bigint, ?2::bigint) n, LATERAL (VALUES (`+k.columns+`)) v (status, trial, product, paid,`+
				` a, e, x)`, c.db.Now(), from+1, min(from+100_000, begin+count))
		}
		begin += count
	}
	// Of as many as are due, everything was told before.
	c.run(`INSERT INTO billing_subscriptions (reader_id, provider_id, status, product, paid, amount, currency,
		period_start, period_end, started_at, updated_at)
		SELECT n, 'sub_' || n, 'active', 'product_yearly', 8900, 8900, 'eur', ?0::timestamptz - interval '1 year',
		?0::timestamptz + interval '1 minute' * (n % 15000 + 1), ?0::timestamptz - interval '1 year', ?0
		FROM generate_series(?1::bigint, ?2::bigint) n`, c.db.Now(), begin+1, size+c.due)
	c.run(`INSERT INTO billing_reminders (subscription_id, kind, period_end, claimed_at) SELECT id, 'renewal', `+
		`period_end, ? FROM billing_subscriptions WHERE reader_id > ?`, c.db.Now(), begin)
	testkit.Alter(c.ctx, tb, c.db, "ANALYZE billing_subscriptions, billing_reminders")
	return c
}

func (c *crowd) run(query string, args ...any) {
	c.tb.Helper()
	err := c.db.Run(c.ctx, func(ctx context.Context, tx db.Tx) error {
		_, err := tx.NewRaw(query, args...).Exec(ctx)
		return err
	})
	if err != nil {
		c.tb.Fatal(err)
	}
}

func (c *crowd) count(query string, args ...any) (n int) {
	c.tb.Helper()
	if err := c.db.Run(c.ctx, func(ctx context.Context, tx db.Tx) error {
		return tx.NewRaw(query, args...).Scan(ctx, &n)
	}); err != nil {
		c.tb.Fatal(err)
	}
	return n
}

// sweep sweeps with so many at once.
func (c *crowd) sweep(sweepers int) {
	c.tb.Helper()
	var all sync.WaitGroup
	for range sweepers {
		m := subscription.NewService(subscription.Deps{DB: c.db})
		all.Go(func() {
			for _, tick := range []func(context.Context) error{m.SweepNotices, m.SweepTrials} {
				if err := tick(c.ctx); err != nil {
					c.tb.Error(err)
				}
			}
		})
	}
	all.Wait()
}

// told counts the emails that the outbox has been asked for.
const told = `SELECT count(*) FROM outbox WHERE event IN ('billing.trial_ending', 'billing.access_ended', ` +
	`'billing.payment_due', 'billing.renewal_due')`

// claimed says that all that was due was taken once.
func (c *crowd) claimed() {
	c.tb.Helper()
	if n := c.count("SELECT count(*) FROM billing_reminders") - c.due; n != c.due {
		c.tb.Errorf("%d were claimed, %d are due", n, c.due)
	}
	if n, distinct := c.count(told), c.count("SELECT count(DISTINCT (event, payload->>'subscription_id')) FROM outbox "+
		"WHERE event LIKE 'billing.%' AND payload->>'subscription_id' <> ''"); n != c.due || distinct != c.due {
		c.tb.Errorf("%d emails of %d subscriptions were asked for, %d are due", n, distinct, c.due)
	}
}

// However many sweep at once, and however many are due, each email is claimed once, and none is left.
func TestManySweepAtOnce(t *testing.T) {
	t.Parallel()
	c := fill(t, 100_000)
	if c.due < 2*subscription.SweepBatch {
		t.Fatalf("%d due are too few to make several batches of them", c.due)
	}
	c.sweep(5)
	c.claimed()
	if n := c.count("SELECT count(*) FROM billing_subscriptions WHERE trial AND status = 'trialing' AND period_end <= ?",
		c.db.Now()); n != 0 {
		t.Errorf("%d trials that are over go on", n)
	}
	c.sweep(2)
	c.claimed()
}

// A sweep that fails in the midst has taken what it has told, and the next one takes the rest.
func TestASweepThatWasInterrupted(t *testing.T) {
	t.Parallel()
	c := fill(t, 150_000)
	testkit.Alter(c.ctx, t, c.db, `CREATE FUNCTION stop() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
		IF (SELECT count(*) FROM outbox) > 2000 THEN RAISE 'the sweep is stopped'; END IF; RETURN NULL; END $$`,
		"CREATE TRIGGER stop AFTER INSERT ON outbox FOR EACH STATEMENT EXECUTE FUNCTION stop()")
	m := subscription.NewService(subscription.Deps{DB: c.db})
	if err := m.SweepNotices(c.ctx); err != nil {
		t.Logf("as it should: %v", err)
	}
	_ = m.SweepTrials(c.ctx)
	payload, taken := c.count(told), c.count("SELECT count(*) FROM billing_reminders")-c.due
	if payload == c.due || payload != taken {
		t.Fatalf("%d emails were asked for, %d were claimed, of %d", payload, taken, c.due)
	}
	testkit.Alter(c.ctx, t, c.db, "DROP TRIGGER stop ON outbox")
	c.sweep(1)
	c.claimed()
}

// BenchmarkSweep claims the emails of 30,000 subscriptions that are due among a million, and then sweeps again.
func BenchmarkSweep(b *testing.B) {
	for range b.N {
		b.StopTimer()
		c := fill(b, 1_000_000)
		runtime.GC()
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		done, peak := make(chan struct{}), make(chan uint64)
		go func() {
			most, every := uint64(0), time.NewTicker(5*time.Millisecond)
			defer every.Stop()
			for {
				select {
				case <-done:
					peak <- most
					return
				case <-every.C:
					var now runtime.MemStats
					runtime.ReadMemStats(&now)
					most = max(most, now.HeapInuse)
				}
			}
		}()
		b.StartTimer()
		began := time.Now()
		c.sweep(1)
		took := time.Since(began)
		b.StopTimer()
		close(done)
		most := <-peak
		c.claimed()
		began = time.Now()
		c.sweep(1)
		again := time.Since(began)
		c.claimed()
		runtime.GC()
		runtime.ReadMemStats(&after)
		b.ReportMetric(took.Seconds(), "s")
		b.ReportMetric(float64(c.due)/took.Seconds(), "claims/s")
		b.ReportMetric(again.Seconds(), "second-s")
		b.ReportMetric(float64(before.HeapInuse)/(1<<20), "before-MiB")
		b.ReportMetric(float64(most)/(1<<20), "peak-MiB")
		b.ReportMetric(float64(after.HeapInuse)/(1<<20), "after-MiB")
		b.ReportMetric(0, "ns/op")
	}
}

package billing

import (
	"bufio"
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"example.org/broadsheet/modules/billing/stripe"
	"example.org/broadsheet/platform/clock"
	"example.org/broadsheet/platform/db"
	"example.org/broadsheet/platform/jobs"
	"example.org/broadsheet/platform/mail"
	"example.org/broadsheet/platform/paper/edition"
	"example.org/broadsheet/platform/paper/event"
	"example.org/broadsheet/platform/testkit"
)

// workplace is what a worker of the year is told at its beginning.
type workplace struct{ DSN, API, SMTP string }

// workplaceKey makes the test's program a worker.
const workplaceKey = "BROADSHEET_TEST_WORKPLACE"

func TestMain(m *testing.M) {
	if text := os.Getenv(workplaceKey); text != "" {
		if err := workForAYear(text); err != nil {
			fmt.Println("error", strconv.Quote(err.Error()))
			os.Exit(1)
		}
		return
	}
	os.Exit(m.Run())
}

// yearEdition is one of the editions of the year.
func yearEdition(n int) (*edition.Edition, error) {
	doc := testkit.Document(n)
	yearDocument(&doc)
	return edition.New(doc, testkit.Origin)
}

func yearDocument(d *edition.Document) {
	takesTransfers(d)
	d.Billing.Trial.For = edition.TrialForAll
	switch d.ID {
	case "test_at":
		d.Supplier.Company, d.Supplier.Country, d.Supplier.VAT = "FN 123456 a", "AT", "ATU12345678"
	case "test_ch":
		d.Billing.Currency = "CHF"
		d.Supplier.Company, d.Supplier.Country, d.Supplier.VAT = "CHE-123.456.788", "CH", "CHE-123.456.788 MWST"
	}
}

// yearWorker is a process that does what is due, and nothing else, until it is killed.
type yearWorker struct {
	clock *clock.Clock
	db    *db.DB
	shops []*yearShop
	out   sync.Mutex
}

type yearShop struct {
	*Module
	ctx       context.Context //nolint:containedctx // of the edition
	listeners event.Registry
	ticks     []yearTick
}

type yearTick struct {
	name     string
	interval time.Duration
	fn       func(context.Context) error
}

func workForAYear(text string) error {
	var at workplace
	if err := json.Unmarshal([]byte(text), &at); err != nil {
		return err
	}
	w := &yearWorker{clock: &clock.Clock{}}
	w.clock.Stop(time.Date(2027, 1, 1, 0, 0, 0, 0, time.UTC)) // until the first order
	var err error
	if w.db, err = testkit.Open(at.DSN, w.clock); err != nil {
		return err
	}
	sender, err := mail.New(w.db, at.SMTP, mail.RequireTLS, nil, nil)
	if err != nil {
		return err
	}
	for n := range testkit.MaxEditions {
		ed, err := yearEdition(n)
		if err != nil {
			return err
		}
		w.db.Attach(ed.ID, ed.Schema)
		s := &yearShop{ctx: edition.With(context.Background(), ed), listeners: event.Registry{}}
		people := &env{}
		s.Module, err = New(Deps{
			DB: w.db, Key: []byte(strings.Repeat("k", 32)), Contacts: people, Logins: people, Mailer: sender,
			ParseEmail: parseEmail,
			Provider:   func(id string) (stripe.Keys, error) { return yearKeys(id, at.API), nil },
		})
		if err != nil {
			return err
		}
		s.Listen(s.listeners)
		s.Ticks(func(name string, interval time.Duration, fn func(context.Context) error) {
			s.ticks = append(s.ticks, yearTick{name, interval, fn})
		})
		w.shops = append(w.shops, s)
	}
	orders := bufio.NewScanner(os.Stdin)
	for orders.Scan() {
		w.work(orders.Text())
	}
	return orders.Err()
}

func yearKeys(editionID, api string) stripe.Keys {
	return stripe.Keys{APIBase: api, SecretKey: "sk_test_" + editionID, WebhookSecret: "whsec_" + editionID}
}

func (w *yearWorker) say(words ...any) {
	w.out.Lock()
	defer w.out.Unlock()
	fmt.Println(words...)
}

// work follows one order: an instant, and how long the intervals are of what is to be done besides the outbox.
func (w *yearWorker) work(order string) {
	var at, most int64
	if _, err := fmt.Sscan(order, &at, &most); err != nil {
		w.say("error", strconv.Quote(err.Error()))
		return
	}
	w.clock.Stop(time.Unix(0, at))
	var all sync.WaitGroup
	for _, s := range w.shops {
		all.Go(func() {
			s.Access.ForgetAll()
			for _, t := range s.ticks {
				if t.interval > time.Duration(most) {
					continue
				}
				if err := t.fn(s.ctx); err != nil {
					w.say("error", strconv.Quote(t.name+": "+err.Error()))
				}
			}
			var hands sync.WaitGroup
			for range 2 {
				hands.Go(func() { w.empty(s) })
			}
			hands.Wait()
		})
	}
	all.Wait()
	w.say("idle")
}

// empty works off the outbox.
func (w *yearWorker) empty(s *yearShop) {
	for {
		more, err := w.one(s)
		if err != nil {
			w.say("error", strconv.Quote(err.Error()))
		}
		if !more {
			return
		}
	}
}

// one does one row, as a worker of platform/jobs does: claimed, done, noted.
func (w *yearWorker) one(s *yearShop) (bool, error) {
	var row struct {
		ID      int64
		Event   string
		Payload json.RawMessage
	}
	err := w.db.Run(s.ctx, func(ctx context.Context, tx db.Tx) error {
		return tx.NewRaw(`UPDATE outbox SET claimed_until = ?0, next_at = ?0 WHERE id = (
				SELECT id FROM outbox WHERE done_at IS NULL AND dead_at IS NULL AND next_at <= ?1 AND (claimed_until IS NULL OR
				claimed_until <= ?1)
				ORDER BY id LIMIT 1 FOR UPDATE SKIP LOCKED) RETURNING id, event, payload`, tx.Now.Add(70*time.Second), tx.Now).
			Scan(ctx, &row)
	})
	if errors.Is(err, sql.ErrNoRows) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	w.say("job", row.Event)
	var failure error
	for _, listen := range s.listeners[row.Event] {
		failure = errors.Join(failure, listen(s.ctx, row.Payload))
	}
	s.Access.ForgetAll() // what a notice would do
	if failure != nil {
		failure = fmt.Errorf("%s %s: %w", row.Event, row.Payload, failure)
	}
	note := w.db.Run(s.ctx, func(ctx context.Context, tx db.Tx) error {
		query := "UPDATE outbox SET done_at = ?0, claimed_until = NULL WHERE id = ?1"
		switch {
		case jobs.IsSkip(failure):
			query = "UPDATE outbox SET dead_at = ?0, claimed_until = NULL WHERE id = ?1"
		case failure != nil:
			query = "UPDATE outbox SET next_at = ?0::timestamptz + interval '1 minute', claimed_until = NULL, attempts = " +
				"attempts + 1 WHERE id = ?1"
		}
		_, err := tx.NewRaw(query, tx.Now, row.ID).Exec(ctx)
		return err
	})
	return true, errors.Join(failure, note)
}

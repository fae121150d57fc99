package access

import (
	"context"
	"database/sql"
	"errors"
	"time"

	"github.com/uptrace/bun"

	"example.org/broadsheet/modules/billing/person"
	"example.org/broadsheet/modules/billing/stripe"
	"example.org/broadsheet/platform/db"
)

// LockReader keeps two writers of one reader apart until the transaction ends.
func LockReader(ctx context.Context, tx db.Tx, readerID int64) error {
	_, err := tx.NewRaw("SELECT pg_advisory_xact_lock(hashtextextended('billing.' || ?, 0))", person.Reader(readerID)).
		Exec(ctx)
	return err
}

const subscriptionColumns = `id, reader_id, coalesce(provider_id, '') AS provider_id, product, status, trial, amount,` +
	` paid, currency,
	period_start, period_end, cancel_at_period_end, started_at, ended_at, paused, resumes_at, uncovered, next_product, ` +
	`refunded, disputed, transfer,
	amount_off, percent_off, full_paid, paid_from, owing`

// subscriptionRow is a subscription as the database has it.
type subscriptionRow struct {
	ID                int64
	ReaderID          int64
	ProviderID        string
	Product           string
	Status            string
	Trial             bool
	Amount            int64
	Paid              int64
	Currency          string
	PeriodStart       time.Time
	PeriodEnd         time.Time
	CancelAtPeriodEnd bool
	StartedAt         time.Time
	EndedAt           bun.NullTime
	Paused            bool
	ResumesAt         bun.NullTime
	Uncovered         bool
	NextProduct       string
	Refunded          int64
	Disputed          bool
	Transfer          bool
	AmountOff         int64
	PercentOff        float64
	FullPaid          bool
	PaidFrom          bun.NullTime
	Owing             bool
}

func (r *subscriptionRow) subscription() Subscription {
	s := Subscription{
		ID: r.ID, ReaderID: r.ReaderID, ProviderID: r.ProviderID, Product: r.Product, Status: stripe.Status(r.Status),
		Trial:  r.Trial,
		Amount: r.Amount, Paid: r.Paid, Currency: r.Currency, PeriodStart: r.PeriodStart.UTC(), PeriodEnd: r.PeriodEnd.UTC(),
		CancelAtPeriodEnd: r.CancelAtPeriodEnd, StartedAt: r.StartedAt.UTC(),
		Paused: r.Paused, Uncovered: r.Uncovered, Next: r.NextProduct, Refunded: r.Refunded, Disputed: r.Disputed,
		Transfer:  r.Transfer,
		AmountOff: r.AmountOff, PercentOff: r.PercentOff, FullPaid: r.FullPaid, Owing: r.Owing,
	}
	if !r.ResumesAt.IsZero() {
		s.ResumesAt = r.ResumesAt.UTC()
	}
	if !r.PaidFrom.IsZero() {
		s.PaidFrom = r.PaidFrom.UTC()
	}
	if !r.EndedAt.IsZero() {
		s.EndedAt = r.EndedAt.UTC()
	}
	return s
}

// Select returns the subscriptions that a condition holds for.
func Select(ctx context.Context, tx db.Tx, where string, args ...any) ([]Subscription, error) {
	var rows []subscriptionRow
	if err := tx.NewRaw("SELECT "+subscriptionColumns+" FROM billing_subscriptions WHERE "+where, args...).
		Scan(ctx, &rows); err != nil {
		return nil, err
	}
	list := make([]Subscription, len(rows))
	for i := range rows {
		list[i] = rows[i].subscription()
	}
	return list, nil
}

// Find returns the first subscription that a condition holds for, or nil.
func Find(ctx context.Context, tx db.Tx, where string, args ...any) (*Subscription, error) {
	list, err := Select(ctx, tx, where, args...)
	if err != nil || len(list) == 0 {
		return nil, err
	}
	return &list[0], nil
}

// FindPaid finds the one paid subscription of a reader that is live.
func FindPaid(ctx context.Context, tx db.Tx, readerID int64) (*Subscription, error) {
	return Find(ctx, tx, "reader_id = ? AND NOT trial AND status IN ('active', 'trialing', 'past_due')",
		readerID)
}

// FindByProvider returns the subscription with an id of the provider, or nil.
func FindByProvider(ctx context.Context, tx db.Tx, providerID string) (*Subscription, error) {
	return Find(ctx, tx, "provider_id = ?", providerID)
}

// Put writes what the provider says.
func Put(ctx context.Context, tx db.Tx, s Subscription) (id int64, err error) {
	err = tx.NewRaw(`INSERT INTO billing_subscriptions (reader_id, provider_id, product, status, trial, amount, paid,
		currency, period_start,
			period_end, cancel_at_period_end, started_at, ended_at, updated_at, paused, resumes_at, uncovered, next_product,
			refunded, disputed,
			amount_off, percent_off, full_paid, paid_from, owing)
		VALUES (?, nullif(?, ''), ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
		ON CONFLICT (provider_id) DO UPDATE SET product = excluded.product, status = excluded.status, amount =
		excluded.amount, paid = excluded.paid,
			currency = excluded.currency, period_start = excluded.period_start, period_end = excluded.period_end,
			cancel_at_period_end = excluded.cancel_at_period_end, ended_at = excluded.ended_at, updated_at = excluded.updated_at,
			paused = excluded.paused, resumes_at = excluded.resumes_at, uncovered = excluded.uncovered, next_product =
			excluded.next_product,
			refunded = excluded.refunded, disputed = excluded.disputed, amount_off = excluded.amount_off, percent_off =
			excluded.percent_off,
			full_paid = billing_subscriptions.full_paid OR excluded.full_paid, paid_from = excluded.paid_from, owing =
			excluded.owing
		RETURNING id`, s.ReaderID, s.ProviderID, s.Product, string(s.Status), s.Trial, s.Amount, s.Paid,
		s.Currency, s.PeriodStart,
		s.PeriodEnd, s.CancelAtPeriodEnd, s.StartedAt, bun.NullTime{Time: s.EndedAt}, tx.Now,
		s.Paused, bun.NullTime{Time: s.ResumesAt}, s.Uncovered, s.Next, s.Refunded, s.Disputed, s.AmountOff, s.PercentOff,
		s.FullPaid, bun.NullTime{Time: s.PaidFrom}, s.Owing).Scan(ctx, &id)
	return id, err
}

// restOfTrial is why access was given that a trial would have opened.
const restOfTrial = "rest of a trial"

// ReplaceTrial ends a reader's trial, because something begins that is paid for after it. The days that are left of the
// trial stay given, whatever becomes of the payment.
func ReplaceTrial(ctx context.Context, tx db.Tx, readerID int64) error {
	_, err := tx.NewRaw("INSERT INTO billing_grants (reader_id, until, reason, product, granted_at) "+
		"SELECT reader_id, period_end, ?0, ?1, ?2 FROM billing_subscriptions WHERE reader_id = ?3 AND trial AND "+
		"status = 'trialing' AND period_end > ?2", restOfTrial, NoProduct, tx.Now, readerID).Exec(ctx)
	if err != nil {
		return err
	}
	return EndTrial(ctx, tx, readerID)
}

// EndTrial ends a reader's trial, because it is over or its reader leaves.
func EndTrial(ctx context.Context, tx db.Tx, readerID int64) error {
	_, err := tx.NewRaw(`UPDATE billing_subscriptions SET status = 'ended', ended_at = least(period_end, ?0),
		updated_at = ?0
		WHERE reader_id = ?1 AND trial AND status = 'trialing'`, tx.Now, readerID).Exec(ctx)
	return err
}

// FindCustomer returns the provider's id of a reader's customer; "" for none.
func FindCustomer(ctx context.Context, tx db.Tx, readerID int64) (id string, err error) {
	err = tx.NewRaw("SELECT provider_id FROM billing_customers WHERE reader_id = ?", readerID).Scan(ctx, &id)
	if errors.Is(err, sql.ErrNoRows) {
		return "", nil
	}
	return id, err
}

// FindCustomerReader returns whose customer it is; 0 for nobody's.
func FindCustomerReader(ctx context.Context, tx db.Tx, customerID string) (readerID int64, err error) {
	err = tx.NewRaw("SELECT reader_id FROM billing_customers WHERE provider_id = ?", customerID).Scan(ctx, &readerID)
	if errors.Is(err, sql.ErrNoRows) {
		return 0, nil
	}
	return readerID, err
}

// PutCustomer keeps the first customer of a reader and returns it.
func PutCustomer(ctx context.Context, tx db.Tx, readerID int64, customerID string) (string, error) {
	if _, err := tx.NewRaw("INSERT INTO billing_customers (reader_id, provider_id, created_at) VALUES (?, ?, ?) ON "+
		"CONFLICT DO NOTHING",
		readerID, customerID, tx.Now).Exec(ctx); err != nil {
		return "", err
	}
	return FindCustomer(ctx, tx, readerID)
}

// IsUsed reports whether one of the persons has had what is given once.
func IsUsed(ctx context.Context, tx db.Tx, what string, persons ...string) (used bool, err error) {
	err = tx.NewRaw("SELECT EXISTS (SELECT FROM billing_uses WHERE what = ? AND person IN (?))", what, bun.List(persons)).
		Scan(ctx, &used)
	return used, err
}

// PutUse notes that persons have had what is given once.
func PutUse(ctx context.Context, tx db.Tx, what string, persons ...string) error {
	for _, p := range persons {
		if _, err := tx.NewRaw("INSERT INTO billing_uses (what, person, used_at) VALUES (?, ?, ?) ON CONFLICT DO NOTHING",
			what, p, tx.Now).Exec(ctx); err != nil {
			return err
		}
	}
	return nil
}

// CopyUses notes that one person has had all that another one had once.
func CopyUses(ctx context.Context, tx db.Tx, from, to string) error {
	_, err := tx.NewRaw("INSERT INTO billing_uses (what, person, used_at) SELECT what, ?, used_at FROM billing_uses "+
		"WHERE person = ? ON CONFLICT DO NOTHING", to, from).Exec(ctx)
	return err
}

// IsUsedSince is IsUsed for what was given at an instant or later.
func IsUsedSince(ctx context.Context, tx db.Tx, what string, since time.Time, persons ...string) (bool, error) {
	return db.Get[bool](ctx, tx.NewRaw("SELECT EXISTS (SELECT FROM billing_uses WHERE what = ? AND person IN (?) AND "+
		"used_at >= ?)", what, bun.List(persons), since))
}

// RenewUse is PutUse for what counts from its last time.
func RenewUse(ctx context.Context, tx db.Tx, what string, persons ...string) error {
	for _, p := range persons {
		if _, err := tx.NewRaw("INSERT INTO billing_uses (what, person, used_at) VALUES (?, ?, ?) "+
			"ON CONFLICT (what, person) DO UPDATE SET used_at = excluded.used_at", what, p, tx.Now).Exec(ctx); err != nil {
			return err
		}
	}
	return nil
}

// ForgetUses deletes what was given before an instant.
func ForgetUses(ctx context.Context, tx db.Tx, what string, before time.Time) error {
	_, err := tx.NewRaw("DELETE FROM billing_uses WHERE what = ? AND used_at < ?", what, before).Exec(ctx)
	return err
}

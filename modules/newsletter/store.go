package newsletter

import (
	"context"
	"time"

	"github.com/uptrace/bun/dialect/pgdialect"

	"example.org/broadsheet/platform/db"
	"example.org/broadsheet/platform/privacy"
	"example.org/broadsheet/platform/retention"
	"example.org/broadsheet/platform/web"
)

// subscriber is an address that asked for emails.
type subscriber struct {
	ID          int64
	Email       string
	ConfirmedAt time.Time `bun:",nullzero"`
}

// request is a mail that asked to confirm.
type request struct {
	ID           int64
	SubscriberID int64
	Lists        []string `bun:",array"`
	ExpiresAt    time.Time
	UsedAt       time.Time `bun:",nullzero"`
}

func upsertSubscriber(ctx context.Context, tx db.Tx, email string) (*subscriber, error) {
	s := new(subscriber)
	err := tx.NewRaw(`INSERT INTO newsletter_subscribers (email, created_at) VALUES (?, ?)
		ON CONFLICT (email) DO UPDATE SET email = EXCLUDED.email RETURNING id, email, confirmed_at`, email, tx.Now).
		Scan(ctx, s)
	return s, err
}

func findSubscriber(ctx context.Context, tx db.Tx, id int64) (*subscriber, error) {
	s := new(subscriber)
	return db.One(s, tx.NewRaw("SELECT id, email, confirmed_at FROM newsletter_subscribers WHERE id = ?", id).Scan(ctx, s))
}

func findByEmail(ctx context.Context, tx db.Tx, email string) (*subscriber, error) {
	s := new(subscriber)
	return db.One(s,
		tx.NewRaw("SELECT id, email, confirmed_at FROM newsletter_subscribers WHERE email = lower(?)", email).Scan(ctx, s))
}

func markConfirmed(ctx context.Context, tx db.Tx, id int64) error {
	_, err := tx.NewRaw("UPDATE newsletter_subscribers SET confirmed_at = ? WHERE id = ? AND confirmed_at IS NULL",
		tx.Now, id).Exec(ctx)
	return err
}

func insertRequest(ctx context.Context, tx db.Tx, subscriberID int64, lists []string) (id int64, err error) {
	err = tx.NewRaw("INSERT INTO newsletter_requests (subscriber_id, lists, created_at, expires_at) VALUES (?, ?, ?, ?) "+
		"RETURNING id",
		subscriberID, pgdialect.Array(lists), tx.Now, tx.Now.Add(requestTTL)).Scan(ctx, &id)
	return id, err
}

const requestColumns = "id, subscriber_id, lists, expires_at, used_at"

func findRequest(ctx context.Context, tx db.Tx, id int64) (*request, error) {
	r := new(request)
	return db.One(r, tx.NewRaw("SELECT "+requestColumns+" FROM newsletter_requests WHERE id = ?", id).Scan(ctx, r))
}

func lockRequest(ctx context.Context, tx db.Tx, id int64) (*request, error) {
	r := new(request)
	return db.One(r,
		tx.NewRaw("SELECT "+requestColumns+" FROM newsletter_requests WHERE id = ? FOR UPDATE", id).Scan(ctx, r))
}

func markRequestUsed(ctx context.Context, tx db.Tx, id int64) error {
	_, err := tx.NewRaw("UPDATE newsletter_requests SET used_at = ? WHERE id = ?", tx.Now, id).Exec(ctx)
	return err
}

func insertSubscription(ctx context.Context, tx db.Tx, id int64, list string) (added bool, err error) {
	return db.Changed(tx.NewRaw("INSERT INTO newsletter_subscriptions (subscriber_id, list, since) VALUES (?, ?, ?) ON "+
		"CONFLICT DO NOTHING", id, list, tx.Now).Exec(ctx))
}

func deleteSubscription(ctx context.Context, tx db.Tx, id int64, list string) (removed bool, err error) {
	return db.Changed(tx.NewRaw("DELETE FROM newsletter_subscriptions WHERE subscriber_id = ? AND list = ?", id, list).
		Exec(ctx))
}

func listSubscriptions(ctx context.Context, tx db.Tx, id int64) (lists []string, err error) {
	err = tx.NewRaw("SELECT list FROM newsletter_subscriptions WHERE subscriber_id = ? ORDER BY list", id).
		Scan(ctx, &lists)
	return lists, err
}

func insertEntry(ctx context.Context, tx db.Tx, id int64, e entry, v Visitor) error {
	_, err := tx.NewRaw("INSERT INTO newsletter_log (subscriber_id, list, action, via, network, agent, at) VALUES (?, "+
		"?, ?, ?, ?, ?, ?)",
		id, e.list, e.action, e.via, web.TruncateIP(v.IP), v.Agent, tx.Now).Exec(ctx)
	return err
}

// retentions is how long this module keeps what. Who got an issue goes before the issue, which would take all of them
// at once.
var retentions = []retention.Rule{
	{Name: "newsletter_requests", Rows: "requests to confirm an address", Kept: requestKept, Where: "x.created_at < ?0"},
	{
		Name: "newsletter_subscribers.unconfirmed", Rows: "addresses that never confirmed", Kept: requestKept,
		Where: "x.confirmed_at IS NULL AND x.created_at < ?0 AND NOT EXISTS (SELECT FROM newsletter_requests r WHERE " +
			"r.subscriber_id = x.id)",
	},
	{
		Name: "newsletter_deliveries", Rows: "who got an issue", Kept: issuesKept,
		Where: "x.issue_id IN (SELECT i.id FROM newsletter_issues i WHERE i.due_at < ?0)",
	},
	{Name: "newsletter_issues", Rows: "issues", Kept: issuesKept, Where: "x.due_at < ?0"},
	{
		Name: "newsletter_log", Rows: "who asked for a list that is no longer theirs, and who left it", Kept: logKept,
		Where: "x.at < ?0 AND NOT EXISTS (SELECT FROM newsletter_subscriptions s WHERE s.subscriber_id = x.subscriber_id " +
			"AND s.list = x.list)",
	},
	{
		Name: "newsletter_subscribers.gone", Rows: "addresses without a list and without a proof", Kept: logKept,
		Where: `x.created_at < ?0 AND NOT EXISTS (SELECT FROM newsletter_subscriptions n WHERE n.subscriber_id = x.id)
			AND NOT EXISTS (SELECT FROM newsletter_log l WHERE l.subscriber_id = x.id)`,
	},
}

// keeps is what a reader's export has of this module.
var exportTables = []privacy.Query{
	{Name: "newsletters", SQL: `SELECT list, since FROM newsletter_subscriptions
		WHERE subscriber_id = (SELECT id FROM newsletter_subscribers WHERE email = lower(?1) AND created_at >= ?3 AND
		created_at < ?2) ORDER BY list`},
	{Name: "newsletter_history", SQL: `SELECT list, action, via, network, agent, at FROM newsletter_log
		WHERE subscriber_id = (SELECT id FROM newsletter_subscribers WHERE email = lower(?1) AND created_at >= ?3 AND
		created_at < ?2) ORDER BY id`},
}

// forgets is what is removed of a reader who leaves.
var forgets = []string{"DELETE FROM newsletter_subscribers WHERE email = lower(?1) AND created_at < ?2"}

// moveSubscriber gives a subscriber another address. Where that one is a subscriber of its own, the two become one.
func moveSubscriber(ctx context.Context, tx db.Tx, from, to string) error {
	old, err := findByEmail(ctx, tx, from)
	if err != nil || old == nil {
		return err
	}
	other, err := findByEmail(ctx, tx, to)
	if err != nil {
		return err
	}
	if other == nil {
		_, err := tx.NewRaw("UPDATE newsletter_subscribers SET email = lower(?) WHERE id = ?", to, old.ID).Exec(ctx)
		return err
	}
	for _, q := range []string{
		`INSERT INTO newsletter_subscriptions (subscriber_id, list, since)
			SELECT ?1, list, since FROM newsletter_subscriptions WHERE subscriber_id = ?0 ON CONFLICT DO NOTHING`,
		"UPDATE newsletter_log SET subscriber_id = ?1 WHERE subscriber_id = ?0",
		`UPDATE newsletter_subscribers SET confirmed_at = coalesce(confirmed_at, (SELECT confirmed_at FROM ` +
			`newsletter_subscribers WHERE id = ?0)) WHERE id = ?1`,
		"DELETE FROM newsletter_subscribers WHERE id = ?0 AND ?1 <> 0",
	} {
		if _, err := tx.NewRaw(q, old.ID, other.ID).Exec(ctx); err != nil {
			return err
		}
	}
	return nil
}

// issueColumns are those of an issue.
const issueColumns = "id, list, name, due_at, state, content, reached, recipients"

func findIssue(ctx context.Context, tx db.Tx, id int64) (*issue, error) {
	i := new(issue)
	return db.One(i, tx.NewRaw("SELECT "+issueColumns+" FROM newsletter_issues WHERE id = ?", id).Scan(ctx, i))
}

func lockIssue(ctx context.Context, tx db.Tx, id int64) (*issue, error) {
	i := new(issue)
	return db.One(i, tx.NewRaw("SELECT "+issueColumns+" FROM newsletter_issues WHERE id = ? FOR UPDATE", id).Scan(ctx, i))
}

// insertIssue returns 0 when the list has an issue of that name.
func insertIssue(ctx context.Context, tx db.Tx, list, name string, due time.Time) (int64, error) {
	return db.Get[int64](ctx,
		tx.NewRaw("INSERT INTO newsletter_issues (list, name, due_at, state, created_at) VALUES (?, ?, ?, 'due', ?) "+
			"ON CONFLICT (list, name) DO NOTHING RETURNING id",
			list, name, due, tx.Now))
}

// lastIssue is when the issue before this one was due; zero when there was none.
func lastIssue(ctx context.Context, tx db.Tx, i *issue) (time.Time, error) {
	return db.Get[time.Time](ctx,
		tx.NewRaw("SELECT due_at FROM newsletter_issues WHERE list = ? AND due_at < ? AND state = 'planned' ORDER BY "+
			"due_at DESC LIMIT 1", i.List, i.DueAt))
}

func hasIssue(ctx context.Context, tx db.Tx, list, name string) (bool, error) {
	return db.Get[bool](ctx,
		tx.NewRaw("SELECT EXISTS (SELECT FROM newsletter_issues WHERE list = ? AND name = ?)", list, name))
}

// keepContent stores the text of an issue, unless it has one.
func keepContent(ctx context.Context, tx db.Tx, id int64, content []byte, state string) error {
	_, err := tx.NewRaw("UPDATE newsletter_issues SET content = ?::jsonb, state = ? WHERE id = ? AND state = 'due'",
		string(content), state, id).Exec(ctx)
	return err
}

// planNext files the next recipients of an issue and returns the last of them, 0 when all are filed.
func planNext(ctx context.Context, tx db.Tx, i *issue, most int) (last int64, n int, err error) {
	var ids []int64
	err = tx.NewRaw(`SELECT n.subscriber_id FROM newsletter_subscriptions n WHERE n.list = ? AND n.subscriber_id > ?
		AND n.since <= ?
		ORDER BY n.subscriber_id LIMIT ?`, i.List, i.Reached, i.DueAt, most).Scan(ctx, &ids)
	if err != nil || len(ids) == 0 {
		return 0, 0, err
	}
	last = ids[len(ids)-1]
	if _, err := tx.NewRaw("INSERT INTO newsletter_deliveries (issue_id, subscriber_id) SELECT ?, unnest(?::bigint[]) "+
		"ON CONFLICT DO NOTHING", i.ID, pgdialect.Array(ids)).Exec(ctx); err != nil {
		return 0, 0, err
	}
	_, err = tx.NewRaw("UPDATE newsletter_issues SET reached = ?, recipients = recipients + ? WHERE id = ?", last,
		len(ids), i.ID).Exec(ctx)
	return last, len(ids), err
}

func markPlanned(ctx context.Context, tx db.Tx, id int64) error {
	_, err := tx.NewRaw("UPDATE newsletter_issues SET state = 'planned', planned_at = ? WHERE id = ?", tx.Now, id).
		Exec(ctx)
	return err
}

// listRecipients reads a part of an issue's recipients: those who still want it.
func listRecipients(ctx context.Context, tx db.Tx, i *issue, after, last int64) (list []*subscriber, err error) {
	err = tx.NewRaw(`SELECT s.id, s.email FROM newsletter_deliveries d JOIN newsletter_subscribers s ON s.id =
		d.subscriber_id
		JOIN newsletter_subscriptions n ON n.subscriber_id = s.id AND n.list = ?
		WHERE d.issue_id = ? AND d.subscriber_id > ? AND d.subscriber_id <= ? ORDER BY d.subscriber_id`, i.List, i.ID, after,
		last).Scan(ctx, &list)
	return list, err
}

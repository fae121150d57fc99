package mail

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"

	"github.com/uptrace/bun"

	"example.org/broadsheet/platform/db"
	"example.org/broadsheet/platform/jobs"
	"example.org/broadsheet/platform/typed"
)

// States of a line in mail_log.
const (
	stateClaimed = "claimed" // being sent, or waiting for the next try
	stateHanded  = "handed"  // of emails to many: the server holds all of it, and has not answered
	stateSent    = "sent"
	stateBounced = "bounced"
	stateDropped = "dropped" // of no use any more
)

const (
	// lease is how long a claim keeps others away: longer than the slowest server, since its holder may have crashed.
	lease    = 90 * time.Second
	maxError = 2000
)

// tooLate is the reason for which an email was dropped.
const tooLate = "it would have arrived with less than a minute of its life left"

// claim writes the email down and says whether it is this caller's to send now. ErrInFlight means that somebody
// else has it, and asks for another try before or when that claim runs out; false means that nothing is left to do. It
// waits for a database that is away, and recognises its own claim when only the answer was lost.
func (s *Sender) claim(ctx context.Context, l *Message, id string) (bool, error) {
	var state string
	var left time.Duration // of somebody else's claim
	var unanswered []time.Time
	mine := false
	ctx, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()
	err := s.db.Retry(ctx, func(ctx context.Context, tx db.Tx) error {
		want, reason := stateClaimed, ""
		if l.late(tx.Now) {
			want, reason = stateDropped, tooLate
		}
		err := tx.NewRaw(`INSERT INTO mail_log AS m (dedupe_key, kind, recipient, message_id, state, attempts, created_at,
			claimed_at, last_error)
			VALUES (?0, ?1, ?2, ?3, ?4, 1, ?5, ?5, ?8)
			ON CONFLICT (dedupe_key) DO UPDATE SET state = EXCLUDED.state, attempts = m.attempts + 1, claimed_at =
			EXCLUDED.claimed_at,
				recipient = EXCLUDED.recipient,
				last_error = CASE EXCLUDED.state WHEN 'dropped' THEN EXCLUDED.last_error ELSE m.last_error END
			WHERE m.state = 'claimed' AND (m.claimed_at <= ?6 OR m.claimed_at IN (?7)) RETURNING state`,
			l.Key, l.Kind, l.To, id, want, tx.Now, tx.Now.Add(-lease), bun.List(unanswered), reason).Scan(ctx, &state)
		if err == nil {
			mine = true
			return nil
		}
		if !errors.Is(err, sql.ErrNoRows) {
			unanswered = append(unanswered, tx.Now)
			return err
		}
		var since time.Time
		err = tx.NewRaw("SELECT state, claimed_at FROM mail_log WHERE dedupe_key = ?", l.Key).Scan(ctx, &state, &since)
		left = since.Add(lease).Sub(tx.Now)
		return err
	})
	switch {
	case err != nil:
		return false, err
	case state == stateClaimed && !mine:
		return false, jobs.RetryWithin(ErrInFlight, left)
	case state == stateDropped && mine:
		s.dropped.Add(1)
		s.log.WarnContext(ctx, "an email is not sent", "kind", l.Kind, "key", l.Key, "reason", tooLate)
		return false, nil
	}
	return mine, nil
}

// settle writes down what happened to an email. A failure that may pass frees it for the next try at once.
func (s *Sender) settle(ctx context.Context, l *Message, id string, failure error) error {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), timeout)
	defer cancel()
	text := ""
	refusal := refusedAddress(failure)
	if failure != nil {
		failure = nameless(failure, l.To)
		text = typed.Cut(failure.Error(), maxError)
	}
	state := stateClaimed
	switch {
	case failure == nil:
		state = stateSent
		s.sent.Add(1)
	case refused(failure):
		state = stateBounced
		s.bounced.Add(1)
		s.log.WarnContext(ctx, "an email was refused", "kind", l.Kind, "key", l.Key, "error", failure)
		failure = jobs.Skip(fmt.Errorf("mail: %w", failure))
	default:
		s.failed.Add(1)
		failure = fmt.Errorf("mail: %w", failure)
	}
	err := s.db.Retry(ctx, func(ctx context.Context, tx db.Tx) error {
		var sentAt *time.Time
		if state == stateSent {
			sentAt = &tx.Now
		}
		_, err := tx.NewRaw("UPDATE mail_log SET state = ?, last_error = ?, sent_at = ?, claimed_at = ? WHERE dedupe_key = ?",
			state, text, sentAt, tx.Now.Add(-lease), l.Key).Exec(ctx)
		return err
	})
	if refusal != nil {
		refusal.MessageID = id
		err = errors.Join(err, s.db.InTx(ctx, func(ctx context.Context, tx db.Tx) error {
			_, err := record(ctx, tx, *refusal, line{l.Kind, l.To})
			return err
		}))
	}
	return errors.Join(failure, err)
}

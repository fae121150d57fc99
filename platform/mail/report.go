package mail

import (
	"context"
	"crypto/sha256"
	"database/sql"
	"encoding/hex"
	"errors"
	"fmt"
	"regexp"
	"strings"
	"time"

	"github.com/uptrace/bun"

	"example.org/broadsheet/platform/db"
	"example.org/broadsheet/platform/fault"
	"example.org/broadsheet/platform/outbox"
	"example.org/broadsheet/platform/paper/event"
	"example.org/broadsheet/platform/privacy"
	"example.org/broadsheet/platform/typed"
)

// Kinds of reports.
const (
	Bounce    = "bounce"    // an email did not arrive
	Complaint = "complaint" // its reader called it spam
)

// Limits of what an address may refuse.
const (
	softMost   = 5 // soft bounces within softWithin count as a hard one
	softWithin = 14 * 24 * time.Hour
	// retryAfter is when an address that bounced is given another email that its reader waits for.
	retryAfter = 24 * time.Hour
)

// ErrRefused is told to whoever waits for an email: the address said within the last day that there is no such mailbox.
var ErrRefused = fault.New(fault.Invalid, "UNDELIVERABLE_EMAIL")

// Report is what a mail server said of one email after it had left.
type Report struct {
	Kind      string // Bounce or Complaint
	Hard      bool   // no such mailbox: it will not get better
	MessageID string // of the email, without brackets
	Status    string // "5.1.1" (RFC 3463), "" when it was not told
	Detail    string // in the server's words
}

// Outcome is what a report led to.
type Outcome struct {
	Known      bool // the email is one of the edition's
	New        bool // the report was not counted before
	Suppressed bool // the address gets no emails to many any more
}

// line is the email that a report is about.
type line struct{ Kind, Recipient string }

// Take notes a report of an email of the edition of ctx. A report of an email that was never sent changes nothing: whom
// it is about is what the email's own line says, not what the report says.
func Take(ctx context.Context, d *db.DB, r Report) (out Outcome, err error) {
	err = d.InTx(ctx, func(ctx context.Context, tx db.Tx) error {
		var l line
		err := tx.NewRaw("SELECT kind, recipient FROM mail_log WHERE message_id = ? ORDER BY id DESC LIMIT 1", r.MessageID).
			Scan(ctx, &l)
		if errors.Is(err, sql.ErrNoRows) {
			return nil
		}
		if err != nil {
			return err
		}
		out, err = record(ctx, tx, r, l)
		if err != nil || r.Kind != Bounce {
			return err
		}
		_, err = tx.NewRaw("UPDATE mail_log SET state = ?, last_error = ? WHERE message_id = ?", stateBounced,
			nameless(errors.New(r.Detail), l.Recipient).Error(), r.MessageID).Exec(ctx)
		return err
	})
	return out, err
}

// record notes a report and what follows from it. The caller is in a transaction.
func record(ctx context.Context, tx db.Tx, r Report, l line) (Outcome, error) {
	out, address := Outcome{Known: true}, strings.ToLower(l.Recipient)
	sum := sha256.Sum256([]byte(r.Kind + "\x00" + r.MessageID))
	detail := nameless(errors.New(r.Detail), l.Recipient).Error()
	var id int64
	err := tx.NewRaw(`INSERT INTO mail_reports (dedupe_key, kind, hard, address, letter, message_id, status, detail, at)
		VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (dedupe_key) DO NOTHING RETURNING id`,
		hex.EncodeToString(sum[:16]), r.Kind, r.Hard, address, l.Kind, r.MessageID, r.Status,
		typed.Cut(detail, maxError), tx.Now).Scan(ctx, &id)
	if errors.Is(err, sql.ErrNoRows) {
		return out, nil
	}
	if err != nil {
		return out, err
	}
	out.New = true
	out.Suppressed = r.Hard || r.Kind == Complaint
	if !out.Suppressed {
		var soft int
		if err := tx.NewRaw("SELECT count(*) FROM mail_reports WHERE address = ? AND kind = ? AND at > ?", address, Bounce,
			tx.Now.Add(-softWithin)).Scan(ctx, &soft); err != nil {
			return out, err
		}
		out.Suppressed = soft >= softMost
	}
	if out.Suppressed {
		// A complaint outweighs a bounce: only the reader can take it back.
		_, err := tx.NewRaw(`INSERT INTO mail_suppressions AS s (address, reason, at) VALUES (?, ?, ?) ON CONFLICT
			(address) DO UPDATE
			SET reason = CASE WHEN s.reason = 'complaint' THEN s.reason ELSE EXCLUDED.reason END, at = EXCLUDED.at`, address,
			r.Kind, tx.Now).Exec(ctx)
		if err != nil {
			return out, err
		}
	}
	if r.Kind == Complaint {
		return out, outbox.Tell(ctx, tx, event.MailComplained, event.MailReport{ReportID: id})
	}
	return out, nil
}

// Reported returns the address that a report is about.
func Reported(ctx context.Context, d *db.DB, id int64) (address string, err error) {
	err = d.Run(ctx, func(ctx context.Context, tx db.Tx) error {
		return tx.NewRaw("SELECT address FROM mail_reports WHERE id = ?", id).Scan(ctx, &address)
	})
	return address, err
}

// suppressed tells which of some addresses get no emails to many.
func suppressed(ctx context.Context, tx db.Tx, addresses []string) (map[string]bool, error) {
	lower, found := make([]string, len(addresses)), map[string]bool{}
	for i, a := range addresses {
		lower[i] = strings.ToLower(a)
	}
	var list []string
	if err := tx.NewRaw("SELECT address FROM mail_suppressions WHERE address IN (?)", bun.List(lower)).
		Scan(ctx, &list); err != nil {
		return nil, err
	}
	for _, a := range addresses {
		for _, s := range list {
			found[a] = found[a] || strings.EqualFold(a, s)
		}
	}
	return found, nil
}

// Forgive lets an address have emails to many again, since it was proved to work. A complaint is taken back only by
// who asks for emails anew.
func Forgive(ctx context.Context, tx db.Tx, address string, complaints bool) error {
	_, err := tx.NewRaw("DELETE FROM mail_suppressions WHERE address = ? AND (? OR reason = ?)", strings.ToLower(address),
		complaints, Bounce).Exec(ctx)
	return err
}

// Erase forgets all that is known of a reader's address: its emails, and what happened to them. One that complained
// stays suppressed, by nothing but itself, until Forgive.
func Erase(ctx context.Context, tx db.Tx, r privacy.Reader) error {
	r.Email = strings.ToLower(r.Email)
	return privacy.Forget(
		ctx, tx, r,
		"DELETE FROM mail_log WHERE recipient = ?1 AND created_at < ?2", "DELETE FROM mail_reports WHERE address = ?1 AND "+
			"at < ?2",
		"DELETE FROM mail_suppressions WHERE address = ?1 AND reason <> 'complaint' AND at < ?2",
	)
}

// EraseMessage forgets one email to an address, and what happened to it.
func EraseMessage(ctx context.Context, tx db.Tx, key, address string) error {
	_, err := tx.NewRaw(`DELETE FROM mail_suppressions s USING mail_log l
			WHERE l.dedupe_key = ?0 AND s.address = ?1 AND s.reason <> 'complaint' AND s.at >= l.created_at;
		DELETE FROM mail_reports r USING mail_log l WHERE l.dedupe_key = ?0 AND r.message_id = l.message_id;
		DELETE FROM mail_log WHERE dedupe_key = ?0`, key, strings.ToLower(address)).Exec(ctx)
	if err != nil {
		return fmt.Errorf("mail: %w", err)
	}
	return nil
}

// Anonymise takes the recipient out of the line of an email, which stays so that the email is not sent again.
func Anonymise(ctx context.Context, tx db.Tx, key string) error {
	if _, err := tx.NewRaw("UPDATE mail_log SET recipient = '' WHERE dedupe_key = ?", key).Exec(ctx); err != nil {
		return fmt.Errorf("mail: %w", err)
	}
	return nil
}

// Refuses reports whether an address said within the last day that it takes no mail: who waits for an email is told so,
// instead of waiting. After that day one more email is tried.
func Refuses(ctx context.Context, tx db.Tx, address string) (refuses bool, err error) {
	err = tx.NewRaw(`SELECT EXISTS (SELECT FROM mail_reports r JOIN mail_suppressions s ON s.address = r.address
		WHERE r.address = ? AND r.kind = ? AND r.hard AND r.at > ?)`, strings.ToLower(address), Bounce,
		tx.Now.Add(-retryAfter)).Scan(ctx, &refuses)
	return refuses, err
}

var statusShape = regexp.MustCompile(`\b([245]\.\d{1,3}\.\d{1,3})\b`)

// statusIn finds the enhanced status in a server's words.
func statusIn(text string) string { return statusShape.FindString(text) }

// isHard reports whether a mailbox is not there: addressing errors (5.1), but for those about the sender, and one that
// is closed. A full mailbox, a refused text or a suspicious sender may pass, and are ours to mend.
func isHard(status string, code int) bool {
	switch {
	case strings.HasPrefix(status, "5.1."):
		return status != "5.1.7" && status != "5.1.8"
	case status == "5.2.1":
		return true
	case status == "":
		return code == 550 || code == 551 || code == 553
	}
	return false
}

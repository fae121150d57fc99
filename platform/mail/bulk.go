package mail

import (
	"context"
	"errors"
	"fmt"
	"net/textproto"
	"time"

	"github.com/uptrace/bun"
	gomail "github.com/wneessen/go-mail"
	"github.com/wneessen/go-mail/smtp"

	"example.org/broadsheet/platform/db"
	"example.org/broadsheet/platform/paper/edition"
	"example.org/broadsheet/platform/trace"
	"example.org/broadsheet/platform/typed"
)

const (
	// BulkMost is how many emails one call of Bulk takes.
	BulkMost = 100
	// bulkTime bounds one call, so that its claims (bulkLease) cannot outlive it: another worker may take them then.
	bulkTime  = 45 * time.Second
	bulkLease = 55 * time.Second
	// messagesPerVisit is after how many emails the mail server is called anew; many servers allow no more.
	messagesPerVisit = 100
)

// bulkRun is one call of Bulk.
type bulkRun struct {
	s      *Sender
	tx     db.Tx // no transaction: each statement stands alone
	ed     *edition.Edition
	client *smtp.Client
	dialer *gomail.Client
	onWire int // emails over this connection
	sent   []string
	failed error // why an email waits for another try
	mute   bool  // Postgres did not answer for an email that was handed over: the next ones would not be marked either
}

// Bulk sends emails to many over one connection, each once for its key. Where nobody can know whether an email has
// arrived, because the process or the line died while the server held all of it and had not answered, it is not sent
// again: an email to many is rather missed than doubled. The moment in which one can be missed is that between two
// writes: the mark that the email is handed over goes out right before its last byte, when the server has all the
// others. Addresses that refuse mail, and emails that are of no use any more, are left out. An error asks for another
// call with the same emails.
func (s *Sender) Bulk(ctx context.Context, messages []Message) error {
	ed, err := edition.From(ctx)
	if err != nil {
		return err
	}
	if len(messages) > BulkMost {
		return fmt.Errorf("mail: %d emails at once, not more than %d", len(messages), BulkMost)
	}
	ctx, cancel := context.WithTimeout(ctx, bulkTime)
	defer cancel()
	return s.db.Run(ctx, func(ctx context.Context, tx db.Tx) error {
		r := &bulkRun{s: s, tx: tx, ed: ed}
		mine, waiting, err := r.claim(ctx, messages)
		if err != nil {
			return err
		}
		for i, l := range mine {
			if ctx.Err() != nil {
				r.failed = errors.Join(r.failed, ctx.Err(), r.free(ctx, mine[i:]))
				break
			}
			if !r.send(ctx, &l) {
				r.failed = errors.Join(r.failed, r.free(ctx, mine[i:]))
				break
			}
		}
		r.leave()
		if err := r.settle(ctx); err != nil {
			return err
		}
		if r.failed == nil && waiting {
			return ErrInFlight
		}
		return r.failed
	})
}

// claim takes the emails that are nobody's, and reports whether some are somebody else's.
func (r *bulkRun) claim(ctx context.Context, messages []Message) (mine []Message, waiting bool, err error) {
	type row struct {
		Key       string `bun:"key"`
		Kind      string `bun:"kind"`
		Recipient string `bun:"recipient"`
		MessageID string `bun:"message_id"`
		State     string `bun:"state"`
	}
	lines, addresses := make([]row, 0, len(messages)), make([]string, 0, len(messages))
	for _, l := range messages {
		if err := l.check(); err != nil {
			r.s.log.ErrorContext(ctx, "an email is not sent", "kind", l.Kind, "key", l.Key, "error", err)
			continue
		}
		addresses = append(addresses, l.To)
		lines = append(lines, row{l.Key, l.Kind, l.To, r.s.messageID(r.ed, l.Key), stateClaimed})
	}
	if len(lines) == 0 {
		return nil, false, nil
	}
	refusing, err := suppressed(ctx, r.tx, addresses)
	if err != nil {
		return nil, false, err
	}
	useful := map[string]bool{}
	for _, l := range messages {
		useful[l.Key] = !l.late(r.tx.Now)
	}
	for i := range lines {
		if refusing[lines[i].Recipient] || !useful[lines[i].Key] {
			lines[i].State = stateDropped
		}
	}
	var taken []struct{ DedupeKey, State string }
	err = r.tx.NewRaw(`INSERT INTO mail_log AS m (dedupe_key, kind, recipient, message_id, state, attempts, created_at,
		claimed_at)
		SELECT v.key, v.kind, v.recipient, v.message_id, v.state, 1, ?0, ?0 FROM (?1) AS v (key, kind, recipient,
		message_id, state)
		ON CONFLICT (dedupe_key) DO UPDATE SET state = EXCLUDED.state, attempts = m.attempts + 1, claimed_at =
		EXCLUDED.claimed_at
		WHERE m.state = 'claimed' AND m.claimed_at <= ?2 RETURNING dedupe_key, state`,
		r.tx.Now, r.tx.NewValues(&lines), r.tx.Now.Add(-bulkLease)).Scan(ctx, &taken)
	if err != nil {
		return nil, false, err
	}
	states := map[string]string{}
	for _, t := range taken {
		states[t.DedupeKey] = t.State
		if t.State == stateDropped {
			r.s.dropped.Add(1)
		}
	}
	for _, l := range messages {
		if states[l.Key] == stateClaimed {
			mine = append(mine, l)
		}
	}
	if len(taken) == len(lines) {
		return mine, false, nil
	}
	keys := make([]string, len(lines))
	for i, l := range lines {
		keys[i] = l.Key
	}
	var open int
	err = r.tx.NewRaw("SELECT count(*) FROM mail_log WHERE dedupe_key IN (?) AND state = 'claimed'", bun.List(keys)).
		Scan(ctx, &open)
	return mine, open > len(mine), err
}

// stage is how far an email came.
type stage int

const (
	begun     stage = iota // the server knows nothing of it, or speaks of us
	addressed              // it answered about the recipient
	handed                 // it holds all of the email
)

// send hands over one email; false means that the server takes none at the moment.
func (r *bulkRun) send(ctx context.Context, l *Message) bool {
	msg, err := compose(r.ed, l, r.s.messageID(r.ed, l.Key), r.s.db.Now())
	if err != nil {
		r.s.log.ErrorContext(ctx, "an email is not sent", "kind", l.Kind, "key", l.Key, "error", err)
		r.mark(ctx, l, stateBounced, err)
		return true
	}
	if err := r.visit(ctx); err != nil {
		return r.wait(l, err)
	}
	calling, span := r.s.span(ctx, l.Kind)
	at, err := r.transmit(calling, msg, l)
	trace.End(span, err)
	if err == nil {
		r.sent = append(r.sent, l.Key)
		r.s.sent.Add(1)
		return !r.mute
	}
	var answer *textproto.Error
	switch answered := errors.As(err, &answer); {
	case answered && at > begun && answer.Code >= 500:
		r.s.bounced.Add(1)
		r.mark(ctx, l, stateBounced, err)
		if at == addressed {
			r.refused(ctx, l, answer)
		}
		r.reset()
		return true
	case answered && at > begun && answer.Code != serverLeaves:
		r.s.failed.Add(1)
		r.mark(ctx, l, stateClaimed, err)
		r.failed = errors.Join(r.failed, nameless(err, l.To))
		r.reset()
		return true
	case answered && at == handed: // it leaves instead of taking the email
		r.mark(ctx, l, stateClaimed, err)
	case at == handed: // the line broke before the answer: the email may have arrived
		r.hangUp()
		return true
	}
	r.hangUp()
	return r.wait(l, err)
}

// serverLeaves is the answer of a server that is about to close the connection.
const serverLeaves = 421

func (r *bulkRun) wait(l *Message, err error) bool {
	r.s.failed.Add(1)
	r.failed = errors.Join(r.failed, nameless(err, l.To))
	return false
}

// refused notes that the server knows no such recipient, or takes nothing for them.
func (r *bulkRun) refused(ctx context.Context, l *Message, answer *textproto.Error) {
	rep := Report{
		Kind: Bounce, MessageID: r.s.messageID(r.ed, l.Key), Status: statusIn(answer.Msg),
		Detail: answer.Error(),
	}
	rep.Hard = isHard(rep.Status, answer.Code)
	err := r.s.db.InTx(context.WithoutCancel(ctx), func(ctx context.Context, tx db.Tx) error {
		_, err := record(ctx, tx, rep, line{l.Kind, l.To})
		return err
	})
	if err != nil {
		r.s.log.ErrorContext(ctx, "a refusal is not noted", "key", l.Key, "error", err)
	}
}

// transmit tells the server one email.
func (r *bulkRun) transmit(ctx context.Context, msg *gomail.Msg, l *Message) (stage, error) {
	if err := r.client.UpdateDeadline(timeout); err != nil {
		return begun, err
	}
	if err := r.client.Mail(r.ed.Mail.Sender(l.List != nil)); err != nil {
		return begun, err
	}
	if err := r.client.Rcpt(l.To); err != nil {
		return addressed, err
	}
	text := r.client.Text
	id, err := text.Cmd("DATA")
	if err != nil {
		return begun, err
	}
	text.StartResponse(id)
	_, _, err = text.ReadResponse(354)
	text.EndResponse(id)
	if err != nil {
		return begun, err
	}
	w := text.DotWriter()
	if _, err := msg.WriteTo(w); err != nil {
		return begun, err
	}
	if err := text.W.Flush(); err != nil {
		return begun, err
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), timeout)
	defer cancel()
	var closed error
	called, err := r.s.db.Ahead(ctx, func() { closed = w.Close() }, // writes the last byte
		"UPDATE mail_log SET state = ?, sent_at = ? WHERE dedupe_key = ?", stateHanded, r.tx.Now, l.Key)
	if err != nil {
		err = fmt.Errorf("mail: an email is not marked: %w", err)
		r.mute = called
	}
	if !called {
		return begun, err
	}
	r.failed = errors.Join(r.failed, err)
	if closed != nil {
		return handed, closed
	}
	_, _, err = text.ReadResponse(250)
	return handed, err
}

// visit calls the mail server, unless it is on the line.
func (r *bulkRun) visit(ctx context.Context) (err error) {
	if r.client != nil && r.onWire >= messagesPerVisit {
		r.leave()
	}
	r.onWire++
	if r.client != nil {
		return nil
	}
	if r.dialer, err = gomail.NewClient(r.s.host, r.s.options...); err != nil {
		return err
	}
	r.onWire = 1
	err = r.s.line.Do(func() (err error) {
		r.client, err = r.dialer.DialToSMTPClientWithContext(ctx)
		return err
	}, unreachable)
	if err != nil {
		r.client = nil
	}
	return err
}

// reset clears what the server remembers of an email that it refused.
func (r *bulkRun) reset() {
	if r.client.Reset() != nil {
		r.hangUp()
	}
}

// leave says good-bye; hangUp does not.
func (r *bulkRun) leave() {
	if r.client != nil {
		_ = r.dialer.CloseWithSMTPClient(r.client) // what was sent is with the server
		r.client = nil
	}
}

func (r *bulkRun) hangUp() {
	if r.client != nil {
		_ = r.client.Close() // it is broken
		r.client = nil
	}
}

// mark writes down what happened to one email, free for the next try where it was not its end.
func (r *bulkRun) mark(ctx context.Context, l *Message, state string, failure error) {
	text := typed.Cut(nameless(failure, l.To).Error(), maxError)
	_, err := r.tx.NewRaw("UPDATE mail_log SET state = ?, last_error = ?, sent_at = NULL, claimed_at = ? WHERE "+
		"dedupe_key = ?",
		state, text, r.tx.Now.Add(-bulkLease), l.Key).Exec(context.WithoutCancel(ctx))
	if err != nil {
		r.failed = errors.Join(r.failed, err)
	}
}

// free lets others have what was not begun.
func (r *bulkRun) free(ctx context.Context, messages []Message) error {
	keys := make([]string, len(messages))
	for i, l := range messages {
		keys[i] = l.Key
	}
	_, err := r.tx.NewRaw("UPDATE mail_log SET claimed_at = ? WHERE dedupe_key IN (?) AND state = 'claimed'",
		r.tx.Now.Add(-bulkLease), bun.List(keys)).Exec(context.WithoutCancel(ctx))
	return err
}

// settle notes the server's yes.
func (r *bulkRun) settle(ctx context.Context) error {
	if len(r.sent) == 0 {
		return nil
	}
	_, err := r.tx.NewRaw("UPDATE mail_log SET state = 'sent', last_error = '' WHERE dedupe_key IN (?)", bun.List(r.sent)).
		Exec(context.WithoutCancel(ctx))
	return err
}

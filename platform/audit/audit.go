// Package audit is the log of what operators do about readers and their money. An entry is written before the action,
// so that nothing is done without a trace, and never changed.
//
// A package that has an audited action declares it with New or WithReason; there is no list of all.
package audit

import (
	"context"
	"errors"
	"time"

	"example.org/broadsheet/platform/db"
	"example.org/broadsheet/platform/retention"
	"example.org/broadsheet/platform/typed"
	"example.org/broadsheet/platform/web"
)

// Action is one kind of action. The zero Action is none.
type Action struct {
	name   string
	reason bool // whoever does it has to say why
}

// declared are the names that are taken.
var declared = map[string]bool{}

// New declares an action as a package-level variable; the name stands in the log for years, so it is not changed.
func New(name string) Action {
	if declared[name] {
		panic("audit: the action " + name + " is declared twice")
	}
	declared[name] = true
	return Action{name: name}
}

// WithReason declares an action for which a reason has to be given, as for all that changes what a reader has.
func WithReason(name string) Action {
	a := New(name)
	a.reason = true
	return a
}

// Entry is one action of an operator.
type Entry struct {
	Operator string // "command:jana"
	Action   Action
	ReaderID int64 // 0 where it is about no reader in particular
	Reason   string
	Detail   string
}

// Check says what is missing in an entry.
func (e Entry) Check() error {
	switch {
	case e.Action.name == "":
		return errors.New("audit: an entry of no action")
	case typed.Excerpt(e.Operator, maxText) == "":
		return errors.New("say who you are with --operator")
	case e.Action.reason && typed.Excerpt(e.Reason, maxText) == "":
		return errors.New("say why with --reason: it stands in the audit log")
	}
	return nil
}

// Write adds an entry to the log, without addresses and secrets that may stand in its words.
func Write(ctx context.Context, d *db.DB, e Entry) error {
	return d.Run(ctx, func(ctx context.Context, tx db.Tx) error { return WriteTx(ctx, tx, e) })
}

// WriteTx is Write in the transaction of the action.
func WriteTx(ctx context.Context, tx db.Tx, e Entry) error {
	if err := e.Check(); err != nil {
		return err
	}
	_, err := tx.NewRaw("INSERT INTO identity_audit (operator, action, reader_id, reason, detail, at) "+
		"VALUES (?, ?, ?, ?, ?, ?)", clean(e.Operator), e.Action.name, e.ReaderID, clean(e.Reason), clean(e.Detail),
		tx.Now).Exec(ctx)
	return err
}

// maxText bounds a text of an entry, in characters.
const maxText = 2000

// clean returns a text of an entry as one line without invisible characters, secrets and addresses of people.
func clean(s string) string { return web.Redact(typed.Excerpt(s, maxText)) }

// Kept is how long an action can be proved.
const Kept = 3 * 365 * 24 * time.Hour

// Retentions is how long the log is kept.
func Retentions() []retention.Rule {
	return []retention.Rule{{
		Name: "identity_audit", Rows: "what support did", Kept: Kept, Where: "x.at < ?0", Setting: "identity.kept_since",
	}}
}

package identity

import (
	"context"
	"errors"
	"slices"
	"strings"
	"time"

	"example.org/broadsheet/modules/identity/reader"
	"example.org/broadsheet/modules/identity/sessions"
	"example.org/broadsheet/platform/db"
	"example.org/broadsheet/platform/notify"
	"example.org/broadsheet/platform/web"
)

// What support does with accounts.
const (
	SupportShow        = "show"
	SupportEndSessions = "end-sessions"
	SupportGrant       = "grant"
	SupportExport      = "export"
	SupportErase       = "erase"
	SupportPromise     = "promise" // of no reader: an address may have no account yet

	BankMatch   = "bank-match" // payments, and with them what readers have
	BankUnmatch = "bank-unmatch"
	BankRefund  = "bank-refund"
	BankDismiss = "bank-dismiss"

	JobsRequeue   = "jobs-requeue"   // of no reader in particular
	ReviewResolve = "parked-resolve" // of the review queue

	WithdrawalConfirm = "withdrawal-confirm" // for a sender who has proved who they are

	InvoiceCorrect = "invoice-correct"
)

// explained are the actions that take a reason.
var explained = []string{
	SupportGrant, SupportErase, SupportPromise, BankMatch, BankUnmatch, BankRefund, BankDismiss,
	JobsRequeue, ReviewResolve, WithdrawalConfirm, InvoiceCorrect,
}

// AuditEntry is one action of support, for the audit log.
type AuditEntry struct {
	Operator string // "command:jana"
	Action   string
	ReaderID int64
	Reason   string
	Detail   string
}

// errNoReason is an action that takes a reason and has none.
var errNoReason = errors.New("say why with --reason: it stands in the audit log")

// Check says what is wrong with an action: what changes what a reader has takes a reason.
func (s AuditEntry) Check() error {
	if strings.TrimSpace(s.Operator) == "" {
		return errors.New("say who you are with --operator")
	}
	if slices.Contains(explained, s.Action) && strings.TrimSpace(s.Reason) == "" {
		return errNoReason
	}
	return nil
}

// Audit writes an action down, without addresses and secrets that may stand in its words. It comes before the action,
// so that nothing is done without a trace.
func Audit(ctx context.Context, d *db.DB, s AuditEntry) error {
	if err := s.Check(); err != nil {
		return err
	}
	return d.Run(ctx, func(ctx context.Context, tx db.Tx) error { return insertAudit(ctx, tx, s) })
}

func (s AuditEntry) clean() AuditEntry {
	s.Operator, s.Reason, s.Detail = web.Redact(s.Operator), web.Redact(s.Reason), web.Redact(s.Detail)
	return s
}

// Account is a reader as support sees them.
type Account struct {
	ID           int64
	Email        string
	CommentName  string
	Type         string
	CreatedAt    time.Time
	FirstLoginAt *time.Time
	LastLoginAt  *time.Time
	ErasedAt     *time.Time
	Sessions     int // live ones
	Roles        string
}

// AccountOf returns an account by its number, erased ones too; reader.ErrUserNotExists if there is none.
func AccountOf(ctx context.Context, d *db.DB, readerID int64) (a *Account, err error) {
	err = d.Run(ctx, func(ctx context.Context, tx db.Tx) (err error) {
		if a, err = findAccount(ctx, tx, readerID); err == nil && a != nil {
			a.Sessions, err = sessions.CountLive(ctx, tx, readerID)
		}
		return err
	})
	if err == nil && a == nil {
		err = reader.ErrUserNotExists.On("id")
	}
	return a, err
}

// EndSessions ends all sessions of a reader at once and tells how many there were.
func EndSessions(ctx context.Context, d *db.DB, s AuditEntry) (n int64, err error) {
	if err := s.Check(); err != nil {
		return 0, err
	}
	err = d.InTx(ctx, func(ctx context.Context, tx db.Tx) (err error) {
		if err = insertAudit(ctx, tx, s); err != nil {
			return err
		}
		if n, err = sessions.EndLive(ctx, tx, s.ReaderID); err != nil {
			return err
		}
		return notify.Tell(ctx, tx, notify.Reader, reader.Key(s.ReaderID))
	})
	return n, err
}

// EraseFor takes an account down for its reader, as Leave does, and reports whether there was one; the workers do the
// rest.
func (m *Module) EraseFor(ctx context.Context, s AuditEntry) (begun bool, err error) {
	if err := s.Check(); err != nil {
		return false, err
	}
	err = m.db.InTx(ctx, func(ctx context.Context, tx db.Tx) (err error) {
		if err = insertAudit(ctx, tx, s); err != nil {
			return err
		}
		begun, err = m.Data.Begin(ctx, tx, s.ReaderID)
		return err
	})
	return begun, err
}

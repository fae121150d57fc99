package personaldata

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"example.org/broadsheet/modules/identity/reader"
	"example.org/broadsheet/platform/db"
	"example.org/broadsheet/platform/jobs"
	"example.org/broadsheet/platform/mail"
	"example.org/broadsheet/platform/notify"
	"example.org/broadsheet/platform/outbox"
	"example.org/broadsheet/platform/paper/event"
	"example.org/broadsheet/platform/privacy"
)

// erasure is one account that is being forgotten, or was.
type erasure struct {
	ReaderID   int64
	Email      string
	Former     []formerAddress `bun:"type:jsonb"`
	Done       []string        `bun:",array"`
	AskedAt    time.Time
	FinishedAt *time.Time
}

// Begin takes name, address and sessions from an account and has the rest forgotten; false says that this was
// done before. From here on the address is free: who registers with it is a new reader.
func (p *Service) Begin(ctx context.Context, tx db.Tx, readerID int64) (bool, error) {
	r, err := reader.Find(ctx, tx, readerID)
	if err != nil || r == nil {
		return false, err
	}
	former, err := listFormerAddresses(ctx, tx, r.ID, r.Email)
	if err != nil {
		return false, err
	}
	begun, err := pseudonymise(ctx, tx, r, former)
	if err != nil || !begun {
		return false, err
	}
	if err := p.bury(ctx, tx, r.Email, former); err != nil {
		return false, err
	}
	if err := outbox.Once(ctx, tx, event.ReaderErased, event.Erased{ReaderID: readerID},
		"erase:"+reader.Key(readerID)); err != nil {
		return false, err
	}
	return true, notify.Tell(ctx, tx, notify.Reader, reader.Key(readerID))
}

// bury has an import know the addresses of a reader who has left. One that was never confirmed is none of them.
func (p *Service) bury(ctx context.Context, tx db.Tx, email string, former []formerAddress) error {
	emails := []string{email}
	for _, f := range former {
		if f.Letter == "" {
			emails = append(emails, f.Email)
		}
	}
	for _, email := range emails {
		if err := putTombstone(ctx, tx, p.secrets.Tombstone(tx.Edition.ID, email)); err != nil {
			return err
		}
	}
	return nil
}

// Finish has every part forget a reader, each in a transaction of its own and once, sends the receipt, and lets
// go of the address. Whatever ends it, the next run goes on from there.
func (p *Service) Finish(ctx context.Context, e event.Erased) error {
	var job *erasure
	var r privacy.Reader
	err := p.db.Run(ctx, func(ctx context.Context, tx db.Tx) (err error) {
		if job, err = findErasure(ctx, tx, e.ReaderID); err != nil || job == nil {
			return err
		}
		r = privacy.Reader{ID: job.ReaderID, Email: job.Email}
		r.Until, err = findNextUse(ctx, tx, job.Email, job.AskedAt, job.ReaderID)
		return err
	})
	if err != nil || job == nil || job.FinishedAt != nil {
		return err
	}
	var errs []error
	for _, part := range p.dataHolders() {
		if slices.Contains(job.Done, part.Name) {
			continue
		}
		err := errors.Join(part.Erase(ctx, r), p.eraseFormer(ctx, part, job))
		if err == nil {
			err = p.db.Run(ctx, func(ctx context.Context, tx db.Tx) error { return markForgotten(ctx, tx, r.ID, part.Name) })
		}
		if err != nil { // the others need not wait
			errs = append(errs, fmt.Errorf("%s cannot forget reader %d: %w", part.Name, r.ID, err))
		}
	}
	if err := errors.Join(errs...); err != nil {
		return err
	}
	if err := p.receipt(ctx, job); err != nil {
		return err
	}
	p.log.InfoContext(ctx, "account erased", "security", true, "reader", r.ID)
	return p.db.InTx(ctx, func(ctx context.Context, tx db.Tx) error {
		if err := mail.Anonymise(ctx, tx, receiptKey(r.ID)); err != nil {
			return err
		}
		if err := eraseUnconfirmed(ctx, tx, job); err != nil {
			return err
		}
		// Somebody may have registered since.
		if r.Until, err = findNextUse(ctx, tx, job.Email, job.AskedAt, job.ReaderID); err != nil {
			return err
		}
		if err := mail.Erase(ctx, tx, r); err != nil { // also what the receipt met with
			return err
		}
		return finishErasure(ctx, tx, r.ID)
	})
}

// receipt says that it is done. An address that takes no mail must not keep its erasure from ending.
func (p *Service) receipt(ctx context.Context, job *erasure) error {
	var message mail.Message
	err := p.db.Run(ctx, func(_ context.Context, tx db.Tx) error {
		message = receiptEmail(tx.Edition, job.ReaderID, job.Email, job.AskedAt)
		return nil
	})
	if err != nil {
		return err
	}
	if err = p.mailer.Send(ctx, message); jobs.IsSkip(err) {
		return nil
	}
	return err
}

// Resume goes on with erasures that a row of the outbox has given up.
func (p *Service) Resume(ctx context.Context) error {
	var open []int64
	err := p.db.Run(ctx, func(ctx context.Context, tx db.Tx) (err error) {
		open, err = listOpenErasures(ctx, tx, tx.Now.Add(-time.Hour))
		return err
	})
	errs := []error{err}
	for _, id := range open {
		if err := p.Finish(ctx, event.Erased{ReaderID: id}); err != nil {
			errs = append(errs, fmt.Errorf("erasing reader %d: %w", id, err))
		}
	}
	return errors.Join(errs...)
}

// Erase forgets what identity itself still keeps of a reader whose erasure has begun.
func (p *Service) Erase(ctx context.Context, r privacy.Reader) error {
	return p.db.InTx(ctx, func(ctx context.Context, tx db.Tx) error { return privacy.Forget(ctx, tx, r, forgets...) })
}

// Export is what identity keeps of a reader.
func (p *Service) Export(ctx context.Context, r privacy.Reader) (list []privacy.Table, err error) {
	err = p.db.Run(ctx, func(ctx context.Context, tx db.Tx) error {
		list, err = privacy.Read(ctx, tx, r, exportTables...)
		return err
	})
	return list, err
}

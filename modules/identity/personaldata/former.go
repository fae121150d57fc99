package personaldata

import (
	"context"
	"time"

	"example.org/broadsheet/platform/db"
	"example.org/broadsheet/platform/mail"
	"example.org/broadsheet/platform/privacy"
)

// formerAddress is one that a reader had before the present one, or was about to have.
type formerAddress struct {
	Email string    `json:"email"`
	From  time.Time `json:"from"` // zero for the one that the account began with
	Left  time.Time `json:"left"` // from then on it may be somebody else's
	// Where nobody has confirmed it: key of the email that asked, which alone is the reader's.
	Letter string `json:"letter"`
}

// of is the reader at that address, until its next use by another.
func (f formerAddress) of(ctx context.Context, tx db.Tx, readerID int64) (privacy.Reader, error) {
	until, err := findNextUse(ctx, tx, f.Email, f.Left, readerID)
	return privacy.Reader{ID: readerID, Email: f.Email, From: f.From, Until: until}, err
}

// eraseFormer has a part forget what it knows by former addresses.
func (p *Service) eraseFormer(ctx context.Context, part privacy.Part, job *erasure) error {
	for _, f := range job.Former {
		if f.Letter != "" {
			continue
		}
		var r privacy.Reader
		err := p.db.Run(ctx, func(ctx context.Context, tx db.Tx) (err error) {
			r, err = f.of(ctx, tx, job.ReaderID)
			return err
		})
		if err == nil {
			err = part.Erase(ctx, r)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// eraseUnconfirmed forgets the emails that asked for a yes at addresses that were never confirmed.
func eraseUnconfirmed(ctx context.Context, tx db.Tx, job *erasure) error {
	for _, f := range job.Former {
		if f.Letter == "" {
			continue
		}
		if err := mail.EraseMessage(ctx, tx, f.Letter, f.Email); err != nil {
			return err
		}
	}
	return nil
}

// exportFormer is what a part knows by former addresses. What it knows by the reader's number is in the export already.
func (p *Service) exportFormer(ctx context.Context, part privacy.Part, former []formerAddress,
	readerID int64,
) (all []privacy.Table, err error) {
	for _, f := range former {
		if f.Letter != "" {
			continue
		}
		var r privacy.Reader
		err := p.db.Run(ctx, func(ctx context.Context, tx db.Tx) (err error) {
			r, err = f.of(ctx, tx, readerID)
			return err
		})
		if err != nil {
			return nil, err
		}
		r.ID = 0
		tables, err := part.Export(ctx, r)
		if err != nil {
			return nil, err
		}
		all = append(all, tables...)
	}
	return all, nil
}

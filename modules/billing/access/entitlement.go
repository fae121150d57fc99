package access

import (
	"context"

	"example.org/broadsheet/platform/db"
	"example.org/broadsheet/platform/paper/edition"
)

// DismissReminder notes that a reader has closed the notice that access has ended; false takes it back. It counts for
// this end: after a further subscription there is a further notice.
func (s *Service) DismissReminder(ctx context.Context, readerID int64, dismissed bool) error {
	err := s.db.InTx(ctx, func(ctx context.Context, tx db.Tx) error {
		if err := putDismissed(ctx, tx, readerID, dismissed); err != nil {
			return err
		}
		return Changed(ctx, tx, readerID)
	})
	if err == nil {
		s.ForgetHere(ctx, readerID) // the next answer here should know, before the notice has gone round
	}
	return err
}

// Forget drops what is known of readers of an edition.
func (s *Service) Forget(edition string, readerIDs ...int64) { s.cache.forget(edition, readerIDs...) }

// ForgetHere drops what is known of readers of the context's edition, or of all its readers if it names no reader.
func (s *Service) ForgetHere(ctx context.Context, readerIDs ...int64) {
	switch ed, err := edition.From(ctx); {
	case err != nil:
	case len(readerIDs) == 0:
		s.cache.forgetEdition(ed.ID)
	default:
		s.cache.forget(ed.ID, readerIDs...)
	}
}

// ForgetEdition drops what is known of the readers of an edition.
func (s *Service) ForgetEdition(edition string) { s.cache.forgetEdition(edition) }

// ForgetAll drops what is known of all readers.
func (s *Service) ForgetAll() { s.cache.forgetEdition("") }

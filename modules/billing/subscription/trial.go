package subscription

import (
	"context"
	"errors"
	"time"

	"example.org/broadsheet/modules/billing/access"
	"example.org/broadsheet/modules/billing/person"
	"example.org/broadsheet/modules/billing/stripe"
	"example.org/broadsheet/platform/db"
	"example.org/broadsheet/platform/paper/edition"
	"example.org/broadsheet/platform/paper/event"
)

// RemindBefore is how long before the end of a trial its reader is told.
const RemindBefore = 3 * 24 * time.Hour

// BeginTrial starts the trial of a reader who was promised one, as an invitation does where the edition says so, and
// has not had it. It may be called at every login.
func (s *Service) BeginTrial(ctx context.Context, readerID int64) error {
	ed, err := edition.From(ctx)
	if err != nil {
		return err
	}
	rule := ed.Billing.Trial
	if rule.For == edition.TrialForNone || rule.Days <= 0 {
		return nil
	}
	address, _, err := s.contacts.Contact(ctx, readerID)
	if err != nil {
		return err
	}
	invited := false
	if rule.For == edition.TrialForInvited {
		if invited, err = s.contacts.Invited(ctx, readerID); err != nil {
			return err
		}
	}
	persons := person.Keys(readerID, address)
	return s.db.InTx(ctx, func(ctx context.Context, tx db.Tx) error {
		if err := access.LockReader(ctx, tx, readerID); err != nil {
			return err
		}
		if rule.For != edition.TrialForAll && !invited {
			if ok, err := hasTrialGrant(ctx, tx, person.Email(address), rule.For); err != nil || !ok {
				return err
			}
		}
		if used, err := access.IsUsed(ctx, tx, "trial", persons...); err != nil || used {
			return err
		}
		// Who has paid before needs no trial, and who pays now would lose its days.
		if paid, err := access.Find(ctx, tx, "reader_id = ? AND NOT trial LIMIT 1", readerID); err != nil ||
			paid != nil {
			return err
		}
		if err := access.PutUse(ctx, tx, "trial", persons...); err != nil {
			return err
		}
		covered, err := access.CoveredUntil(ctx, tx, readerID) // a code that is redeemed already takes no day away
		if err != nil {
			return err
		}
		_, err = access.Put(ctx, tx, access.Subscription{
			ReaderID: readerID, Product: access.NoProduct, Status: stripe.Trialing, Trial: true, Currency: ed.Billing.Currency,
			PeriodStart: tx.Now, PeriodEnd: access.Later(tx.Now, covered).AddDate(0, 0, rule.Days), StartedAt: tx.Now,
		})
		if err != nil {
			return err
		}
		return access.Changed(ctx, tx, readerID)
	})
}

// SweepTrials emails readers before the end of their trials, codes, gifts and grants, ends the trials that are over,
// and emails readers after the end of access from any of them or from a subscription. Hours that were missed are caught
// up: it asks about a state, not about a moment.
func (s *Service) SweepTrials(ctx context.Context) error {
	return errors.Join(
		remind(ctx, s.db, event.TrialEnding, func(tx db.Tx) reminder {
			return trialEndings(tx.Now)
		}, each(func(c claim) event.TrialEnds {
			return event.TrialEnds{SubscriptionID: c.SubscriptionID}
		})),
		s.endTrials(ctx),
		remind(ctx, s.db, event.AccessEnded, func(tx db.Tx) reminder {
			return accessEnds(tx.Now)
		}, each(func(c claim) event.AccessEnds {
			return event.AccessEnds{SubscriptionID: c.SubscriptionID}
		})),
		tellGrants(ctx, s.db, event.GrantEnding, claimEndingGrants),
		tellGrants(ctx, s.db, event.GrantEnded, claimEndedGrants),
	)
}

package subscription

import (
	"context"
	"errors"
	"fmt"
	"time"

	"example.org/broadsheet/modules/billing/access"
	"example.org/broadsheet/modules/billing/invoice"
	"example.org/broadsheet/modules/billing/person"
	"example.org/broadsheet/platform/db"
	"example.org/broadsheet/platform/paper/edition"
)

// TrialGrant is what happened to one address to which a trial is promised.
type TrialGrant struct {
	Email string // in its one form
	State TrialGrantState
}

// TrialGrantState says whether there was anything to do.
type TrialGrantState string

// The states.
const (
	TrialGranted       TrialGrantState = "promised a trial"
	TrialGrantedBefore TrialGrantState = "already promised a trial"
	TrialNotGranted    TrialGrantState = "promised nothing: it had a trial or bought before"
)

// GrantsTrials reports whether an edition promises a trial to whoever takes an offer now.
func GrantsTrials(ed *edition.Edition, now time.Time) bool {
	rule := ed.Billing.Trial
	over := rule.Until != "" && !now.Before(invoice.Day(ed, rule.Until).AddDate(0, 0, 1))
	return rule.For == edition.TrialForCampaign && rule.Days > 0 && !over
}

// GrantTrials promises the trial of a campaign to addresses, whether or not they have accounts yet: to all or, where
// one is no address, to nobody. Promising again does nothing. dry only tells what would be done.
func (s *Service) GrantTrials(ctx context.Context, dry bool, addresses ...string) (list []TrialGrant, err error) {
	var errs []error
	readers := map[string]int64{}
	for _, a := range addresses {
		address, err := s.parseEmail(a)
		if err != nil {
			errs = append(errs, fmt.Errorf("%q is no address: %w", a, err))
			continue
		}
		if _, twice := readers[address]; twice {
			continue
		}
		if readers[address], err = s.contacts.ReaderOf(ctx, address); err != nil {
			return nil, err
		}
		list = append(list, TrialGrant{Email: address})
	}
	if err := errors.Join(errs...); err != nil {
		return nil, err
	}
	err = s.db.InTx(ctx, func(ctx context.Context, tx db.Tx) error {
		for i := range list {
			if list[i].State, err = grantTrial(ctx, tx, dry, list[i].Email, readers[list[i].Email]); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	return list, nil
}

// grantTrial promises a trial to an address that readerID (0: nobody yet) has.
func grantTrial(ctx context.Context, tx db.Tx, dry bool, address string, readerID int64) (TrialGrantState, error) {
	if had, err := access.IsUsed(ctx, tx, "trial", person.Reader(readerID), person.Email(address),
		person.Mailbox(address)); err != nil || had {
		return TrialNotGranted, err
	}
	if bought, err := access.Find(ctx, tx, "reader_id = ? AND NOT trial LIMIT 1", readerID); err != nil ||
		bought != nil {
		return TrialNotGranted, err
	}
	if before, err := hasTrialGrant(ctx, tx, person.Email(address), edition.TrialForCampaign); err != nil || before {
		return TrialGrantedBefore, err
	}
	if dry {
		return TrialGranted, nil
	}
	return TrialGranted, PutTrialGrant(ctx, tx, person.Email(address), edition.TrialForCampaign)
}

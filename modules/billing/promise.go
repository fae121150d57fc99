package billing

import (
	"context"
	"errors"
	"fmt"
	"time"

	"example.org/broadsheet/modules/billing/access"
	"example.org/broadsheet/modules/billing/invoice"
	"example.org/broadsheet/modules/billing/person"
	"example.org/broadsheet/platform/db"
	"example.org/broadsheet/platform/edition"
)

// Promised is what became of one address to which a trial is promised.
type Promised struct {
	Email string // in its one form
	State PromiseState
}

// PromiseState says whether there was anything to do.
type PromiseState string

// The states.
const (
	PromisedNow     PromiseState = "promised a trial"
	PromisedBefore  PromiseState = "already promised a trial"
	PromisedNothing PromiseState = "promised nothing: it had a trial or bought before"
)

// promisesTrials reports whether an edition promises a trial to who takes an offer now.
func promisesTrials(ed *edition.Edition, now time.Time) bool {
	rule := ed.Billing.Trial
	over := rule.Until != "" && !now.Before(invoice.Day(ed, rule.Until).AddDate(0, 0, 1))
	return rule.For == forCampaign && rule.Days > 0 && !over
}

// Promise promises the trial of a campaign to addresses, whether or not they have accounts yet: to all or, where one is
// no address, to nobody. Promising again does nothing. dry only tells what would be done.
func (m *Module) Promise(ctx context.Context, dry bool, addresses ...string) (list []Promised, err error) {
	var errs []error
	readers := map[string]int64{}
	for _, a := range addresses {
		email, err := m.parseEmail(a)
		if err != nil {
			errs = append(errs, fmt.Errorf("%q is no address: %w", a, err))
			continue
		}
		if _, twice := readers[email]; twice {
			continue
		}
		if readers[email], err = m.contacts.ReaderOf(ctx, email); err != nil {
			return nil, err
		}
		list = append(list, Promised{Email: email})
	}
	if err := errors.Join(errs...); err != nil {
		return nil, err
	}
	err = m.db.InTx(ctx, func(ctx context.Context, tx db.Tx) error {
		for i := range list {
			if list[i].State, err = promise(ctx, tx, dry, list[i].Email, readers[list[i].Email]); err != nil {
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

// promise promises a trial to an address that readerID (0: nobody yet) has.
func promise(ctx context.Context, tx db.Tx, dry bool, email string, readerID int64) (PromiseState, error) {
	if had, err := access.IsUsed(ctx, tx, "trial", person.Reader(readerID), person.Email(email),
		person.Mailbox(email)); err != nil || had {
		return PromisedNothing, err
	}
	if bought, err := access.Find(ctx, tx, "reader_id = ? AND NOT trial LIMIT 1", readerID); err != nil ||
		bought != nil {
		return PromisedNothing, err
	}
	if before, err := isPromised(ctx, tx, person.Email(email), forCampaign); err != nil || before {
		return PromisedBefore, err
	}
	if dry {
		return PromisedNow, nil
	}
	return PromisedNow, putPromise(ctx, tx, person.Email(email), forCampaign)
}

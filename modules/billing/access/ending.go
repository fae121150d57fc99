package access

import (
	"time"

	"example.org/broadsheet/modules/billing/stripe"
)

// Ending is how a subscription ends.
type Ending string

// The endings, the latest first.
const (
	GoesOn     Ending = "goes on"
	WithPeriod Ending = "with its period"
	AtOnce     Ending = "at once"
)

// EndingOf decides how a subscription ends, whatever ends it: as the caller wants it for a period that is paid for, and
// at once if the running period is not, because nothing that was not paid by then is charged afterwards. The unpaid
// invoices of what ends are void.
func EndingOf(s Subscription, ifPaid Ending) Ending {
	if s.Covered() {
		return ifPaid
	}
	return AtOnce
}

// Covered reports whether the running period of a subscription is paid for, or was given. What the bank took back was
// paid, and may come back.
func (s *Subscription) Covered() bool {
	return s.Status == stripe.Trialing || s.Status == stripe.Active && !s.Owing && (!s.Uncovered || s.Disputed)
}

// EndedEarly reports whether a subscription has ended before its period was over.
func (s *Subscription) EndedEarly() bool {
	return s.Status == stripe.Canceled && s.EndedAt.Before(s.PeriodEnd)
}

// UnpaidSince is the beginning of a period that was never paid for, with which a subscription has ended; zero for none.
func (s *Subscription) UnpaidSince() time.Time {
	if s.Status != stripe.Canceled || !s.calledOff() || s.Paused {
		return time.Time{}
	}
	return s.PeriodStart
}

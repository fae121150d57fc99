package stripe

// Status is where a subscription stands, in the provider's words; ended is ours, for a trial that is over.
type Status string

// Statuses of a subscription.
const (
	Incomplete        Status = "incomplete"
	Trialing          Status = "trialing"
	Active            Status = "active"
	PastDue           Status = "past_due"
	Unpaid            Status = "unpaid"
	Paused            Status = "paused"
	Canceled          Status = "canceled"
	IncompleteExpired Status = "incomplete_expired"
	Ended             Status = "ended"
)

// Live reports whether it is one of those of which a reader has at most one.
func (s Status) Live() bool { return s == Active || s == Trialing || s == PastDue }

// Final reports whether it never changes again.
func (s Status) Final() bool { return s == Canceled || s == IncompleteExpired || s == Ended }

// Package event is the catalogue of facts that modules tell each other. A name is
// generic over its payload, so the compiler checks teller and listener. Payloads
// hold ids and instants, never a copy of somebody else's row; fields are only added.
package event

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"time"
)

// Name ties an event's name to the type of its payload.
type Name[P any] string

// The catalogue. A name is "<teller>.<fact>".
const (
	ReaderSignedIn      Name[SignedIn]           = "identity.reader_signed_in"
	ReaderRegistered    Name[Registered]         = "identity.reader_registered"
	LoginMail           Name[LoginRequested]     = "identity.login_requested"
	HelpAsked           Name[Help]               = "identity.help_asked"
	InvitationMail      Name[Invited]            = "identity.invited"
	LeaveMail           Name[LeaveRequested]     = "identity.leave_requested"
	ReaderErased        Name[Erased]             = "identity.reader_erased"
	AddressMail         Name[AddressChange]      = "identity.address_change_requested"
	AddressChanged      Name[AddressChange]      = "identity.address_changed"
	PasskeyChanged      Name[PasskeyChange]      = "identity.passkey_changed"
	EntitlementChanged  Name[Entitlement]        = "billing.standing_changed"
	ProviderEvent       Name[ProviderReported]   = "billing.provider_reported"
	PaymentThanks       Name[Paid]               = "billing.paid"
	TrialEnding         Name[TrialEnds]          = "billing.trial_ending"
	AccessEnded         Name[AccessEnds]         = "billing.access_ended"
	GrantEnding         Name[GrantEnds]          = "billing.grant_ending"
	GrantEnded          Name[GrantEnds]          = "billing.grant_ended"
	PaymentDue          Name[Overdue]            = "billing.payment_due"
	RenewalDue          Name[Renewal]            = "billing.renewal_due"
	PriceChanging       Name[PriceChange]        = "billing.price_changing"
	SubscriptionChanged Name[SubscriptionChange] = "billing.subscription_changed"
	InvoiceDataSet      Name[Payer]              = "billing.invoice_data_set"
	DocumentIssued      Name[Document]           = "billing.document_issued"
	TransferDue         Name[Transfer]           = "billing.transfer_due"
	CouponRedeemed      Name[Redeemed]           = "billing.coupon_redeemed"
	GivenOver           Name[Given]              = "billing.given_over"
	DisputeTurned       Name[Disputed]           = "billing.dispute_turned"
	GiftDisputeTurned   Name[Disputed]           = "billing.gift_dispute_turned"
	OfferAsked          Name[Offer]              = "billing.offer_asked"
	GiftBought          Name[Gift]               = "billing.gift_bought"
	GiftDue             Name[Gift]               = "billing.gift_due"
	WithdrawalSent      Name[Withdrawal]         = "billing.withdrawal_received"
	WithdrawalDue       Name[Withdrawal]         = "billing.withdrawal_due"
	PostDue             Name[DuePost]            = "content.post_due"
	TopicDue            Name[DueTopic]           = "content.topic_due"
	NewsletterAsked     Name[Subscription]       = "newsletter.asked"
	NewsletterLinkAsked Name[NewsletterLink]     = "newsletter.link_asked"
	NewsletterDue       Name[Issue]              = "newsletter.issue_due"
	NewsletterBatch     Name[IssueBatch]         = "newsletter.batch_planned"
	MailComplained      Name[MailReport]         = "mail.complained"

	DiscussionChanged Name[Discussed] = "discussion.changed"
)

// Class says how soon the work of an event is done: classes do not wait for each other.
type Class string

// Classes. Who waits for a login code does not queue behind a thousand invoices.
const (
	Login   Class = "login" // somebody sits before the form
	Mail    Class = "mail"
	Default Class = "default"
	Bulk    Class = "bulk" // ten thousand emails
)

// classes are those of the events that are not of the default one.
var classes = map[Class][]string{
	Login: {
		string(LoginMail), string(AddressMail), string(LeaveMail), string(NewsletterAsked), string(NewsletterLinkAsked),
	},
	Mail: {
		string(PaymentThanks), string(DocumentIssued), string(TransferDue), string(TrialEnding), string(AccessEnded),
		string(GrantEnding), string(GrantEnded), string(PaymentDue), string(RenewalDue), string(PriceChanging),
	},
	Bulk: {string(NewsletterBatch)},
}

// ClassOf is the class of an event by its name.
func ClassOf(name string) Class {
	for class, names := range classes {
		if slices.Contains(names, name) {
			return class
		}
	}
	return Default
}

// Awaited reports whether a reader sits before the page until an event's work is done: a login, or what was just paid
// for. It is done although the queue is away.
func Awaited(name string) bool { return ClassOf(name) == Login || name == string(ProviderEvent) }

// OfClass are the names of a class's events; Default has all that no other names.
func OfClass(c Class) []string { return classes[c] }

// SignedIn is told once per new session.
type SignedIn struct {
	ReaderID  int64     `json:"reader_id"`
	SessionID int64     `json:"session_id"`
	At        time.Time `json:"at"`
}

// Registered is told once per reader, at the first login.
type Registered struct {
	ReaderID int64     `json:"reader_id"`
	At       time.Time `json:"at"`
}

// LoginRequested asks for the mail of one login attempt.
type LoginRequested struct {
	AttemptID int64 `json:"attempt_id"`
}

// Help asks for a message to be sent to support.
type Help struct {
	MessageID int64 `json:"message_id"`
}

// Invited asks for the mail that tells an address of its invitation.
type Invited struct {
	InvitationID int64 `json:"invitation_id"`
}

// LeaveRequested asks for the mail with the code that deletes an account.
type LeaveRequested struct {
	LeaveID int64 `json:"leave_id"`
}

// Erased is told when a reader's account was taken down: everybody forgets what they keep of it.
type Erased struct {
	ReaderID int64 `json:"reader_id"`
}

// AddressChange is a reader's change of address: asked for, so that its mails are due, or done.
type AddressChange struct {
	ChangeID int64 `json:"change_id"`
}

// PasskeyChange is a passkey that a reader has made or removed. A removed one is gone, so its device stands here.
type PasskeyChange struct {
	ReaderID  int64     `json:"reader_id"`
	PasskeyID int64     `json:"passkey_id"`
	Added     bool      `json:"added"`
	Device    string    `json:"device"` // "Chrome, macOS"; may be empty
	At        time.Time `json:"at"`
}

// Entitlement says that what a reader may read could have changed.
type Entitlement struct {
	ReaderID int64 `json:"reader_id"`
}

// ProviderReported is a verified webhook, stored and waiting for its work.
type ProviderReported struct {
	EventID string `json:"event_id"`
}

// Paid is told when a first payment was confirmed by the provider.
type Paid struct {
	ReaderID       int64 `json:"reader_id"`
	SubscriptionID int64 `json:"subscription_id"`
}

// Payer is told when what a reader is called on invoices has changed, or the provider has not heard of it yet.
type Payer struct {
	ReaderID int64 `json:"reader_id"`
}

// Transfer is told on the day on which an order by bank transfer is to be paid.
type Transfer struct {
	TransferID int64 `json:"transfer_id"`
}

// Document is told when an invoice, a pro-forma invoice or a credit note was issued.
type Document struct {
	DocumentID int64  `json:"document_id"`
	To         string `json:"to,omitempty"`      // address to mail it to, where it is another one than usual
	Mistake    bool   `json:"mistake,omitempty"` // a payment was recorded for the wrong order: nothing is paid back
}

// TrialEnds is told three days before access ends.
type TrialEnds struct {
	SubscriptionID int64 `json:"subscription_id"`
}

// GrantEnds is told three days before the end of access that was given, and after it.
type GrantEnds struct {
	GrantID int64 `json:"grant_id"`
}

// AccessEnds is told when a reader's last subscription or trial is over.
type AccessEnds struct {
	SubscriptionID int64 `json:"subscription_id"`
}

// Overdue is told on the days on which a reader hears of a payment that failed.
type Overdue struct {
	SubscriptionID int64     `json:"subscription_id"`
	PeriodEnd      time.Time `json:"period_end"` // of the period that is not paid for
	Day            int       `json:"day"`        // since it began: 0, 3 or 7
}

// Renewal is told before a renewal that its reader is to hear of.
type Renewal struct {
	SubscriptionID int64     `json:"subscription_id"`
	PeriodEnd      time.Time `json:"period_end"` // when it is renewed
}

// PriceChange is told when another price is to count for a subscription.
type PriceChange struct {
	PriceChangeID int64 `json:"price_change_id"`
}

// SubscriptionChange is told when a subscription was cancelled, resumed, paused or switched, or a switch was announced
// or called off.
type SubscriptionChange struct {
	SubscriptionID int64     `json:"subscription_id"`
	Kind           string    `json:"kind"`
	At             time.Time `json:"at"`
}

// Redeemed is told when a reader was given time, by a code for one, while a subscription renews: its next payment comes
// later now.
type Redeemed struct {
	ReaderID int64 `json:"reader_id"`
}

// Given is told when the time is over that was given to a subscription whose payments were called off meanwhile.
type Given struct {
	ProviderID string `json:"provider_id"`
}

// Disputed is told when a payment of a subscription or of a gift is disputed, and when that is decided.
type Disputed struct {
	DisputeID string `json:"dispute_id"`
	GiftID    int64  `json:"gift_id,omitempty"`
	Turn      string `json:"turn"` // shut, held, won or lost
}

// Offer asks for the email with the way to pay for what somebody wants.
type Offer struct {
	WishID int64 `json:"wish_id"`
}

// Gift is told when a gift was paid for, and once more on the day on which its code is to be mailed.
type Gift struct {
	GiftID int64 `json:"gift_id"`
}

// Withdrawal is told when somebody has withdrawn from a contract or has confirmed it, when they are to be reminded that
// nobody has confirmed it, and when the contract was found and money has to go back.
type Withdrawal struct {
	WithdrawalID int64 `json:"withdrawal_id"`
	Reminder     bool  `json:"reminder,omitempty"`
	Decided      bool  `json:"decided,omitempty"` // by a person
}

// DuePost is told at the time for which a post was scheduled. Where the post has another time by then, another is told.
type DuePost struct {
	PostID int64     `json:"post_id"`
	At     time.Time `json:"at"`
}

// DueTopic is told when the time of a weekly topic comes, as DuePost of a post.
type DueTopic struct {
	TagID int64     `json:"tag_id"`
	At    time.Time `json:"at"`
}

// Discussed says that the comments of a post are others, or more, than before.
type Discussed struct {
	PostID int64 `json:"post_id"`
}

// Subscription asks for the mail by which an address confirms that it wants newsletters.
type Subscription struct {
	RequestID int64 `json:"request_id"`
}

// NewsletterLink asks for an email with a new link to the settings of a subscriber, whose old one has expired.
type NewsletterLink struct {
	SubscriberID int64     `json:"subscriber_id"`
	At           time.Time `json:"at"`
}

// Issue is told when an issue of a newsletter is to be put together and sent.
type Issue struct {
	IssueID int64 `json:"issue_id"`
}

// IssueBatch is told for a part of an issue's recipients: those with ids after After, up to Last.
type IssueBatch struct {
	IssueID int64 `json:"issue_id"`
	After   int64 `json:"after"`
	Last    int64 `json:"last"`
}

// MailReport is told when a mail server passes on that its reader called an email spam.
type MailReport struct {
	ReportID int64 `json:"report_id"`
}

// Registry holds who listens, by event name.
type Registry map[string][]func(context.Context, json.RawMessage) error

// On adds a listener. Delivery is at least once: fn must be idempotent.
func On[P any](r Registry, n Name[P], fn func(context.Context, P) error) {
	r[string(n)] = append(r[string(n)], func(ctx context.Context, raw json.RawMessage) error {
		var p P
		if err := json.Unmarshal(raw, &p); err != nil {
			return fmt.Errorf("event %s: %w", n, err)
		}
		return fn(ctx, p)
	})
}

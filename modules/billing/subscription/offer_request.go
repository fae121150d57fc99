package subscription

import (
	"cmp"
	"context"
	"fmt"
	"net/url"
	"strconv"
	"time"

	"example.org/broadsheet/modules/billing/email"
	"example.org/broadsheet/modules/billing/links"
	"example.org/broadsheet/modules/billing/offer"
	"example.org/broadsheet/modules/billing/person"
	"example.org/broadsheet/modules/billing/voucher"
	"example.org/broadsheet/platform/db"
	"example.org/broadsheet/platform/fault"
	"example.org/broadsheet/platform/jobs"
	"example.org/broadsheet/platform/limit"
	"example.org/broadsheet/platform/outbox"
	"example.org/broadsheet/platform/paper/edition"
	"example.org/broadsheet/platform/paper/event"
	"example.org/broadsheet/platform/web"
)

// pendingOfferTTL is how long an offer in an email can be taken.
const pendingOfferTTL = 7 * 24 * time.Hour

// Emails with offers: anybody may name any address.
var (
	offersOfNetwork = limit.Budget{Name: "billing.offer.network", Max: 20, Window: time.Hour}
	offersOfAddress = limit.Budget{Name: "billing.offer.address", Max: 3, Window: 24 * time.Hour}

	// A household, a class, a fair.
	TrialsOfNetwork = limit.Budget{Name: "billing.trial.network", Max: 10, Window: 24 * time.Hour}
)

// OfferRequest is what a form of a campaign or with a code asks for.
type OfferRequest struct {
	Email        string `json:"user_email"`
	Product      string `json:"product_type"`
	Code         string `json:"coupon_code"`
	Referrer     string `json:"referrer"`
	PendingOffer string `json:"wish"`   // link to a code that was typed before the login
	Agreed       string `json:"agreed"` // documents that the form names
}

// RequestOffer checks what a visitor asks for and stores it until the login that an email makes possible; back is where
// the login leads to.
func (s *Service) RequestOffer(ctx context.Context, w OfferRequest, network string) (address, back string, err error) {
	ed, err := edition.From(ctx)
	if err != nil {
		return "", "", err
	}
	if address, err = s.parseEmail(w.Email); err != nil {
		return "", "", err
	}
	if w.Code != "" {
		back, err = s.requestCode(ctx, ed, address, w.Code, web.LocalPath(w.Referrer), network)
	} else if err = s.requestPlan(ctx, ed, address, w.Product, network, true); err == nil {
		back = orderURL(ed, w.Product, web.LocalPath(w.Referrer))
	}
	return address, back, err
}

// requestCode keeps that an address has named a good code. The code is not used up by it.
func (s *Service) requestCode(ctx context.Context, ed *edition.Edition, address, code, referrer,
	network string,
) (back string, err error) {
	var id int64
	var verdict error
	err = s.db.InTx(ctx, func(ctx context.Context, tx db.Tx) error {
		verdict = nil
		if within, err := voucher.MayTry(ctx, tx, network, person.Email(address)); err != nil || !within {
			verdict = web.ErrTooMany
			return err
		}
		c, err := voucher.FindCoupon(ctx, tx, false, "code_hash = ?", voucher.HashCode(code))
		if err != nil {
			return err
		}
		if !c.Open(tx.Now) || offer.Active(tx.Edition, c.Product) == nil {
			verdict = voucher.ErrCoupon.On("coupon_code")
			return nil
		}
		id, err = insertPendingOffer(ctx, tx,
			PendingOffer{Email: address, Product: c.Product, CouponID: c.ID, ExpiresAt: tx.Now.Add(pendingOfferTTL)})
		return err
	})
	if err := cmp.Or(err, verdict); err != nil {
		return "", err
	}
	if referrer == "/" {
		referrer = ""
	}
	return links.Sale(ed, links.StepCoupon, "wish", s.links.Sign(ed, links.PendingOffer, id), "referrer", referrer), nil
}

// requestPlan keeps that an address wants an offer, and has the way to pay for it mailed. Where the edition gives a
// trial to whoever comes by a campaign, and trial says that this is one, it is promised to the address: the login that
// the mail makes possible begins it.
func (s *Service) requestPlan(ctx context.Context, ed *edition.Edition, address, product, network string,
	trial bool,
) error {
	if offer.Active(ed, product) == nil {
		return web.ErrInvalidArgs.On("product_type")
	}
	reader, err := s.contacts.ReaderOf(ctx, address)
	if err != nil {
		return err
	}
	within := false
	err = s.db.InTx(ctx, func(ctx context.Context, tx db.Tx) (err error) {
		if within, err = limit.SpendInTurn(ctx, tx, limit.Use{Budget: offersOfNetwork, Key: network},
			limit.Use{Budget: offersOfAddress, Key: address}); err != nil || !within {
			return err
		}
		if trial && GrantsTrials(tx.Edition, tx.Now) {
			if within, err = grantTrialByForm(ctx, tx, address, reader, network); err != nil || !within {
				return err
			}
		}
		id, err := insertPendingOffer(ctx, tx,
			PendingOffer{Email: address, Product: product, ExpiresAt: tx.Now.Add(pendingOfferTTL)})
		if err != nil {
			return err
		}
		return outbox.Tell(ctx, tx, event.OfferAsked, event.Offer{WishID: id})
	})
	if err == nil && !within {
		err = web.ErrTooMany
	}
	return err
}

// grantTrialByForm is promise for an address that somebody has typed. It reports whether a network is within its
// budget.
func grantTrialByForm(ctx context.Context, tx db.Tx, address string, reader int64,
	network string,
) (within bool, err error) {
	if would, err := grantTrial(ctx, tx, true, address, reader); err != nil || would != TrialGranted {
		return true, err
	}
	if within, err := limit.Spend(ctx, tx, TrialsOfNetwork, network); err != nil || !within {
		return false, err
	}
	_, err = grantTrial(ctx, tx, false, address, reader)
	return true, err
}

// MailPaymentLink has a reader whose payment could not be opened mailed the way to pay, and says so. Where there is no
// email, what failed remains.
func (s *Service) MailPaymentLink(ctx context.Context, ed *edition.Edition, readerID int64, product, network string,
	failed error,
) error {
	address, _, err := s.contacts.Contact(ctx, readerID)
	if err == nil {
		err = s.requestPlan(ctx, ed, address, product, network, false)
	}
	if err != nil {
		s.log.WarnContext(ctx, "no email with the way to pay", "edition", ed.ID, "reader", readerID, "error", err)
		return failed
	}
	return ErrNoPayment.Because(failed)
}

// orderURL is where the order of a product goes on, and to the payment once somebody is logged in.
func orderURL(ed *edition.Edition, product, referrer string) string {
	to := ed.Href(edition.Account) + "?pay=1&product_type=" + product
	if referrer != "/" {
		to += "&referrer=" + url.QueryEscape(referrer)
	}
	return to
}

// mailOffer sends the email with the way to pay.
func (s *Service) mailOffer(ctx context.Context, e event.Offer) error {
	ed, err := edition.From(ctx)
	if err != nil {
		return jobs.Skip(err)
	}
	var w *PendingOffer
	err = s.db.Run(ctx, func(ctx context.Context, tx db.Tx) (err error) {
		w, err = FindPendingOffer(ctx, tx, e.WishID)
		return err
	})
	if err != nil || w == nil { // it is over, or whose it was has left
		return err
	}
	p := offer.Active(ed, w.Product)
	if p == nil {
		return jobs.Skip(fmt.Errorf("billing: %s is no longer sold", w.Product))
	}
	reader, err := s.contacts.ReaderOf(ctx, w.Email)
	if err != nil {
		return err
	}
	intro, err := s.mayHaveIntro(ctx, reader, w.Email)
	if err != nil {
		return err
	}
	link := email.PaymentLink{
		Key: "payment_link:" + strconv.FormatInt(w.ID, 10), Product: p,
		URL: ed.URL(orderURL(ed, p.Type, "/")), Until: w.ExpiresAt, Intro: intro,
	}
	return s.mailer.Send(ctx, link.Email(ed, w.Email))
}

// ErrNoPayment is an order that can be tried again by the link that was mailed.
var ErrNoPayment = fault.New(fault.Unavailable, "UNABLE_TO_CREATE_PAYMENT")

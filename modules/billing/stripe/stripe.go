// Package stripe speaks to the payment provider, and is the only one that does: customers, checkouts, subscriptions and
// their prices, charges and refunds, and the messages that the provider sends. It stores nothing; what it returns is
// what the provider says at that moment. Every call that must not be made twice has an idempotency key.
//
// Open stripe.go next, then subscription.go. The package imports person and nothing else of billing.
package stripe

import (
	"context"
	"fmt"
	"sync"
	"time"

	"github.com/stripe/stripe-go/v76"
	"github.com/stripe/stripe-go/v76/client"

	"example.org/broadsheet/platform/breaker"
	"example.org/broadsheet/platform/paper/edition"
)

// callTimeout bounds one call to the provider.
const callTimeout = 8 * time.Second

// Accounts holds a client for each account at the provider.
type Accounts struct {
	keys  func(editionID string) (Keys, error)
	lines *breaker.Set

	mu       sync.Mutex
	accounts map[Keys]*Account
}

// Account is the provider as one edition sees it.
type Account struct {
	api     *client.API
	keys    Keys
	Edition *edition.Edition
	prices  *sync.Map // lookup key → id
}

// NewAccounts returns accounts whose keys are found by their edition; without lines, every call tries anew.
func NewAccounts(keys func(editionID string) (Keys, error), lines *breaker.Set) *Accounts {
	return &Accounts{keys: keys, lines: lines}
}

// Account returns the account of the edition of the context.
func (p *Accounts) Account(ctx context.Context) (*Account, error) {
	ed, err := edition.From(ctx)
	if err != nil {
		return nil, err
	}
	keys, err := p.keys(ed.ID)
	if err != nil {
		return nil, fmt.Errorf("billing: keys of %s: %w", ed.ID, err)
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.accounts == nil {
		p.accounts = map[Keys]*Account{}
	}
	a := p.accounts[keys]
	if a == nil {
		cfg := &stripe.BackendConfig{
			HTTPClient: p.lines.To("payment provider").Client(callTimeout), MaxNetworkRetries: stripe.Int64(1),
			LeveledLogger: &stripe.LeveledLogger{Level: stripe.LevelNull}, EnableTelemetry: stripe.Bool(false),
		}
		if keys.APIBase != "" {
			cfg.URL = stripe.String(keys.APIBase)
		}
		a = &Account{api: client.New(keys.SecretKey, stripe.NewBackendsWithConfig(cfg)), keys: keys, prices: &sync.Map{}}
		p.accounts[keys] = a
	}
	return &Account{api: a.api, keys: keys, Edition: ed, prices: a.prices}, nil
}

func params(ctx context.Context, idempotencyKey string) stripe.Params {
	p := stripe.Params{Context: ctx}
	if idempotencyKey != "" {
		p.SetIdempotencyKey(idempotencyKey)
	}
	return p
}

// Names in the metadata that we write.
const (
	metaEdition    = "edition"
	metaReader     = "reader_id"
	metaPublic     = "reader_public_id"
	metaIntent     = "intent_id"
	metaProduct    = "product"
	metaGift       = "gift_id"
	metaIntro      = "intro"
	metaNext       = "next_product"
	metaGivenUntil = "given_until"
	metaFrom       = "paid_from"
)

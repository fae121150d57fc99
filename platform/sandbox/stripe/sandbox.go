// Package sandbox is a payment provider for development and tests: it answers the Stripe API of version
// 2023-10-16 over HTTP, shows the hosted pages, bills subscriptions when their time comes and sends signed
// webhooks. No money moves and no card but the published test cards is accepted.
//
// One secret key is one account with its own objects and webhook endpoint. All of it survives a crash: every
// change is on disk before it is answered.
package sandbox

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"net/url"
	"os"
	"slices"
	"strings"
	"sync"
	"time"
)

// apiVersion is the one version of the API that is spoken.
const apiVersion = "2023-10-16"

// Clock tells the sandbox's time.
type Clock interface{ Now() time.Time }

// Account is one merchant, chosen by its secret key.
type Account struct {
	SecretKey     string         // sk_test_…
	Name          string         // shown on the hosted pages and invoices
	WebhookURL    string         // where events go; empty: only the endpoints made through the API
	WebhookSecret string         // whsec_…, signs what goes to WebhookURL
	Events        []string       // types of the events that go to WebhookURL; nil: all
	SiteURL       string         // origin of hosted invoice pages until a checkout has told it; empty: that of WebhookURL
	Location      *time.Location // for dates on hosted pages; nil: UTC
}

// Options configures New. Dir and Clock are required.
type Options struct {
	Dir      string // holds one journal per account; made if missing
	Clock    Clock
	Log      *slog.Logger
	Accounts []Account
	Listen   string // of the API; empty: a free port of 127.0.0.1

	// Pages serves the hosted pages on the API's listener as well, for customers who reach it at PagesURL; empty: at its
	// address. Without Pages they are on the site of the customer, which has to serve Handler.
	Pages    bool
	PagesURL string
	Guard    func(http.Handler) http.Handler // stands before the listener; may be nil
	Via      string                          // host:port that all webhooks are sent to; empty: where their URL leads

	Volatile     bool            // what was answered may be lost with the machine's power: for tests that write much
	DraftFor     time.Duration   // how long a renewal's invoice stays a draft; zero: it is finalized at once
	AfterRetries string          // status of a subscription whose last retry failed: "unpaid" (default) or "canceled"
	Retries      []time.Duration // real waits between the first attempts of a webhook; nil: 1 s, 4 s, 15 s
	WebhookDelay time.Duration   // how long the fault "delay" holds a webhook; zero: 5 s
}

// Sandbox is a running payment provider.
type Sandbox struct {
	opts    Options
	log     *slog.Logger
	lock    *os.File
	server  *http.Server
	baseURL string
	pages   string // origin of the hosted pages; empty: the site of the customer
	faults  faultState
	ctx     context.Context
	stop    context.CancelFunc
	workers sync.WaitGroup

	mu       sync.RWMutex
	accounts map[string]*account // by id
}

// New opens the journals in opts.Dir, starts the API on its own listener and begins to deliver webhooks.
func New(opts Options) (*Sandbox, error) {
	if opts.Dir == "" || opts.Clock == nil {
		return nil, errors.New("payment sandbox: Dir and Clock are required")
	}
	opts.Listen = cmp.Or(opts.Listen, "127.0.0.1:0")
	opts.AfterRetries = cmp.Or(opts.AfterRetries, statusUnpaid)
	if opts.AfterRetries != statusUnpaid && opts.AfterRetries != statusCanceled {
		return nil, fmt.Errorf("payment sandbox: AfterRetries is %q, it can be unpaid or canceled", opts.AfterRetries)
	}
	opts.WebhookDelay = cmp.Or(opts.WebhookDelay, 5*time.Second)
	if opts.Retries == nil {
		opts.Retries = []time.Duration{time.Second, 4 * time.Second, 15 * time.Second}
	}
	if opts.Log == nil {
		opts.Log = slog.New(slog.DiscardHandler)
	}
	lock, err := lockDir(opts.Dir)
	if err != nil {
		return nil, err
	}
	ctx, stop := context.WithCancel(context.Background())
	s := &Sandbox{opts: opts, log: opts.Log, lock: lock, ctx: ctx, stop: stop, accounts: map[string]*account{}}
	if err := s.start(); err != nil {
		return nil, errors.Join(err, s.Close())
	}
	return s, nil
}

func (s *Sandbox) start() error {
	for _, a := range s.opts.Accounts {
		if err := s.AddAccount(a); err != nil {
			return err
		}
	}
	listener, err := (&net.ListenConfig{}).Listen(s.ctx, "tcp", s.opts.Listen)
	if err != nil {
		return fmt.Errorf("payment sandbox: listen: %w", err)
	}
	s.baseURL = "http://" + listener.Addr().String()
	s.server = &http.Server{Handler: s.listenerHandler(), ReadHeaderTimeout: 10 * time.Second}
	s.workers.Go(func() {
		if err := s.server.Serve(listener); !errors.Is(err, http.ErrServerClosed) {
			s.log.Error("payment sandbox: API listener ended", "error", err)
		}
	})
	s.workers.Go(s.tick)
	return nil
}

// listenerHandler answers the API, and shows the hosted pages where they have no site of the customer to be on.
func (s *Sandbox) listenerHandler() http.Handler {
	h := s.APIHandler()
	if s.opts.Pages {
		s.pages = strings.TrimRight(cmp.Or(s.opts.PagesURL, s.baseURL), "/")
		mux := http.NewServeMux()
		mux.Handle("/", h)
		mux.Handle(hostedPath, s.Handler())
		h = mux
	}
	if s.opts.Guard != nil {
		h = s.opts.Guard(h)
	}
	return h
}

// AddAccount opens an account while the sandbox runs. For a key that is known it takes over the new name and webhook.
func (s *Sandbox) AddAccount(cfg Account) error {
	if cfg.SecretKey == "" {
		return errors.New("payment sandbox: an account needs a secret key")
	}
	if cfg.WebhookURL != "" {
		if u, err := url.Parse(cfg.WebhookURL); err != nil || u.Host == "" {
			return fmt.Errorf("payment sandbox: webhook URL %q of account %q has no host", cfg.WebhookURL, cfg.Name)
		}
	}
	if cfg.Location == nil {
		cfg.Location = time.UTC
	}
	id := accountID(cfg.SecretKey)
	s.mu.Lock()
	defer s.mu.Unlock()
	a, known := s.accounts[id]
	if !known {
		var err error
		if a, err = openAccount(s, id); err != nil {
			return err
		}
	}
	if err := a.configure(cfg); err != nil {
		if !known {
			return errors.Join(err, a.journal.close())
		}
		return err
	}
	if !known {
		s.accounts[id] = a
		s.workers.Go(a.deliver)
	}
	return nil
}

// BaseURL is the address of the API without /v1, as stripe-go's BackendConfig.URL wants it.
func (s *Sandbox) BaseURL() string { return s.baseURL }

// Close stops the API and the deliveries. What was not delivered is tried again by the next New.
func (s *Sandbox) Close() error {
	s.stop()
	var errs []error
	if s.server != nil {
		errs = append(errs, s.server.Close())
	}
	s.workers.Wait()
	for _, a := range s.all() {
		errs = append(errs, a.journal.close())
	}
	return errors.Join(append(errs, unlockDir(s.lock))...)
}

// all lists the accounts in a steady order.
func (s *Sandbox) all() []*account {
	s.mu.RLock()
	defer s.mu.RUnlock()
	list := make([]*account, 0, len(s.accounts))
	for _, a := range s.accounts {
		list = append(list, a)
	}
	slices.SortFunc(list, func(a, b *account) int { return cmp.Compare(a.id, b.id) })
	return list
}

// holder finds the account that has an object, for pages whose address names the object alone.
func (s *Sandbox) holder(id string) *account {
	for _, a := range s.all() {
		if a.has(id) {
			return a
		}
	}
	return nil
}

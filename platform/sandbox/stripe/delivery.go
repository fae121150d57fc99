package sandbox

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/stripe/stripe-go/v76/webhook"
)

// The states of a delivery.
const (
	deliveryPending   = "pending"
	deliveryDelivered = "delivered"
	deliveryDropped   = "dropped"
	deliveryFailed    = "failed"
)

// delivery is one event on its way to one endpoint.
type delivery struct {
	Meta
	Event       string `json:"event"`
	Endpoint    string `json:"endpoint"`
	State       string `json:"state"`
	Attempts    int    `json:"attempts"`
	NextAt      int64  `json:"next_at"` // in the sandbox's time; 0: as soon as may be
	LastStatus  int    `json:"last_status"`
	LastError   string `json:"last_error"`
	DeliveredAt int64  `json:"delivered_at"`
}

func (*delivery) kind() string { return kindDelivery }

// ticket is a delivery under way, with what only the running process knows of it: real time.
type ticket struct {
	born      time.Time
	notBefore time.Time
	attempts  int
	nextAt    int64
}

// laterRetries are the waits in the sandbox's time once the quick ones are used up; the last repeats for three days.
var laterRetries = []time.Duration{time.Hour, 3 * time.Hour, 6 * time.Hour, 12 * time.Hour, 24 * time.Hour}

const (
	retryFor      = 3 * 24 * time.Hour
	shuffleWindow = 300 * time.Millisecond
	deliveryLimit = 10 * time.Second
)

// Delivery tells what happened to one event at one endpoint.
type Delivery struct {
	Account    string `json:"account"` // its name
	Event      string `json:"event"`
	Type       string `json:"type"`
	URL        string `json:"url"`
	State      string `json:"state"` // pending, delivered, dropped, failed
	Attempts   int    `json:"attempts"`
	LastStatus int    `json:"last_status"` // of HTTP; 0: no answer
	LastError  string `json:"last_error"`
}

// Deliveries lists all of them, oldest first by account.
func (s *Sandbox) Deliveries() []Delivery {
	list := []Delivery{}
	for _, a := range s.all() {
		a.mu.Lock()
		t := a.begin(s.opts.Clock.Now(), origin{})
		for _, d := range all[delivery](t) {
			out := Delivery{
				Account: a.cfg.Name, Event: d.Event, State: d.State, Attempts: d.Attempts, LastStatus: d.LastStatus,
				LastError: d.LastError,
			}
			if ev := load[event](t, text(d.Event)); ev != nil {
				out.Type = ev.Type
			}
			if w := load[webhookEndpoint](t, text(d.Endpoint)); w != nil {
				out.URL = w.URL
			}
			list = append(list, out)
		}
		a.mu.Unlock()
	}
	return list
}

// Flush waits until every webhook has had its first attempt.
func (s *Sandbox) Flush(ctx context.Context) error {
	for {
		if !slices.ContainsFunc(s.all(), (*account).owesAttempt) {
			return nil
		}
		select {
		case <-ctx.Done():
			return fmt.Errorf("payment sandbox: webhooks are still on their way: %w", ctx.Err())
		case <-s.ctx.Done():
			return errors.New("payment sandbox: closed")
		case <-time.After(10 * time.Millisecond):
		}
	}
}

// owesAttempt reports whether an event has not been sent at all yet.
func (a *account) owesAttempt() bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	return slices.ContainsFunc(a.queue, func(id string) bool { return a.tickets[id].attempts == 0 })
}

// enqueue follows what a committed delivery has become.
func (a *account) enqueue(d *delivery) {
	at := slices.Index(a.queue, d.ID)
	if d.State == deliveryPending && at < 0 {
		a.queue = append(a.queue, d.ID)
		a.tickets[d.ID] = &ticket{born: time.Now()}
	}
	if d.State == deliveryPending {
		a.tickets[d.ID].attempts, a.tickets[d.ID].nextAt = d.Attempts, d.NextAt
	} else if at >= 0 {
		a.queue = slices.Delete(a.queue, at, at+1)
		delete(a.tickets, d.ID)
	}
}

// wakeCourier wakes the courier.
func (a *account) wakeCourier() {
	select {
	case a.wake <- struct{}{}:
	default:
	}
}

// deliver is the account's courier: it sends one webhook after the other.
func (a *account) deliver() {
	client := newCourier(a.box.opts.Via)
	defer client.CloseIdleConnections()
	for a.box.ctx.Err() == nil {
		p, wait := a.nextParcel()
		if p != nil {
			a.send(client, p)
			continue
		}
		select {
		case <-a.box.ctx.Done():
		case <-a.wake:
		case <-time.After(wait):
		}
	}
}

// parcel is a webhook ready to be sent.
type parcel struct {
	delivery string
	url      string
	secret   string
	body     []byte
	copies   int
}

// nextParcel picks what is to be sent now, or says how long to wait at most.
func (a *account) nextParcel() (*parcel, time.Duration) {
	a.mu.Lock()
	defer a.mu.Unlock()
	mode := a.box.faults.webhooks()
	now, wait := time.Now(), time.Minute
	t := a.begin(a.box.opts.Clock.Now(), origin{})
	var ready []string
	for _, id := range a.queue {
		tick := a.tickets[id]
		from := tick.notBefore
		if tick.attempts == 0 && mode == "delay" {
			from = tick.born.Add(a.box.opts.WebhookDelay)
		}
		if tick.attempts == 0 && shuffles(mode) {
			from = tick.born.Add(shuffleWindow)
		}
		if left := from.Sub(now); left > 0 {
			wait = min(wait, left)
			continue
		}
		if tick.nextAt <= t.now.Unix() {
			ready = append(ready, id)
		}
	}
	if len(ready) == 0 {
		return nil, wait
	}
	id := ready[0]
	if shuffles(mode) && len(ready) > 1 {
		id = ready[1+rand.IntN(len(ready)-1)] // #nosec G404 -- an order, no secret
	}
	return a.pack(t, load[delivery](t, text(id)), mode), 0
}

// A storm loses some messages and brings the others several times.
const (
	stormLoss   = 0.3
	stormCopies = 5
)

func shuffles(mode string) bool { return mode == "shuffle" || mode == "storm" }

func (a *account) pack(t *tx, d *delivery, mode string) *parcel {
	ev, w := load[event](t, text(d.Event)), load[webhookEndpoint](t, text(d.Endpoint))
	p := &parcel{delivery: d.ID, copies: 1}
	// #nosec G404 -- chance, no secret
	if mode == "drop" || mode == "storm" && d.Attempts == 0 && rand.Float64() < stormLoss || ev == nil || w == nil ||
		w.Status != "enabled" {
		p.copies = 0
		return p
	}
	switch mode {
	case "duplicate":
		p.copies = 2
	case "storm":
		p.copies = stormCopies
	}
	body, err := json.Marshal(t.render(ev))
	if err != nil {
		panic(err) // the types of this package always encode
	}
	p.url, p.secret, p.body = w.URL, w.Private.Secret, body
	return p
}

// newCourier makes the client that sends webhooks: all of them to one address, where via names one.
func newCourier(via string) *http.Client {
	dialer := &net.Dialer{Timeout: 5 * time.Second}
	transport := &http.Transport{
		DialContext: func(ctx context.Context, network, address string) (net.Conn, error) {
			if via != "" {
				return dialer.DialContext(ctx, network, via)
			}
			host, port, err := net.SplitHostPort(address)
			if err == nil && (host == "localhost" || strings.HasSuffix(host, ".localhost")) {
				address = net.JoinHostPort("127.0.0.1", port) // such names are this machine, whether its resolver knows it or not
			}
			return dialer.DialContext(ctx, network, address)
		},
		MaxIdleConnsPerHost: 2, IdleConnTimeout: 30 * time.Second,
	}
	return &http.Client{
		Transport: transport, Timeout: deliveryLimit,
		CheckRedirect: func(*http.Request, []*http.Request) error {
			return http.ErrUseLastResponse
		},
	}
}

// send hands a parcel over and books the outcome.
func (a *account) send(client *http.Client, p *parcel) {
	status, err := 0, error(nil)
	for range p.copies {
		status, err = a.post(client, p)
	}
	if a.box.ctx.Err() != nil {
		return // the next start sends it again
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	bookErr := a.commit(a.box.opts.Clock.Now(), origin{}, func(t *tx) error {
		t.lossy = true
		a.book(t, load[delivery](t, text(p.delivery)), p, status, err)
		return nil
	})
	if bookErr != nil {
		a.box.log.Error("payment sandbox: delivery not booked", "error", bookErr)
		if tick := a.tickets[p.delivery]; tick != nil {
			tick.notBefore = time.Now().Add(time.Second)
		}
	}
}

func (a *account) post(client *http.Client, p *parcel) (int, error) {
	signed := webhook.GenerateTestSignedPayload(&webhook.UnsignedPayload{
		Payload: p.body, Secret: p.secret,
		Timestamp: time.Now(),
	})
	req, err := http.NewRequestWithContext(a.box.ctx, http.MethodPost, p.url, bytes.NewReader(p.body))
	if err != nil {
		return 0, err
	}
	req.Header.Set("Content-Type", "application/json; charset=utf-8")
	req.Header.Set("User-Agent", "Stripe/1.0 (payment sandbox)")
	req.Header.Set("Stripe-Signature", signed.Header)
	resp, err := client.Do(req)
	if err != nil {
		return 0, err
	}
	defer func() { _ = resp.Body.Close() }()
	_, _ = io.Copy(io.Discard, io.LimitReader(resp.Body, 64<<10))
	return resp.StatusCode, nil
}

// book writes down how an attempt ended and when the next one is.
func (a *account) book(t *tx, d *delivery, p *parcel, status int, failure error) {
	if p.copies == 0 {
		d.State = deliveryDropped
		return
	}
	d.Attempts++
	d.LastStatus, d.LastError = status, ""
	if failure != nil {
		d.LastError = failure.Error()
	}
	if status >= 200 && status < 300 {
		d.State, d.DeliveredAt = deliveryDelivered, t.now.Unix()
		if ev := load[event](t, text(d.Event)); ev != nil {
			ev.Pending--
		}
		return
	}
	quick := a.box.opts.Retries
	if d.Attempts <= len(quick) {
		a.tickets[d.ID].notBefore = time.Now().Add(quick[d.Attempts-1])
		return
	}
	later := laterRetries[min(d.Attempts-len(quick), len(laterRetries))-1]
	if d.NextAt = t.now.Add(later).Unix(); d.NextAt > d.Created+int64(retryFor.Seconds()) {
		d.State = deliveryFailed
	}
}

package sandbox

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"sync"
)

// Faults are the failures that the sandbox was told to make; "none" makes none.
type Faults struct {
	// Drop, delay, duplicate, shuffle, storm (three in ten lost, the others five times each, shuffled), none.
	Webhooks string `json:"webhooks"`
	// 500: nothing is done; timeout: it is done, and the answer never comes; 500_kept, 500_done: only of changes, see
	// once; none.
	API string `json:"api"`
}

var (
	webhookFaults = []string{"none", "drop", "delay", "duplicate", "shuffle", "storm"}
	apiFaults     = []string{"none", "500", "timeout", faultKept, faultDone}
)

// Changes are answered 500, and so is their idempotency key from then on: with faultKept nothing was done, with
// faultDone it was.
const (
	faultKept = "500_kept"
	faultDone = "500_done"
)

type faultState struct {
	mu      sync.Mutex
	now     Faults
	changed chan struct{}
}

func (f *faultState) get() Faults {
	f.mu.Lock()
	defer f.mu.Unlock()
	now := f.now
	if now.Webhooks == "" {
		now.Webhooks = "none"
	}
	if now.API == "" {
		now.API = "none"
	}
	return now
}

func (f *faultState) api() string      { return f.get().API }
func (f *faultState) webhooks() string { return f.get().Webhooks }

// hang waits until the caller has gone, the fault was lifted or the sandbox ends.
func (f *faultState) hang(caller, box context.Context) {
	for f.api() == "timeout" {
		f.mu.Lock()
		if f.changed == nil {
			f.changed = make(chan struct{})
		}
		changed := f.changed
		f.mu.Unlock()
		select {
		case <-caller.Done():
			return
		case <-box.Done():
			return
		case <-changed:
		}
	}
}

// SetFaults changes the failures; an empty field leaves its kind as it is. Events that are held back go out when their
// fault is lifted.
func (s *Sandbox) SetFaults(want Faults) error {
	if want.Webhooks != "" && !slices.Contains(webhookFaults, want.Webhooks) {
		return fmt.Errorf("webhooks is %q, it can be %s", want.Webhooks, strings.Join(webhookFaults, ", "))
	}
	if want.API != "" && !slices.Contains(apiFaults, want.API) {
		return fmt.Errorf("api is %q, it can be %s", want.API, strings.Join(apiFaults, ", "))
	}
	f := &s.faults
	f.mu.Lock()
	if want.Webhooks != "" {
		f.now.Webhooks = want.Webhooks
	}
	if want.API != "" {
		f.now.API = want.API
	}
	if f.changed != nil {
		close(f.changed)
		f.changed = nil
	}
	f.mu.Unlock()
	for _, a := range s.all() {
		a.wakeCourier()
	}
	return nil
}

// Faults tells the failures that are on.
func (s *Sandbox) Faults() Faults { return s.faults.get() }

func (s *Sandbox) getFaults(w http.ResponseWriter, _ *http.Request) {
	writeJSON(w, http.StatusOK, s.Faults())
}

func (s *Sandbox) postFaults(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, 4<<10))
	var want Faults
	if err == nil {
		d := json.NewDecoder(strings.NewReader(string(body)))
		d.DisallowUnknownFields()
		err = d.Decode(&want)
		if err == nil && d.More() {
			err = fmt.Errorf("there is more than one JSON value")
		}
	}
	if err == nil && want == (Faults{}) {
		err = fmt.Errorf("nothing to set")
	}
	if err == nil {
		err = s.SetFaults(want)
	}
	if err != nil {
		message := fmt.Sprintf(`%v; send JSON such as {"webhooks":"%s","api":"%s"}`, err, strings.Join(webhookFaults, "|"),
			strings.Join(apiFaults, "|"))
		writeJSON(w, http.StatusBadRequest, map[string]string{"error": message})
		return
	}
	writeJSON(w, http.StatusOK, s.Faults())
}

func writeJSON(w http.ResponseWriter, status int, v any) {
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Cache-Control", "no-store")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(v)
}

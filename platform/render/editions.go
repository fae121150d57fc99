package render

import (
	"encoding/json"
	"fmt"
	"sync"
)

// editions is what the runtimes should know; each runtime catches up before it renders.
type editions struct {
	mu   sync.RWMutex
	last uint64
	byID map[string]versioned
}

type versioned struct {
	version uint64
	json    string
}

func (e *editions) get(id string) (versioned, bool) {
	e.mu.RLock()
	defer e.mu.RUnlock()
	v, ok := e.byID[id]
	return v, ok
}

func (e *editions) set(id, doc string) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.byID == nil {
		e.byID = map[string]versioned{}
	}
	if e.byID[id].json == doc {
		return
	}
	e.last++
	e.byID[id] = versioned{e.last, doc}
}

func (e *editions) remove(id string) {
	e.mu.Lock()
	defer e.mu.Unlock()
	delete(e.byID, id)
}

// SetEdition adds or changes an edition: no render that starts afterwards uses
// an older version. The document's "id" must be id. A document that the bundle
// refuses is an error and leaves the version before it in use.
func (r *Renderer) SetEdition(id string, publicJSON []byte) error {
	if !r.begin() {
		return ErrClosed
	}
	defer r.working.Done()
	var doc struct {
		ID string `json:"id"`
	}
	if err := json.Unmarshal(publicJSON, &doc); err != nil {
		return fmt.Errorf("render: edition %q: %w", id, err)
	}
	if id == "" || doc.ID != id {
		return fmt.Errorf("render: edition %q: the document's id is %q", id, doc.ID)
	}
	// Tried on a runtime of its own (milliseconds), so that a bad document can neither fail a page nor wait for one. It
	// may take as long as loading the bundle may.
	trial, err := r.start()
	if err != nil {
		return err
	}
	defer trial.close()
	if err := trial.setEdition(string(publicJSON)); err != nil {
		return fmt.Errorf("render: edition %q: %w", id, err)
	}
	r.editions.set(id, string(publicJSON))
	return nil
}

// RemoveEdition makes Page answer ErrUnknownEdition; runtimes drop the edition's data when they are next replaced.
func (r *Renderer) RemoveEdition(id string) { r.editions.remove(id) }

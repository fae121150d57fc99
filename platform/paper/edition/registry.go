package edition

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/uptrace/bun"
)

// Database is what the registry needs from platform/db.
type Database interface {
	Core() *bun.DB
	Now() time.Time
	Attach(editionID, role string)
	Detach(editionID string) error
	RolesFree(ctx context.Context, tx bun.IDB, editionIDs ...string) error
	Provision(ctx context.Context, tx bun.IDB, editionID string) error
	Deprovision(ctx context.Context, tx bun.IDB, editionID string) error
	Migrate(ctx context.Context, editionID string) error
	Notify(ctx context.Context, tx bun.IDB, topic, editionID string, keys ...string) error
}

// Registry knows the editions that are served. Its rows are in the core schema; reading it takes no lock.
type Registry struct {
	db     Database
	origin string
	locale string // of every edition's words; "" for each its own
	log    *slog.Logger

	guards        []Guard                               // of documents that take the place of others
	beforeService func(context.Context, *Edition) error // nil for nothing to do

	now       atomic.Pointer[snapshot]
	mu        sync.Mutex // of reloading, and of the list of listeners
	listeners []func(Change)
}

type snapshot struct {
	hosts map[string]*Edition
	ids   map[string]*Edition
	all   []*Edition // by id
}

// Change is what a reload found.
type Change struct {
	Added, Changed, Removed []*Edition
}

// NewRegistry makes an empty registry; origin is the template of absolute addresses, such as https://{host}.
func NewRegistry(d Database, origin string, log *slog.Logger) *Registry {
	if log == nil {
		log = slog.New(slog.DiscardHandler)
	}
	r := &Registry{db: d, origin: origin, log: log}
	r.now.Store(&snapshot{})
	return r
}

// NewRegistryOf makes a registry of one edition whether it is in service or not, for whoever tries it out. It is not to
// be loaded again.
func NewRegistryOf(d Database, e *Edition, log *slog.Logger) *Registry {
	r := NewRegistry(d, e.Origin, log)
	s := &snapshot{hosts: map[string]*Edition{}, ids: map[string]*Edition{e.ID: e}, all: []*Edition{e}}
	for _, h := range e.Hosts {
		s.hosts[h] = e
	}
	r.now.Store(s)
	return r
}

// SetLocale makes every edition that is loaded from now on use the words of one language, "sk", "de" or "en", whatever
// its document says; "" leaves each its own.
func (r *Registry) SetLocale(locale string) { r.locale = locale }

// spoken is the document in another language. Its own variety, such as de-CH, stays where the language is the same.
func spoken(doc Document, locale string) Document {
	if locale != "" && locale != doc.Locale {
		doc.Locale, doc.IntlLocale = locale, locale
	}
	return doc
}

// Lookup finds the edition of a request's host; case, port and a final dot make no difference.
func (r *Registry) Lookup(host string) (*Edition, bool) {
	e, ok := r.now.Load().hosts[Host(host)]
	return e, ok
}

// Get finds an edition by its id.
func (r *Registry) Get(id string) (*Edition, bool) {
	e, ok := r.now.Load().ids[id]
	return e, ok
}

// All lists the editions by id. The list is the caller's own.
func (r *Registry) All() []*Edition { return slices.Clone(r.now.Load().all) }

// Host is the name in a Host header: lower case, without port and final dot.
func Host(header string) string {
	h := header
	if strings.ContainsRune(h, ':') {
		if name, _, err := net.SplitHostPort(h); err == nil {
			h = name
		}
	}
	return strings.TrimSuffix(strings.ToLower(h), ".")
}

// OnChange calls fn with the editions that are there, as added, and then with every change. fn runs while no other
// reload does and must not call back into Load or OnChange.
func (r *Registry) OnChange(fn func(Change)) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.listeners = append(r.listeners, fn)
	if all := r.All(); len(all) > 0 {
		fn(Change{Added: all})
	}
}

// Load reads the registry again and opens and closes pools as needed. A document that this program cannot read
// leaves its edition as it was: one bad edition does not stop the others.
func (r *Registry) Load(ctx context.Context) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	// A failed migration leaves the edition served on its old schema, which a new program can work with.
	var rows []row
	err := r.db.Core().NewSelect().Model(&rows).Where("state IN (?)", bun.List([]string{stateLive, stateFailed})).
		Order("id").Scan(ctx)
	if err != nil {
		return fmt.Errorf("editions: %w", err)
	}
	marks, err := r.marks(ctx, restoredKey)
	if err != nil {
		return err
	}
	before := r.now.Load()
	after := &snapshot{hosts: map[string]*Edition{}, ids: map[string]*Edition{}}
	var change Change
	for _, row := range rows {
		old := before.ids[row.ID]
		e, err := r.make(row, marks[row.ID], old)
		if err != nil {
			r.log.ErrorContext(ctx, "the applied document cannot be used", "edition", row.ID, "error", err)
			if e = old; e == nil {
				continue
			}
		}
		after.ids[e.ID] = e
		after.all = append(after.all, e)
		for _, h := range e.Hosts {
			after.hosts[h] = e
		}
		switch {
		case old == nil:
			change.Added = append(change.Added, e)
			r.db.Attach(e.ID, e.Schema)
		case old != e:
			change.Changed = append(change.Changed, e)
		}
	}
	for _, old := range before.all {
		if after.ids[old.ID] == nil {
			change.Removed = append(change.Removed, old)
		}
	}
	r.now.Store(after)
	if len(change.Added)+len(change.Changed)+len(change.Removed) == 0 {
		return nil
	}
	for _, fn := range r.listeners {
		fn(change)
	}
	var errs []error
	for _, old := range change.Removed {
		errs = append(errs, r.db.Detach(old.ID))
	}
	return errors.Join(errs...)
}

// make builds the edition of a row; an unchanged one stays the same pointer.
func (r *Registry) make(row row, restored time.Time, old *Edition) (*Edition, error) {
	doc, err := Parse(row.ID, []byte(row.Document))
	if err != nil {
		return nil, err
	}
	e, err := New(spoken(*doc, r.locale), r.origin)
	if err != nil {
		return nil, err
	}
	if old != nil && old.Version == e.Version && old.RestoredFrom.Equal(restored) {
		return old, nil
	}
	e.RestoredFrom = restored
	return e, nil
}

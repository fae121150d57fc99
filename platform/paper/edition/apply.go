package edition

import (
	"cmp"
	"context"
	"crypto/sha256"
	"database/sql"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/uptrace/bun"

	"example.org/broadsheet/platform/advisory"
)

// States of a row in core.editions.
const (
	statePending  = "pending"  // being added; a run that was killed is resumed by the next
	stateLive     = "live"     // served
	stateFailed   = "failed"   // served, but its last migration failed
	stateDisabled = "disabled" // removed, its data kept
)

// adoptedSchema is the error of a pending row whose schema was there before the registry knew of it: no run drops it,
// whatever fails.
const adoptedSchema = "its schema was there before, with what is in it, and stays"

type row struct {
	bun.BaseModel `bun:"table:editions,alias:e"`

	ID        string `bun:",pk"`
	Document  string
	Checksum  string
	State     string
	Error     string
	CreatedAt time.Time
	AppliedAt time.Time

	DisabledAt bun.NullTime
}

// cleanupTimeout is for putting things back after a caller who has left.
const cleanupTimeout = 30 * time.Second

// Apply adds the edition of a document, or brings a running one to it: validated, role and schema made, migrated,
// recorded and announced. It happens wholly or not at all; a run that was killed is finished by the next. Running
// processes serve the result at once.
func (r *Registry) Apply(ctx context.Context, file string) (*Edition, error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	return r.ApplyText(ctx, file, text)
}

// ApplyText is Apply for a document in memory; file is what errors call it.
func (r *Registry) ApplyText(ctx context.Context, file string, text []byte) (*Edition, error) {
	return r.bring(ctx, file, text, r.apply)
}

// bring has a document applied in some way while nothing else changes the registry, and returns the edition.
func (r *Registry) bring(ctx context.Context, file string, text []byte,
	how func(context.Context, *Document, []byte) error,
) (*Edition, error) {
	doc, err := Parse(file, text)
	if err != nil {
		return nil, err
	}
	if _, err := New(*doc, r.origin); err != nil {
		return nil, err
	}
	err = r.locked(ctx, func() error { return how(ctx, doc, text) })
	if err != nil {
		return nil, fmt.Errorf("%s: edition %s: %w", file, doc.ID, err)
	}
	if err := r.Load(ctx); err != nil {
		return nil, err
	}
	e, ok := r.Get(doc.ID)
	if !ok {
		return nil, fmt.Errorf("%s: edition %s was removed meanwhile", file, doc.ID)
	}
	return e, nil
}

func (r *Registry) apply(ctx context.Context, doc *Document, text []byte) error {
	before, err := r.find(ctx, doc.ID)
	if err != nil {
		return err
	}
	if err := r.Clashes(ctx, doc); err != nil {
		return err
	}
	restoring, err := r.marks(ctx, restoringKey)
	if err != nil {
		return err
	}
	if _, half := restoring[doc.ID]; half {
		return ErrRestoring
	}
	after := r.live(doc, text)
	if before == nil || before.State == statePending {
		return r.add(ctx, after, doc, before)
	}
	if err := r.db.Migrate(ctx, doc.ID); err != nil {
		return err
	}
	return r.record(ctx, after, doc)
}

// live is the row of a document that is applied now.
func (r *Registry) live(doc *Document, text []byte) *row {
	sum := sha256.Sum256(text)
	now := r.db.Now()
	return &row{
		ID: doc.ID, Document: string(text), Checksum: hex.EncodeToString(sum[:]), State: stateLive, CreatedAt: now,
		AppliedAt: now,
	}
}

// add makes role and schema, and takes them away again when the rest fails. A schema that was there before the
// registry knew of it, as after a restore, is adopted and never taken away.
func (r *Registry) add(ctx context.Context, after *row, doc *Document, before *row) (err error) {
	adopted := before != nil && before.Error == adoptedSchema
	if before == nil {
		q := r.db.Core().NewRaw("SELECT EXISTS (SELECT FROM pg_namespace WHERE nspname = ?)", SchemaOf(doc.ID))
		if err := q.Scan(ctx, &adopted); err != nil {
			return err
		}
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, r.undo(ctx, doc.ID, !adopted))
		}
	}()
	err = r.db.Core().RunInTx(ctx, nil, func(ctx context.Context, tx bun.Tx) error {
		pending := *after
		pending.State = statePending
		if adopted {
			pending.Error = adoptedSchema
		}
		if err := store(ctx, tx, &pending, doc.Hosts); err != nil {
			return err
		}
		return r.db.Provision(ctx, tx, doc.ID)
	})
	if err != nil {
		return err
	}
	if err := r.db.Migrate(ctx, doc.ID); err != nil {
		return err
	}
	if err := r.tryOut(ctx, doc); err != nil {
		return err
	}
	return r.record(ctx, after, doc)
}

// BeforeService calls fn with each edition that is added from now on, when it has its schema and before any process
// serves it; ctx speaks for it. While fn returns an error the edition is not added.
func (r *Registry) BeforeService(fn func(ctx context.Context, e *Edition) error) {
	r.beforeService = fn
}

func (r *Registry) tryOut(ctx context.Context, doc *Document) (err error) {
	if r.beforeService == nil {
		return nil
	}
	e, err := New(spoken(*doc, r.locale), r.origin)
	if err != nil {
		return err
	}
	r.db.Attach(e.ID, e.Schema)
	defer func() { err = errors.Join(err, r.db.Detach(e.ID)) }()
	return r.beforeService(With(ctx, e), e)
}

func (r *Registry) undo(ctx context.Context, id string, drop bool) error {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), cleanupTimeout)
	defer cancel()
	return r.db.Core().RunInTx(ctx, nil, func(ctx context.Context, tx bun.Tx) error {
		if drop {
			if err := r.db.Deprovision(ctx, tx, id); err != nil {
				return err
			}
		}
		_, err := tx.NewDelete().Model((*row)(nil)).Where("id = ?", id).Where("state = ?", statePending).Exec(ctx)
		return err
	})
}

// record makes the document the applied one and tells every process. An edition that was being restored is marked as
// restored in the same moment: no worker sees it without the mark.
func (r *Registry) record(ctx context.Context, after *row, doc *Document) error {
	return r.db.Core().RunInTx(ctx, nil, func(ctx context.Context, tx bun.Tx) error {
		if err := store(ctx, tx, after, doc.Hosts); err != nil {
			return err
		}
		if err := markRestored(ctx, tx, doc.ID); err != nil {
			return err
		}
		return r.db.Notify(ctx, tx, RegistryTopic, "", doc.ID)
	})
}

// store writes a row and its hosts; the table of hosts keeps two editions from having the same.
func store(ctx context.Context, tx bun.Tx, r *row, hosts []string) error {
	_, err := tx.NewInsert().Model(r).On("CONFLICT (id) DO UPDATE").
		Set("document = EXCLUDED.document").Set("checksum = EXCLUDED.checksum").Set("state = EXCLUDED.state").
		Set("error = EXCLUDED.error").Set("applied_at = EXCLUDED.applied_at").Set("disabled_at = NULL").Exec(ctx)
	if err != nil {
		return err
	}
	if _, err := tx.NewRaw("DELETE FROM edition_hosts WHERE edition_id = ?", r.ID).Exec(ctx); err != nil {
		return err
	}
	for _, h := range hosts {
		if _, err := tx.NewRaw("INSERT INTO edition_hosts (host, edition_id) VALUES (?, ?)", h, r.ID).Exec(ctx); err != nil {
			return fmt.Errorf("host %s: %w", h, err)
		}
	}
	return nil
}

func (r *Registry) find(ctx context.Context, id string) (*row, error) {
	var found row
	err := r.db.Core().NewSelect().Model(&found).Where("id = ?", id).Scan(ctx)
	if errors.Is(err, sql.ErrNoRows) {
		return nil, nil //nolint:nilnil // absence is an answer here
	}
	return &found, err
}

// Clashes says what of a document belongs to other editions already: hosts, numbers of invoices, references of
// transfers. Those editions are left out that are applied together with it.
func (r *Registry) Clashes(ctx context.Context, doc *Document, together ...string) error {
	apart := append([]string{doc.ID}, together...)
	return errors.Join(r.hostsFree(ctx, doc, apart), r.numbersApart(ctx, doc, apart), r.addressesApart(ctx, apart),
		r.keepsWhatRuns(ctx, doc))
}

// Guard looks at a document that is to take the place of an edition's, and returns what the edition still needs of the
// old one. It is called in the context of the edition as it is.
type Guard func(ctx context.Context, doc *Document) error

// AddGuard has documents refused for which guard returns an error.
func (r *Registry) AddGuard(guard Guard) { r.guards = append(r.guards, guard) }

func (r *Registry) keepsWhatRuns(ctx context.Context, doc *Document) error {
	ed, served := r.Get(doc.ID)
	if !served {
		return nil
	}
	var errs []error
	for _, guard := range r.guards {
		errs = append(errs, guard(With(ctx, ed), doc))
	}
	return errors.Join(errs...)
}

// ErrOneAddress is a template of absolute addresses without {host}, with several editions: their pages, feeds and
// emails would all lead to one of them.
var ErrOneAddress = errors.New("web.public_url has no {host}, so all editions would have one address; make it " +
	"https://{host}")

// addressesApart looks that editions have addresses of their own.
func (r *Registry) addressesApart(ctx context.Context, apart []string) error {
	if strings.Contains(r.origin, "{host}") {
		return nil
	}
	others, err := r.db.Core().NewSelect().Model((*row)(nil)).Where("id NOT IN (?)", bun.List(apart)).Count(ctx)
	if err == nil && (others > 0 || len(slices.Compact(slices.Sorted(slices.Values(apart)))) > 1) {
		err = ErrOneAddress
	}
	return err
}

// CheckAddresses returns ErrOneAddress if the editions that are served have no addresses of their own.
func (r *Registry) CheckAddresses() error {
	if !strings.Contains(r.origin, "{host}") && len(r.All()) > 1 {
		return ErrOneAddress
	}
	return nil
}

func (r *Registry) hostsFree(ctx context.Context, doc *Document, apart []string) error {
	var taken []struct{ Host, EditionID string }
	err := r.db.Core().NewRaw("SELECT host, edition_id FROM edition_hosts WHERE host IN (?) AND edition_id NOT IN (?) "+
		"ORDER BY host",
		bun.List(doc.Hosts), bun.List(apart)).Scan(ctx, &taken)
	if err != nil {
		return err
	}
	var errs []error
	for _, t := range taken {
		errs = append(errs, fmt.Errorf("hosts: %s is that of edition %s", t.Host, t.EditionID))
	}
	return errors.Join(errs...)
}

// numbersApart looks that no other edition of the same supplier gives the numbers that this one gives to its invoices,
// and none with the same account the references that this one gives to its orders.
func (r *Registry) numbersApart(ctx context.Context, doc *Document, apart []string) error {
	var others []row
	err := r.db.Core().NewSelect().Model(&others).Where("id NOT IN (?)", bun.List(apart)).Order("id").Scan(ctx)
	if err != nil {
		return err
	}
	var errs []error
	for _, o := range others {
		other, err := decode([]byte(o.Document))
		if err != nil { // of another version: it says so where it is loaded
			continue
		}
		if other.Numbers() == doc.Numbers() {
			errs = append(errs,
				fmt.Errorf("billing.series: edition %s is of the same supplier, whose invoices would have each number twice; "+
					"another series, such as %s, tells them apart",
					o.ID, strings.ToUpper(cmp.Or(doc.Suffix, "B"))))
		}
		if doc.Transfers() != "" && other.Transfers() == doc.Transfers() {
			errs = append(errs,
				fmt.Errorf("bank.iban: edition %s takes transfers into the same account, and both would give the same "+
					"references; each needs an account of its own", o.ID))
		}
	}
	return errors.Join(errs...)
}

// registryLock is the advisory lock of everybody who changes the registry.
const registryLock = "broadsheet.editions"

// locked runs fn while no other process changes the registry. A process that dies gives the lock back with its
// connection.
func (r *Registry) locked(ctx context.Context, fn func() error) (err error) {
	var lock *advisory.Lock
	for lock == nil {
		if lock, err = advisory.Try(ctx, r.db.Core(), registryLock, 0); err != nil {
			return err
		}
		if lock != nil {
			break
		}
		select {
		case <-ctx.Done():
			return fmt.Errorf("another process changes the editions: %w", ctx.Err())
		case <-time.After(50 * time.Millisecond):
		}
	}
	defer func() { err = errors.Join(err, lock.Release(ctx)) }()
	return fn()
}

package sandbox

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"path/filepath"
	"slices"
	"sync"
	"time"
)

// account holds the objects of one merchant as JSON, which is also how they are journalled and what is rendered.
type account struct {
	box  *Sandbox
	id   string
	wake chan struct{}

	mu      sync.Mutex
	cfg     Account
	journal *journal
	objects map[string]stored
	views   map[string]*view
	births  map[string]int // order of creation
	kinds   map[string][]string
	refs    map[string]map[string]bool // "customer=cus_1" → ids of objects
	due     map[string]due
	queue   []string // deliveries that are under way, oldest first
	tickets map[string]*ticket
}

func accountID(secretKey string) string {
	sum := sha256.Sum256([]byte(secretKey))
	return "acct_" + hex.EncodeToString(sum[:8])
}

func openAccount(box *Sandbox, id string) (*account, error) {
	a := &account{
		box: box, id: id, wake: make(chan struct{}, 1),
		objects: map[string]stored{}, views: map[string]*view{}, births: map[string]int{},
		kinds: map[string][]string{}, refs: map[string]map[string]bool{}, due: map[string]due{},
		tickets: map[string]*ticket{},
	}
	var err error
	var broken error
	a.journal, err = openJournal(filepath.Join(box.opts.Dir, id+".jsonl"), func(e entry) {
		if err := a.apply(e, nil); err != nil && broken == nil {
			broken = err
		}
	})
	if err != nil {
		return nil, err
	}
	if broken == nil {
		broken = a.tidy()
	}
	if broken != nil {
		_ = a.journal.close()
		return nil, broken
	}
	return a, nil
}

// tidy forgets answers and deliveries that have had their time and rewrites the journal without them.
func (a *account) tidy() error {
	now := a.box.opts.Clock.Now().Unix()
	var all entry
	var order []string
	for id := range a.objects {
		order = append(order, id)
	}
	slices.SortFunc(order, func(x, y string) int { return a.births[x] - a.births[y] })
	for _, id := range order {
		s := a.objects[id]
		if old, ok := keepSeconds[s.Kind]; ok {
			var m Meta
			if err := json.Unmarshal(s.Data, &m); err != nil {
				return err
			}
			if m.Created < now-old && !slices.Contains(a.queue, id) {
				if err := a.apply(entry{Drop: []string{id}}, nil); err != nil {
					return err
				}
				continue
			}
		}
		all.Put = append(all.Put, s)
	}
	return a.journal.compact(all)
}

// keepSeconds says how long what is not an object of the merchant is kept.
var keepSeconds = map[string]int64{kindAnswer: 24 * 3600, kindDelivery: 30 * 24 * 3600}

// configure takes over the settings and their webhook endpoint.
func (a *account) configure(cfg Account) error {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.cfg = cfg
	return a.commit(a.box.opts.Clock.Now(), origin{}, func(t *tx) error {
		t.configureEndpoint(cfg)
		return nil
	})
}

func (a *account) name() string {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.cfg.Name
}

func (a *account) has(id string) bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	_, ok := a.objects[id]
	return ok
}

// update runs fn as one transaction: all of it is on disk when update returns, or nothing has happened.
func (a *account) update(by origin, fn func(*tx) error) error {
	now := a.box.opts.Clock.Now()
	if err := a.settle(now); err != nil {
		return err
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.commit(now, by, fn)
}

// read runs fn and forgets what it changed.
func (a *account) read(fn func(*tx) (reply, error)) (reply, error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	return fn(a.begin(a.box.opts.Clock.Now(), origin{}))
}

func (a *account) commit(now time.Time, by origin, fn func(*tx) error) error {
	t := a.begin(now, by)
	err := fn(t)
	if err != nil && !keeps(err) {
		return err
	}
	e, encodeErr := t.changes()
	if encodeErr != nil {
		return encodeErr
	}
	if len(e.Put)+len(e.Drop) > 0 {
		if err := a.journal.append(e, !t.lossy && !a.box.opts.Volatile); err != nil {
			return err
		}
		if err := a.apply(e, t.live); err != nil {
			return err
		}
		a.wakeCourier()
	}
	return err
}

// apply takes a committed transaction over into memory.
func (a *account) apply(e entry, live map[string]entity) error {
	for _, s := range e.Put {
		if _, known := a.objects[s.ID]; !known {
			a.births[s.ID] = len(a.births)
			a.kinds[s.Kind] = append(a.kinds[s.Kind], s.ID)
		}
		a.forgetViews(s.ID, s.Kind)
		obj := live[s.ID]
		if obj == nil {
			var err error
			if obj, err = decode(s); err != nil {
				return err
			}
		}
		s.created = obj.meta().Created
		a.objects[s.ID] = s
		a.noteReferences(s)
		a.schedule(obj)
	}
	for _, id := range e.Drop {
		kind := a.objects[id].Kind
		a.kinds[kind] = slices.DeleteFunc(a.kinds[kind], func(other string) bool { return other == id })
		delete(a.objects, id)
		delete(a.due, id)
		a.forgetViews(id, kind)
	}
	return nil
}

func (a *account) schedule(obj entity) {
	id := obj.meta().ID
	if d, ok := obj.(*delivery); ok {
		a.enqueue(d)
	}
	if timed, ok := obj.(timed); ok {
		if at := timed.dueAt(); at > 0 {
			a.due[id] = due{at: at, rank: timed.rank(), birth: a.births[id]}
		} else {
			delete(a.due, id)
		}
	}
}

func decode(s stored) (entity, error) {
	blank, ok := blanks[s.Kind]
	if !ok {
		return nil, fmt.Errorf("payment sandbox: %s is of the unknown kind %q", s.ID, s.Kind)
	}
	obj := blank()
	if err := json.Unmarshal(s.Data, obj); err != nil {
		return nil, fmt.Errorf("payment sandbox: %s: %w", s.ID, err)
	}
	return obj, nil
}

package sandbox

import (
	"bytes"
	"encoding/json"
	"slices"
	"time"
)

// origin is the request that a change comes from; it is empty for what time brings about.
type origin struct {
	Request        text `json:"id"`
	IdempotencyKey text `json:"idempotency_key"`
}

// tx is one transaction. It hands out one pointer per object, so whoever loads an object sees what others changed.
type tx struct {
	acc  *account
	now  time.Time
	by   origin
	live map[string]entity
	new  []string
	gone []string
	told map[string]json.RawMessage // what the last event of an object showed

	lossy   bool // may be lost with the machine's power: the worst is a webhook that comes twice
	preview bool // only asks what would happen: no payments, no events
}

func (a *account) begin(now time.Time, by origin) *tx {
	return &tx{
		acc: a, now: now.Truncate(time.Second).UTC(), by: by, live: map[string]entity{},
		told: map[string]json.RawMessage{},
	}
}

// find loads an object of any kind, or nil.
func (t *tx) find(id string) entity {
	if slices.Contains(t.gone, id) {
		return nil
	}
	if e, ok := t.live[id]; ok {
		return e
	}
	s, ok := t.acc.objects[id]
	if !ok {
		return nil
	}
	e, err := decode(s)
	if err != nil {
		panic(err) // the same bytes were decoded when they were written
	}
	t.live[id] = e
	return e
}

// load finds an object of one type, or nil.
func load[T any, P interface {
	*T
	entity
}](t *tx, id text) P {
	e, _ := t.find(string(id)).(P)
	return e
}

// all lists the objects of one type, oldest first.
func all[T any, P interface {
	*T
	entity
}](t *tx) []P {
	var zero T
	var list []P
	for _, id := range t.ids(P(&zero).kind()) {
		if e := load[T, P](t, text(id)); e != nil {
			list = append(list, e)
		}
	}
	return list
}

func (t *tx) ids(kind string) []string {
	ids := slices.Clone(t.acc.kinds[kind])
	for _, id := range t.new {
		if t.live[id].kind() == kind {
			ids = append(ids, id)
		}
	}
	return ids
}

// add gives a new object its creation time, and an id unless it has one.
func add[P entity](t *tx, prefix string, e P) P {
	m := e.meta()
	m.Object, m.Created = objectNames[e.kind()], t.now.Unix()
	if m.ID == "" {
		m.ID = newID(prefix)
	}
	t.live[m.ID] = e
	t.new = append(t.new, m.ID)
	return e
}

func (t *tx) remove(e entity) {
	id := e.meta().ID
	delete(t.live, id)
	t.new = slices.DeleteFunc(t.new, func(other string) bool { return other == id })
	t.gone = append(t.gone, id)
}

// changes are the objects whose JSON differs from what is stored, new ones last and in their order.
func (t *tx) changes() (entry, error) {
	var e entry
	put := func(id string) error {
		data, err := json.Marshal(t.live[id])
		if err != nil {
			return err
		}
		if !bytes.Equal(data, t.acc.objects[id].Data) {
			e.Put = append(e.Put, stored{ID: id, Kind: t.live[id].kind(), Data: data})
		}
		return nil
	}
	for id := range t.live {
		if slices.Contains(t.new, id) {
			continue
		}
		if err := put(id); err != nil {
			return e, err
		}
	}
	for _, id := range t.new {
		if err := put(id); err != nil {
			return e, err
		}
	}
	for _, id := range t.gone {
		if _, ok := t.acc.objects[id]; ok {
			e.Drop = append(e.Drop, id)
		}
	}
	return e, nil
}

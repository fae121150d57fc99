package sandbox

import (
	"encoding/json"
	"slices"
	"sync"
)

// view is what the API shows of an object as it is stored. Lists are asked for much more often than objects change, and
// reading JSON takes longest of all that the sandbox does. A view never changes; many answers have it in common.
type view struct {
	fields map[string]any
	drawn  []string // ids of the objects that stand in it whole
	text   func() ([]byte, error)
}

// MarshalJSON implements json.Marshaler.
func (v *view) MarshalJSON() ([]byte, error) { return v.text() }

// fields are those of an object, be it a view or made for one answer; nil for anything else.
func fields(v any) map[string]any {
	switch v := v.(type) {
	case *view:
		return v.fields
	case map[string]any:
		return v
	}
	return nil
}

// drawn are the objects that stand whole in another.
type drawn struct {
	ids     []string
	changed bool // one is not as it is stored
}

func (d *drawn) add(id string, whole any) {
	v, stored := whole.(*view)
	if !stored {
		d.changed = true
		return
	}
	d.ids = append(append(d.ids, id), v.drawn...)
}

func (d *drawn) join(other drawn) {
	d.ids = append(d.ids, other.ids...)
	d.changed = d.changed || other.changed
}

// maxViews bounds the memory of an account's views: with more they are made anew.
const maxViews = 10_000

// shown is the object with an id as the API answers it, a *view or a map, or nil for none.
func (t *tx) shown(id string) any {
	if t.touched(id) {
		if e := t.find(id); e != nil {
			return t.render(e)
		}
		return nil
	}
	if v := t.acc.views[id]; v != nil && !slices.ContainsFunc(v.drawn, t.touched) {
		return v
	}
	s, ok := t.acc.objects[id]
	if !ok {
		return nil
	}
	m := rawMap(s.Data)
	drawn := t.finish(m)
	if drawn.changed {
		return m
	}
	if len(t.acc.views) >= maxViews {
		clear(t.acc.views)
	}
	v := &view{fields: m, drawn: drawn.ids, text: sync.OnceValues(func() ([]byte, error) { return json.Marshal(m) })}
	t.acc.views[id] = v
	return v
}

// touched reports whether an object may be another than the stored one.
func (t *tx) touched(id string) bool {
	_, live := t.live[id]
	return live || slices.Contains(t.gone, id)
}

// outdate forgets what showed an object before it changed.
func (a *account) outdate(id, kind string) {
	delete(a.views, id)
	for _, drawn := range inlined {
		if kind == drawn {
			clear(a.views)
		}
	}
}

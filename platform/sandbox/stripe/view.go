package sandbox

import (
	"encoding/json"
	"slices"
	"sync"
)

// view is what the API shows of an object as it is stored. Lists are asked for much more often than objects change, and
// reading JSON takes longest of all that the sandbox does. A view never changes; many answers have it in common.
type view struct {
	fields  map[string]any
	inlined []string // ids of the objects that it shows whole
	text    func() ([]byte, error)
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
	if v := t.acc.views[id]; v != nil && !slices.ContainsFunc(v.inlined, t.touched) {
		return v
	}
	s, ok := t.acc.objects[id]
	if !ok {
		return nil
	}
	m := rawMap(s.Data)
	ids := t.finish(m)
	if slices.ContainsFunc(ids, t.touched) {
		return m
	}
	if len(t.acc.views) >= maxViews {
		clear(t.acc.views)
	}
	v := &view{fields: m, inlined: ids, text: sync.OnceValues(func() ([]byte, error) { return json.Marshal(m) })}
	t.acc.views[id] = v
	return v
}

// touched reports whether the transaction has loaded or removed an object, which may differ from what is stored then.
func (t *tx) touched(id string) bool {
	_, live := t.live[id]
	return live || slices.Contains(t.gone, id)
}

// forgetViews forgets the views that show an object which has changed.
func (a *account) forgetViews(id, kind string) {
	delete(a.views, id)
	for _, whole := range inlined {
		if kind == whole {
			clear(a.views)
		}
	}
}

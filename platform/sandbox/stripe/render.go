package sandbox

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// private is the key under which objects keep what the API never shows.
const private = "_private"

// inlined are the ids that the API always answers as whole objects, by the "object" they stand in.
var inlined = map[string]string{
	"subscription_item": "price", "line_item": "price", "item": "price",
	"discount": "coupon", "promotion_code": "coupon",
}

// onDemand are the fields that appear only when they are expanded.
var onDemand = map[string]func(*tx, string) any{
	"checkout.session.line_items": func(t *tx, id string) any { return load[checkout](t, text(id)).lineItems() },
	"customer.subscriptions": func(t *tx, id string) any {
		var subs []*subscription
		for _, s := range all[subscription](t) {
			if s.Customer == text(id) && !s.ended() {
				subs = append(subs, s)
			}
		}
		return newList("/v1/subscriptions?customer="+id, subs)
	},
	"charge.refunds": func(t *tx, id string) any {
		var list []*refund
		for _, r := range all[refund](t) {
			if r.Charge == text(id) {
				list = append([]*refund{r}, list...)
			}
		}
		return newList("/v1/charges/"+id+"/refunds", list)
	},
}

// rendered is what render has made.
type rendered map[string]any

// render is the JSON of an object as the API answers it.
func (t *tx) render(v any) map[string]any {
	if done, ok := v.(rendered); ok {
		return done
	}
	m := toMap(v)
	t.finish(m)
	return m
}

// shown is render for the object with an id, or nil for none. What is stored is JSON already.
func (t *tx) shown(id string) map[string]any {
	m := t.written(id)
	if m != nil {
		t.finish(m)
	}
	return m
}

// written is the JSON of an object with what is private.
func (t *tx) written(id string) map[string]any {
	s, stored := t.acc.objects[id]
	if _, changed := t.live[id]; stored && !changed && !slices.Contains(t.gone, id) {
		return rawMap(s.Data)
	}
	if e := t.find(id); e != nil {
		return toMap(e)
	}
	return nil
}

// finish drops what is private and puts whole objects where the API has them.
func (t *tx) finish(v any) {
	switch v := v.(type) {
	case map[string]any:
		delete(v, private)
		name, _ := v["object"].(string)
		if key := inlined[name]; key != "" {
			if id, ok := v[key].(string); ok {
				if m := t.written(id); m != nil {
					v[key] = m
				}
			}
		}
		for _, kid := range v {
			t.finish(kid)
		}
	case []any:
		for _, kid := range v {
			t.finish(kid)
		}
	}
}

// maxExpansions is how deep a path of expand[] goes.
const maxExpansions = 4

// expand replaces ids by their objects along the paths, such as latest_invoice.payment_intent or data.customer.
func (t *tx) expand(m map[string]any, paths []string) error {
	for i, path := range paths {
		steps := strings.Split(path, ".")
		if len(steps) > maxExpansions+1 || len(steps) > maxExpansions && steps[0] != "data" {
			return invalid("expand", "You cannot expand more than %d levels of a property: %s", maxExpansions, path)
		}
		found, err := t.expandAlong(m, steps)
		if err != nil {
			return err
		}
		if !found {
			return invalid("expand["+strconv.Itoa(i)+"]", "This property cannot be expanded (%s).", path)
		}
	}
	return nil
}

// expandAlong reports whether the path leads to something that can be expanded, be it null.
func (t *tx) expandAlong(v any, steps []string) (bool, error) {
	if len(steps) == 0 {
		return true, nil
	}
	switch v := v.(type) {
	case []any:
		for _, kid := range v {
			if ok, err := t.expandAlong(kid, steps); err != nil || !ok {
				return ok, err
			}
		}
		return true, nil
	case map[string]any:
		return t.expandKey(v, steps)
	default:
		return v == nil, nil
	}
}

func (t *tx) expandKey(m map[string]any, steps []string) (bool, error) {
	key := steps[0]
	id, _ := m["id"].(string)
	if make := onDemand[fmt.Sprint(m["object"], ".", key)]; make != nil {
		if _, done := m[key]; !done {
			m[key] = t.render(make(t, id))
		}
	}
	value, ok := m[key]
	if !ok {
		return false, nil
	}
	if target, isText := value.(string); isText {
		whole := t.shown(target)
		if whole == nil {
			return false, nil
		}
		m[key] = whole
	}
	return t.expandAlong(m[key], steps[1:])
}

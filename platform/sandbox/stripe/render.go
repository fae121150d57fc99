package sandbox

import (
	"fmt"
	"maps"
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

// finish drops what is private and puts whole objects where the API has them. It returns the ids of those; none of them
// has another in it.
func (t *tx) finish(v any) (ids []string) {
	switch v := v.(type) {
	case map[string]any:
		delete(v, private)
		name, _ := v["object"].(string)
		if key := inlined[name]; key != "" {
			if id, ok := v[key].(string); ok {
				ids = append(ids, id)
				if whole := t.shown(id); whole != nil {
					v[key] = whole
				}
			}
		}
		for _, kid := range v {
			ids = append(ids, t.finish(kid)...)
		}
	case []any:
		for _, kid := range v {
			ids = append(ids, t.finish(kid)...)
		}
	}
	return ids
}

// maxExpansions is how deep a path of expand[] goes.
const maxExpansions = 4

// expand replaces ids by their objects along the paths, such as latest_invoice.payment_intent or data.customer. It
// changes a copy: other answers show the same parts.
func (t *tx) expand(object map[string]any, paths []string) (map[string]any, error) {
	for i, path := range paths {
		steps := strings.Split(path, ".")
		if len(steps) > maxExpansions+1 || len(steps) > maxExpansions && steps[0] != "data" {
			return nil, invalid("expand", "You cannot expand more than %d levels of a property: %s", maxExpansions, path)
		}
		var found bool
		if object, found = t.expandKey(object, steps); !found {
			return nil, invalid("expand["+strconv.Itoa(i)+"]", "This property cannot be expanded (%s).", path)
		}
	}
	return object, nil
}

// expandAlong reports whether the path leads to something that can be expanded, be it null.
func (t *tx) expandAlong(v any, steps []string) (any, bool) {
	if len(steps) == 0 {
		return v, true
	}
	if list, ok := v.([]any); ok {
		list = slices.Clone(list)
		for i := range list {
			if list[i], ok = t.expandAlong(list[i], steps); !ok {
				return nil, false
			}
		}
		return list, true
	}
	if object := fields(v); object != nil {
		return t.expandKey(object, steps)
	}
	return nil, v == nil
}

func (t *tx) expandKey(object map[string]any, steps []string) (map[string]any, bool) {
	object = maps.Clone(object)
	key := steps[0]
	id, _ := object["id"].(string)
	if make := onDemand[fmt.Sprint(object["object"], ".", key)]; make != nil {
		if _, done := object[key]; !done {
			object[key] = t.render(make(t, id))
		}
	}
	value, found := object[key]
	if target, isText := value.(string); isText {
		value = t.shown(target)
		found = value != nil
	}
	if found {
		object[key], found = t.expandAlong(value, steps[1:])
	}
	return object, found
}

package sandbox

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/url"
	"slices"
	"strings"
)

// filter keeps the objects whose field has one of the values of a parameter.
type filter struct {
	param string // as it is sent; a nested one with a dot: recurring.interval
	field string // path in the object's JSON
}

// keep is what a list asks beyond its filters.
type keep func(object map[string]any, p params) bool

// index lists the objects of one kind, newest first.
func index(kind string, extra keep, filters ...filter) handler {
	return func(t *tx, c *call) (any, error) {
		created := c.span("created")
		wanted := map[string][]string{}
		for _, f := range filters {
			if values := c.values(f.param); len(values) > 0 {
				wanted[f.field] = values
			}
		}
		cursor, fitting := c.str("starting_after")+c.str("ending_before"), t.acc.referrers(wanted)
		ids := slices.DeleteFunc(t.ids(kind), func(id string) bool { return id != cursor && !t.mayFit(id, created, fitting) })
		slices.Reverse(ids)
		return t.page(c, ids, func(object map[string]any) bool {
			at, _ := object["created"].(interface{ Int64() (int64, error) }).Int64()
			if !created.holds(at) || object["deleted"] == true {
				return false
			}
			for field, values := range wanted {
				if !slices.Contains(values, fmt.Sprint(dig(object, field))) {
					return false
				}
			}
			return extra == nil || extra(object, c.params)
		})
	}
}

// references are the fields by whose values a few of thousands of objects are asked for.
var references = []string{"customer", "subscription", "payment_intent", "charge", "email"}

// referrers are, for each reference that a list asks for, the ids of the objects that may have it: all that had it
// once, anywhere in their JSON.
func (a *account) referrers(wanted map[string][]string) (all []map[string]bool) {
	for _, field := range references {
		if values := wanted[field]; len(values) == 1 && !strings.Contains(values[0], `"`) {
			written, _ := json.Marshal(values[0]) // as in the objects' JSON
			all = append(all, a.refs[field+"="+strings.Trim(string(written), `"`)])
		}
	}
	return all
}

// noteReferences enters an object in refs.
func (a *account) noteReferences(s stored) {
	if _, temporary := keepSeconds[s.Kind]; temporary || s.Kind == "event" {
		return // nobody lists these by what they refer to
	}
	for _, field := range references {
		start := []byte(`"` + field + `":"`)
		_, rest, found := bytes.Cut(s.Data, start)
		for ; found; _, rest, found = bytes.Cut(rest, start) {
			value, _, _ := bytes.Cut(rest, []byte{'"'})
			key := field + "=" + string(value)
			if a.refs[key] == nil {
				a.refs[key] = map[string]bool{}
			}
			a.refs[key][s.ID] = true
		}
	}
}

// mayFit reports whether an object can be of a time and among the referrers; to render thousands of objects of which
// one is asked for takes long. What it lets through is looked at.
func (t *tx) mayFit(id string, created span, referrers []map[string]bool) bool {
	s, stored := t.acc.objects[id]
	if _, changed := t.live[id]; changed || !stored {
		return true
	}
	lacks := func(ids map[string]bool) bool { return !ids[id] }
	return created.holds(s.created) && !slices.ContainsFunc(referrers, lacks)
}

// values are those of a parameter, whether it is one or an array.
func (p params) values(name string) []string {
	if outer, inner, nested := strings.Cut(name, "."); nested {
		q, _ := p.sub(outer)
		return q.values(inner)
	}
	k := p.kid(name)
	if k == nil {
		return nil
	}
	if k.leaf {
		if k.value == "" {
			return nil
		}
		return []string{k.value}
	}
	return p.strings(name)
}

// dig follows a path such as recurring.interval.
func dig(v any, path string) any {
	for step := range strings.SplitSeq(path, ".") {
		v = fields(v)[step]
	}
	return v
}

// page cuts a window out of ids, after those that match.
func (t *tx) page(c *call, ids []string, match func(map[string]any) bool) (any, error) {
	limit, err := c.limit()
	if err != nil {
		return nil, err
	}
	after, before := c.str("starting_after"), c.str("ending_before")
	if after != "" && before != "" {
		return nil, invalid("", "Only one of starting_after and ending_before can be sent")
	}
	if cursor := after + before; cursor != "" {
		at := slices.Index(ids, cursor)
		if at < 0 {
			return nil, invalid(map[bool]string{true: "starting_after", false: "ending_before"}[after != ""],
				"No such object: '%s'", cursor).coded("resource_missing")
		}
		if after != "" {
			ids = ids[at+1:]
		} else {
			ids = slices.Clone(ids[:at])
			slices.Reverse(ids)
		}
	}
	data := []any{}
	more := false
	for _, id := range ids {
		object := t.shown(id)
		if !match(fields(object)) {
			continue
		}
		if more = len(data) == limit; more {
			break
		}
		data = append(data, object)
	}
	if before != "" {
		slices.Reverse(data)
	}
	return rendered{"object": "list", "data": data, "has_more": more, "url": c.path}, nil
}

func (c *call) limit() (int, error) {
	limit, sent := c.whole("limit")
	if !sent {
		return 10, nil
	}
	if limit < 1 || limit > 100 {
		return 0, invalid("limit", "Invalid limit: it is between 1 and 100")
	}
	return int(limit), nil
}

// search answers the query language of the search endpoints, newest first.
func search(kind string) handler {
	return func(t *tx, c *call) (any, error) {
		match, err := parseQuery(c.need("query"))
		if err != nil {
			return nil, err
		}
		limit, err := c.limit()
		if err != nil {
			return nil, err
		}
		ids := t.ids(kind)
		slices.Reverse(ids)
		cursor := c.str("page")
		if cursor != "" {
			at := slices.Index(ids, cursor)
			if at < 0 {
				return nil, invalid("page", "Invalid page: '%s'", cursor)
			}
			ids = ids[at+1:]
		}
		data := []any{}
		var next any
		for _, id := range ids {
			object := t.shown(id)
			if fields(object)["deleted"] == true || !match(fields(object)) {
				continue
			}
			if len(data) == limit {
				next = fields(data[limit-1])["id"]
				break
			}
			data = append(data, object)
		}
		return map[string]any{
			"object": "search_result", "data": data, "has_more": next != nil, "next_page": next,
			"url": (&url.URL{Path: c.path}).String(),
		}, nil
	}
}

package sandbox

import (
	"net/url"
	"slices"
	"strconv"
	"strings"
)

// params reads the form of a request. It remembers the first error and what was read, so that a handler can take
// one parameter after the other and the caller can refuse what no handler knows.
type params struct {
	node *node
	fail **apiError
}

type node struct {
	path  string
	value string
	leaf  bool
	used  bool
	kids  map[string]*node
}

// parseParams builds the tree that keys such as items[0][price] describe.
func parseParams(form url.Values) params {
	root := &node{kids: map[string]*node{}}
	for _, key := range sortedKeys(form) {
		parts := strings.Split(strings.ReplaceAll(key, "]", ""), "[")
		for i, value := range form[key] {
			at := root
			for depth, part := range parts {
				if part == "" {
					part = strconv.Itoa(i)
				}
				next := at.kids[part]
				if next == nil {
					path := part
					if depth > 0 {
						path = at.path + "[" + part + "]"
					}
					next = &node{path: path, kids: map[string]*node{}}
					at.kids[part] = next
				}
				at = next
			}
			at.leaf, at.value = true, value
		}
	}
	var first *apiError
	return params{node: root, fail: &first}
}

func sortedKeys[V any](m map[string]V) []string {
	keys := make([]string, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return keys
}

func (p params) refuse(e *apiError) {
	if *p.fail == nil {
		*p.fail = e
	}
}

// err is the first thing that was wrong with the parameters.
func (p params) err() error {
	if *p.fail == nil {
		return nil
	}
	return *p.fail
}

// unread is an error if a parameter was sent that nothing has asked for.
func (p params) unread() error {
	if path := p.node.firstUnread(); path != "" {
		return invalid(path, "Received unknown parameter: %s", path).coded("parameter_unknown")
	}
	return nil
}

func (n *node) firstUnread() string {
	if n.leaf && !n.used {
		return n.path
	}
	for _, k := range sortedKeys(n.kids) {
		if path := n.kids[k].firstUnread(); path != "" {
			return path
		}
	}
	return ""
}

func (p params) kid(name string) *node {
	if p.node == nil {
		return nil
	}
	k := p.node.kids[name]
	if k != nil {
		k.used = true
	}
	return k
}

// has reports whether a parameter was sent, empty or not.
func (p params) has(name string) bool {
	return p.node != nil && p.node.kids[name] != nil
}

// str is the value of a parameter, empty if it was not sent.
func (p params) str(name string) string {
	k := p.kid(name)
	if k == nil {
		return ""
	}
	if !k.leaf {
		p.refuse(invalid(k.path, "Invalid string: %s", k.path))
	}
	return k.value
}

// need is the value of a parameter that must be sent.
func (p params) need(name string) string {
	v := p.str(name)
	if v == "" {
		path := name
		if p.node != nil && p.node.path != "" {
			path = p.node.path + "[" + name + "]"
		}
		p.refuse(invalid(path, "Missing required param: %s.", path).coded("parameter_missing"))
	}
	return v
}

// text sets dst if the parameter was sent; an empty value clears it.
func (p params) text(name string, dst *text) {
	if p.has(name) {
		*dst = text(p.str(name))
	}
}

func (p params) plain(name string, dst *string) {
	if p.has(name) {
		*dst = p.str(name)
	}
}

// choice sets dst to one of the allowed values if the parameter was sent.
func (p params) choice(name string, dst *string, allowed ...string) {
	if !p.has(name) {
		return
	}
	v := p.str(name)
	if !slices.Contains(allowed, v) {
		path := p.node.kids[name].path
		p.refuse(invalid(path, "Invalid %s: must be one of %s", path, strings.Join(allowed, ", ")))
		return
	}
	*dst = v
}

// whole reads an integer; ok is false if none was sent.
func (p params) whole(name string) (n int64, ok bool) {
	v := p.str(name)
	if v == "" {
		return 0, false
	}
	n, err := strconv.ParseInt(v, 10, 64)
	if err != nil {
		p.refuse(invalid(p.node.kids[name].path, "Invalid integer: %s", v).coded("parameter_invalid_integer"))
		return 0, false
	}
	return n, true
}

// number sets dst if the parameter was sent; an empty value clears it.
func (p params) number(name string, dst *number) {
	if n, ok := p.whole(name); ok || p.has(name) {
		*dst = number(n)
	}
}

// instant reads epoch seconds or the word "now".
func (p params) instant(name string, now int64) (at int64, ok bool) {
	if p.str(name) == "now" {
		return now, true
	}
	return p.whole(name)
}

func (p params) float(name string) float64 {
	v := p.str(name)
	if v == "" {
		return 0
	}
	f, err := strconv.ParseFloat(v, 64)
	if err != nil {
		p.refuse(invalid(p.node.kids[name].path, "Invalid decimal: %s", v))
	}
	return f
}

// flag sets dst if the parameter was sent.
func (p params) flag(name string, dst *bool) {
	if !p.has(name) {
		return
	}
	switch v := p.str(name); v {
	case "true":
		*dst = true
	case "false":
		*dst = false
	default:
		p.refuse(invalid(p.node.kids[name].path, "Invalid boolean: %s", v))
	}
}

// metadata merges the map if it was sent; an empty value for the whole clears it.
func (p params) metadata(dst *map[string]string) {
	k := p.kid("metadata")
	if *dst == nil || k != nil && k.leaf {
		*dst = map[string]string{}
	}
	if k == nil {
		return
	}
	change := map[string]string{}
	for name, kid := range k.kids {
		kid.used = true
		change[name] = kid.value
		if len(name) > 40 || len(kid.value) > 500 {
			p.refuse(invalid(kid.path, "Metadata keys have up to 40 characters and values up to 500: %s", kid.path))
		}
	}
	mergeMetadata(dst, change)
	if len(*dst) > 50 {
		p.refuse(invalid("metadata", "Metadata has up to 50 keys"))
	}
}

// sub is a nested hash; ok is false if it was not sent or is empty.
func (p params) sub(name string) (q params, ok bool) {
	k := p.kid(name)
	if k == nil || len(k.kids) == 0 {
		return params{fail: p.fail}, false
	}
	return params{node: k, fail: p.fail}, true
}

// list is an array of hashes.
func (p params) list(name string) []params {
	k := p.kid(name)
	if k == nil {
		return nil
	}
	var list []params
	for _, kid := range k.ordered() {
		kid.used = true
		list = append(list, params{node: kid, fail: p.fail})
	}
	return list
}

// strings is an array of values.
func (p params) strings(name string) []string {
	list := []string{}
	for _, item := range p.list(name) {
		if item.node.value != "" {
			list = append(list, item.node.value)
		}
	}
	return list
}

func (n *node) ordered() []*node {
	keys := sortedKeys(n.kids)
	slices.SortStableFunc(keys, func(a, b string) int {
		x, errX := strconv.Atoi(a)
		y, errY := strconv.Atoi(b)
		if errX != nil || errY != nil {
			return 0
		}
		return x - y
	})
	list := make([]*node, 0, len(keys))
	for _, k := range keys {
		list = append(list, n.kids[k])
	}
	return list
}

// only allows one value for a parameter whose other values this sandbox does not offer.
func (p params) only(name, value string) {
	if v := p.str(name); v != "" && v != value {
		path := p.node.kids[name].path
		p.refuse(invalid(path, "The payment sandbox offers %s=%s alone, not %s", path, value, v))
	}
}

// find loads the object that a parameter names; it is nil if none was sent or it does not exist.
func find[T any, P interface {
	*T
	entity
}](t *tx, p params, name string) P {
	id := p.str(name)
	if id == "" {
		return nil
	}
	e := load[T, P](t, text(id))
	if e == nil {
		var zero T
		p.refuse(missing(nameOf(P(&zero).kind()), id, p.node.kids[name].path))
	}
	return e
}

// nameOf is a kind in words.
func nameOf(kind string) string { return objectNames[kind] }

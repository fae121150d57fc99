// Package strictyaml checks YAML against the Go type it decodes into, and reports unknown keys by file, key and line.
package strictyaml

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"time"

	"go.yaml.in/yaml/v3"
)

// Problem is one thing wrong with a file.
type Problem struct {
	Line int    // 0 when the file as a whole is meant
	Key  string // "menus.main[2].route"
	Text string
}

// FileError is all that is wrong with a file, in the order of its lines.
type FileError struct {
	File string
	List []Problem
}

// Error has one line for each problem: file:line: key: text.
func (p *FileError) Error() string {
	var b strings.Builder
	for i, one := range p.List {
		if i > 0 {
			b.WriteByte('\n')
		}
		b.WriteString(p.File)
		if one.Line > 0 {
			fmt.Fprintf(&b, ":%d", one.Line)
		}
		b.WriteString(": ")
		if one.Key != "" {
			b.WriteString(one.Key + ": ")
		}
		b.WriteString(one.Text)
	}
	return b.String()
}

// Checker collects problems and knows the line of every key.
type Checker struct {
	// Partial files may leave out keys. Otherwise only those may be left out whose mapstructure tag says omitempty.
	Partial bool
	Lines   map[string]int
	list    []Problem
}

// Check compares YAML text with a type. It adds what is wrong.
func (c *Checker) Check(text []byte, t reflect.Type) {
	c.Lines = map[string]int{}
	var root yaml.Node
	if err := yaml.Unmarshal(text, &root); err != nil {
		c.Add(0, "", "this is not YAML: %s", strings.TrimPrefix(err.Error(), "yaml: "))
		return
	}
	if len(root.Content) == 0 {
		if !c.Partial {
			c.Add(0, "", "the file is empty")
		}
		return
	}
	c.value(root.Content[0], t, "")
}

// OK reports whether nothing is wrong so far.
func (c *Checker) OK() bool { return len(c.list) == 0 }

// Add adds a problem at a line.
func (c *Checker) Add(line int, key, format string, args ...any) {
	c.list = append(c.list, Problem{line, key, fmt.Sprintf(format, args...)})
}

// Fail adds a problem at the line of a key, or of the nearest key above it.
func (c *Checker) Fail(key, format string, args ...any) {
	line, at := 0, key
	for at != "" && line == 0 {
		line = c.line(at)
		at = at[:max(strings.LastIndexAny(at, ".["), 0)]
	}
	c.Add(line, key, format, args...)
}

// line finds a key whatever its case: viper lower-cases the keys of maps.
func (c *Checker) line(key string) int {
	for k, n := range c.Lines {
		if strings.EqualFold(k, key) {
			return n
		}
	}
	return 0
}

// Err is a *FileError with all that was found, or nil.
func (c *Checker) Err(file string) error {
	if c.OK() {
		return nil
	}
	slices.SortStableFunc(c.list, func(a, b Problem) int { return a.Line - b.Line })
	return &FileError{File: file, List: c.list}
}

func (c *Checker) value(n *yaml.Node, t reflect.Type, key string) {
	if n.Kind == yaml.AliasNode {
		n = n.Alias
	}
	if key != "" {
		c.Lines[key] = n.Line
	}
	switch t.Kind() {
	case reflect.Pointer:
		c.value(n, t.Elem(), key)
	case reflect.Struct:
		c.object(n, t, key)
	case reflect.Map:
		if c.kind(n, yaml.MappingNode, key, "keys with values") {
			c.pairs(n, key, func(name string, value *yaml.Node) { c.value(value, t.Elem(), join(key, name)) })
		}
	case reflect.Slice:
		if c.kind(n, yaml.SequenceNode, key, "a list") {
			for i, item := range n.Content {
				c.value(item, t.Elem(), fmt.Sprintf("%s[%d]", key, i))
			}
		}
	default:
		c.scalar(n, t, key)
	}
}

func (c *Checker) kind(n *yaml.Node, want yaml.Kind, key, words string) bool {
	if n.Kind != want {
		c.Add(n.Line, key, "must be %s", words)
	}
	return n.Kind == want
}

// pairs visits a mapping's keys and refuses doubles.
func (c *Checker) pairs(n *yaml.Node, key string, visit func(name string, value *yaml.Node)) {
	seen := map[string]bool{}
	for i := 0; i+1 < len(n.Content); i += 2 {
		k := n.Content[i]
		if seen[strings.ToLower(k.Value)] {
			c.Add(k.Line, join(key, k.Value), "is there twice")
			continue
		}
		seen[strings.ToLower(k.Value)] = true
		visit(k.Value, n.Content[i+1])
		c.Lines[join(key, k.Value)] = k.Line
	}
}

func (c *Checker) object(n *yaml.Node, t reflect.Type, key string) {
	if !c.kind(n, yaml.MappingNode, key, "keys with values") {
		return
	}
	type want struct {
		typ      reflect.Type
		optional bool
	}
	wanted, names := map[string]want{}, []string{}
	for f := range t.Fields() {
		if !f.IsExported() {
			continue
		}
		name, option, _ := strings.Cut(f.Tag.Get("mapstructure"), ",")
		wanted[name] = want{f.Type, c.Partial || option == "omitempty"}
		names = append(names, name)
	}
	seen := map[string]bool{}
	c.pairs(n, key, func(name string, value *yaml.Node) {
		w, ok := wanted[name]
		if !ok {
			c.Add(value.Line, join(key, name), "there is no such key; it may be %s", strings.Join(names, ", "))
			return
		}
		seen[name] = true
		c.value(value, w.typ, join(key, name))
	})
	for _, name := range names {
		if !seen[name] && !wanted[name].optional {
			c.Add(n.Line, join(key, name), "is missing")
		}
	}
}

// scalars names the YAML tag and the words of each Go kind.
var scalars = map[reflect.Kind]struct{ tag, words string }{
	reflect.String: {"!!str", "a text; put it in quotes"},
	reflect.Bool:   {"!!bool", "true or false"},
	reflect.Int:    {"!!int", "a whole number"},
	reflect.Int64:  {"!!int", "a whole number"},
}

func (c *Checker) scalar(n *yaml.Node, t reflect.Type, key string) {
	want, ok := scalars[t.Kind()]
	if t == reflect.TypeFor[time.Duration]() {
		want.tag, want.words = "!!str", "a duration such as 2s or 5m"
		if _, err := time.ParseDuration(n.Value); err != nil && n.Tag == "!!str" {
			c.Add(n.Line, key, "%q must be %s", n.Value, want.words)
			return
		}
	}
	switch {
	case !ok:
		c.Add(n.Line, key, "cannot be read into %s", t)
	case n.Kind != yaml.ScalarNode:
		c.Add(n.Line, key, "must be %s", want.words)
	case n.Tag == "!!null":
		c.Add(n.Line, key, "has no value")
	case n.Tag != want.tag:
		c.Add(n.Line, key, "%q must be %s", n.Value, want.words)
	}
}

func join(key, name string) string {
	if key == "" {
		return name
	}
	return key + "." + name
}

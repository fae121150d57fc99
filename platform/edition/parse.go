package edition

import (
	"bytes"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/go-viper/mapstructure/v2"
	"github.com/spf13/viper"
	"go.yaml.in/yaml/v3"
)

// Problem is one thing wrong with a document.
type Problem struct {
	Line int    // 0 when the document as a whole is meant
	Key  string // "menus.main[2].route"
	Text string
}

// Problems are all that is wrong with a document, in the order of its lines.
type Problems struct {
	File string
	List []Problem
}

// Error has one line for each problem: file:line: key: text.
func (p *Problems) Error() string {
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

// Parse reads a document exactly and judges it; file is what errors call it. An error is a *Problems and lists
// everything at once.
func Parse(file string, text []byte) (*Document, error) {
	c := &checker{lines: map[string]int{}}
	var root yaml.Node
	if err := yaml.Unmarshal(text, &root); err != nil {
		c.add(0, "", "this is not YAML: %s", strings.TrimPrefix(err.Error(), "yaml: "))
		return nil, c.problems(file)
	}
	if len(root.Content) == 0 {
		c.add(0, "", "the file is empty")
		return nil, c.problems(file)
	}
	c.value(root.Content[0], reflect.TypeFor[Document](), "")
	if len(c.list) > 0 {
		return nil, c.problems(file)
	}
	doc, err := decode(text)
	if err != nil {
		c.add(0, "", "%v", err)
		return nil, c.problems(file)
	}
	c.judge(doc)
	if len(c.list) > 0 {
		return nil, c.problems(file)
	}
	return doc, nil
}

// decode fills the document. Keys of maps may hold dots, so viper's own separator is one that YAML has no use for.
func decode(text []byte) (*Document, error) {
	v := viper.NewWithOptions(viper.KeyDelimiter("\x00"))
	v.SetConfigType("yaml")
	if err := v.ReadConfig(bytes.NewReader(text)); err != nil {
		return nil, err
	}
	var doc Document
	exact := func(c *mapstructure.DecoderConfig) { c.WeaklyTypedInput = false }
	if err := v.UnmarshalExact(&doc, exact); err != nil {
		return nil, err
	}
	return &doc, nil
}

// checker compares YAML with the Go type that it is for, which is how every complaint gets a line.
type checker struct {
	list  []Problem
	lines map[string]int // of every key that is there
}

func (c *checker) add(line int, key, format string, args ...any) {
	c.list = append(c.list, Problem{line, key, fmt.Sprintf(format, args...)})
}

// fail adds a problem at the line of a key, or of the nearest key above it.
func (c *checker) fail(key, format string, args ...any) {
	line, at := 0, key
	for at != "" && line == 0 {
		line = c.line(at)
		at = at[:max(strings.LastIndexAny(at, ".["), 0)]
	}
	c.add(line, key, format, args...)
}

// line finds a key whatever its case: viper lower-cases the keys of maps.
func (c *checker) line(key string) int {
	for k, n := range c.lines {
		if strings.EqualFold(k, key) {
			return n
		}
	}
	return 0
}

func (c *checker) problems(file string) error {
	slices.SortStableFunc(c.list, func(a, b Problem) int { return a.Line - b.Line })
	return &Problems{File: file, List: c.list}
}

func (c *checker) value(n *yaml.Node, t reflect.Type, key string) {
	if n.Kind == yaml.AliasNode {
		n = n.Alias
	}
	if key != "" {
		c.lines[key] = n.Line
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

func (c *checker) kind(n *yaml.Node, want yaml.Kind, key, words string) bool {
	if n.Kind != want {
		c.add(n.Line, key, "must be %s", words)
	}
	return n.Kind == want
}

// pairs visits a mapping's keys and refuses doubles.
func (c *checker) pairs(n *yaml.Node, key string, visit func(name string, value *yaml.Node)) {
	seen := map[string]bool{}
	for i := 0; i+1 < len(n.Content); i += 2 {
		k := n.Content[i]
		if seen[strings.ToLower(k.Value)] {
			c.add(k.Line, join(key, k.Value), "is there twice")
			continue
		}
		seen[strings.ToLower(k.Value)] = true
		visit(k.Value, n.Content[i+1])
		c.lines[join(key, k.Value)] = k.Line
	}
}

func (c *checker) object(n *yaml.Node, t reflect.Type, key string) {
	if !c.kind(n, yaml.MappingNode, key, "keys with values") {
		return
	}
	type want struct {
		typ      reflect.Type
		optional bool
	}
	wanted, names := map[string]want{}, []string{}
	for i := range t.NumField() {
		name, option, _ := strings.Cut(t.Field(i).Tag.Get("mapstructure"), ",")
		wanted[name] = want{t.Field(i).Type, option == "omitempty"}
		names = append(names, name)
	}
	seen := map[string]bool{}
	c.pairs(n, key, func(name string, value *yaml.Node) {
		w, ok := wanted[name]
		if !ok {
			c.add(value.Line, join(key, name), "there is no such key; it may be %s", strings.Join(names, ", "))
			return
		}
		seen[name] = true
		c.value(value, w.typ, join(key, name))
	})
	for _, name := range names {
		if !seen[name] && !wanted[name].optional {
			c.add(n.Line, join(key, name), "is missing")
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

func (c *checker) scalar(n *yaml.Node, t reflect.Type, key string) {
	want, ok := scalars[t.Kind()]
	switch {
	case !ok:
		c.add(n.Line, key, "can not be read into %s", t)
	case n.Kind != yaml.ScalarNode:
		c.add(n.Line, key, "must be %s", want.words)
	case n.Tag == "!!null":
		c.add(n.Line, key, "has no value")
	case n.Tag != want.tag:
		c.add(n.Line, key, "%q must be %s", n.Value, want.words)
	}
}

func join(key, name string) string {
	if key == "" {
		return name
	}
	return key + "." + name
}

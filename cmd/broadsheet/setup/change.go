package setup

import (
	"bytes"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"
)

// changes are new values by key, such as mail.from or billing.products[0].amount; nil removes the key.
type changes map[string]any

// change writes values into YAML. Its comments stay.
func change(text []byte, values changes) ([]byte, error) {
	var root yaml.Node
	if err := yaml.Unmarshal(text, &root); err != nil {
		return nil, err
	}
	if len(root.Content) == 0 {
		return nil, errors.New("the document is empty")
	}
	for _, key := range slices.Sorted(maps.Keys(values)) {
		if err := set(root.Content[0], path(key), values[key]); err != nil {
			return nil, fmt.Errorf("%s: %w", key, err)
		}
	}
	var b bytes.Buffer
	e := yaml.NewEncoder(&b)
	e.SetIndent(2)
	if err := e.Encode(&root); err != nil {
		return nil, err
	}
	return b.Bytes(), e.Close()
}

// path divides a key into names and numbers.
func path(key string) []string {
	return strings.FieldsFunc(key, func(r rune) bool { return r == '.' || r == '[' || r == ']' })
}

func set(n *yaml.Node, path []string, v any) error {
	if n.Kind == yaml.SequenceNode {
		i, err := strconv.Atoi(path[0])
		if err != nil || i < 0 || i >= len(n.Content) || len(path) == 1 {
			return fmt.Errorf("there is no %s", path[0])
		}
		return set(n.Content[i], path[1:], v)
	}
	for i := 0; i+1 < len(n.Content); i += 2 {
		if n.Content[i].Value != path[0] {
			continue
		}
		switch {
		case len(path) > 1:
			return set(n.Content[i+1], path[1:], v)
		case v == nil:
			n.Content = append(n.Content[:i], n.Content[i+2:]...)
			return nil
		}
		return encode(n.Content[i+1], v)
	}
	if v == nil {
		return nil
	}
	if len(path) > 1 {
		return fmt.Errorf("there is no %s", path[0])
	}
	value := &yaml.Node{}
	if err := encode(value, v); err != nil {
		return err
	}
	n.Content = append(n.Content, &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!str", Value: path[0]}, value)
	return nil
}

// encode puts a value into a node, whose comments stay.
func encode(n *yaml.Node, v any) error {
	was := *n
	if err := n.Encode(v); err != nil {
		return err
	}
	n.HeadComment, n.LineComment, n.FootComment = was.HeadComment, was.LineComment, was.FootComment
	if n.Kind == yaml.SequenceNode {
		n.Style = yaml.FlowStyle
	}
	return nil
}

package app

import (
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"net/url"
	"slices"
	"strings"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"
)

// operation is one operation of the description.
type operation struct {
	method, path string
	op           *openapi3.Operation
}

// calls lists all operations but the payment provider's, in one order.
func (a *target) calls() (all []operation) {
	for path, item := range a.doc.Paths.Map() {
		// Anybody may report, and nothing is changed by it.
		if strings.HasPrefix(path, "/webhooks/") || path == "/fns/csp-report" {
			continue
		}
		for method, op := range item.Operations() {
			all = append(all, operation{method, path, op})
		}
	}
	slices.SortFunc(all, func(x, y operation) int { return strings.Compare(x.path+x.method, y.path+y.method) })
	return all
}

// sampleValue makes a value that a schema describes; with may decide about a member by its name.
func sampleValue(s *openapi3.Schema, name string, with func(name string) (any, bool)) any {
	if v, ok := with(name); ok {
		return v
	}
	switch {
	case s == nil:
		return "x"
	case len(s.Enum) > 0:
		return s.Enum[0]
	case len(s.AnyOf) > 0:
		return sampleValue(s.AnyOf[0].Value, name, with)
	case len(s.OneOf) > 0:
		return sampleValue(s.OneOf[0].Value, name, with)
	case s.Type.Is("object"):
		out := map[string]any{}
		for n, p := range s.Properties {
			out[n] = sampleValue(p.Value, n, with)
		}
		return out
	case s.Type.Is("array"):
		return []any{sampleValue(s.Items.Value, name, with)}
	case s.Type.Is("integer"), s.Type.Is("number"):
		return 1
	case s.Type.Is("boolean"):
		return true
	}
	return "x"
}

// request is an operation with everything filled in: its address and the members of its body.
func (c operation) request(with func(name string) (any, bool)) (path string, body map[string]any) {
	path = c.path
	q := url.Values{}
	for _, p := range c.op.Parameters {
		v := fmt.Sprint(sampleValue(p.Value.Schema.Value, p.Value.Name, with))
		switch p.Value.In {
		case "path":
			path = strings.ReplaceAll(path, "{"+p.Value.Name+"}", url.PathEscape(v))
		case "query":
			q.Set(p.Value.Name, v)
		}
	}
	if len(q) > 0 {
		path += "?" + q.Encode()
	}
	body = map[string]any{}
	if c.op.RequestBody != nil {
		for _, m := range c.op.RequestBody.Value.Content {
			if v, ok := sampleValue(m.Schema.Value, "", with).(map[string]any); ok && len(v) > 0 {
				body = v
			}
		}
	}
	return path, body
}

// asForm writes the members of a body as a plain form sends them.
func asForm(body map[string]any) url.Values {
	v := url.Values{}
	for name, value := range body {
		switch list := value.(type) {
		case []any:
			for _, one := range list {
				v.Add(name, fmt.Sprint(one))
			}
		case map[string]any:
			for n, one := range list {
				v.Add(n, fmt.Sprint(one)) // flat, as forms are
			}
		default:
			v.Add(name, fmt.Sprint(value))
		}
	}
	return v
}

func asJSON(t testing.TB, v any) string {
	t.Helper()
	raw, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return string(raw)
}

// wrongCodes are n different codes that are not the right one.
func wrongCodes(n int, right string) (all []string) {
	for i := 0; len(all) < n; i++ {
		sum := sha256.Sum256([]byte(fmt.Sprint(right, i)))
		if g := fmt.Sprintf("%06d", (int(sum[0])<<16|int(sum[1])<<8|int(sum[2]))%1_000_000); g != right {
			all = append(all, g)
		}
	}
	return all
}

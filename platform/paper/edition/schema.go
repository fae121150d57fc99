package edition

import (
	"encoding/json"
	"reflect"
	"strings"
)

// choices are the values of keys, by the key's last word.
func choices() map[string][]string {
	return map[string][]string{
		"locale": languages, "route_set": RouteSets(), "icon": socialIcons, "period": periods, "currency": currencies,
		"type": productTypes,
		"for":  trialFor, "registration": registrations, "minutes_layout": minutesLayouts, "domains": domainModes,
		"exists_mode": existsModes, "unit": {"week", "month", "year"},
		"kind": newsletters, "weekday": weekdays,
	}
}

// Schema is the JSON Schema of a document, by which editors complete and check it: tenants/schema.json. It says which
// keys there are and what they hold; what must agree with what is Parse's to say.
func Schema() []byte {
	s := schema{definitions: map[string]any{}, choices: choices()}
	root := s.object(reflect.TypeFor[Document]())
	root["$schema"] = "https://json-schema.org/draft/2020-12/schema"
	root["title"] = "An edition of a newspaper"
	root["$defs"] = s.definitions
	b, err := json.MarshalIndent(root, "", "  ")
	if err != nil { // made of maps and texts alone
		panic(err)
	}
	return append(b, '\n')
}

type schema struct {
	definitions map[string]any // of types that are used by name, since categories hold categories
	choices     map[string][]string
}

func (s *schema) object(t reflect.Type) map[string]any {
	properties, required := map[string]any{}, []string{}
	for f := range t.Fields() {
		name, option, _ := strings.Cut(f.Tag.Get("mapstructure"), ",")
		if option != "omitempty" {
			required = append(required, name)
		}
		properties[name] = s.value(name, f.Type)
	}
	return map[string]any{"type": "object", "additionalProperties": false, "properties": properties, "required": required}
}

func (s *schema) value(name string, t reflect.Type) map[string]any {
	switch t.Kind() {
	case reflect.Pointer:
		return s.value(name, t.Elem())
	case reflect.Struct:
		if _, known := s.definitions[t.Name()]; !known {
			s.definitions[t.Name()] = nil // it is being described
			s.definitions[t.Name()] = s.object(t)
		}
		return map[string]any{"$ref": "#/$defs/" + t.Name()}
	case reflect.Slice:
		return map[string]any{"type": "array", "items": s.value("", t.Elem())}
	case reflect.Map:
		return map[string]any{"type": "object", "additionalProperties": s.value("", t.Elem())}
	case reflect.Bool:
		return map[string]any{"type": "boolean"}
	case reflect.Int, reflect.Int64:
		return map[string]any{"type": "integer"}
	default:
		v := map[string]any{"type": "string"}
		if list := s.choices[name]; list != nil {
			v["enum"] = list
		}
		return v
	}
}

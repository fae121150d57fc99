package sandbox

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
)

type matcher func(object map[string]any) bool

var (
	clause = regexp.MustCompile(`^(-?)([a-z_.]+)(?:\[(?:"([^"]*)"|'([^']*)')\])?(:|~|>=|<=|>|<)(?:"((?:[^"\\]|` +
		`\\.)*)"|'((?:[^'\\]|\\.)*)'|(\d+|null))\s*`)
	connector = regexp.MustCompile(`^(?i:(AND|OR)\s+)`)
	escaped   = regexp.MustCompile(`\\(.)`)
)

// parseQuery reads clauses such as metadata["reader"]:"42" joined by AND or by OR, but not by both.
func parseQuery(query string) (matcher, error) {
	var matchers []matcher
	joint := ""
	rest := strings.TrimSpace(query)
	for {
		found := clause.FindStringSubmatch(rest)
		if found == nil {
			return nil, invalid("query", "Could not parse the search query near: %s", rest)
		}
		matchers = append(matchers, clauseMatcher(found))
		rest = rest[len(found[0]):]
		if rest == "" {
			break
		}
		word := ""
		if found := connector.FindStringSubmatch(rest); found != nil {
			word = strings.ToUpper(found[1])
			rest = rest[len(found[0]):]
		}
		if word == "" {
			word = "AND"
		}
		if joint != "" && joint != word {
			return nil, invalid("query", "A search query joins its clauses by AND or by OR, not by both")
		}
		joint = word
	}
	return func(object map[string]any) bool {
		for _, match := range matchers {
			if match(object) == (joint == "OR") {
				return joint == "OR"
			}
		}
		return joint != "OR"
	}, nil
}

func clauseMatcher(found []string) matcher {
	not, field, key, op := found[1] == "-", found[2], found[3]+found[4], found[5]
	want := escaped.ReplaceAllString(found[6]+found[7]+found[8], "$1")
	return func(object map[string]any) bool {
		value := dig(object, field)
		if m, ok := value.(map[string]any); ok && key != "" {
			value = m[key]
		}
		return compare(value, op, want, found[8] == "null") != not
	}
}

func compare(value any, op, want string, null bool) bool {
	if null || value == nil {
		return null && value == nil
	}
	have := fmt.Sprint(value)
	switch op {
	case ":":
		return strings.EqualFold(have, want)
	case "~":
		return strings.Contains(strings.ToLower(have), strings.ToLower(want))
	}
	x, errX := strconv.ParseFloat(have, 64)
	y, errY := strconv.ParseFloat(want, 64)
	if errX != nil || errY != nil {
		return false
	}
	return op == ">" && x > y || op == ">=" && x >= y || op == "<" && x < y || op == "<=" && x <= y
}

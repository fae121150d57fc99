package edition

import (
	"regexp"
	"slices"
	"strings"

	"example.org/broadsheet/platform/strictyaml"
)

// Checker collects what is wrong with a document, each problem with its key and line.
type Checker struct{ strictyaml.Checker }

// sections are the checks of the modules that the program has.
var sections []func(*Checker, *Document)

// Section adds the check of the part of a document that a module reads. A module calls it for a package-level
// variable, so that every program that has the module checks it.
func Section(check func(*Checker, *Document)) bool {
	sections = append(sections, check)
	return true
}

// Filled wants a text that is not blank.
func (c *Checker) Filled(key, v string) {
	if strings.TrimSpace(v) == "" {
		c.Fail(key, "must not be empty")
	}
}

// Matches wants a text of a shape; hint is an example of it, or describes it.
func (c *Checker) Matches(key, v string, shape *regexp.Regexp, hint string) {
	if !shape.MatchString(v) {
		c.Fail(key, "%q is not right; it is something %s", v, hint)
	}
}

// Choice wants one of the values that Schema lists for the last word of key.
func (c *Checker) Choice(key, v string) {
	c.oneOf(key, v, choices()[key[strings.LastIndex(key, ".")+1:]])
}

func (c *Checker) oneOf(key, v string, list []string) {
	if !slices.Contains(list, v) {
		c.Fail(key, "%q is none of %s", v, strings.Join(list, ", "))
	}
}

// Between wants a number from low to high.
func (c *Checker) Between(key string, n, low, high int64) {
	if n < low || n > high {
		c.Fail(key, "%d is not between %d and %d", n, low, high)
	}
}

// Unique reports the second of two equal values; seen holds the key of each first one.
func (c *Checker) Unique(seen map[string]string, key, v string) {
	if first, dup := seen[v]; dup {
		c.Fail(key, "%q is that of %s too", v, first)
		return
	}
	seen[v] = key
}

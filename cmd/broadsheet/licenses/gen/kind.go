package main

import (
	"errors"
	"regexp"
	"slices"
	"strings"
)

// kind is a licence, and words that only its text has.
type kind struct{ name, words string }

var (
	// Of BSD-3-Clause and BSD-2-Clause, the former has all words of the latter.
	known = []kind{
		{"Apache-2.0", "apache license version 2 0"},
		{"MIT", "permission is hereby granted free of charge to any person obtaining a copy of this software and"},
		{"BSD-3-Clause", "may be used to endorse or promote products derived from this software without"},
		{"BSD-2-Clause", "redistributions in binary form must reproduce the above copyright notice"},
		{"ISC", "permission to use copy modify and or distribute this software for any purpose with or without fee"},
		{"ISC", "permission to use copy modify and distribute this software for any purpose with or without fee"},
		{"BSL-1.0", "permission is hereby granted free of charge to any person or organization obtaining a copy"},
		{"Unlicense", "this is free and unencumbered software released into the public domain"},
	}
	// These would ask for the program's own source, or do not allow every use.
	refused = []string{
		"gnu general public license", "gnu affero general public license", "gnu lesser general public license",
		"gnu library general public license", "server side public license", "business source license", "commons clause",
		"mozilla public license", "eclipse public license", "european union public licence",
	}
	notWord = regexp.MustCompile(`[^a-z0-9]+`)
)

var (
	// errRefused is a licence under which the program cannot be handed out.
	errRefused = errors.New("the licence is not allowed")
	// errUnknown is a licence that somebody has to read.
	errUnknown = errors.New("no licence that is known")
)

func plain(text string) string { return notWord.ReplaceAllString(strings.ToLower(text), " ") }

// kindsOf returns the names of the licences in a text that are known.
func kindsOf(text string) []string {
	text = plain(text)
	var found []string
	for _, k := range known {
		twoOfThree := k.name == "BSD-2-Clause" && slices.Contains(found, "BSD-3-Clause")
		if strings.Contains(text, k.words) && !twoOfThree && !slices.Contains(found, k.name) {
			found = append(found, k.name)
		}
	}
	return found
}

// allowed returns errRefused if a text names a licence that is refused.
func allowed(text string) error {
	text = plain(text)
	for _, name := range refused {
		if strings.Contains(text, name) {
			return errRefused
		}
	}
	return nil
}

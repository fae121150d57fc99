package post

import (
	"slices"
)

// Unique drops empty and repeated words and keeps the order, in a slice of its own.
func Unique(in []string) []string {
	out := []string{}
	for _, v := range in {
		if v != "" && !slices.Contains(out, v) {
			out = append(out, v)
		}
	}
	return out
}

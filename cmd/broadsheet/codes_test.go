package main

import (
	"maps"
	"slices"
	"testing"

	"example.org/broadsheet/platform/fault"
	"example.org/broadsheet/platform/i18n"
)

// catalogue are the codes that clients know by name; each must be declared somewhere.
var catalogue = []string{
	"INVALID_REQUIREMENT", "INVALID_ARGS", "INVALID_EMAIL", "INVALID_HASH", "EXPIRED_TOKEN", "NOT_LAST_TOKEN", "TOKEN_USED",
	"PAYMENT_FAILED", "USER_HAS_SUBSCRIPTION", "FORBIDDEN_DOMAIN", "INVALID_TOKEN", "TOO_MANY_ATTEMPTS", "INVALID_CODE", "CODE_USED", "ERROR",
}

func TestEveryCodeHasWords(t *testing.T) {
	codes := fault.Codes()
	if missing := i18n.MissingCodes(slices.Sorted(maps.Keys(codes))); len(missing) > 0 {
		t.Errorf("without words in a language: %v", missing)
	}
	for _, code := range catalogue {
		if _, ok := codes[code]; !ok {
			t.Errorf("%s is in the catalogue and nobody declares it", code)
		}
		if codes[code] == fault.NotFound {
			t.Errorf("%s is a 404: browsers would swallow it", code)
		}
	}
}

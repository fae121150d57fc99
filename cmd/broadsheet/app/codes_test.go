package app

import (
	"maps"
	"slices"
	"testing"

	"example.org/broadsheet/platform/fault"
	"example.org/broadsheet/platform/i18n"
)

// catalogue are the codes that clients know by name. Those of undeclared belong to what is not sold here yet, or to
// addresses of the former site.
var catalogue = []string{
	"INVALID_REQUIREMENT", "INVALID_ARGS", "CONNECTION_FAILED", "INVALID_ATTEMPT", "INVALID_EMAIL", "INVALID_HASH",
	"MIGRATION_FAILED", "EXPIRED_TOKEN",
	"NOT_LAST_TOKEN", "TOKEN_USED", "PAYMENT_FAILED", "IBAN_PAYMENT_FAILED", "USER_HAS_SUBSCRIPTION", "FORBIDDEN_DOMAIN",
	"INVALID_TOKEN", "INVALID_USER",
	"NOT_EXISTING_ACCOUNT", "COMMENT_NAME_EXISTS", "INVALID_COMMENT_NAME", "TOO_MANY_ATTEMPTS", "INVALID_CODE",
	"CODE_USED", "UNABLE_TO_CREATE_PAYMENT",
	"INVALID_COUPON_CODE", "USER_NOT_EXISTS", "INVALID_INVOICE_DATA", "ERROR",
}

// undeclared are those of the catalogue that no fault carries.
var undeclared = []string{
	"CONNECTION_FAILED", "INVALID_ATTEMPT", "NOT_EXISTING_ACCOUNT",
}

func TestEveryCodeHasWords(t *testing.T) {
	t.Parallel()
	codes := fault.Codes()
	if missing := i18n.MissingCodes(slices.Sorted(maps.Keys(codes))); len(missing) > 0 {
		t.Errorf("without words in a language: %v", missing)
	}
	for _, code := range catalogue {
		if _, ok := codes[code]; ok == slices.Contains(undeclared, code) {
			t.Errorf("%s is in the catalogue, and declared: %t", code, ok)
		}
		if codes[code] == fault.NotFound {
			t.Errorf("%s is a 404: browsers would swallow it", code)
		}
	}
}

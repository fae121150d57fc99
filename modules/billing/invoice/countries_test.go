package invoice

import (
	"slices"
	"strings"
	"testing"

	"example.org/broadsheet/platform/i18n"
)

func TestCheckCountries(t *testing.T) {
	t.Parallel()
	if err := CheckCountries(i18n.Languages); err != nil {
		t.Error(err)
	}
	err := CheckCountries(slices.Concat(i18n.Languages, []string{"xx"}))
	if err == nil || !strings.Contains(err.Error(), "in language xx") {
		t.Errorf("got %v for a language without names, want an error that names it", err)
	}
}

package i18n

import (
	"slices"
	"strings"
	"testing"
)

func TestCheckFormats(t *testing.T) {
	t.Parallel()
	if err := checkFormats(Languages); err != nil {
		t.Error(err)
	}
	err := checkFormats(slices.Concat(Languages, []string{"xx"}))
	if err == nil {
		t.Fatal("got no error for a language without formats")
	}
	for _, want := range []string{"xx has no format of numbers", "xx has no names of months", "xx has no plural forms"} {
		if !strings.Contains(err.Error(), want) {
			t.Errorf("got %v, want %q in it", err, want)
		}
	}
}

func TestHasNumbers(t *testing.T) {
	t.Parallel()
	for locale, want := range map[string]bool{
		"sk": true, "sk-SK": true, "de-CH": true, "de-LI": true, "en-IE": true, "fr": false, "fr-CH": false, "": false,
	} {
		if got := HasNumbers(locale); got != want {
			t.Errorf("HasNumbers(%q) = %t, want %t", locale, got, want)
		}
	}
}

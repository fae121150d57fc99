package offer

import (
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"example.org/broadsheet/locales"
	"example.org/broadsheet/modules/billing/access"
	"example.org/broadsheet/platform/i18n"
	"example.org/broadsheet/platform/paper/edition"
)

// Summary is what stands above the button that orders, in the words that browsers show: what is paid at once, how
// much from when on, which VAT the prices bear (a word such as "included"), and that it renews. from is when the first
// payment is due; zero: at once.
func Summary(ed *edition.Edition, p *edition.Product, vat string, intro bool, at, from time.Time) (string, error) {
	words, err := orderWords(ed)
	if err != nil {
		return "", err
	}
	first, periods := p.Amount, 1
	if intro {
		first, periods = p.Intro.Amount, p.Intro.Periods
	}
	on := func(t time.Time) string { return strings.ReplaceAll(words["account.from"], "{date}", i18n.Date(ed, t)) }
	begins := access.Later(at, from).UTC() // as the provider counts
	lines, then := []string{p.Name}, on(p.Interval.Add(begins, periods))+" "+i18n.Money(ed, p.Amount)+" "+
		Interval(ed, p.Interval)
	switch {
	case from.IsZero():
		lines = append(lines, words["account.today"]+" "+i18n.Money(ed, first), then)
	case intro:
		lines = append(lines, words["account.today"]+" "+i18n.Money(ed, 0), on(from)+" "+i18n.Money(ed, first), then)
	default:
		lines = append(lines, words["account.today"]+" "+i18n.Money(ed, 0),
			on(from)+" "+i18n.Money(ed, p.Amount)+" "+Interval(ed, p.Interval))
	}
	return strings.Join(append(lines, words["account.vat."+vat]+" "+words["account.renews"]), "\n"), nil
}

// VATNote says which VAT the prices bear, as Summary does.
func VATNote(ed *edition.Edition, vat string) (string, error) {
	words, err := orderWords(ed)
	return words["account.vat."+vat], err
}

// TransferSummary is the same for a year that is paid by transfer, and that does not renew. A plain page cannot know
// what will be chosen: it says so beside the choice. given is the end of what the reader has without paying, zero for
// nothing: the year is appended to it.
func TransferSummary(ed *edition.Edition, p *edition.Product, vat string, plain bool, at,
	given time.Time,
) (string, error) {
	words, err := orderWords(ed)
	if err != nil {
		return "", err
	}
	if plain {
		card, err := Summary(ed, p, vat, false, at, access.PaidFrom(given, at))
		return strings.Join([]string{card, words["account.by.iban"], words["account.by.hint"]}, "\n"), err
	}
	ends := words["account.ends"]
	if !given.IsZero() {
		until := p.Interval.Add(given.In(ed.Location), 1)
		ends = strings.NewReplacer("{from}", i18n.Date(ed, given), "{until}", i18n.Date(ed, until)).
			Replace(words["account.endsGiven"])
	}
	return strings.Join([]string{
		p.Name, words["account.once"] + " " + i18n.Money(ed, p.Amount), words["account.vat."+vat] + " " + ends,
	}, "\n"), nil
}

// orderWords are the browser's words of the page on which one orders, with those of the region over them.
func orderWords(ed *edition.Edition) (map[string]string, error) {
	words := map[string]string{}
	for _, file := range []string{ed.Locale + "/web/account.json", ed.IntlLocale + "/web.json"} {
		b, err := locales.FS.ReadFile(file)
		if err != nil && file == ed.IntlLocale+"/web.json" {
			continue // most regions say nothing otherwise than their language
		}
		if err == nil {
			err = json.Unmarshal(b, &words)
		}
		if err != nil {
			return nil, fmt.Errorf("billing: locales/%s: %w", file, err)
		}
	}
	for _, id := range []string{
		"account.today", "account.from", "account.renews", "account.once", "account.ends", "account.endsGiven",
		"account.by.iban", "account.by.hint", "account.vat.included", "account.vat.outside", "account.vat.reverse",
		"account.vat.none",
	} {
		if words[id] == "" {
			return nil, fmt.Errorf("billing: locales/%s has no words for %s", ed.Locale, id)
		}
	}
	return words, nil
}

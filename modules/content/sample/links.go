package sample

import (
	"context"
	"maps"
	"slices"

	"example.org/broadsheet/modules/content/alternate"
	"example.org/broadsheet/platform/paper/edition"
)

// Link tells editions of the stories that they have in common, by the keys in their libraries.
func (s Seeder) Link(ctx context.Context, editions []*edition.Edition) error {
	sisters := map[string][]alternate.Link{}
	for _, ed := range editions {
		addresses, err := s.Posts.Addresses(edition.With(ctx, ed), source)
		if err != nil {
			return err
		}
		for _, key := range slices.Sorted(maps.Keys(addresses)) {
			sisters[key] = append(sisters[key], alternate.Link{Lang: ed.IntlLocale, URL: addresses[key]})
		}
	}
	for _, ed := range editions {
		ctx := edition.With(ctx, ed)
		ids, err := s.Posts.Known(ctx, source)
		if err != nil {
			return err
		}
		for key, all := range sisters {
			others := slices.DeleteFunc(slices.Clone(all), func(a alternate.Link) bool { return a.Lang == ed.IntlLocale })
			if ids[key] == 0 || len(others) == 0 || len(others) == len(all) {
				continue
			}
			if err := s.Posts.SetAlternates(ctx, ids[key], others); err != nil {
				return err
			}
		}
	}
	return nil
}

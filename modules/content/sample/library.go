// Package sample fills an edition with the content that ships: invented articles in the edition's
// language, with pictures that all editions share.
package sample

import (
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"example.org/broadsheet/modules/content/pagefile"
)

// picksPart is the part of a file's articles, the newest, among which its picks stand.
const picksPart = 0.2

// Library is the sample content of one edition, in the order of its files: newest first.
type Library struct {
	Authors  []Author
	Articles []Article // of all kinds but minutes
	Minutes  []Minute
	Pages    []*pagefile.Page
	Topics   []Topic // newest first
	Pictures []Picture

	files fs.FS // of the whole sample
}

// Author is one entry of authors.yaml.
type Author struct {
	Key   string `yaml:"key"`
	Name  string `yaml:"name"`
	Bio   string `yaml:"bio"`
	Short string `yaml:"short"` // role
}

// Article is one entry of the other files.
type Article struct {
	Key      string   `yaml:"key"`
	Title    string   `yaml:"title"`
	Excerpt  string   `yaml:"excerpt"`
	Category string   `yaml:"category"` // slug
	Type     string   `yaml:"type"`     // "" means article
	Authors  []string `yaml:"authors"`
	Locked   bool     `yaml:"locked"`
	Versus   string   `yaml:"versus"` // question over two opposing opinions, which both carry it
	Featured bool     `yaml:"featured"`
	Pick     bool     `yaml:"pick"`
	Picture  string   `yaml:"picture"` // its name in pictures.yaml
	Alt      string   `yaml:"alt"`     // where the article sees something else in it than the album says
	Caption  string   `yaml:"caption"`
	Body     string   `yaml:"body"` // Markdown

	rank float64 // 0 is the top of its file, 1 the end
}

// Topic is one weekly topic of topics.yaml.
type Topic struct {
	Slug        string   `yaml:"slug"`
	Title       string   `yaml:"title"`
	Description string   `yaml:"description"`
	WeeksAgo    int      `yaml:"weeks_ago"`
	Covers      []string `yaml:"covers"`   // pictures
	Articles    []string `yaml:"articles"` // keys, also of videos
}

// Minute is one short news item.
type Minute struct {
	Title    string `yaml:"title"`
	Text     string `yaml:"text"`
	Category string `yaml:"category"`
}

// Read reads the sample content of an edition and checks that its parts fit together. The files hold a folder for each
// edition, and beside them the pictures, portraits and recordings that the editions share.
func Read(files fs.FS, id string) (*Library, error) {
	l := &Library{files: files}
	if err := decode(files, "pictures.yaml", &l.Pictures); err != nil {
		return nil, err
	}
	folder, err := fs.Sub(files, id)
	if err != nil {
		return nil, err
	}
	names, err := fs.Glob(folder, "*.yaml")
	if err != nil {
		return nil, err
	}
	if len(names) == 0 {
		return nil, errors.New("there is no sample content")
	}
	for _, name := range names {
		var list []Article
		var into any = &list
		switch base := strings.TrimSuffix(path.Base(name), ".yaml"); base {
		case "authors":
			into = &l.Authors
		case "minutes":
			into = &l.Minutes
		case "topics":
			into = &l.Topics
		case "pages", "pages-company":
			if err := l.readPages(folder, name); err != nil {
				return nil, err
			}
			continue
		}
		if err := decode(folder, name, into); err != nil {
			return nil, err
		}
		for i := range list {
			list[i].rank = float64(i) / float64(len(list))
			if list[i].Pick {
				list[i].rank *= picksPart // what editors recommend is of these days
			}
			if list[i].Type == "" {
				list[i].Type = "article"
			}
		}
		l.Articles = append(l.Articles, list...)
	}
	// Files are by section; a newspaper's day mixes them.
	slices.SortStableFunc(l.Articles, func(a, b Article) int {
		if a.Featured != b.Featured {
			if a.Featured {
				return -1
			}
			return 1
		}
		switch {
		case a.rank < b.rank:
			return -1
		case a.rank > b.rank:
			return 1
		}
		return 0
	})
	return l, l.check()
}

func (l *Library) readPages(folder fs.FS, name string) error {
	text, err := fs.ReadFile(folder, name)
	if err != nil {
		return err
	}
	pages, err := pagefile.Read(name, text)
	l.Pages = append(l.Pages, pages...)
	return err
}

func decode(folder fs.FS, name string, into any) error {
	f, err := folder.Open(name)
	if err != nil {
		return err
	}
	defer f.Close() //nolint:errcheck // read only
	d := yaml.NewDecoder(f)
	d.KnownFields(true)
	if err := d.Decode(into); err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	return nil
}

func (l *Library) check() error {
	errs := []error{pagefile.Check(l.Pages)}
	authors := map[string]bool{}
	for _, a := range l.Authors {
		if authors[a.Key] || a.Key == "" || a.Name == "" {
			errs = append(errs, fmt.Errorf("author %q: key twice, or no name", a.Key))
		}
		authors[a.Key] = true
	}
	keys := map[string]bool{}
	for _, a := range l.Articles {
		if keys[a.Key] || a.Key == "" || a.Title == "" || a.Body == "" || a.Category == "" {
			errs = append(errs, fmt.Errorf("article %q: key twice, or something is missing", a.Key))
		}
		keys[a.Key] = true
		for _, k := range a.Authors {
			if !authors[k] {
				errs = append(errs, fmt.Errorf("article %q: there is no author %q", a.Key, k))
			}
		}
	}
	for _, a := range l.Articles {
		for _, k := range links(a.Body) {
			if !keys[k] {
				errs = append(errs, fmt.Errorf("article %q: there is no article %q", a.Key, k))
			}
		}
	}
	errs = append(errs, l.checkTopics(keys)...)
	return errors.Join(append(errs, l.checkPictures()...)...)
}

// Package terms adds to the email that confirms an order what its buyer is to have on a durable medium: how to
// withdraw, and the terms as they are on that day.
//
// The package imports links, and nothing else of billing.
package terms

import (
	"bytes"
	"context"
	"errors"
	"html/template"
	"log/slog"
	"time"

	"example.org/broadsheet/modules/billing/links"
	"example.org/broadsheet/platform/db"
	"example.org/broadsheet/platform/i18n"
	"example.org/broadsheet/platform/mail"
	"example.org/broadsheet/platform/paper/edition"
	"example.org/broadsheet/platform/web"
)

// Pages finds the text of the edition's own pages.
type Pages interface {
	// PageText returns title and sanitised HTML of a page of the edition.
	PageText(ctx context.Context, slug string) (title, html string, err error)
}

// WithdrawalDays is how long an order can be withdrawn from, after the day on which it was placed (Directive
// 2011/83/EU, article 9).
const WithdrawalDays = 14

// Service writes what confirms an order.
type Service struct {
	db    *db.DB
	pages Pages // nil: orders are confirmed without the terms
	log   *slog.Logger
}

// NewService returns a Service; without pages, orders are confirmed without the terms.
func NewService(d *db.DB, pages Pages, log *slog.Logger) *Service {
	return &Service{db: d, pages: pages, log: log}
}

// termsDocument is the document of an edition under which it sells.
const termsDocument = "terms"

// termsPage is the terms as a file that can be kept and read without the site.
var termsPage = template.Must(template.New("terms").Parse(`<!doctype html>
<html lang="{{.Lang}}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<base href="{{.Base}}">
<title>{{.Title}}</title>
<style>:root{color-scheme:light dark}body{max-width:42rem;margin:2rem auto;padding:0 1rem;font:17px/1.6 Georgia,` +
	`serif}</style>
</head>
<body>
<h1>{{.Title}}</h1>
<p>{{.Stamp}}</p>
{{.Text}}
</body>
</html>
`))

// ConfirmOrder adds to the email that confirms an order what its buyer is to have on a durable medium (Directive
// 2011/83/EU, article 8(7)): how to withdraw from it, and the terms as they are now.
func (s *Service) ConfirmOrder(ctx context.Context, ed *edition.Edition, l mail.Message, product string,
	concluded time.Time,
) (mail.Message, error) {
	file, version, err := s.file(ctx, ed)
	if err != nil {
		return l, err
	}
	l.Blocks = append(l.Blocks, OrderNotice(ed, product, concluded, version)...)
	if file != nil {
		l.Files = append(l.Files, *file)
	}
	return l, nil
}

// OrderNotice says how to withdraw from an order; version is that of the terms that are attached, "" for none.
func OrderNotice(ed *edition.Edition, product string, concluded time.Time, version string) []mail.Block {
	s, day := ed.Supplier, concluded.In(ed.Location)
	words := map[string]any{
		"Name": ed.Name, "Product": product, "Date": i18n.Date(ed, day),
		"Last": i18n.Date(ed, day.AddDate(0, 0, WithdrawalDays)), "Email": ed.SupportEmail, "Version": version,
		"Supplier": s.Name + ", " + s.Street + ", " + s.Postal + " " + s.City,
		"URL":      ed.URL(links.Sale(ed, links.StepWithdrawal)),
	}
	say := func(part string) string { return i18n.T(ed, "mail.order."+part, words) }
	blocks := []mail.Block{
		mail.Section(say("title")), mail.Note(say("right")), mail.Note(say("how")),
		mail.Note(say("money")), mail.Note(say("form")),
	}
	if version != "" {
		blocks = append(blocks, mail.Note(say("terms")))
	}
	return blocks
}

// file returns the terms under which an edition sells as a file, with their version as shown; nil where it has none.
func (s *Service) file(ctx context.Context, ed *edition.Edition) (file *mail.File, version string, err error) {
	for _, d := range ed.Consent.Documents {
		if d.ID != termsDocument || d.Static == "" || s.pages == nil {
			continue
		}
		title, text, err := s.pages.PageText(ctx, d.Static)
		if errors.Is(err, web.ErrNotFound) { // what was ordered is confirmed all the same
			s.log.ErrorContext(ctx, "an order is confirmed without the terms: their page is missing", "edition", ed.ID,
				"page", d.Static)
			return nil, "", nil
		}
		if err != nil {
			return nil, "", err
		}
		if version = d.Version; version != "" {
			if day, err := time.ParseInLocation(time.DateOnly, version, ed.Location); err == nil {
				version = i18n.LongDate(ed, day)
			}
		}
		var page bytes.Buffer
		err = termsPage.Execute(&page, map[string]any{
			//nolint:gosec // content sanitises it
			"Lang": ed.IntlLocale, "Base": ed.URL("/"), "Title": title, "Text": template.HTML(text),

			"Stamp": i18n.T(ed, "mail.order.stamp",
				map[string]any{"Name": ed.Name, "Version": version, "Date": i18n.Date(ed, s.db.Now())}),
		})
		if err != nil || page.Len() > mail.MaxFiles/2 {
			return nil, "", err
		}
		return &mail.File{Name: d.Static + "-" + d.Version + ".html", Type: "text/html", Body: page.Bytes()}, version, nil
	}
	return nil, "", nil
}

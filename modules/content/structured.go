package content

import (
	"strings"

	"example.org/broadsheet/modules/content/post"
	"example.org/broadsheet/platform/brand"
	"example.org/broadsheet/platform/edition"
	"example.org/broadsheet/platform/i18n"
	"example.org/broadsheet/platform/media"
	"example.org/broadsheet/platform/page"
	"example.org/broadsheet/platform/typography"
)

// ld is a node of structured data (schema.org). All that goes into one is public: headlines, excerpts, names.
type ld map[string]any

const schemaOrg = "https://schema.org"

// root makes a node the root of a document of its own.
func root(n ld) ld {
	n["@context"] = schemaOrg
	return n
}

// publisher is the edition, as other nodes name it.
func publisher(ed *edition.Edition) ld {
	const side = 512
	return ld{
		"@type": "NewsMediaOrganization", "@id": ed.URL("/#publisher"), "name": ed.Name, "url": ed.URL("/"),
		"logo": ld{"@type": "ImageObject", "url": ed.URL(brand.LogoPath), "width": side, "height": side},
	}
}

// organisation is the edition with all that it says of itself.
func organisation(ed *edition.Edition) ld {
	o := publisher(ed)
	o["legalName"], o["description"], o["email"], o["vatID"], o["taxID"] = ed.Supplier.Name, ed.Description,
		ed.SupportEmail, ed.Supplier.VAT, ed.Supplier.Tax
	o["address"] = ld{
		"@type": "PostalAddress", "streetAddress": ed.Supplier.Street, "addressLocality": ed.Supplier.City,
		"postalCode": ed.Supplier.Postal, "addressCountry": ed.Supplier.Country,
	}
	o["contactPoint"] = ld{
		"@type": "ContactPoint", "contactType": "customer support", "email": ed.SupportEmail,
		"availableLanguage": ed.Lang(),
	}
	for name, route := range map[string]edition.Route{
		"publishingPrinciples": edition.Principles,
		"masthead":             edition.Organisation, "ownershipFundingInfo": edition.Company,
	} {
		if p := ed.Href(route); p != "" {
			o[name] = ed.URL(p)
		}
	}
	var same []string
	for _, s := range ed.Social {
		if strings.HasPrefix(s.URL, "https://") {
			same = append(same, s.URL)
		}
	}
	o["sameAs"] = same
	return root(present(o))
}

// present drops what is empty: a property without a value is an error.
func present(n ld) ld {
	for name, v := range n {
		switch v := v.(type) {
		case string:
			if v == "" {
				delete(n, name)
			}
		case []string:
			if len(v) == 0 {
				delete(n, name)
			}
		case []ld:
			if len(v) == 0 {
				delete(n, name)
			}
		case nil:
			delete(n, name)
		}
	}
	return n
}

// website is the edition as a place, with the way to search it.
func website(ed *edition.Edition, description string) ld {
	const term = "search_term_string"
	n := ld{
		"@type": "WebSite", "@id": ed.URL("/#website"), "name": ed.Name, "url": ed.URL("/"), "description": description,
		"inLanguage": ed.IntlLocale, "publisher": publisher(ed),
	}
	if pattern := ed.Routes.Path(edition.SearchTerm); pattern != "" {
		n["potentialAction"] = ld{
			"@type": "SearchAction", "query-input": "required name=" + term,
			"target": ld{"@type": "EntryPoint", "urlTemplate": ed.URL(strings.Replace(pattern, ":searchSlug", "{"+term+"}", 1))},
		}
	}
	return root(n)
}

// step is a place on the way from the front page to a page.
type step struct{ name, url string }

// trail is the way through categories.
func trail(ed *edition.Edition, path []*post.Category) (steps []step) {
	for _, c := range path {
		steps = append(steps, step{c.Name, ed.URL(c.Section(ed).URL)})
	}
	return steps
}

// breadcrumbs leads from the front page to the last of the steps.
func breadcrumbs(ed *edition.Edition, steps ...step) ld {
	var items []ld
	for i, s := range append([]step{{ed.Name, ed.URL("/")}}, steps...) {
		items = append(items, ld{"@type": "ListItem", "position": i + 1, "name": s.name, "item": s.url})
	}
	return root(ld{"@type": "BreadcrumbList", "itemListElement": items})
}

// stepList is a list of pages, in order; the first has the place after offset.
func stepList(offset int, steps []step) ld {
	items := make([]ld, len(steps))
	for i, s := range steps {
		items[i] = ld{"@type": "ListItem", "position": offset + i + 1, "name": s.name, "url": s.url}
	}
	return ld{"@type": "ItemList", "numberOfItems": len(items), "itemListElement": items}
}

func cardSteps(ed *edition.Edition, lists ...[]post.Card) (steps []step) {
	for _, cards := range lists {
		for _, c := range cards {
			steps = append(steps, step{typography.Plain(c.Title), ed.URL(c.URL)})
		}
	}
	return steps
}

// collection is a page that lists others.
func collection(ed *edition.Edition, name string, m page.Meta, offset int, steps []step) ld {
	return root(ld{
		"@type": "CollectionPage", "name": name, "url": m.Canonical, "description": m.Description,
		"inLanguage": ed.IntlLocale,
		"isPartOf":   ld{"@id": ed.URL("/#website")}, "publisher": publisher(ed), "mainEntity": stepList(offset, steps),
	})
}

// person is an author, with what is known.
func person(ed *edition.Edition, b post.Byline) ld {
	n := ld{"@type": "Person", "name": b.Name, "jobTitle": b.Role}
	if b.URL != "" {
		n["url"] = ed.URL(b.URL)
	}
	return present(n)
}

// profile is the page of an author.
func profile(ed *edition.Edition, m page.Meta, b post.Byline, steps []step) ld {
	who := person(ed, b)
	who["description"], who["worksFor"] = b.Bio, publisher(ed)
	if b.Portrait != nil {
		who["image"] = imageObject(ed, b.Portrait, "1x1")
	}
	return root(ld{
		"@type": "ProfilePage", "name": b.Name, "url": m.Canonical, "inLanguage": ed.IntlLocale, "mainEntity": present(who),
		"hasPart": stepList(0, steps),
	})
}

// imageObject is a crop of a picture of the library; ratio "" is its own.
func imageObject(ed *edition.Edition, i *post.Image, ratio string) ld {
	v := media.Variant{Width: shareWidth, Ratio: ratio}
	w, h := v.Size(i.Width, i.Height)
	return present(ld{
		"@type": "ImageObject", "url": ed.URL(media.URL(i.ID, v)), "width": w, "height": h,
		"caption": i.Caption, "creditText": i.Credit,
	})
}

// webPage is a page of the edition's own; kind is what search engines call it.
func webPage(ed *edition.Edition, kind, name, lang string, m page.Meta) ld {
	return root(present(ld{
		"@type": kind, "name": name, "url": m.Canonical, "description": m.Description, "inLanguage": lang,
		"dateModified": m.Modified,
		"isPartOf":     ld{"@id": ed.URL("/#website")}, "publisher": publisher(ed),
	}))
}

// topicsData describes the list of weekly topics.
func topicsData(ed *edition.Edition, m page.Meta, d *TopicIndexData) []any {
	name := i18n.T(ed, "content.topics.title", nil)
	var steps []step
	for _, t := range d.Topics {
		steps = append(steps, step{t.Title, ed.URL(t.URL)})
	}
	return []any{
		collection(ed, name, m, d.Offset, steps),
		breadcrumbs(ed, step{name, ed.URL(ed.Href(edition.TopicIndex))}),
	}
}

// topicData describes the page of a weekly topic.
func topicData(ed *edition.Edition, m page.Meta, d *TopicData) []any {
	index := step{i18n.T(ed, "content.topics.title", nil), ed.URL(ed.Href(edition.TopicIndex))}
	title := typography.Plain(d.Topic.Title)
	return []any{
		collection(ed, title, m, 0, cardSteps(ed, d.Cards, d.Videos)),
		breadcrumbs(ed, index, step{title, m.Canonical}),
	}
}

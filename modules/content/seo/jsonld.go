package seo

import (
	"strings"

	"example.org/broadsheet/modules/content/post"
	"example.org/broadsheet/platform/media"
	"example.org/broadsheet/platform/paper/brand"
	"example.org/broadsheet/platform/paper/edition"
	"example.org/broadsheet/platform/paper/page"
	"example.org/broadsheet/platform/typography"
)

// Node is a node of structured data (schema.org). All that goes into one is public: headlines, excerpts, names.
type Node map[string]any

const schemaOrg = "https://schema.org"

// document makes a node the root of a document of its own.
func document(n Node) Node {
	n["@context"] = schemaOrg
	return n
}

// publisher is the edition, as other nodes name it.
func publisher(ed *edition.Edition) Node {
	const side = 512
	return Node{
		"@type": "NewsMediaOrganization", "@id": ed.URL("/#publisher"), "name": ed.Name, "url": ed.URL("/"),
		"logo": Node{"@type": "ImageObject", "url": ed.URL(brand.LogoPath), "width": side, "height": side},
	}
}

// Organisation is the edition with all that it says of itself.
func Organisation(ed *edition.Edition) Node {
	o := publisher(ed)
	o["legalName"], o["description"], o["email"], o["vatID"], o["taxID"] = ed.Supplier.Name, ed.Description,
		ed.SupportEmail, ed.Supplier.VAT, ed.Supplier.Tax
	o["address"] = Node{
		"@type": "PostalAddress", "streetAddress": ed.Supplier.Street, "addressLocality": ed.Supplier.City,
		"postalCode": ed.Supplier.Postal, "addressCountry": ed.Supplier.Country,
	}
	o["contactPoint"] = Node{
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
	return document(present(o))
}

// present drops what is empty: a property without a value is an error.
func present(n Node) Node {
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
		case []Node:
			if len(v) == 0 {
				delete(n, name)
			}
		case nil:
			delete(n, name)
		}
	}
	return n
}

// Website is the edition as a place, with the way to search it.
func Website(ed *edition.Edition, description string) Node {
	const term = "search_term_string"
	n := Node{
		"@type": "WebSite", "@id": ed.URL("/#website"), "name": ed.Name, "url": ed.URL("/"), "description": description,
		"inLanguage": ed.IntlLocale, "publisher": publisher(ed),
	}
	if pattern := ed.Routes.Path(edition.SearchTerm); pattern != "" {
		n["potentialAction"] = Node{
			"@type": "SearchAction", "query-input": "required name=" + term,
			"target": Node{
				"@type":       "EntryPoint",
				"urlTemplate": ed.URL(strings.Replace(pattern, ":searchSlug", "{"+term+"}", 1)),
			},
		}
	}
	return document(n)
}

// Step is a place on the way from the front page to a page.
type Step struct{ Name, URL string }

// Trail is the way through categories.
func Trail(ed *edition.Edition, path []*post.Category) (steps []Step) {
	for _, c := range path {
		steps = append(steps, Step{c.Name, ed.URL(c.Section(ed).URL)})
	}
	return steps
}

// Breadcrumbs leads from the front page to the last of the steps.
func Breadcrumbs(ed *edition.Edition, steps ...Step) Node {
	var items []Node
	for i, s := range append([]Step{{ed.Name, ed.URL("/")}}, steps...) {
		items = append(items, Node{"@type": "ListItem", "position": i + 1, "name": s.Name, "item": s.URL})
	}
	return document(Node{"@type": "BreadcrumbList", "itemListElement": items})
}

// stepList is a list of pages, in order; the first has the place after offset.
func stepList(offset int, steps []Step) Node {
	items := make([]Node, len(steps))
	for i, s := range steps {
		items[i] = Node{"@type": "ListItem", "position": offset + i + 1, "name": s.Name, "url": s.URL}
	}
	return Node{"@type": "ItemList", "numberOfItems": len(items), "itemListElement": items}
}

// CardSteps are the pages of cards, in their order.
func CardSteps(ed *edition.Edition, lists ...[]post.Card) (steps []Step) {
	for _, cards := range lists {
		for _, c := range cards {
			steps = append(steps, Step{typography.Plain(c.Title), ed.URL(c.URL)})
		}
	}
	return steps
}

// Collection is a page that lists others.
func Collection(ed *edition.Edition, name string, m page.Meta, offset int, steps []Step) Node {
	return document(Node{
		"@type": "CollectionPage", "name": name, "url": m.Canonical, "description": m.Description,
		"inLanguage": ed.IntlLocale,
		"isPartOf":   Node{"@id": ed.URL("/#website")}, "publisher": publisher(ed), "mainEntity": stepList(offset, steps),
	})
}

// person is an author, with what is known.
func person(ed *edition.Edition, b post.Byline) Node {
	n := Node{"@type": "Person", "name": b.Name, "jobTitle": b.Role}
	if b.URL != "" {
		n["url"] = ed.URL(b.URL)
	}
	return present(n)
}

// Profile is the page of an author.
func Profile(ed *edition.Edition, m page.Meta, b post.Byline, steps []Step) Node {
	who := person(ed, b)
	who["description"], who["worksFor"] = b.Bio, publisher(ed)
	if b.Portrait != nil {
		who["image"] = imageObject(ed, b.Portrait, "1x1")
	}
	return document(Node{
		"@type": "ProfilePage", "name": b.Name, "url": m.Canonical, "inLanguage": ed.IntlLocale, "mainEntity": present(who),
		"hasPart": stepList(0, steps),
	})
}

// imageObject is a crop of a picture of the library; ratio "" is its own.
func imageObject(ed *edition.Edition, i *post.Image, ratio string) Node {
	v := media.Variant{Width: shareWidth, Ratio: ratio}
	w, h := v.Size(i.Width, i.Height)
	return present(Node{
		"@type": "ImageObject", "url": ed.URL(media.URL(i.ID, v)), "width": w, "height": h,
		"caption": i.Caption, "creditText": i.Credit,
	})
}

// WebPage is a page of the edition's own; kind is what search engines call it.
func WebPage(ed *edition.Edition, kind, name, lang string, m page.Meta) Node {
	return document(present(Node{
		"@type": kind, "name": name, "url": m.Canonical, "description": m.Description, "inLanguage": lang,
		"dateModified": m.Modified,
		"isPartOf":     Node{"@id": ed.URL("/#website")}, "publisher": publisher(ed),
	}))
}

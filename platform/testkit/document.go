package testkit

import (
	"fmt"
	"hash/fnv"

	"example.org/broadsheet/platform/paper/edition"
)

// countries are what makes the n-th edition of a test differ from the others.
var countries = []struct{ key, locale, intl, zone, set, suffix, period string }{
	{"sk", "sk", "sk-SK", "Europe/Bratislava", "standard", "", "month"},
	{"at", "de", "de-AT", "Europe/Vienna", "standard_at", "at", "week"},
	{"ch", "de", "de-CH", "Europe/Zurich", "standard_com", "ch", "week"},
}

// MaxEditions is how many editions one test can have.
const MaxEditions = 3

// Document is a complete document for tests, n of 0, 1, 2: Slovak, Austrian, Swiss. It sells monthly for 7.96 EUR after
// 4 weeks for 1.00 EUR, yearly for 89.00 EUR, and gives 3 articles a period.
func Document(n int) edition.Document {
	c := countries[n]
	id := "test_" + c.key
	host := c.key + ".test"
	return edition.Document{
		ID: id, Name: "Testnoviny " + c.key, Tagline: "Denník na skúšku", Description: "Noviny, ktoré čítajú iba testy.",
		Hosts:  []string{host, "www." + host},
		Locale: c.locale, IntlLocale: c.intl, NumberLocale: "sk-SK", TimeZone: c.zone, Theme: c.key, RouteSet: c.set,
		Redirects:    map[string]string{"/383574": "/static/contacts"},
		Categories:   categories(),
		Menus:        menus(),
		Social:       []edition.SocialLink{{Icon: "facebook", URL: "https://social.example/" + id}},
		SupportEmail: "help@" + host,
		CareerCount:  4, Suffix: c.suffix,
		Supplier: edition.Supplier{
			Name: "Skúšobné noviny, s. r. o.", Street: "Skúšobná 1", City: "Bratislava", Postal: "811 01", Country: "SK",
			Company: companyOf(id), Tax: "1234567890", VAT: "SK1234567890",
		},
		Bank:     edition.Bank{Name: "Skúšobná banka", IBAN: "SK3112000000198742637541", BIC: "TESTSKBX"},
		Meter:    edition.Meter{Limit: 3, Period: c.period, AnonymousLimit: 0, Videos: 3},
		Billing:  billing(),
		Identity: edition.Identity{Registration: "open", Domains: "off", ExistsMode: "honest", MailAppName: "Testnoviny"},
		Consent: edition.Consent{CookieVersion: "1", Documents: []edition.ConsentDocument{
			{ID: "terms", Version: "2026-01-01", Static: "terms"}, {ID: "privacy", Version: "2026-01-01", Static: "privacy"},
		}, Accordions: []edition.Accordion{{Document: "terms", Sections: 2}, {Document: "privacy", Sections: 1}}},
		Mail: edition.Mail{FromName: "Testnoviny " + c.key, From: "noreply@" + host, ReplyTo: "help@" + host},
		Newsletters: []edition.Newsletter{
			{ID: "morning", Kind: edition.NewsletterBrief, Name: "Ráno", Description: "Každé ráno.", At: "06:00"},
			{
				ID: "topic", Kind: edition.NewsletterTopic, Name: "Téma", Description: "Každý týždeň.", At: "08:00",
				Weekday: "saturday",
			},
			{ID: "breaking", Kind: edition.NewsletterBreaking, Name: "Ihneď", Description: "Keď treba."},
		},
		Flags: map[string]bool{"subscriptions": true, "bank_transfer": false, "comments": true},
	}
}

// companyOf is a company number of eight digits, another one for each edition: one supplier would have to tell its
// series apart.
func companyOf(id string) string {
	h := fnv.New32a()
	_, _ = h.Write([]byte(id)) // it never fails
	return fmt.Sprintf("%08d", h.Sum32()%100_000_000)
}

func categories() []edition.Category {
	child := func(key, slug string) edition.Category { return edition.Category{Key: key, Slug: slug, Name: slug} }
	return []edition.Category{
		{Key: "politics", Slug: "politika", Name: "Politika", Description: "Doma aj vo svete.", Children: []edition.Category{
			child("politics.home", "slovensko"), child("politics.europe", "europa"), child("politics.usa", "usa"),
		}},
		{
			Key: "economics", Slug: "ekonomika", Name: "Ekonomika",
			Children: []edition.Category{child("economics.markets", "trhy"), child("economics.energy", "energetika")},
		},
		{
			Key: "society", Slug: "spolocnost", Name: "Spoločnosť",
			Children: []edition.Category{child("society.sport", "sport"), child("society.science", "veda")},
		},
		{
			Key: "technology", Slug: "technologie", Name: "Technológie",
			Children: []edition.Category{child("technology.internet", "internet")},
		},
		{
			Key: "opinion", Slug: "nazory", Name: "Názory",
			Children: []edition.Category{child("opinion.essay", "esej"), child("opinion.editorial", "editorial")},
		},
	}
}

func menus() edition.Menus {
	var m edition.Menus
	for _, c := range categories() {
		m.Main = append(m.Main,
			edition.MenuItem{
				Name: c.Name, Route: string(edition.CategoryPage),
				Params: map[string]string{"categorySlug": c.Slug},
			})
	}
	m.Footer = []edition.MenuColumn{
		{Title: "Rubriky", Items: m.Main},
		{Title: "O nás", Items: []edition.MenuItem{{Name: "Predplatné", Route: string(edition.Account)}}},
	}
	return m
}

func billing() edition.Billing {
	four := edition.Interval{Unit: "week", Count: 4}
	return edition.Billing{
		Currency: "EUR", GraceDays: 7, Trial: edition.Trial{Days: 28, For: "campaign"},
		Products: []edition.Product{
			{
				Type: "product_monthly", Name: "Mesačné", Description: "Všetko.", Order: 1, Amount: 796, Interval: four,
				Intro: &edition.Intro{Amount: 100, Periods: 1},
			},
			{
				Type: "product_yearly", Name: "Ročné", Badge: "Najvýhodnejšie", Description: "Všetko na rok.", Order: 2,
				Amount: 8900, Interval: edition.Interval{Unit: "year", Count: 1},
			},
			{Type: "no_product", Name: "Zdarma", Description: fmt.Sprintf("%d články.", 3), Order: 3},
		},
	}
}

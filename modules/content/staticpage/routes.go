package staticpage

import (
	"example.org/broadsheet/platform/paper/edition"
)

// Routes are the routes whose content is a page of the edition; each is a layout too.
var Routes = []edition.Route{
	edition.History, edition.Organisation, edition.Contacts, edition.Principles, edition.Company, edition.Career,
	edition.Christmas,
}

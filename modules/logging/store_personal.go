package logging

import "example.org/broadsheet/platform/privacy"

// keeps is what a reader's export has of this module.
var exportTables = []privacy.Query{
	{Name: "events", SQL: "SELECT action, meta_value, publish_date, at FROM logging_events WHERE reader_id = ?0 ORDER " +
		"BY at, id"},
}

// forgets is what is removed of a reader who leaves.
var forgets = []string{
	"DELETE FROM logging_events WHERE reader_id = ?0",
}

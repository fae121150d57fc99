package paywall

import "example.org/broadsheet/platform/privacy"

// keeps is what a reader's export has of this module.
var exportTables = []privacy.Query{
	{Name: "opened", SQL: "SELECT kind, post_id, period_key, opened_at FROM paywall_opened WHERE reader_id = ?0 ORDER " +
		"BY opened_at"},
}

// forgets is what is removed of a reader who leaves.
var forgets = []string{
	"DELETE FROM paywall_opened WHERE reader_id = ?0",
	"DELETE FROM paywall_readers WHERE reader_id = ?0",
}

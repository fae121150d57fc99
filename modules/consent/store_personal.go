package consent

import "example.org/broadsheet/platform/privacy"

// keeps is what a reader's export has of this module.
var exportTables = []privacy.Query{
	{Name: "consents", SQL: `SELECT kind, array_to_string(categories, ',') AS categories, action, policy_version,
		text_hash, language, network, agent, at
		FROM consent_log WHERE reader_id = ?0 ORDER BY id`},
}

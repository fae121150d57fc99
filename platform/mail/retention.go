package mail

import (
	"time"

	"example.org/broadsheet/platform/retention"
)

const (
	messageKept = 365 * 24 * time.Hour
	// Emails to many: longer than their bounces take, and than who asks why one did not come.
	bulkKept = 90 * 24 * time.Hour
)

// Retentions is how long the log of emails keeps what. An address that takes no mail is known until it takes one.
func Retentions() []retention.Rule {
	return []retention.Rule{
		{Name: "mail_log", Rows: "emails that were sent", Kept: messageKept, Where: "x.created_at < ?0"},
		{
			Name: "mail_log.newsletters", Rows: "emails to many that were sent", Kept: bulkKept,
			Where: "x.kind = 'newsletter' AND x.created_at < ?0",
		},
		{Name: "mail_reports", Rows: "what mail servers said of emails", Kept: messageKept, Where: "x.at < ?0"},
	}
}

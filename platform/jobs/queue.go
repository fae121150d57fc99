package jobs

import (
	"time"

	"example.org/broadsheet/platform/paper/event"
)

// Queues of an edition: one for each class of events.
const (
	queueLogin   = string(event.Login)
	queueMail    = string(event.Mail)
	queueDefault = string(event.Default)
	queueBulk    = string(event.Bulk)
)

// redrive is twice the time in which a row that was handed over should be done; then it is handed over again.
var redrive = map[string]time.Duration{
	queueLogin:   6 * time.Second,
	queueMail:    time.Minute,
	queueDefault: time.Minute,
	queueBulk:    90 * time.Second, // parts of an issue wait for each other
}

// weights share the workers that are not kept for logins.
var weights = map[string]int{queueMail: 3, queueDefault: 1}

// loginWorkers are kept for logins, per edition. Emails to many have bulkWorkers, so that nothing else waits behind
// them.
const (
	loginWorkers = 4
	bulkWorkers  = 2
)

func queue(eventName string) string { return string(event.ClassOf(eventName)) }

// queueName keeps the editions apart in Redis.
func queueName(editionID, q string) string { return editionID + ":" + q }

// again is when a row is handed over next, if nothing is heard of it. The wait doubles with each hand-over that nothing
// was heard of: a queue that is only slow must not be filled with copies.
func (o *Options) again(now time.Time, q string, unheard int) time.Time {
	wait := redrive[q]
	if o.Redrive > 0 {
		wait = o.Redrive
	}
	return now.Add(wait << min(max(unheard-1, 0), 6))
}

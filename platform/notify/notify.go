// Package notify tells every process of the paper, at once, that something it may hold a
// copy of has changed: Postgres LISTEN/NOTIFY, sent with the transaction that changed it.
// A message can be lost while a process is disconnected, so listeners drop all their
// copies when the connection was renewed.
package notify

import (
	"context"

	"example.org/broadsheet/platform/db"
	"example.org/broadsheet/platform/paper/edition"
)

// Channel is the one channel of the server.
const Channel = db.Channel

// Topics.
const (
	Editions = edition.RegistryTopic // the registry changed; Keys: edition ids
	Content  = "content"             // pages changed; Keys: cache tags
	Reader   = "reader"              // sessions or entitlement changed; Keys: reader ids
	Outbox   = "outbox"              // work has come that is due now or soon; no Keys
)

// Message is one notice. Edition is "" for the registry's own; no Keys means everything of the topic.
type Message = db.Notice

// Tell sends a notice with the transaction; it arrives after the commit, or never.
func Tell(ctx context.Context, tx db.Tx, topic string, keys ...string) error {
	return db.SendNotice(ctx, tx, Message{Topic: topic, Edition: tx.Edition.ID, Keys: keys})
}

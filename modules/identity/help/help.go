// Package help sends messages to support: from people who no longer know the address of their account, and so cannot
// log in. A message is kept until support's mailbox has taken it.
//
// Of modules/identity it imports emailaddr. Begin with Service.Ask.
package help

import (
	"context"
	"errors"
	"fmt"
	"time"

	"example.org/broadsheet/modules/identity/emailaddr"
	"example.org/broadsheet/platform/advisory"
	"example.org/broadsheet/platform/db"
	"example.org/broadsheet/platform/jobs"
	"example.org/broadsheet/platform/limit"
	"example.org/broadsheet/platform/mail"
	"example.org/broadsheet/platform/outbox"
	"example.org/broadsheet/platform/paper/edition"
	"example.org/broadsheet/platform/paper/event"
	"example.org/broadsheet/platform/typed"
	"example.org/broadsheet/platform/web"
)

// Bounds of a message to support, in characters.
const (
	maxNameLength = 100
	maxTextLength = 1000
)

// RepeatAfter and Kept are how long the same words are one message, and how long a message is kept.
const (
	RepeatAfter = time.Hour           // the same words are not sent twice within it
	Kept        = 30 * 24 * time.Hour // after it was sent
)

// A message may come from anybody, so its network and the address for the answer are counted, and the edition's
// mailbox has a bound too.
var (
	messagesOfNetwork = limit.Budget{Name: "identity.help.network", Max: 5, Window: time.Hour}
	messagesOfEmail   = limit.Budget{Name: "identity.help.email", Max: 3, Window: 24 * time.Hour}
	messagesOfEdition = limit.Budget{Name: "identity.help.edition", Max: 200, Window: 24 * time.Hour}
)

// Mailer sends an email, once for its key.
type Mailer interface {
	Send(ctx context.Context, l mail.Message) error
}

// Service takes messages to support.
type Service struct {
	db     *db.DB
	mailer Mailer
	count  func(context.Context, limit.Use)
}

// New makes the desk. count counts against a budget of a whole edition, outside a transaction.
func New(d *db.DB, mailer Mailer, count func(context.Context, limit.Use)) *Service {
	return &Service{db: d, mailer: mailer, count: count}
}

// Message is a message to support of somebody who no longer knows the address of an account.
type Message struct {
	Name    string // may be empty
	Email   string // where the answer goes
	Text    string
	Network string // limit.Network of the visitor's address
}

// storedMessage is one row of the messages.
type storedMessage struct {
	ID        int64
	Email     string
	Name      string
	Text      string
	Tries     int
	CreatedAt time.Time
}

// parse brings a message into the form in which it is kept: without invisible characters, the name on one line.
func (h Message) parse() (storedMessage, error) {
	email, err := emailaddr.Parse(h.Email)
	if err != nil {
		return storedMessage{}, err
	}
	name, err := typed.Line(h.Name, maxNameLength)
	if err != nil {
		return storedMessage{}, web.ErrInvalidArgs.On("name").Because(err)
	}
	text, err := typed.Lines(h.Text, maxTextLength)
	switch {
	case err != nil:
		return storedMessage{}, web.ErrInvalidArgs.On("message").Because(err)
	case text == "":
		return storedMessage{}, web.ErrRequirement.On("message")
	}
	return storedMessage{Email: email, Name: name, Text: text}, nil
}

// Ask keeps a message and has it sent to the edition's support, whose answer goes to the address in it. The same
// words within an hour are one message.
func (d *Service) Ask(ctx context.Context, h Message) error {
	message, err := h.parse()
	if err != nil {
		return err
	}
	within, kept := true, false
	err = d.db.InTx(ctx, func(ctx context.Context, tx db.Tx) error {
		if err := advisory.LockInTx(ctx, tx, "identity.ask:help:"+message.Email); err != nil {
			return err
		}
		if said, err := hasMessage(ctx, tx, &message); err != nil || said {
			return err
		}
		var err error
		within, err = limit.SpendInTurn(ctx, tx, limit.Use{Budget: messagesOfNetwork, Key: h.Network},
			limit.Use{Budget: messagesOfEmail, Key: message.Email})
		if err == nil && within {
			within, err = limit.Left(ctx, tx, messagesOfEdition, "")
		}
		if err != nil || !within {
			return err
		}
		id, err := insertMessage(ctx, tx, &message)
		if err != nil {
			return err
		}
		kept = true
		return outbox.Tell(ctx, tx, event.HelpAsked, event.Help{MessageID: id})
	})
	if err == nil && kept {
		d.count(ctx, limit.Use{Budget: messagesOfEdition})
	}
	if err == nil && !within {
		err = web.ErrTooMany
	}
	return err
}

// Mail sends one message to support.
func (d *Service) Mail(ctx context.Context, e event.Help) error {
	var message *storedMessage
	var ed *edition.Edition
	err := d.db.Run(ctx, func(ctx context.Context, tx db.Tx) (err error) {
		ed = tx.Edition
		message, err = findOpenMessage(ctx, tx, e.MessageID)
		return err
	})
	if err != nil || message == nil {
		return err
	}
	failure := d.mailer.Send(ctx, email(ed, message))
	switch {
	case jobs.IsSkip(failure): // the mailbox of support refuses it; its operator mends that, and then it has to arrive
		return errors.Join(failure, d.db.Run(ctx, func(ctx context.Context, tx db.Tx) error {
			return countTry(ctx, tx, message.ID)
		}))
	case failure != nil:
		return failure
	}
	return d.db.Run(ctx, func(ctx context.Context, tx db.Tx) error { return markSent(ctx, tx, message.ID) })
}

// SendOpen goes on with messages that a row of the outbox has given up.
func (d *Service) SendOpen(ctx context.Context) error {
	var open []int64
	err := d.db.Run(ctx, func(ctx context.Context, tx db.Tx) (err error) {
		open, err = listOpenMessages(ctx, tx, tx.Now.Add(-time.Hour))
		return err
	})
	errs := []error{err}
	for _, id := range open {
		if err := d.Mail(ctx, event.Help{MessageID: id}); err != nil {
			errs = append(errs, fmt.Errorf("message %d to support: %w", id, err))
		}
	}
	return errors.Join(errs...)
}

package identity

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"example.org/broadsheet/modules/identity/emailaddr"
	"example.org/broadsheet/platform/db"
	"example.org/broadsheet/platform/jobs"
	"example.org/broadsheet/platform/limit"
	"example.org/broadsheet/platform/outbox"
	"example.org/broadsheet/platform/paper/edition"
	"example.org/broadsheet/platform/paper/event"
	"example.org/broadsheet/platform/web"
)

// Bounds of a message to support, in characters.
const (
	longestHelpName = 100
	longestHelpText = 1000
)

const (
	helpAgain = time.Hour           // the same words are not sent twice within it
	helpKept  = 30 * 24 * time.Hour // after it was sent
)

// A message may come from anybody, so its network and the address for the answer are counted, and the edition's
// mailbox has a bound too.
var (
	helpsOfNetwork = limit.Budget{Name: "identity.help.network", Max: 5, Window: time.Hour}
	helpsOfEmail   = limit.Budget{Name: "identity.help.email", Max: 3, Window: 24 * time.Hour}
	helpsOfEdition = limit.Budget{Name: "identity.help.edition", Max: 200, Window: 24 * time.Hour}
)

// Help is a message to support of somebody who no longer knows the address of an account.
type Help struct {
	Name    string // may be empty
	Email   string // where the answer goes
	Text    string
	Network string // limit.Network of the visitor's address
}

// helpMessage is one row of the messages.
type helpMessage struct {
	ID        int64
	Email     string
	Name      string
	Text      string
	Tries     int
	CreatedAt time.Time
}

// parse brings a message into the form in which it is kept: trimmed, without control characters, the name on one line.
func (h Help) parse() (helpMessage, error) {
	email, err := emailaddr.Parse(h.Email)
	if err != nil {
		return helpMessage{}, err
	}
	name, ok := plainText(h.Name, longestHelpName)
	if !ok {
		return helpMessage{}, web.ErrInvalidArgs.On("name")
	}
	text, ok := plainText(h.Text, longestHelpText)
	switch {
	case !ok:
		return helpMessage{}, web.ErrInvalidArgs.On("message")
	case text == "":
		return helpMessage{}, web.ErrRequirement.On("message")
	}
	return helpMessage{Email: email, Name: strings.Join(strings.Fields(name), " "), Text: text}, nil
}

// plainText is what somebody has typed, with line breaks as its only control characters; false when it is too long or
// no text.
func plainText(s string, longest int) (string, bool) {
	if !utf8.ValidString(s) {
		return "", false
	}
	s = strings.NewReplacer("\r\n", "\n", "\r", "\n").Replace(norm.NFC.String(s))
	s = strings.TrimSpace(strings.Map(func(r rune) rune {
		if r != '\n' && (unicode.IsControl(r) || unicode.Is(unicode.Bidi_Control, r)) {
			return -1
		}
		return r
	}, s))
	return s, utf8.RuneCountInString(s) <= longest
}

// AskHelp keeps a message and has it sent to the edition's support, whose answer goes to the address in it. The same
// words within an hour are one message.
func (m *Module) AskHelp(ctx context.Context, h Help) error {
	message, err := h.parse()
	if err != nil {
		return err
	}
	within, kept := true, false
	err = m.db.InTx(ctx, func(ctx context.Context, tx db.Tx) error {
		if err := lockAddress(ctx, tx, "help:"+message.Email); err != nil {
			return err
		}
		if said, err := hasHelp(ctx, tx, &message); err != nil || said {
			return err
		}
		var err error
		within, err = limit.SpendInTurn(ctx, tx, limit.Use{Budget: helpsOfNetwork, Key: h.Network},
			limit.Use{Budget: helpsOfEmail, Key: message.Email})
		if err == nil && within {
			within, err = limit.Left(ctx, tx, helpsOfEdition, "")
		}
		if err != nil || !within {
			return err
		}
		id, err := insertHelp(ctx, tx, &message)
		if err != nil {
			return err
		}
		kept = true
		return outbox.Tell(ctx, tx, event.HelpAsked, event.Help{MessageID: id})
	})
	if err == nil && kept {
		m.count(ctx, limit.Use{Budget: helpsOfEdition})
	}
	if err == nil && !within {
		err = web.ErrTooMany
	}
	return err
}

// mailHelp sends one message to support.
func (m *Module) mailHelp(ctx context.Context, e event.Help) error {
	var message *helpMessage
	var ed *edition.Edition
	err := m.db.Run(ctx, func(ctx context.Context, tx db.Tx) (err error) {
		ed = tx.Edition
		message, err = findOpenHelp(ctx, tx, e.MessageID)
		return err
	})
	if err != nil || message == nil {
		return err
	}
	failure := m.mailer.Send(ctx, helpLetter(ed, message))
	switch {
	case jobs.IsSkip(failure): // the mailbox of support refuses it; its operator mends that, and then it has to arrive
		return errors.Join(failure, m.db.Run(ctx, func(ctx context.Context, tx db.Tx) error {
			return countHelpTry(ctx, tx, message.ID)
		}))
	case failure != nil:
		return failure
	}
	return m.db.Run(ctx, func(ctx context.Context, tx db.Tx) error { return markHelpSent(ctx, tx, message.ID) })
}

// SendHelp goes on with messages that a row of the outbox has given up.
func (m *Module) SendHelp(ctx context.Context) error {
	var open []int64
	err := m.db.Run(ctx, func(ctx context.Context, tx db.Tx) (err error) {
		open, err = listOpenHelp(ctx, tx, tx.Now.Add(-time.Hour))
		return err
	})
	errs := []error{err}
	for _, id := range open {
		if err := m.mailHelp(ctx, event.Help{MessageID: id}); err != nil {
			errs = append(errs, fmt.Errorf("message %d to support: %w", id, err))
		}
	}
	return errors.Join(errs...)
}

package newsletter

import (
	"context"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"example.org/broadsheet/platform/db"
	"example.org/broadsheet/platform/i18n"
	"example.org/broadsheet/platform/limit"
	"example.org/broadsheet/platform/mail"
	"example.org/broadsheet/platform/paper/edition"
	"example.org/broadsheet/platform/paper/event"
	"example.org/broadsheet/platform/web"
)

// Settings are the lists of an edition as one subscriber has them.
type Settings struct {
	Email string   `json:"email"` // masked where the link alone speaks for the reader
	Lists []Choice `json:"lists"`
}

// choices are all lists of the edition.
func choices(ed *edition.Edition, chosen []string) []Choice {
	out := make([]Choice, len(ed.Newsletters))
	for i, n := range ed.Newsletters {
		out[i] = Choice{n.ID, n.Name, n.Description, scheduleWords(ed, &n), slices.Contains(chosen, n.ID)}
	}
	return out
}

func scheduleWords(ed *edition.Edition, n *edition.Newsletter) string {
	id := "newsletter.schedule." + n.Kind
	if n.Kind == edition.NewsletterTopic {
		id += "." + n.Weekday
	}
	return i18n.T(ed, id, map[string]any{"At": strings.TrimPrefix(n.At, "0")})
}

// mask hides most of an address: who was handed an email on needs to know no more than whose it was.
func mask(email string) string {
	name, domain, _ := strings.Cut(email, "@")
	first, size := utf8.DecodeRuneInString(name)
	if size == len(name) {
		return "…@" + domain
	}
	return string(first) + "…@" + domain
}

// SettingsOf returns the lists of whom a signed link names.
func (m *Module) SettingsOf(ctx context.Context, token string) (out Settings, err error) {
	err = m.db.Run(ctx, func(ctx context.Context, tx db.Tx) error {
		s, err := m.bearer(ctx, tx, token)
		if err != nil {
			return err
		}
		had, err := listSubscriptions(ctx, tx, s.ID)
		out = Settings{mask(s.Email), choices(tx.Edition, had)}
		return err
	})
	return out, err
}

// bearer is the subscriber of a link to settings that has not expired.
func (m *Module) bearer(ctx context.Context, tx db.Tx, token string) (*subscriber, error) {
	s, until, err := m.bearerOf(ctx, tx, token)
	if err == nil && !tx.Now.Before(until) {
		err = errExpired
	}
	return s, err
}

// bearerOf is the subscriber of a link to settings, and when the link expires. One who never confirmed an address has
// none.
func (m *Module) bearerOf(ctx context.Context, tx db.Tx, token string) (s *subscriber, until time.Time, err error) {
	l, ok := m.open(tx.Edition, toSettings, token)
	if !ok {
		return nil, until, ErrLink
	}
	s, err = findSubscriber(ctx, tx, l.id)
	if err == nil && (s == nil || s.ConfirmedAt.IsZero()) {
		err = ErrLink
	}
	return s, l.until, err
}

// Save sets the lists of whom a signed link names.
func (m *Module) Save(ctx context.Context, token string, lists []string, v Visitor) error {
	return m.db.InTx(ctx, func(ctx context.Context, tx db.Tx) error {
		s, err := m.bearer(ctx, tx, token)
		if err != nil {
			return err
		}
		return m.set(ctx, tx, s, known(tx.Edition, lists), viaSettings, v)
	})
}

// ReaderSettings returns the lists of a reader who is logged in.
func (m *Module) ReaderSettings(ctx context.Context, readerID int64) (out Settings, err error) {
	email, _, err := m.contacts.Contact(ctx, readerID)
	if err != nil {
		return out, err
	}
	err = m.db.Run(ctx, func(ctx context.Context, tx db.Tx) error {
		s, err := findByEmail(ctx, tx, email)
		if err != nil {
			return err
		}
		var had []string
		if s != nil {
			if had, err = listSubscriptions(ctx, tx, s.ID); err != nil {
				return err
			}
		}
		out = Settings{email, choices(tx.Edition, had)}
		return nil
	})
	return out, err
}

// SaveReader sets the lists of a reader who is logged in, at once: the login has proved the address. Where add is true,
// lists are only added.
func (m *Module) SaveReader(ctx context.Context, readerID int64, lists []string, add bool, v Visitor) error {
	email, _, err := m.contacts.Contact(ctx, readerID)
	if err != nil {
		return err
	}
	within := false
	err = m.db.InTx(ctx, func(ctx context.Context, tx db.Tx) (err error) {
		if within, err = limit.Spend(ctx, tx, changesOfReader, email); err != nil || !within {
			return err
		}
		s, err := upsertSubscriber(ctx, tx, email)
		if err != nil {
			return err
		}
		if add {
			return m.join(ctx, tx, s, known(tx.Edition, lists), viaAccount, v)
		}
		return m.set(ctx, tx, s, known(tx.Edition, lists), viaAccount, v)
	})
	if err == nil && !within {
		return web.ErrTooMany
	}
	return err
}

// Leaving is what a link to leave says of its list.
type Leaving struct {
	List string // its name, or its id where the edition has it no more
	Left bool   // its reader gets it no more
	Mail string // masked
}

// LeavingOf looks at a link to leave, and changes nothing.
func (m *Module) LeavingOf(ctx context.Context, token string) (out Leaving, err error) {
	err = m.db.Run(ctx, func(ctx context.Context, tx db.Tx) error {
		l, ok := m.open(tx.Edition, toLeave, token)
		if !ok {
			return ErrLink
		}
		s, err := findSubscriber(ctx, tx, l.id)
		if err != nil {
			return err
		}
		if s == nil {
			return ErrLink
		}
		had, err := listSubscriptions(ctx, tx, s.ID)
		out = Leaving{List: l.list, Left: !slices.Contains(had, l.list), Mail: mask(s.Email)}
		if n := tx.Edition.Newsletter(l.list); n != nil {
			out.List = n.Name
		}
		return err
	})
	return out, err
}

// Leave ends the subscription that a signed link names. It may be called again.
func (m *Module) Leave(ctx context.Context, token string, v Visitor) error {
	return m.db.InTx(ctx, func(ctx context.Context, tx db.Tx) error {
		l, ok := m.open(tx.Edition, toLeave, token)
		if !ok {
			return ErrLink
		}
		return leave(ctx, tx, l.id, []string{l.list}, viaOneClick, v)
	})
}

// complained takes an address off all lists: its reader has called an email spam.
func (m *Module) complained(ctx context.Context, e event.MailReport) error {
	email, err := mail.Reported(ctx, m.db, e.ReportID)
	if err != nil {
		return err
	}
	return m.db.InTx(ctx, func(ctx context.Context, tx db.Tx) error {
		s, err := findByEmail(ctx, tx, email)
		if err != nil || s == nil {
			return err
		}
		had, err := listSubscriptions(ctx, tx, s.ID)
		if err != nil {
			return err
		}
		return leave(ctx, tx, s.ID, had, viaComplaint, Visitor{})
	})
}

// signedIn lets an address have emails again that had bounced: the login mail has arrived.
func (m *Module) signedIn(ctx context.Context, e event.SignedIn) error {
	email, _, err := m.contacts.Contact(ctx, e.ReaderID)
	if err != nil {
		return err
	}
	return m.db.InTx(ctx, func(ctx context.Context, tx db.Tx) error { return mail.Forgive(ctx, tx, email, false) })
}

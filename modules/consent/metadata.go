package consent

import (
	"context"

	"example.org/broadsheet/platform/paper/edition"
	"example.org/broadsheet/platform/web"
)

// reminder is the setting that says whether the notice of the subscription's end is still to be shown.
const reminder = "subscription_expiration_reminder"

// step checks one change of a reader's settings and returns what does it. Keys are listed: the name of a setting
// that only the house may change gets a reader nowhere.
func (m *Module) step(ctx context.Context, ch change, v visitor) (func() error, error) {
	ed, err := edition.From(ctx)
	if err != nil {
		return nil, err
	}
	switch ch.Key {
	case "user_agreed_to_terms":
		if _, ok := parseTerms(ed, ch.Value); !ok {
			return nil, web.ErrInvalidArgs.On("meta_value")
		}
		return func() error {
			_, _, err := m.Agree(ctx, ch.Value, nil, v)
			return err
		}, nil
	case reminder:
		if len(ch.Value) != 1 || (ch.Value[0] != agreedFalse && ch.Value[0] != agreedTrue) {
			return nil, web.ErrInvalidArgs.On("meta_value")
		}
		return func() error { return m.reminders.DismissReminder(ctx, v.readerID, ch.Value[0] == agreedFalse) }, nil
	}
	return nil, web.ErrInvalidArgs.On("meta_key")
}

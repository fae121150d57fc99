package identity

import (
	"time"

	"example.org/broadsheet/modules/identity/help"
	"example.org/broadsheet/modules/identity/passkey"
	"example.org/broadsheet/modules/identity/secret"
	"example.org/broadsheet/platform/mail"
	"example.org/broadsheet/platform/paper/edition"
)

// Previews are all emails of the module with made-up contents. Their codes and links open nothing.
func (m *Module) Previews(ed *edition.Edition, to string, at time.Time) []mail.Preview {
	var list []mail.Preview
	for _, p := range []Purpose{Login, Registration, Uninvited} {
		a := &attempt{ID: 1, Email: to, Purpose: p, Nonce: make([]byte, 16), ExpiresAt: at.Add(secret.TTL)}
		list = append(list, mail.Preview{Name: string(p), Message: loginEmail(m.secrets, ed, a)})
	}
	change := &addressChange{
		ID: 1, OldEmail: to, NewEmail: "new@example.org", Nonce: make([]byte, 16),
		ExpiresAt: at.Add(addressTTL),
	}
	taken := *change
	taken.Taken = true
	list = append(list, m.Data.Previews(ed, to, at)...)
	list = append(
		list, mail.Preview{Name: "address-old", Message: addressEmail(m.secrets, ed, change, oldSide)},
		mail.Preview{Name: "address-new", Message: addressEmail(m.secrets, ed, change, newSide)},
		mail.Preview{Name: "address-taken", Message: addressEmail(m.secrets, ed, &taken, newSide)},
		mail.Preview{Name: "address-changed", Message: addressChangedEmail(ed, change)},
	)
	list = append(list, passkey.Previews(ed, to, at)...)
	list = append(
		list, mail.Preview{Name: "invitation", Message: invitationEmail(ed, &invitation{ID: 1, Email: to})},
	)
	return append(list, help.Preview(ed, to, at))
}

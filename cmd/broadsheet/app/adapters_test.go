package app

import (
	"errors"
	"testing"

	"example.org/broadsheet/modules/billing/access"
	"example.org/broadsheet/modules/identity"
	"example.org/broadsheet/modules/newsletter"
	"example.org/broadsheet/platform/paper/edition"
)

// Modules that ask for the address of a reader who has left hear so in their own words.
func TestWhoHasLeftHasNoAddress(t *testing.T) {
	t.Parallel()
	p := sharedApp(t)
	ctx := edition.With(t.Context(), p.app.registry.All()[0])
	const nobody = 1 << 40
	if _, _, err := (addresses{p.app.Identity}).Contact(ctx, nobody); !errors.Is(err, newsletter.ErrLeft) {
		t.Errorf("newsletters hear %v, want %v", err, newsletter.ErrLeft)
	}
	of := contacts(func() *identity.Module { return p.app.Identity })
	if _, _, err := of.Contact(ctx, nobody); !errors.Is(err, access.ErrLeft) {
		t.Errorf("billing hears %v of the address, want %v", err, access.ErrLeft)
	}
	if _, err := of.PublicID(ctx, nobody); !errors.Is(err, access.ErrLeft) {
		t.Errorf("billing hears %v of the public id, want %v", err, access.ErrLeft)
	}
}

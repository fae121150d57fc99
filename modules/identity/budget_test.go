package identity

import (
	"context"
	"strings"
	"testing"

	"example.org/broadsheet/modules/identity/help"
	"example.org/broadsheet/platform/db"
)

// While one visitor waits for the database, nobody else of the edition waits for that visitor: no budget that all share
// is locked.
func TestBudgetsOfAnEditionAreNotHeld(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		locked string // a table that the call needs after its budgets
		bucket string
		call   func(k *env, email string) error
	}{
		"asking whether an address is known": {
			"identity_readers", "identity.exists.edition",
			func(k *env, email string) error {
				_, err := k.Exists(k.ctx, email, "net "+email)
				return err
			},
		},
		"asking for a login mail": {"outbox", "identity.mail.edition", func(k *env, email string) error {
			_, err := k.Ask(k.ctx, Asked{Email: email, Network: "net " + email, Browser: "b"})
			return err
		}},
		"asking for help": {"outbox", "identity.help.edition", func(k *env, email string) error {
			return k.help.Ask(k.ctx, help.Message{Email: email, Network: "net " + email, Text: "I cannot log in."})
		}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			k := newEnv(t)
			if err := c.call(k, "first@example.org"); err != nil {
				t.Fatal(err)
			}
			waits := make(chan error, 1)
			err := k.db.InTx(k.ctx, func(ctx context.Context, tx db.Tx) error {
				if _, err := tx.ExecContext(ctx, "LOCK TABLE "+c.locked+" IN ACCESS EXCLUSIVE MODE"); err != nil {
					return err
				}
				go func() { waits <- c.call(k, "second@example.org") }()
				for waiting := 0; waiting == 0; {
					if err := tx.NewRaw("SELECT count(*) FROM pg_locks WHERE NOT granted AND relation = ?::regclass", c.locked).
						Scan(ctx, &waiting); err != nil {
						return err
					}
				}
				var free []string
				if err := tx.NewRaw("SELECT bucket FROM rate_limits FOR UPDATE SKIP LOCKED").Scan(ctx, &free); err != nil {
					return err
				}
				if !strings.Contains(strings.Join(free, " "), c.bucket) {
					t.Errorf("%s is locked by who waits", c.bucket)
				}
				return nil
			})
			if err != nil {
				t.Fatal(err)
			}
			if err := <-waits; err != nil {
				t.Error(err)
			}
		})
	}
}

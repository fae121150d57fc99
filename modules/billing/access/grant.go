package access

import (
	"context"
	"errors"
	"strings"
	"time"

	"example.org/broadsheet/platform/db"
)

// Grant is access that was given away.
type Grant struct {
	ID        int64
	ReaderID  int64
	Until     time.Time
	Reason    string
	GrantedAt time.Time
	Product   string    // what it shows as; "" for no product
	BeginsAt  time.Time // zero for one that never moves
	Periods   int       // of the product; 0 for time that is not counted in periods
	CouponID  int64     // that has opened it; 0 for none
	Source    Source    // as it is read; what is stored is the reason
}

// maxGrant keeps a slip of the pen from being for ever.
const maxGrant = 2 * 366 * 24 * time.Hour

// Check says what is wrong with a grant at an instant.
func (g Grant) Check(now time.Time) error {
	switch {
	case g.ReaderID <= 0:
		return errors.New("access is given to a reader")
	case strings.TrimSpace(g.Reason) == "":
		return errors.New("access is given for a reason")
	case !g.Until.After(now):
		return errors.New("the day until which access is given is over")
	case g.Until.Sub(now) > maxGrant:
		return errors.New("access is given for two years at most")
	}
	return nil
}

// Give gives a reader access until an instant, in addition to whatever else there is; the latest end counts. The time
// behind all that the reader has is given time like that of a code: nobody pays for it.
func Give(ctx context.Context, d *db.DB, g Grant) error {
	return d.InTx(ctx, func(ctx context.Context, tx db.Tx) error {
		if err := g.Check(tx.Now); err != nil {
			return err
		}
		if err := LockReader(ctx, tx, g.ReaderID); err != nil {
			return err
		}
		_, err := GiveNext(ctx, tx, g, func(time.Time) time.Time { return g.Until })
		return err
	})
}

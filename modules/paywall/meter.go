package paywall

import (
	"context"
	"slices"
	"strconv"

	"example.org/broadsheet/platform/db"
	"example.org/broadsheet/platform/paper/readerlog"
)

// Decide says what a reader (0: a visitor) would get of an article, and spends nothing. kind is the post type. left
// counts the credits that remain now; it is 0 where no credit is concerned. With an error the answer is locked.
func (m *Module) Decide(ctx context.Context, readerID, postID int64, kind string,
	locked bool,
) (access, reason string, left int, err error) {
	f, err := m.gatherFacts(ctx, readerID, kind, locked)
	if err != nil || decide(f).Reason != Limit {
		return answer(f, err)
	}
	err = m.db.Run(ctx, func(ctx context.Context, tx db.Tx) error {
		opened, err := listOpened(ctx, tx, readerID, article)
		f.record(tx, opened, postID, err)
		return err
	})
	return answer(f, err)
}

// Open is Decide in the call that hands out the text: where a credit is needed it is spent, once an article and
// period. left counts the credits that remain after it.
func (m *Module) Open(ctx context.Context, readerID, postID int64, kind string,
	locked bool,
) (access, reason string, left int, err error) {
	f, err := m.gatherFacts(ctx, readerID, kind, locked)
	if err != nil || decide(f).Reason != Limit {
		return answer(f, err)
	}
	spent := false
	err = m.db.InTx(ctx, func(ctx context.Context, tx db.Tx) error {
		spent = false
		opened, err := lockOpened(ctx, tx, readerID, article)
		f.record(tx, opened, postID, err)
		if err != nil || f.Opened || decide(f).Access == Locked {
			return err
		}
		if err := insertOpened(ctx, tx, readerID, article, postID); err != nil {
			return err
		}
		f.Opened, f.Used, spent = true, f.Used+1, true
		return nil
	})
	if err != nil { // nothing was spent, so nothing is handed out
		f.Known = false
	} else if spent {
		m.note(ctx, readerID, readerlog.CreditUsed, strconv.FormatInt(postID, 10), "")
	}
	return answer(f, err)
}

// gatherFacts collects what can be known without the meter, so that most pages cost no query at all. The answer "limit"
// means that the meter has to be asked.
func (m *Module) gatherFacts(ctx context.Context, readerID int64, kind string, locked bool) (facts, error) {
	f := facts{Locked: locked, Kind: kind, SignedIn: readerID > 0}
	if !locked || !f.SignedIn {
		return f, nil
	}
	until, err := m.subscriptions.ActiveUntil(ctx, readerID)
	f.Subscribed = err == nil && until.After(m.db.Now())
	return f, err
}

func (f *facts) record(tx db.Tx, opened []int64, postID int64, err error) {
	f.Known = err == nil
	f.Limit, f.Used, f.Opened = tx.Edition.Meter.Limit, len(opened), slices.Contains(opened, postID)
}

func answer(f facts, err error) (access, reason string, left int, _ error) {
	v := decide(f)
	return v.Access, v.Reason, v.Left, err
}

// OpenVideo keeps the record of a video comment that a reader opened by its address; it holds as many a period as the
// edition's meter says, and reports whether this one is in it. What is no video that everybody can find is not
// recorded.
func (m *Module) OpenVideo(ctx context.Context, readerID, videoID int64) (recorded bool, err error) {
	if readerID <= 0 || videoID <= 0 {
		return false, nil
	}
	if ok, err := m.videos.IsVideo(ctx, videoID); err != nil || !ok {
		return false, err
	}
	err = m.db.InTx(ctx, func(ctx context.Context, tx db.Tx) error {
		opened, err := lockOpened(ctx, tx, readerID, video)
		if err != nil {
			return err
		}
		recorded = slices.Contains(opened, videoID)
		if recorded || len(opened) >= tx.Edition.Meter.Videos {
			return nil
		}
		recorded = true
		return insertOpened(ctx, tx, readerID, video, videoID)
	})
	return recorded && err == nil, err
}

// Record is what a reader has opened in the running period.
type Record struct {
	Articles []int64 `json:"articles_opened"`
	Videos   []int64 `json:"videos_opened"`
	Limit    int     `json:"limit"`  // articles a period
	Left     int     `json:"left"`   // of them
	Period   string  `json:"period"` // week or month
}

// Opened returns the record of a reader.
func (m *Module) Opened(ctx context.Context, readerID int64) (r Record, err error) {
	err = m.db.Run(ctx, func(ctx context.Context, tx db.Tx) error {
		meter := tx.Edition.Meter
		if r.Articles, err = listOpened(ctx, tx, readerID, article); err != nil {
			return err
		}
		if r.Videos, err = listOpened(ctx, tx, readerID, video); err != nil {
			return err
		}
		r.Limit, r.Left, r.Period = meter.Limit, max(meter.Limit-len(r.Articles), 0), meter.Period
		return nil
	})
	return r, err
}

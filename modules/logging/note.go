package logging

import (
	"context"
	"errors"
	"strconv"
	"strings"
	"time"

	"github.com/maypok86/otter/v2"

	"example.org/broadsheet/platform/db"
	"example.org/broadsheet/platform/limit"
	"example.org/broadsheet/platform/paper/edition"
	"example.org/broadsheet/platform/paper/readerlog"
)

// maxNotes bounds what waits to be written; more is left out, because no page waits for it.
const maxNotes = 1024

// note is what a reader did, as another part has seen it.
type note struct {
	ed     *edition.Edition
	reader int64
	event  Event
}

// A reader who does the same again and again, such as loading a page anew, is not asked about in the database each
// time: what was noted less than a minute ago waits for nothing.
const (
	notedLife = time.Minute // less than the window of eventsAlike, which decides
	notedKept = 20_000
)

// noted is when each was noted by this process.
type noted = otter.Cache[note, time.Time]

func newNoted() *noted {
	return otter.Must(&otter.Options[note, time.Time]{
		MaximumSize: notedKept, ExpiryCalculator: otter.ExpiryWriting[note, time.Time](notedLife),
	})
}

// Note is a readerlog.Note. Run writes what it takes down; what is too much at once is left out. Visitors are not taken
// down; what they read is counted without them. An action or a context without an edition is a mistake of the program:
// it is logged.
func (m *Module) Note(ctx context.Context, readerID int64, action readerlog.Action, metaValue, publishDate string) {
	ed, err := edition.From(ctx)
	name := action.String()
	if err == nil && name == "" {
		err = errUnknownAction
	}
	if err != nil {
		m.log.ErrorContext(ctx, "reader log: an action is not noted", "action", name, "error", err)
		return
	}
	if readerID == 0 {
		return
	}
	n, now := note{ed, readerID, Event{name, metaValue, publishDate}}, m.db.Now()
	if at, ok := m.noted.GetIfPresent(n); ok && now.Sub(at) < notedLife {
		return
	}
	select {
	case m.notes <- note{ed, readerID, Event{name, clean(metaValue, maxMeta), clean(publishDate, maxDate)}}:
		m.noted.Set(n, now)
	default:
		m.log.WarnContext(ctx, "what a reader did was not noted: too much waits", "edition", ed.ID, "action", name)
	}
}

var errUnknownAction = errors.New("logging: an unknown action")

// Run writes what was noted until ctx ends, and then what still waits. Every process that answers readers runs it.
func (m *Module) Run(ctx context.Context) {
	for {
		select {
		case d := <-m.notes:
			m.write(ctx, d)
		case <-ctx.Done():
			m.Flush(ctx)
			return
		}
	}
}

// Flush writes what waits now.
func (m *Module) Flush(ctx context.Context) {
	for {
		select {
		case d := <-m.notes:
			m.write(ctx, d)
		default:
			return
		}
	}
}

// write also finishes where ctx has ended.
func (m *Module) write(ctx context.Context, d note) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), 5*time.Second)
	defer cancel()
	err := m.db.InTx(edition.With(ctx, d.ed), func(ctx context.Context, tx db.Tx) error {
		return record(ctx, tx, strconv.FormatInt(d.reader, 10), d.reader, d.event)
	})
	if err != nil {
		m.log.WarnContext(ctx, "what a reader did was not noted", "edition", d.ed.ID, "action", d.event.Action, "error", err)
	}
}

// record keeps an event, unless the same of the same person was kept in the last minutes.
func record(ctx context.Context, tx db.Tx, who string, readerID int64, e Event) error {
	first, err := limit.Spend(ctx, tx, eventsAlike, strings.Join([]string{who, e.Action, e.MetaValue}, "\x00"))
	if err != nil || !first {
		return err
	}
	return insertEvent(ctx, tx, readerID, e)
}

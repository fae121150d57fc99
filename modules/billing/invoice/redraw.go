package invoice

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"time"

	"example.org/broadsheet/platform/audit"
	"example.org/broadsheet/platform/db"
	"example.org/broadsheet/platform/jobs"
	"example.org/broadsheet/platform/paper/edition"
	"example.org/broadsheet/platform/paper/event"
)

// ActionRedraw draws documents again that could not be drawn, and has them mailed.
var ActionRedraw = audit.WithReason("invoice-redraw")

// Redrawn is what came of drawing a document again.
type Redrawn struct {
	Number string
	ID     int64
	Mails  bool  // its email was given up, and is sent now
	Err    error // why it still cannot be drawn; nil if it can
}

// Redraw draws documents again: those that are named, or all whose email was given up. The emails of those that can be
// drawn now are sent; one that has gone is not sent again. With dry, nothing is sent.
func Redraw(ctx context.Context, d *db.DB, dry bool, numbers ...string) (list []Redrawn, err error) {
	ed, err := edition.From(ctx)
	if err != nil {
		return nil, err
	}
	dead, err := undelivered(ctx, d)
	if err != nil {
		return nil, err
	}
	var documents []Document
	err = d.Run(ctx, func(ctx context.Context, tx db.Tx) (err error) {
		documents, err = selectNamed(ctx, tx, slices.Collect(maps.Keys(dead)), numbers)
		return err
	})
	if err != nil {
		return nil, err
	}
	for _, n := range numbers {
		if !slices.ContainsFunc(documents, func(d Document) bool { return d.Number == n }) {
			return nil, fmt.Errorf("billing: there is no document %s", n)
		}
	}
	var ids []int64
	for i := range documents {
		one := &documents[i]
		r := Redrawn{Number: one.Number, ID: one.ID, Err: one.Draw(ed)}
		if job, given := dead[one.ID]; given && r.Err == nil {
			r.Mails, ids = true, append(ids, job)
		}
		list = append(list, r)
	}
	if !dry && len(ids) > 0 {
		_, err = jobs.Requeue(ctx, d, ids...)
	}
	return list, err
}

// undelivered are the jobs that have given up a document's email, by the document.
func undelivered(ctx context.Context, d *db.DB) (map[int64]int64, error) {
	rows, err := jobs.DeadOf(ctx, d, string(event.DocumentIssued))
	of := map[int64]int64{}
	for _, r := range rows {
		var e event.Document
		if json.Unmarshal(r.Payload, &e) == nil { // what cannot be read is in `broadsheet jobs list --dead`
			of[e.DocumentID] = r.ID
		}
	}
	return of, err
}

// looked is what a look at the documents of an edition has found.
type looked struct {
	at      time.Time
	numbers []string
}

// lookAgain is when a look at documents is too old for the page of operators.
const lookAgain = time.Minute

// CheckDocuments looks which documents fail, and remembers it for Failing.
func (s *Service) CheckDocuments(ctx context.Context) error {
	ed, err := edition.From(ctx)
	if err != nil {
		return err
	}
	list, err := FindFailing(ctx, s.db)
	if err == nil {
		s.failing.Store(ed.ID, looked{s.db.Now(), list})
	}
	return err
}

// FailingNow returns the numbers of the documents of the edition of ctx that fail. It looks again if the last look of
// this process is older than a minute.
func (s *Service) FailingNow(ctx context.Context) ([]string, error) {
	ed, err := edition.From(ctx)
	if err != nil {
		return nil, err
	}
	last, known := s.failing.Load(ed.ID)
	if !known || s.db.Now().Sub(last.(looked).at) > lookAgain {
		err = s.CheckDocuments(ctx)
	}
	return s.Failing()[ed.ID], err
}

// Failing are the numbers of the documents that fail, by edition, as far as this process has looked.
func (s *Service) Failing() map[string][]string {
	all := map[string][]string{}
	s.failing.Range(func(id, last any) bool {
		all[id.(string)] = last.(looked).numbers
		return true
	})
	return all
}

// FindFailing returns the numbers of the documents of this year and the last one that are damaged, and of all of which
// the email was given up.
func FindFailing(ctx context.Context, d *db.DB) (numbers []string, err error) {
	ed, err := edition.From(ctx)
	if err != nil {
		return nil, err
	}
	year := d.Now().In(ed.Location).Year() - 1
	list, err := FindDamaged(ctx, d, time.Date(year, 1, 1, 0, 0, 0, 0, ed.Location))
	if err != nil {
		return nil, err
	}
	dead, err := undelivered(ctx, d)
	if err != nil {
		return nil, err
	}
	err = d.Run(ctx, func(ctx context.Context, tx db.Tx) error {
		unsent, err := selectNamed(ctx, tx, slices.Collect(maps.Keys(dead)), nil)
		list = append(list, unsent...)
		return err
	})
	for _, d := range list {
		numbers = append(numbers, d.Number)
	}
	slices.Sort(numbers)
	return slices.Compact(numbers), err
}

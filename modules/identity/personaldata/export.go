package personaldata

import (
	"bytes"
	"context"
	"fmt"
	"time"

	"example.org/broadsheet/modules/identity/reader"
	"example.org/broadsheet/modules/identity/sessions"
	"example.org/broadsheet/platform/db"
	"example.org/broadsheet/platform/limit"
	"example.org/broadsheet/platform/paper/edition"
	"example.org/broadsheet/platform/privacy"
	"example.org/broadsheet/platform/session"
	"example.org/broadsheet/platform/web"
)

// ExportsADay bounds how often a reader may export.
var ExportsADay = limit.Budget{Name: "identity.export", Max: 10, Window: 24 * time.Hour}

// OwnExport is all that is kept of the session's reader, as a zip with JSON and CSV. sessions.ErrLoginTooOld where the
// login is older than a day.
func (p *Service) OwnExport(ctx context.Context) (name string, zip []byte, err error) {
	s, ok := session.From(ctx)
	if !ok {
		return "", nil, web.ErrNotSignedIn
	}
	fresh, within := false, true
	err = p.db.InTx(ctx, func(ctx context.Context, tx db.Tx) error {
		var err error
		if fresh, err = sessions.IsFresh(ctx, tx, s.ID); err != nil || !fresh {
			return err
		}
		within, err = limit.Spend(ctx, tx, ExportsADay, reader.Key(s.ReaderID))
		return err
	})
	switch {
	case err != nil:
		return "", nil, err
	case !fresh:
		return "", nil, sessions.ErrLoginTooOld
	case !within:
		return "", nil, web.ErrTooMany
	}
	p.log.InfoContext(ctx, "personal data exported", "security", true, "reader", s.ReaderID)
	return p.ExportOf(ctx, s.ReaderID)
}

// ExportOf is the export of any reader, for whoever answers for them.
func (p *Service) ExportOf(ctx context.Context, readerID int64) (name string, zip []byte, err error) {
	ed, err := edition.From(ctx)
	if err != nil {
		return "", nil, err
	}
	r, err := reader.Load(ctx, p.db, readerID)
	if err != nil {
		return "", nil, err
	}
	var former []formerAddress
	err = p.db.Run(ctx, func(ctx context.Context, tx db.Tx) (err error) {
		former, err = listFormerAddresses(ctx, tx, r.ID, r.Email)
		return err
	})
	if err != nil {
		return "", nil, err
	}
	var all []privacy.Table
	for _, part := range p.dataHolders() {
		tables, err := part.Export(ctx, privacy.Reader{ID: r.ID, Email: r.Email})
		if err != nil {
			return "", nil, fmt.Errorf("%s: %w", part.Name, err)
		}
		before, err := p.exportFormer(ctx, part, former, r.ID)
		if err != nil {
			return "", nil, fmt.Errorf("%s: %w", part.Name, err)
		}
		all = append(all, privacy.Merge(tables, before)...)
	}
	now := p.db.Now()
	var b bytes.Buffer
	if err := privacy.Archive(&b, ed.ID, now, all); err != nil {
		return "", nil, err
	}
	return ed.ID + "-" + now.In(ed.Location).Format(time.DateOnly) + ".zip", b.Bytes(), nil
}

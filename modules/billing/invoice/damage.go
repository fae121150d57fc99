package invoice

import (
	"context"
	"errors"
	"fmt"
	"io"
	"time"

	"example.org/broadsheet/platform/db"
	"example.org/broadsheet/platform/paper/edition"
)

// ErrDamaged is a document whose row is not as it was issued: it cannot be read or drawn, and no repetition mends it.
var ErrDamaged = errors.New("billing: the document is damaged")

func damaged(format string, args ...any) error {
	return fmt.Errorf("%w: %s", ErrDamaged, fmt.Sprintf(format, args...))
}

// Check returns ErrDamaged if the document lacks what every document has, or if its sums do not add up.
func (d *Document) Check() error {
	_, err := time.Parse(time.DateOnly, d.Issued)
	switch {
	case d.Damage != nil:
		return d.Damage
	case err != nil:
		return damaged("its day is %q", d.Issued)
	case KindWords[d.Kind] == "":
		return damaged("its kind is %q", d.Kind)
	case len(d.Lines) == 0 || len(d.Taxes) == 0:
		return damaged("it has no lines")
	case d.Kind == CreditNote && d.Refers == nil:
		return damaged("it refers to no invoice")
	}
	var net, vat int64
	for _, t := range d.Taxes {
		net, vat = net+t.Net, vat+t.VAT
	}
	if net != d.Net || vat != d.VAT || net+vat+d.Rounding != d.Total {
		return damaged("its sums do not add up: %d + %d + %d is not %d", net, vat, d.Rounding, d.Total)
	}
	return nil
}

// recoverDamage makes a panic an ErrDamaged: a document that nobody foresaw is named, and stops nothing else.
func recoverDamage(err *error) {
	if p := recover(); p != nil {
		*err = damaged("%v", p)
	}
}

// Draw draws the document as PDF and as XML, for nobody. It returns an error if one of them cannot be drawn.
func (d *Document) Draw(ed *edition.Edition) error {
	return errors.Join(d.WritePDF(io.Discard, ed), d.WriteUBL(io.Discard))
}

// FindDamaged returns the documents issued since an instant that are damaged.
func FindDamaged(ctx context.Context, d *db.DB, since time.Time) (list []Document, err error) {
	err = eachDocument(ctx, d, since, d.Now(), func(one *Document) error {
		err := one.WriteUBL(io.Discard) // which is a hundred times as quick as a PDF, and needs nearly as much
		if errors.Is(err, ErrDamaged) {
			one.Damage = err
			list, err = append(list, *one), nil
		}
		return err
	})
	return list, err
}

// eachDocument calls fn with the documents that were issued in a time, damaged ones too, in the order of their ids.
func eachDocument(ctx context.Context, d *db.DB, from, until time.Time, fn func(*Document) error) error {
	for after, more := int64(0), true; more; {
		var list []Document
		err := d.Run(ctx, func(ctx context.Context, tx db.Tx) (err error) {
			list, err = SelectAll(ctx, tx, "d.issued_at >= ? AND d.issued_at < ? AND d.id > ? ORDER BY d.id LIMIT ?", from,
				until, after, BooksBatch)
			return err
		})
		if err != nil {
			return err
		}
		for i := range list {
			if err := fn(&list[i]); err != nil {
				return err
			}
			after = list[i].ID
		}
		more = len(list) == BooksBatch
	}
	return nil
}

package identity

import (
	"context"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"example.org/broadsheet/modules/identity/emailaddr"
	"example.org/broadsheet/platform/db"
	"example.org/broadsheet/platform/fault"
)

// ErrMigration is a first login that could not make an account of the former site one of this. Nothing of it is done,
// so the same code or link may be tried again.
var ErrMigration = fault.New(fault.Conflict, "MIGRATION_FAILED")

// Wordpress is the type of an account of the former site.
const Wordpress = "wordpress"

// Legacy is an account of the former site.
type Legacy struct {
	Line        int
	Email       string
	CommentName string // "" where it had none that can be used here
	Registered  time.Time
}

// Imported says what happened to accounts of the former site.
type Imported struct {
	Created int
	Known   int // an account of that address is here already, and stays as it is
	Left    int // the address asked to be forgotten
	Named   int // of the created ones, those that kept their name for discussions
}

// legacyColumns are the names by which WordPress and its exporters call what is needed.
var legacyColumns = map[string]string{
	"user_email": "email", "email": "email", "display_name": "name", "comment_name": "name",
	"user_registered": "registered", "registered": "registered", "type": "type",
}

// legacyTimes are the ways in which the former site writes a time, which is UTC.
var legacyTimes = []string{time.DateTime, time.RFC3339, time.DateOnly}

const mostLegacyErrors = 20

// ParseLegacy reads a list of accounts: CSV with a line of names, as `wp user list --format=csv` writes it. The address
// must be there; name, time of registration and type (wordpress, or nothing) may. An error names the lines; then none
// is usable.
func ParseLegacy(in io.Reader) ([]Legacy, error) {
	r := csv.NewReader(in)
	r.ReuseRecord = true
	head, err := r.Read()
	if err != nil {
		return nil, fmt.Errorf("the first line names the columns: %w", err)
	}
	at := map[string]int{}
	for i, name := range head {
		if c, ok := legacyColumns[strings.ToLower(strings.TrimSpace(strings.TrimPrefix(name, "\uFEFF")))]; ok {
			if _, twice := at[c]; twice {
				return nil, fmt.Errorf("two columns tell the %s", c)
			}
			at[c] = i
		}
	}
	if _, ok := at["email"]; !ok {
		return nil, errors.New("no column is called user_email or email")
	}
	var list []Legacy
	var wrong []error
	for len(wrong) < mostLegacyErrors {
		row, err := r.Read()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return nil, errors.Join(append(wrong, err)...)
		}
		line, _ := r.FieldPos(0)
		l, err := parseLegacy(row, at)
		if err != nil {
			wrong = append(wrong, fmt.Errorf("line %d: %w", line, err))
			continue
		}
		l.Line = line
		list = append(list, l)
	}
	return list, errors.Join(wrong...)
}

func parseLegacy(row []string, at map[string]int) (l Legacy, err error) {
	cell := func(name string) string {
		if i, ok := at[name]; ok {
			return strings.TrimSpace(row[i])
		}
		return ""
	}
	if l.Email, err = emailaddr.Parse(cell("email")); err != nil {
		return l, fmt.Errorf("%q is no address", cell("email"))
	}
	if t := cell("type"); t != "" && t != Wordpress {
		return l, fmt.Errorf("the type is %q, not %s", t, Wordpress)
	}
	if name, err := ParseCommentName(cell("name")); err == nil {
		l.CommentName = name
	}
	text := cell("registered")
	if text == "" {
		return l, nil
	}
	for _, layout := range legacyTimes {
		if l.Registered, err = time.Parse(layout, text); err == nil {
			return l, nil
		}
	}
	return l, fmt.Errorf("%q is no time", text)
}

// Take makes accounts of a former site readers of this one. It may be repeated: who is here already stays as they are,
// and who has left does not come back. Names that somebody has are not taken along. A dry run changes nothing.
func (m *Module) Take(ctx context.Context, list []Legacy, dry bool) (done Imported, err error) {
	err = m.db.InTx(ctx, func(ctx context.Context, tx db.Tx) error {
		for _, l := range list {
			if err := m.takeOne(ctx, tx, l, &done); err != nil {
				return fmt.Errorf("line %d: %w", l.Line, err)
			}
		}
		if dry {
			return errDry
		}
		return nil
	})
	if errors.Is(err, errDry) {
		err = nil
	}
	return done, err
}

// errDry takes back what a dry run has done.
var errDry = errors.New("identity: a dry run")

func (m *Module) takeOne(ctx context.Context, tx db.Tx, l Legacy, done *Imported) error {
	left, err := hasTombstone(ctx, tx, m.secrets.Tombstone(tx.Edition.ID, l.Email))
	if err != nil {
		return err
	}
	if left {
		done.Left++
		return nil
	}
	id, err := insertLegacy(ctx, tx, l)
	if err != nil {
		return err
	}
	if id == 0 {
		done.Known++
		return nil
	}
	done.Created++
	if l.CommentName == "" {
		return nil
	}
	named, err := takeCommentName(ctx, tx, id, l.CommentName, commentNameKey(l.CommentName))
	if named {
		done.Named++
	}
	return err
}

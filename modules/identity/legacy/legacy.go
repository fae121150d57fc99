// Package legacy takes over the accounts of the site before this one: a list of them is read (Parse) and made readers
// of this one (Import). Whoever logs in for the first time afterwards enters such an account.
//
// Of modules/identity it imports commentname, emailaddr and secret.
package legacy

import (
	"context"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"example.org/broadsheet/modules/identity/commentname"
	"example.org/broadsheet/modules/identity/emailaddr"
	"example.org/broadsheet/modules/identity/secret"
	"example.org/broadsheet/platform/db"
	"example.org/broadsheet/platform/fault"
)

// ErrMigration is a first login that could not make an account of the legacy site one of this. Nothing of it is done,
// so the same code or link may be tried again.
var ErrMigration = fault.New(fault.Conflict, "MIGRATION_FAILED")

// Type is the type of an account of the legacy site.
const Type = "wordpress"

// Account is an account of the legacy site.
type Account struct {
	Line        int
	Email       string
	CommentName string // "" where it had none that can be used here
	Registered  time.Time
}

// Result says what happened to accounts of the legacy site.
type Result struct {
	Created int
	Known   int // an account of that address is here already, and stays as it is
	Left    int // the address asked to be forgotten
	Named   int // of the created ones, those that kept their name for discussions
}

// columns are the names by which WordPress and its exporters call what is needed.
var columns = map[string]string{
	"user_email": "email", "email": "email", "display_name": "name", "comment_name": "name",
	"user_registered": "registered", "registered": "registered", "type": "type",
}

// timeLayouts are the ways in which the legacy site writes a time, which is UTC.
var timeLayouts = []string{time.DateTime, time.RFC3339, time.DateOnly}

const maxErrors = 20

// Parse reads a list of accounts: CSV with a line of names, as `wp user list --format=csv` writes it. The address
// must be there; name, time of registration and type (wordpress, or nothing) may. An error names the lines; then none
// is usable.
func Parse(in io.Reader) ([]Account, error) {
	r := csv.NewReader(in)
	r.ReuseRecord = true
	head, err := r.Read()
	if err != nil {
		return nil, fmt.Errorf("the first line names the columns: %w", err)
	}
	at := map[string]int{}
	for i, name := range head {
		if c, ok := columns[strings.ToLower(strings.TrimSpace(strings.TrimPrefix(name, "\uFEFF")))]; ok {
			if _, twice := at[c]; twice {
				return nil, fmt.Errorf("two columns tell the %s", c)
			}
			at[c] = i
		}
	}
	if _, ok := at["email"]; !ok {
		return nil, errors.New("no column is called user_email or email")
	}
	var list []Account
	var wrong []error
	for len(wrong) < maxErrors {
		row, err := r.Read()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return nil, errors.Join(append(wrong, err)...)
		}
		line, _ := r.FieldPos(0)
		l, err := parseRow(row, at)
		if err != nil {
			wrong = append(wrong, fmt.Errorf("line %d: %w", line, err))
			continue
		}
		l.Line = line
		list = append(list, l)
	}
	return list, errors.Join(wrong...)
}

func parseRow(row []string, at map[string]int) (l Account, err error) {
	cell := func(name string) string {
		if i, ok := at[name]; ok {
			return strings.TrimSpace(row[i])
		}
		return ""
	}
	if l.Email, err = emailaddr.Parse(cell("email")); err != nil {
		return l, fmt.Errorf("%q is no address", cell("email"))
	}
	if t := cell("type"); t != "" && t != Type {
		return l, fmt.Errorf("the type is %q, not %s", t, Type)
	}
	if name, err := commentname.Parse(cell("name")); err == nil {
		l.CommentName = name
	}
	text := cell("registered")
	if text == "" {
		return l, nil
	}
	for _, layout := range timeLayouts {
		if l.Registered, err = time.Parse(layout, text); err == nil {
			return l, nil
		}
	}
	return l, fmt.Errorf("%q is no time", text)
}

// Import makes accounts of the legacy site readers of this one. It may be repeated: who is here already stays as they
// are, and who has left does not come back. Names that somebody has are not taken along. A dry run changes nothing.
func Import(ctx context.Context, d *db.DB, key secret.Key, list []Account, dry bool) (done Result, err error) {
	run := d.InTx
	if dry {
		run = d.DryRun
	}
	err = run(ctx, func(ctx context.Context, tx db.Tx) error {
		for _, a := range list {
			if err := importOne(ctx, tx, key, a, &done); err != nil {
				return fmt.Errorf("line %d: %w", a.Line, err)
			}
		}
		return nil
	})
	return done, err
}

func importOne(ctx context.Context, tx db.Tx, key secret.Key, l Account, done *Result) error {
	left, err := hasTombstone(ctx, tx, key.Tombstone(tx.Edition.ID, l.Email))
	if err != nil {
		return err
	}
	if left {
		done.Left++
		return nil
	}
	id, err := insertAccount(ctx, tx, l)
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
	named, err := commentname.TakeFree(ctx, tx, id, l.CommentName, commentname.Key(l.CommentName))
	if named {
		done.Named++
	}
	return err
}

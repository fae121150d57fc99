// Package commentname is the names of readers in discussions: what a name may be (this file), when two look alike, and
// which are reserved for the people of the newspaper (look.go).
//
// Of modules/identity it imports emailaddr and reader. Begin with Names.Set.
package commentname

import (
	"context"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"example.org/broadsheet/modules/identity/emailaddr"
	"example.org/broadsheet/modules/identity/reader"
	"example.org/broadsheet/platform/db"
	"example.org/broadsheet/platform/fault"
	"example.org/broadsheet/platform/limit"
	"example.org/broadsheet/platform/typed"
	"example.org/broadsheet/platform/web"
)

// What a discussion name can be answered.
var (
	ErrExists  = fault.New(fault.Conflict, "COMMENT_NAME_EXISTS")
	ErrInvalid = fault.New(fault.Invalid, "INVALID_COMMENT_NAME")
)

// Bounds of a discussion name, in letters.
const (
	minLength = 2
	maxLength = 30
)

// triesADay bounds how often a reader may try names: what is taken is told, and shall not be listed.
var triesADay = limit.Budget{Name: "identity.comment_name", Max: 20, Window: 24 * time.Hour}

// Names are the names of all editions' readers.
type Names struct{ db *db.DB }

// New makes the names.
func New(d *db.DB) *Names { return &Names{db: d} }

// Parse reads a discussion name: Latin letters, digits and periods, 2 to 30 of them, with at least one
// letter. Other alphabets, and Latin letters that no language around here has, look like ours and would let one reader
// pass for another.
func Parse(s string) (string, error) {
	s, err := typed.Line(s, maxLength)
	if err != nil || utf8.RuneCountInString(s) < minLength {
		return "", ErrInvalid.On("comment_name")
	}
	letters := 0
	for _, r := range s {
		switch {
		case unicode.Is(emailaddr.Latin, unicode.ToLower(r)):
			letters++
		case (r < '0' || r > '9') && r != '.':
			return "", ErrInvalid.On("comment_name")
		}
	}
	if letters == 0 {
		return "", ErrInvalid.On("comment_name")
	}
	return s, nil
}

// Set gives a reader a discussion name, or another one. ErrExists if somebody else has it, or one
// that looks alike, or if it passes for the paper's own and the reader is no moderator.
func (n *Names) Set(ctx context.Context, readerID int64, name string) error {
	if strings.TrimSpace(name) == "" {
		return web.ErrRequirement.On("comment_name")
	}
	name, err := Parse(name)
	if err != nil {
		return err
	}
	within, reserved := false, false
	err = n.db.InTx(ctx, func(ctx context.Context, tx db.Tx) (err error) {
		if within, err = limit.Spend(ctx, tx, triesADay, reader.Key(readerID)); err != nil {
			return err
		}
		if reserved = isReserved(tx.Edition, name); reserved {
			moderates, err := reader.HasRole(ctx, tx, readerID, reader.Moderator)
			reserved = !moderates
			return err
		}
		return nil
	})
	if err != nil {
		return err
	}
	if !within {
		return web.ErrTooMany
	}
	if reserved {
		return ErrExists.On("comment_name")
	}
	found := false
	err = n.db.Run(ctx, func(ctx context.Context, tx db.Tx) (err error) {
		found, err = putName(ctx, tx, readerID, name, Key(name))
		return err
	})
	if err == nil && !found {
		return web.ErrNotSignedIn
	}
	return err
}

// List returns the discussion names of readers, by id; who has none is not among them.
func (n *Names) List(ctx context.Context, readerIDs []int64) (names map[int64]string, err error) {
	if len(readerIDs) == 0 {
		return map[int64]string{}, nil
	}
	err = n.db.Run(ctx, func(ctx context.Context, tx db.Tx) (err error) {
		names, err = listNames(ctx, tx, readerIDs)
		return err
	})
	return names, err
}

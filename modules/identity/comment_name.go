package identity

import (
	"context"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"example.org/broadsheet/modules/identity/emailaddr"
	"example.org/broadsheet/modules/identity/reader"
	"example.org/broadsheet/platform/db"
	"example.org/broadsheet/platform/fault"
	"example.org/broadsheet/platform/limit"
	"example.org/broadsheet/platform/web"
)

// What a discussion name can be answered.
var (
	ErrCommentNameExists  = fault.New(fault.Conflict, "COMMENT_NAME_EXISTS")
	ErrInvalidCommentName = fault.New(fault.Invalid, "INVALID_COMMENT_NAME")
)

// Bounds of a discussion name, in letters.
const (
	shortestCommentName = 2
	longestCommentName  = 30
)

// commentNamesADay bounds how often a reader may try names: what is taken is told, and shall not be listed.
var commentNamesADay = limit.Budget{Name: "identity.comment_name", Max: 20, Window: 24 * time.Hour}

// ParseCommentName reads a discussion name: Latin letters, digits and periods, 2 to 30 of them, with at least one
// letter. Other alphabets, and Latin letters that no language around here has, look like ours and would let one reader
// pass for another.
func ParseCommentName(s string) (string, error) {
	s = norm.NFC.String(strings.TrimSpace(s))
	n := utf8.RuneCountInString(s)
	if !utf8.ValidString(s) || n < shortestCommentName || n > longestCommentName {
		return "", ErrInvalidCommentName.On("comment_name")
	}
	letters := 0
	for _, r := range s {
		switch {
		case unicode.Is(emailaddr.Latin, unicode.ToLower(r)):
			letters++
		case (r < '0' || r > '9') && r != '.':
			return "", ErrInvalidCommentName.On("comment_name")
		}
	}
	if letters == 0 {
		return "", ErrInvalidCommentName.On("comment_name")
	}
	return s, nil
}

// SetCommentName gives a reader a discussion name, or another one. ErrCommentNameExists if somebody else has it, or one
// that looks alike, or if it passes for the paper's own and the reader is no moderator.
func (m *Module) SetCommentName(ctx context.Context, readerID int64, name string) error {
	if strings.TrimSpace(name) == "" {
		return web.ErrRequirement.On("comment_name")
	}
	name, err := ParseCommentName(name)
	if err != nil {
		return err
	}
	within, reserved := false, false
	err = m.db.InTx(ctx, func(ctx context.Context, tx db.Tx) (err error) {
		if within, err = limit.Spend(ctx, tx, commentNamesADay, reader.Key(readerID)); err != nil {
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
		return ErrCommentNameExists.On("comment_name")
	}
	found := false
	err = m.db.Run(ctx, func(ctx context.Context, tx db.Tx) (err error) {
		found, err = putCommentName(ctx, tx, readerID, name, commentNameKey(name))
		return err
	})
	if err == nil && !found {
		return web.ErrNotSignedIn
	}
	return err
}

// CommentNames are the discussion names of readers, by id; who has none is not among them.
func (m *Module) CommentNames(ctx context.Context, readerIDs []int64) (names map[int64]string, err error) {
	if len(readerIDs) == 0 {
		return map[int64]string{}, nil
	}
	err = m.db.Run(ctx, func(ctx context.Context, tx db.Tx) (err error) {
		names, err = listCommentNames(ctx, tx, readerIDs)
		return err
	})
	return names, err
}

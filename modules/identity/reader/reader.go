// Package reader is the row of a reader: the address, the name in discussions, the role. Every room of identity that
// needs one reads it here, in the transaction that it is in.
//
// It imports platform alone. Begin with Find in store.go.
package reader

import (
	"strconv"

	"example.org/broadsheet/platform/fault"
)

// Moderator is the role of a reader who looks after discussions.
const Moderator = "moderator"

// ErrUserNotExists is an address without an account.
var ErrUserNotExists = fault.New(fault.Invalid, "USER_NOT_EXISTS")

// Reader is one row of readers.
type Reader struct {
	ID          int64
	Email       string
	CommentName string
	Type        string
	Lang        string
	Created     bool // by this statement
	FirstLogin  bool // this is the first
}

// Key is a reader's id as notices, limits and emails carry it.
func Key(id int64) string { return strconv.FormatInt(id, 10) }

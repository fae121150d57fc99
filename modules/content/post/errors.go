package post

import "example.org/broadsheet/platform/fault"

// ErrInvalid is a post, author, category or picture that cannot be saved; the field says why.
var ErrInvalid = fault.New(fault.Invalid, "INVALID_POST")

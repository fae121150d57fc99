package page

import "context"

// Part is a section of a reader's profile, filled by the module that keeps what it shows. The data of the page has what
// Load returns under Name; a nil is left out.
type Part struct {
	Name string
	Load func(ctx context.Context, readerID int64) (any, error)
}

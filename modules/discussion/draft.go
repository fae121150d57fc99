package discussion

import (
	"context"
	"unicode/utf8"

	"example.org/broadsheet/platform/db"
)

// maxDraft is more than a comment may have, so that what is too long comes back whole to be shortened.
const maxDraft = 5 * maxText

// keepDraft keeps what a plain form was refused with, for the page that shows the form again; what was taken is kept no
// longer. A script keeps it in the page.
func (m *Module) keepDraft(ctx context.Context, in Comment, refused error) error {
	if refused == nil {
		in.Text = ""
	} else if !utf8.ValidString(in.Text) || utf8.RuneCountInString(in.Text) > maxDraft || in.Text == "" {
		return nil
	}
	return m.db.Run(ctx, func(ctx context.Context, tx db.Tx) error { return putDraft(ctx, tx, in) })
}

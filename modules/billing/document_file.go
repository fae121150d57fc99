package billing

import (
	"context"
	"io"

	"example.org/broadsheet/modules/billing/links"
	"example.org/broadsheet/platform/paper/edition"
	"example.org/broadsheet/platform/web"
)

// documentRequest names a document for its reader, or for whom its key was mailed.
type documentRequest struct {
	reader       int64
	address, key string
}

// documentFile writes a document as PDF or XML, and returns the name of the file.
func (m *Module) documentFile(ctx context.Context, w documentRequest, kind string,
	to io.Writer,
) (name string, err error) {
	ed, err := edition.From(ctx)
	if err != nil {
		return "", err
	}
	d, err := m.Invoices.Own(ctx, w.reader, w.address)
	if err == nil && w.key != "" && m.links.Open(ed, links.Document, w.key) != d.ID {
		err = web.ErrNotFound
	}
	if err != nil {
		return "", err
	}
	if kind == "pdf" {
		err = d.WritePDF(to, ed)
	} else {
		err = d.WriteUBL(to)
	}
	return d.Number + "." + kind, err
}

package command

import (
	"context"
	"log/slog"

	"github.com/spf13/cobra"

	"example.org/broadsheet/cmd/broadsheet/app"
	"example.org/broadsheet/modules/content"
	"example.org/broadsheet/platform/db"
	"example.org/broadsheet/platform/media"
)

// contentTools are the parts of commands that write content without serving it.
type contentTools struct {
	ctx     context.Context //nolint:containedctx // carries the edition that the command works on
	db      *db.DB
	content *content.Module
	images  *media.Images
	stop    func()
}

func (f *flags) contentTools(cmd *cobra.Command, editionID string) (*contentTools, error) {
	cfg, err := f.load()
	if err != nil {
		return nil, err
	}
	d, r, stop, err := f.openRegistry(cmd)
	if err != nil {
		return nil, err
	}
	ctx, _, err := selectEdition(cmd.Context(), r, editionID)
	if err != nil {
		stop()
		return nil, err
	}
	store, err := app.OpenMedia(cmd.Context(), cfg, nil)
	if err != nil {
		stop()
		return nil, err
	}
	return &contentTools{
		ctx: ctx, db: d, content: app.NewContent(d),
		images: media.NewImages(store, slog.Default()),
		stop: func() {
			_ = store.Close()
			stop()
		},
	}, nil
}

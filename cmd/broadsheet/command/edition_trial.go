package command

import (
	"context"
	"fmt"
	"io/fs"
	"log/slog"

	"example.org/broadsheet/cmd/broadsheet/app"
	"example.org/broadsheet/modules/content/sample"
	"example.org/broadsheet/platform/db"
	"example.org/broadsheet/platform/media"
	"example.org/broadsheet/platform/paper/edition"
	"example.org/broadsheet/tenants"
)

// trial is what happens to a new edition before readers get it.
type trial struct {
	smoke func(context.Context, *db.DB, *edition.Edition) error
	fill  func(ctx context.Context, d *db.DB, sampleID string) error // ctx speaks for the edition
}

func (f *flags) smokeTest(ctx context.Context, d *db.DB, ed *edition.Edition) error {
	cfg, err := f.load()
	if err == nil {
		err = cfg.EnsureSecret(cfg.Data.Dir)
	}
	if err != nil {
		return err
	}
	// The smoke test starts a whole program. Its log is discarded, because an error says all that matters.
	log := slog.Default()
	slog.SetDefault(slog.New(slog.DiscardHandler))
	defer slog.SetDefault(log)
	return app.SmokeTest(ctx, cfg, d, ed)
}

// fillSample writes the sample content of one edition into that of ctx.
func (f *flags) fillSample(ctx context.Context, d *db.DB, sampleID string) error {
	cfg, err := f.load()
	if err != nil {
		return err
	}
	store, err := app.OpenMedia(ctx, cfg, nil)
	if err != nil {
		return err
	}
	defer store.Close() //nolint:errcheck // what was written is there
	folder, err := fs.Sub(tenants.FS, "sample")
	if err != nil {
		return err
	}
	l, err := sample.Read(folder, sampleID)
	if err != nil {
		return fmt.Errorf("sample content of %s: %w", sampleID, err)
	}
	s := sample.Seeder{Posts: app.NewContent(d), Images: media.NewImages(store, slog.Default()), Now: d.Now}
	_, err = s.Fill(ctx, l)
	return err
}

package app

import (
	"fmt"
	"io/fs"
	"log/slog"

	"example.org/broadsheet/frontend"
	"example.org/broadsheet/platform/config"
	"example.org/broadsheet/platform/pages"
	"example.org/broadsheet/platform/paper/brand"
	"example.org/broadsheet/platform/paper/edition"
	"example.org/broadsheet/platform/render"
)

// openFrontend loads what was built into the binary: the server's bundle, the browser's files, and what icons are drawn
// with.
func openFrontend(bounds config.Render) (*render.Renderer, *pages.Assets, *brand.Kit, error) {
	client, err := fs.Sub(frontend.Dist, "dist/client")
	if err != nil {
		return nil, nil, nil, err
	}
	assets, err := pages.NewAssets(client)
	if err != nil {
		return nil, nil, nil, err
	}
	drawing, err := fs.Sub(frontend.Dist, "dist/brand")
	if err != nil {
		return nil, nil, nil, err
	}
	kit, err := brand.New(drawing)
	if err != nil {
		return nil, nil, nil, fmt.Errorf("%w: %w", pages.ErrNotBuilt, err)
	}
	var scripts []render.Script
	for _, name := range []string{"prelude.js", "server.js"} {
		b, err := fs.ReadFile(frontend.Dist, "dist/server/"+name)
		if err != nil {
			return nil, nil, nil, fmt.Errorf("%w: %w", pages.ErrNotBuilt, err)
		}
		scripts = append(scripts, render.Script{Name: name, Source: string(b)})
	}
	r, err := render.New(render.Config{
		Scripts: scripts, Size: bounds.Runtimes, Timeout: bounds.Timeout, MemoryLimit: uintptr(max(0, bounds.MemoryMB)) << 20,
		Log: slog.Default(),
	})
	if err != nil {
		return nil, nil, nil, fmt.Errorf("the frontend's server bundle does not run: %w", err)
	}
	return r, assets, kit, nil
}

// onEditionsChanged keeps renderer, cache and categories in step with the registry.
func (a *App) onEditionsChanged(c edition.Change) {
	for _, ed := range append(c.Added, c.Changed...) {
		if err := a.renderer.SetEdition(ed.ID, ed.Public); err != nil {
			slog.Error("the renderer refuses the edition; its pages are rendered in the browser", "edition", ed.ID, "error", err)
		}
		// Every process does it and one is enough: what is there already is left alone.
		if err := a.content.SyncCategories(edition.With(a.ctx, ed)); err != nil {
			slog.Error("the edition's categories", "edition", ed.ID, "error", err)
		}
		a.cache.PurgeEdition(ed.ID)
	}
	for _, ed := range c.Removed {
		a.renderer.RemoveEdition(ed.ID)
		a.cache.PurgeEdition(ed.ID)
	}
}

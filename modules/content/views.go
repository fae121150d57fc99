package content

import (
	"context"
	"sync"

	"example.org/broadsheet/platform/edition"
)

type viewBuffer struct {
	mu     sync.Mutex
	counts map[string]*editionViews
}

type editionViews struct {
	ed    *edition.Edition
	posts map[int64]int64
}

func (m *Module) pruneViews(ctx context.Context) error { return nil }

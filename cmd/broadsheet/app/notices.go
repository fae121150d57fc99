package app

import (
	"strconv"
	"strings"

	"example.org/broadsheet/platform/notify"
)

// subscribeNotifications wires the notices of other processes, and of this one, to the copies held here.
func (a *App) subscribeNotifications() {
	a.hub.Follow(a.ctx, a.registry)
	a.hub.On(notify.Content, func(m notify.Message) {
		a.content.Changed(m.Edition, m.Keys...)
		defer a.Discussion.Changed(m.Edition, m.Keys...) // when the copies are gone
		if len(m.Keys) == 0 {
			a.cache.PurgeEdition(m.Edition)
			return
		}
		var stale, gone []string
		for _, k := range m.Keys {
			if tag, ok := strings.CutPrefix(k, "purge:"); ok {
				gone = append(gone, tag)
				continue
			}
			stale = append(stale, k)
		}
		a.cache.Invalidate(m.Edition, stale...)
		a.cache.Purge(m.Edition, gone...)
	})
	a.hub.On(notify.Reader, func(m notify.Message) {
		var ids []int64
		for _, k := range m.Keys {
			if id, err := strconv.ParseInt(k, 10, 64); err == nil {
				ids = append(ids, id)
			}
		}
		if len(ids) == 0 {
			a.Identity.Sessions.ForgetAll()
			a.Billing.Access.ForgetEdition(m.Edition)
			return
		}
		a.Identity.Sessions.Forget(m.Keys...)
		a.Billing.Access.Forget(m.Edition, ids...)
	})
	a.hub.On(notify.Outbox, func(m notify.Message) { a.worker.Look(m.Edition) })
	a.hub.OnReset(func() {
		a.dropCopies()
		a.worker.Look("")
	})
}

// dropCopies drops every copy: notices may have been missed, or the time has moved.
func (a *App) dropCopies() {
	a.Identity.Sessions.ForgetAll()
	a.Billing.Access.ForgetAll()
	for _, ed := range a.registry.All() {
		a.cache.PurgeEdition(ed.ID)
	}
}

package app

import (
	"regexp"
	"strconv"
	"syscall"
	"testing"
	"time"

	"example.org/broadsheet/modules/content"
	"example.org/broadsheet/platform/testkit/wait"
)

var runLine = regexp.MustCompile(`(?m)^broadsheet_tick_runs_total\{tick="([a-z._]+)"\} (\d+)$`)

// runs is how often a worker has begun each periodic job, over all editions.
func (m *member) runs() map[string]int {
	_, body := fetch(m.admin, "/metrics", "")
	all := map[string]int{}
	for _, match := range runLine.FindAllStringSubmatch(body, -1) {
		all[match[1]], _ = strconv.Atoi(match[2])
	}
	return all
}

// fired reports whether a worker has run every periodic job in every edition.
func (s *several) fired(m *member) bool {
	all := m.runs()
	for _, n := range all {
		if n < len(s.app.registry.All()) {
			return false
		}
	}
	return len(all) > 0
}

// soon is the periodic job that comes back first.
const soon = "newsletter.issues"

// hourly are some of those that do not come back while a test runs.
var hourly = []string{
	"retention", "identity.erasures", "discussion.recount", "billing.reconcile", "billing.overdue", "billing.series",
}

// expectOnce looks that a worker has run each job once in each edition, and the idle one none.
func (s *several) expectOnce(t *testing.T, leader, idle *member) {
	t.Helper()
	wait.Until(t, "all periodic work was run", func() bool { return s.fired(leader) })
	ran := leader.runs()
	for _, name := range hourly {
		if want := len(s.app.registry.All()); ran[name] != want {
			t.Errorf("%s ran %d times, want once in each of %d editions", name, ran[name], want)
		}
	}
	for name, n := range idle.runs() {
		if n > 0 {
			t.Errorf("%s ran %d times at a worker that does not lead", name, n)
		}
	}
}

func (s *several) oneKeepsTime(t *testing.T) {
	leader, idle := s.works[0], s.works[1]
	wait.Until(t, "one leads", func() bool { return leader.leads() || idle.leads() })
	if idle.leads() {
		leader, idle = idle, leader
	}
	if leader.leads() && idle.leads() {
		t.Error("two lead")
	}
	s.expectOnce(t, leader, idle)
	leader.signal(syscall.SIGKILL)
	<-leader.ended //nolint:errcheck // it was killed
	wait.Until(t, "the other one leads", idle.leads)
	leader.start()
	leader.ready()
	s.expectOnce(t, idle, leader)
	before := idle.runs()[soon]
	wait.Until(t, "periodic work goes on", func() bool { return idle.runs()[soon] > before })
	s.expectOnce(t, idle, leader)
	title := "Published without the first worker"
	s.save(t, func(d *content.Draft) {
		d.SourceID, d.Slug, d.Title = "killed", "killed", title
		d.Published = time.Now().Add(2 * time.Second)
	})
	reader := s.reader("192.0.2.11")
	reader.header.Set("Cookie", "anything=1")
	wait.Until(t, "jobs go on", func() bool { return s.everywhere(reader, "/", title) })
}

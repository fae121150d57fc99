package app

import (
	"context"
	"fmt"
	"os"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"example.org/broadsheet/platform/paper/edition"
	"example.org/broadsheet/tenants"
)

// How long a process is left alone before it is measured, so that what a start brings is over, and then measured. What
// the queue of the process before has lost is handed over again after a minute.
const (
	settling  = 100 * time.Second
	measuring = time.Minute
)

// BenchmarkIdle measures what the paper costs while nobody reads it, with three editions and with a hundred: one
// `serve` and one `work`, their CPU time, memory, connections, and the time until they are ready.
func BenchmarkIdle(b *testing.B) {
	if b.N > 1 {
		b.Skip("once says it all")
	}
	f := newFleet(b)
	notes := ""
	table := "\n| Editions | Process | Ready after ms | CPU % | Memory MiB |\n|---|---|---|---|---|\n"
	for _, n := range []int{3, 100} {
		f.grow(b, n)
		most := f.watch()
		members := map[string]*member{}
		ready := map[string]time.Duration{}
		for _, role := range []string{"serve", "work"} {
			began := time.Now()
			members[role] = f.member(b, role)
			members[role].ready()
			ready[role] = time.Since(began)
		}
		time.Sleep(settling)
		parts := map[string]int{
			"serve": members["serve"].cmd.Process.Pid, "work": members["work"].cmd.Process.Pid, "Redis": f.redis.Process.Pid,
		}
		before := map[string]time.Duration{}
		for name, pid := range parts {
			before[name] = measured{pid: pid}.cpu(b)
		}
		top := most()
		time.Sleep(measuring)
		for _, name := range []string{"serve", "work", "Redis"} {
			share := float64(measured{pid: parts[name]}.cpu(b)-before[name]) / float64(measuring) * 100
			memory := residentMiB(b, parts[name])
			b.ReportMetric(share, fmt.Sprintf("%%-of-a-core-%s-%d", name, n))
			table += fmt.Sprintf("| %d | %s | %d | %.2f | %d |\n", n, name, ready[name].Milliseconds(), share, memory)
		}
		notes += fmt.Sprintf("%d editions: at most %d connections while both started, %d at rest.\n", n, top,
			f.connections())
		for _, m := range members {
			m.end()
		}
	}
	fmt.Println(table + "\n" + notes)
}

// grow adds editions until there are n.
func (f *fleet) grow(b *testing.B, n int) {
	b.Helper()
	text, err := tenants.FS.ReadFile("standard.yaml")
	if err != nil {
		b.Fatal(err)
	}
	for i := len(f.app.registry.All()); i < n; i++ {
		id := fmt.Sprintf("paper%d", i)
		own := strings.NewReplacer("\nid: standard\n", "\nid: "+id+"\n", "hosts: [sk.localhost]",
			"hosts: ["+id+".test]", "'99123456'", fmt.Sprintf("'%08d'", i), "bank_transfer: true", "bank_transfer: false").
			Replace(string(text))
		ed, err := f.app.registry.ApplyText(context.Background(), id+".yaml", []byte(own))
		if err != nil {
			b.Fatal(err)
		}
		if err := f.app.content.SyncCategories(edition.With(context.Background(), ed)); err != nil {
			b.Fatal(err)
		}
		name := "BROADSHEET_STRIPE_" + strings.ToUpper(id)
		f.settings = append(f.settings, name+"_SECRET_KEY=sk_test_"+id, name+"_WEBHOOK_SECRET=whsec_"+id)
	}
}

var residentLine = regexp.MustCompile(`VmRSS:\s+(\d+) kB`)

func residentMiB(b *testing.B, pid int) int {
	b.Helper()
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	if err != nil {
		b.Fatal(err)
	}
	m := residentLine.FindSubmatch(text)
	if m == nil {
		b.Fatalf("no VmRSS in %s", text)
	}
	kb, err := strconv.Atoi(string(m[1]))
	if err != nil {
		b.Fatal(err)
	}
	return kb / 1024
}

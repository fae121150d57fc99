package status

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"time"

	"example.org/broadsheet/platform/db"
	"example.org/broadsheet/platform/jobs"
	"example.org/broadsheet/platform/paper/edition"
	"example.org/broadsheet/platform/web"
)

// editionView is one edition on the page.
type editionView struct {
	ID, Name, State string
	Hosts           []string
	Well            bool
	Facts           []Fact
	Dead, Open      []row
	DeadCount       int64
}

// row is a job on the page.
type row struct {
	ID       int64
	Event    string
	Due      time.Time
	Attempts int
	Error    string
}

// How old work may be, as in the alerts, and how many jobs the page lists.
const (
	loginLate = 2 * time.Minute
	workLate  = 10 * time.Minute
	listed    = 20
	atOnce    = 8 // editions that are looked at
)

// editions looks at all, a few at a time.
func (p *Paper) editions(ctx context.Context) []editionView {
	list, err := p.Registry.List(ctx)
	if err != nil {
		return []editionView{{
			Name: "The registry", State: "unknown",
			Facts: []Fact{{Text: err.Error(), Advice: "Is Postgres running? broadsheet doctor"}},
		}}
	}
	views := make([]editionView, len(list))
	places := make(chan struct{}, atOnce)
	var looks sync.WaitGroup
	for i, s := range list {
		looks.Go(func() {
			places <- struct{}{}
			defer func() { <-places }()
			views[i] = p.look(ctx, s)
		})
	}
	looks.Wait()
	return views
}

func (p *Paper) look(ctx context.Context, s edition.Status) editionView {
	v := editionView{ID: s.ID, Name: s.ID, State: s.State, Hosts: s.Hosts}
	ed, served := p.Registry.Get(s.ID)
	switch {
	case served:
		v.Name = ed.Name
	case s.State == "disabled":
		v.Well, v.Facts = true, []Fact{{true, "Out of service; its data is kept.", ""}}
		return v
	}
	if s.Error != "" {
		v.wrong("The last migration failed: "+s.Error, "Mend the cause and run broadsheet migrate.")
	}
	if served && !ed.RestoredFrom.IsZero() {
		v.wrong("It was restored from the backup of "+ed.RestoredFrom.Format(time.RFC3339)+
			", and nothing periodic happens in it.", "broadsheet restore status, then broadsheet restore confirm.")
	}
	if !served {
		v.wrong("It is not served.", "broadsheet edition check says why; broadsheet edition apply brings it back.")
		return v
	}
	ctx = edition.With(ctx, ed)
	b, err := jobs.Measure(ctx, p.DB)
	if err != nil {
		advice := "Is Postgres running, and does it have connections? broadsheet doctor"
		if db.LoginRefused(err) {
			advice = "Is BROADSHEET_SECRET the one with which it was added? After a change: broadsheet migrate --new-secret."
		}
		v.wrong("Its schema cannot be reached: "+err.Error(), advice)
		return v
	}
	p.work(ctx, &v, b)
	for _, text := range p.Persons(s.ID) {
		v.wrong(text, "broadsheet review list, broadsheet bank list")
	}
	p.documents(ctx, &v)
	v.Well = true
	for _, f := range v.Facts {
		v.Well = v.Well && f.Well
	}
	return v
}

// documents names the invoices that fail.
func (p *Paper) documents(ctx context.Context, v *editionView) {
	failing, err := p.Documents(ctx)
	switch n := len(failing); {
	case err != nil:
		v.wrong("Its invoices cannot be looked at: "+err.Error(), "broadsheet doctor")
	case n > 0:
		v.wrong(fmt.Sprintf("%d invoices cannot be drawn or mailed: %s", n, strings.Join(failing[:min(n, listed)], ", ")),
			"broadsheet invoice redraw --dry-run --edition "+v.ID)
	}
}

// work says how an edition's jobs are, and lists those that a person may want to see.
func (p *Paper) work(ctx context.Context, v *editionView, b jobs.Backlog) {
	v.DeadCount = b.Dead
	switch {
	case b.AgeLogin > loginLate:
		v.wrong(fmt.Sprintf("Somebody has waited for a login email for %s.", roughly(b.AgeLogin)),
			"Is a work process up, and does the mail server take emails?")
	case b.Age > workLate:
		v.wrong(fmt.Sprintf("%s due, the oldest for %s.", count(b.Waiting), roughly(b.Age)),
			"Is a work process up? The list below has the last errors.")
	case b.Waiting == 0:
		v.fine("No work waits.")
	default:
		v.fine(fmt.Sprintf("%s due, the oldest for %s.", count(b.Waiting), roughly(b.Age)))
	}
	if b.Dead > 0 {
		v.wrong(count(b.Dead)+" given up.", "Mend the cause, then try them again below.")
	}
	for _, list := range []struct {
		into *[]row
		find func(context.Context, *db.DB, int) ([]jobs.Row, error)
	}{{&v.Dead, jobs.Dead}, {&v.Open, jobs.Open}} {
		rows, err := list.find(ctx, p.DB, listed)
		if err != nil {
			v.wrong("Its jobs cannot be listed: "+err.Error(), "broadsheet doctor")
		}
		for _, r := range rows {
			*list.into = append(*list.into, row{r.ID, r.Event, r.DueAt.UTC(), r.Attempts, web.Redact(r.LastError)})
		}
	}
}

func (v *editionView) fine(text string) { v.Facts = append(v.Facts, Fact{Well: true, Text: text}) }

func (v *editionView) wrong(text, advice string) {
	v.Facts = append(v.Facts, Fact{Text: text, Advice: advice})
}

func roughly(d time.Duration) string {
	switch {
	case d < time.Minute:
		return fmt.Sprintf("%d s", int(d.Seconds()))
	case d < time.Hour:
		return fmt.Sprintf("%d min", int(d.Minutes()))
	}
	return fmt.Sprintf("%d h %d min", int(d.Hours()), int(d.Minutes())%60)
}

func count(n int64) string {
	if n == 1 {
		return "1 job"
	}
	return fmt.Sprintf("%d jobs", n)
}

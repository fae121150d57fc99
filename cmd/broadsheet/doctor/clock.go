package doctor

import (
	"context"
	"time"

	"example.org/broadsheet/platform/jobs"
)

// What the clocks of two machines may differ by: more confuses logs, much more ends codes and signatures early.
const (
	smallDrift = 2 * time.Second
	greatDrift = time.Minute
)

// clocks compares this machine's clock with those of Postgres and Redis. That they answer at all others look after.
func clocks(ctx context.Context, p *Paper) []Finding {
	var found []Finding
	if p.Database != nil {
		there, err := p.Database.ServerTime(ctx)
		if err != nil {
			return []Finding{problem("", "%v", err)}
		}
		found = append(found, drift("Postgres", there, time.Now())...)
	}
	if p.Config.Redis.URL != "" {
		if s, err := jobs.ExamineRedis(ctx, p.Config.Redis.URL); err == nil {
			found = append(found, drift("Redis", s.Time, time.Now())...)
		}
	}
	return or(found, "as those of Postgres and Redis")
}

// drift compares the clock of another machine with this one's.
func drift(whose string, there, here time.Time) []Finding {
	by := here.Sub(there).Abs().Round(time.Millisecond)
	const advice = "Let both machines follow a time server (systemd-timesyncd, chrony)."
	switch {
	case by > greatDrift:
		return []Finding{problem(advice, "this machine's and that of %s differ by %s", whose, by)}
	case by > smallDrift:
		return []Finding{warn(advice, "this machine's and that of %s differ by %s", whose, by)}
	}
	return nil
}

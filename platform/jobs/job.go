package jobs

import "context"

// Job is a row of the outbox that is worked on.
type Job struct {
	ID    int64
	Event string
}

type jobKey struct{}

func withJob(ctx context.Context, j Job) context.Context { return context.WithValue(ctx, jobKey{}, j) }

// Current returns the job that ctx belongs to, for the log.
func Current(ctx context.Context) (Job, bool) {
	j, ok := ctx.Value(jobKey{}).(Job)
	return j, ok
}

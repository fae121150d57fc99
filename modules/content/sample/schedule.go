package sample

import (
	"hash/fnv"
	"time"
)

// published spreads n articles over the last weeks, the first a quarter of an hour ago: dense
// today, thinner before, and always at an hour at which newsrooms publish.
func published(now time.Time, i, n int, zone *time.Location, key string) time.Time {
	const today = 24
	jitter := time.Duration(hash(key)%17) * time.Minute
	var back time.Duration
	if i < today {
		back = 15*time.Minute + time.Duration(i)*38*time.Minute + jitter
	} else {
		span := 33 * 24 * time.Hour
		back = 16*time.Hour + time.Duration(float64(i-today)/float64(max(1, n-today))*float64(span)) + jitter
	}
	t := now.Add(-back).In(zone)
	if h := t.Hour(); h < 5 && i >= today {
		t = t.Add(-time.Duration(h+2) * time.Hour)
	}
	return t.Truncate(time.Minute).UTC()
}

// minuteAt is the time of the i-th newest short news item.
func minuteAt(now time.Time, i int, key string) time.Time {
	back := 4*time.Minute + time.Duration(i)*23*time.Minute + time.Duration(hash(key)%11)*time.Minute
	return now.Add(-back).Truncate(time.Minute)
}

// earlier is the time of the i-th further article of `seed --articles`: one every twenty minutes,
// from five weeks ago backwards.
func earlier(now time.Time, i int) time.Time {
	return now.Add(-35*24*time.Hour - time.Duration(i)*20*time.Minute).Truncate(time.Minute)
}

func hash(s string) uint64 {
	h := fnv.New64a()
	_, _ = h.Write([]byte(s))
	return h.Sum64()
}

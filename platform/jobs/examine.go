package jobs

import (
	"context"
	"strings"
	"time"
)

// RedisState is how a Redis is set up, as far as it says so.
type RedisState struct {
	Version  string
	Policy   string // maxmemory-policy; "" where it cannot be read
	Persists bool   // keeps what it has on disk

	Time time.Time // on its clock
}

// ExamineRedis asks the Redis of a URL how it is set up.
func ExamineRedis(ctx context.Context, url string) (s RedisState, err error) {
	client, err := openRedis(url)
	if err != nil {
		return s, err
	}
	defer client.Close() //nolint:errcheck // nothing was written
	if err := client.Ping(ctx).Err(); err != nil {
		return s, err
	}
	if s.Time, err = client.Time(ctx).Result(); err != nil {
		return s, err
	}
	if info, err := client.Info(ctx, "server").Result(); err == nil {
		s.Version = infoField(info, "redis_version")
	}
	if settings, err := client.ConfigGet(ctx, "maxmemory-policy").Result(); err == nil {
		s.Policy = settings["maxmemory-policy"]
	}
	for name, off := range map[string]string{"appendonly": "no", "save": ""} {
		settings, err := client.ConfigGet(ctx, name).Result()
		s.Persists = s.Persists || err == nil && settings[name] != off
	}
	return s, nil
}

// infoField returns a value of what INFO answers; "" where it is not there.
func infoField(info, name string) string {
	_, rest, _ := strings.Cut(info, name+":")
	value, _, _ := strings.Cut(rest, "\r\n")
	return value
}

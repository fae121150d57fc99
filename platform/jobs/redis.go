package jobs

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"strconv"
	"strings"
	"sync"

	"github.com/hibiken/asynq"
	"github.com/redis/go-redis/v9"
)

// ParseRedis reads the address of a Redis, or of the Sentinels that know which Redis leads:
//
//	redis://:password@host:port/0
//	redis-sentinel://:password@host:port,host:port,host:port/0?master=NAME&sentinel_password=…
//
// The password is that of Redis; the Sentinels' own, if they have one, is sentinel_password.
func ParseRedis(address string) (asynq.RedisConnOpt, error) {
	opt, err := asynq.ParseRedisURI(address)
	if err != nil {
		return nil, errors.New("the Redis URL cannot be read") // the library's error has the password
	}
	sentinels, ok := opt.(asynq.RedisFailoverClientOpt)
	if !ok {
		return opt, nil
	}
	u, err := url.Parse(address)
	if err != nil {
		return nil, errors.New("the Redis URL cannot be read")
	}
	if sentinels.MasterName == "" {
		return nil, errors.New("the Redis URL names Sentinels and lacks ?master=NAME")
	}
	sentinels.Password, _ = u.User.Password()
	sentinels.Username, sentinels.SentinelPassword = u.User.Username(), u.Query().Get("sentinel_password")
	if number := strings.Trim(u.Path, "/"); number != "" {
		if sentinels.DB, err = strconv.Atoi(number); err != nil {
			return nil, fmt.Errorf("the Redis URL has a database that is no number: %q", number)
		}
	}
	return sentinels, nil
}

// openRedis makes a client, which touches nothing before it is used.
func openRedis(address string) (*redis.Client, error) {
	opt, err := ParseRedis(address)
	if err != nil {
		return nil, err
	}
	silence.Do(func() { redis.SetLogger(mute{}) })
	client, ok := opt.MakeRedisClient().(*redis.Client)
	if !ok {
		return nil, errors.New("the Redis URL names no server")
	}
	// Asynq leaves it out; a server that hangs would keep everybody for longer than they asked for.
	client.Options().ContextTimeoutEnabled = true
	return client, nil
}

// mute drops what the Redis client prints for every failed dial: the relay says once that the queue is away.
type mute struct{}

// Printf implements the client's logger.
func (mute) Printf(context.Context, string, ...any) {}

var silence sync.Once

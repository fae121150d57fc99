package redis_test

import (
	"context"
	"log/slog"
	"testing"
	"time"

	"github.com/hibiken/asynq"
	client "github.com/redis/go-redis/v9"

	"example.org/broadsheet/platform/embedded/redis"
	"example.org/broadsheet/platform/testkit/wait"
)

func start(t *testing.T) *redis.Server {
	t.Helper()
	s, err := redis.Start(slog.New(slog.NewTextHandler(t.Output(), nil)))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.Close)
	return s
}

func connect(t *testing.T, url string) *client.Client {
	t.Helper()
	options, err := client.ParseURL(url)
	if err != nil {
		t.Fatal(err)
	}
	options.MaxRetries = -1
	c := client.NewClient(options)
	t.Cleanup(func() { _ = c.Close() })
	return c
}

func TestPasswordIsNeeded(t *testing.T) {
	t.Parallel()
	s := start(t)
	if err := connect(t, s.URL()).Ping(t.Context()).Err(); err != nil {
		t.Errorf("with the password: %v", err)
	}
	for name, url := range map[string]string{
		"none":  "redis://" + s.Addr(),
		"wrong": "redis://:guess@" + s.Addr(),
	} {
		if err := connect(t, url).Set(t.Context(), "k", "v", 0).Err(); err == nil {
			t.Errorf("%s: the server obeys", name)
		}
	}
}

func TestKeysExpireByThemselves(t *testing.T) {
	t.Parallel()
	c := connect(t, start(t).URL())
	if err := c.Set(t.Context(), "short", "v", 300*time.Millisecond).Err(); err != nil {
		t.Fatal(err)
	}
	if err := c.Set(t.Context(), "long", "v", time.Hour).Err(); err != nil {
		t.Fatal(err)
	}
	if n := c.Exists(t.Context(), "short", "long").Val(); n != 2 {
		t.Fatalf("%d keys at first", n)
	}
	wait.Until(t, "the short-lived key is gone", func() bool { return c.Exists(t.Context(), "short").Val() == 0 })
	if n := c.Exists(t.Context(), "long").Val(); n != 1 {
		t.Error("the long-lived key is gone too")
	}
}

func TestOutageAndLoss(t *testing.T) {
	t.Parallel()
	s := start(t)
	c := connect(t, s.URL())
	addr := s.Addr()
	if err := c.Set(t.Context(), "k", "v", 0).Err(); err != nil {
		t.Fatal(err)
	}
	s.Pause()
	if err := c.Get(t.Context(), "k").Err(); err == nil {
		t.Error("a paused server answers")
	}
	if err := s.Resume(); err != nil {
		t.Fatal(err)
	}
	if s.Addr() != addr {
		t.Errorf("moved from %s to %s", addr, s.Addr())
	}
	wait.Until(t, "the value is there again", func() bool { return c.Get(t.Context(), "k").Val() == "v" })
	s.FlushAll()
	if n := c.DBSize(t.Context()).Val(); n != 0 {
		t.Errorf("%d keys after the loss", n)
	}
	s.Close()
	s.Close()
	if err := c.Ping(t.Context()).Err(); err == nil {
		t.Error("a closed server answers")
	}
}

// A lock that outlives its time is what the clock is for.
func TestJobsRunAndTheirLocksEnd(t *testing.T) {
	t.Parallel()
	s := start(t)
	opt := asynq.RedisClientOpt{Addr: s.Addr(), Password: s.Password()}
	ran := make(chan string, 1)
	worker := asynq.NewServer(opt,
		asynq.Config{Concurrency: 1, LogLevel: asynq.FatalLevel, TaskCheckInterval: 50 * time.Millisecond})
	mux := asynq.NewServeMux()
	mux.HandleFunc("hello", func(_ context.Context, task *asynq.Task) error {
		ran <- string(task.Payload())
		return nil
	})
	if err := worker.Start(mux); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(worker.Shutdown)
	c := asynq.NewClient(opt)
	t.Cleanup(func() { _ = c.Close() })
	if _, err := c.Enqueue(asynq.NewTask("hello", []byte("world"))); err != nil {
		t.Fatal(err)
	}
	if got := <-ran; got != "world" {
		t.Errorf("payload %q", got)
	}
	unique := func() error {
		_, err := c.Enqueue(asynq.NewTask("once", nil), asynq.Unique(time.Second), asynq.Queue("idle"))
		return err
	}
	if err := unique(); err != nil {
		t.Fatal(err)
	}
	if err := unique(); err == nil {
		t.Error("the second task is let in while the lock lasts")
	}
	wait.Until(t, "the lock is over", func() bool { return unique() == nil })
}

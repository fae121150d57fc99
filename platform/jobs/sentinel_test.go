package jobs

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/hibiken/asynq"
	"github.com/redis/go-redis/v9"

	"example.org/broadsheet/platform/testkit"
	"example.org/broadsheet/platform/testkit/wait"
)

// redisServer runs Debian's redis-server with these settings until the test ends.
func redisServer(t *testing.T, settings string, args ...string) *os.Process {
	t.Helper()
	path, err := exec.LookPath("redis-server")
	if err != nil {
		t.Fatal("redis-server is missing: install it (Debian: apt-get install redis-server)")
	}
	dir := t.TempDir()
	file := filepath.Join(dir, "redis.conf")
	if err := os.WriteFile(file, []byte("bind 127.0.0.1\nsave \"\"\ndir "+dir+"\n"+settings), 0o600); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(path, append([]string{file}, args...)...)
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
	})
	return cmd.Process
}

// The Redis that leads is killed: Sentinel names the other one, and all work is done there.
func TestSentinelNamesAnotherRedis(t *testing.T) {
	t.Parallel()
	ctx, d := testkit.Edition(t)
	first, second, watch := testkit.FreePort(t), testkit.FreePort(t), testkit.FreePort(t)
	const secrets = "requirepass paper\nmasterauth paper\n"
	leads := redisServer(t, "port "+first+"\n"+secrets)
	redisServer(t, "port "+second+"\nrepl-diskless-sync-delay 0\nreplicaof 127.0.0.1 "+first+"\n"+secrets)
	redisServer(t, fmt.Sprintf("port %s\nsentinel monitor news 127.0.0.1 %s 1\nsentinel auth-pass news paper\n"+
		"sentinel down-after-milliseconds news 500\nsentinel failover-timeout news 3000\n", watch, first), "--sentinel")
	sentinel := redis.NewSentinelClient(&redis.Options{Addr: "127.0.0.1:" + watch})
	t.Cleanup(func() { _ = sentinel.Close() })
	wait.Until(t, "Sentinel knows the second Redis, which has what the first has", func() bool {
		list, err := sentinel.Replicas(ctx, "news").Result()
		return err == nil && len(list) == 1 && list[0]["master-link-status"] == "ok"
	})

	var l ledger
	o := quick("redis-sentinel://:paper@127.0.0.1:" + watch + "/0?master=news")
	o.Redrive = 0 // as it is set up: what was lost with the first Redis is handed over again
	w, err := New(d, shelve(t, ctx), listening(l.note), o)
	run(t, w, err)
	tell(ctx, t, d, numbers(40)...)
	wait.Until(t, "some work is done", func() bool { return count(ctx, t, d, "done_at IS NOT NULL") > 0 })
	if err := leads.Kill(); err != nil {
		t.Fatal(err)
	}
	var later []int64
	for _, n := range numbers(40) {
		later = append(later, 1000+n)
	}
	tell(ctx, t, d, later...)
	wait.Until(t, "all done", func() bool { return count(ctx, t, d, "done_at IS NULL") == 0 })
	if facts, _ := l.total(); facts != 80 {
		t.Errorf("%d facts of 80", facts)
	}
	wait.Until(t, "the worker reaches the second Redis", func() bool { return w.Ping(ctx) == nil })
	at, err := sentinel.GetMasterAddrByName(ctx, "news").Result()
	if err != nil || len(at) != 2 || at[1] != second {
		t.Errorf("Sentinel names %v, %v; want port %s", at, err, second)
	}
}

func TestAddressesOfSentinels(t *testing.T) {
	t.Parallel()
	got, err := ParseRedis("redis-sentinel://:paper@one:26379,two:26379/3?master=news&sentinel_password=watch")
	want := asynq.RedisFailoverClientOpt{
		MasterName: "news", SentinelAddrs: []string{"one:26379", "two:26379"}, SentinelPassword: "watch",
		Password: "paper", DB: 3,
	}
	if err != nil || fmt.Sprintf("%+v", got) != fmt.Sprintf("%+v", want) {
		t.Errorf("got %+v, %v", got, err)
	}
	for address, says := range map[string]string{
		"redis-sentinel://:paper@one:26379":             "master",
		"redis-sentinel://:paper@one:26379/x?master=m":  "number",
		"http://:paper@one:26379":                       "cannot be read",
		"redis-sentinel://:paper@one:port,%zz?master=m": "cannot be read",
	} {
		_, err := ParseRedis(address)
		if err == nil || !strings.Contains(err.Error(), says) || strings.Contains(err.Error(), "paper") {
			t.Errorf("%s: %v", address, err)
		}
	}
	if _, err := ExamineRedis(context.Background(), "redis-sentinel://one:26379"); err == nil {
		t.Error("Sentinels without a name of what they watch are examined")
	}
}

package notify

import (
	"context"
	"fmt"
	"sync"
	"testing"
	"time"

	"example.org/broadsheet/platform/testkit"
	"example.org/broadsheet/platform/testkit/wait"
)

// A listener that takes its time holds up neither the other listeners of its topic nor those of other topics, and gets
// its own notices in their order, each once.
func TestHub_SlowListener(t *testing.T) {
	t.Parallel()
	ctx, d := testkit.Edition(t)
	h, slow, fast, ended := NewHub(d, nil), &journal{}, &journal{}, &journal{}
	free := make(chan struct{})
	var once sync.Once
	release := func() { once.Do(func() { close(free) }) }
	h.On(Editions, func(m Message) { <-free; slow.add(fmt.Sprint(m.Keys)) })
	h.On(Editions, func(m Message) { fast.add(fmt.Sprint(m.Keys)) })
	h.On(Reader, func(m Message) { ended.add(fmt.Sprint(m.Keys)) })
	listen(t, h)
	t.Cleanup(release)
	want := ""
	for i := range 50 {
		if err := d.Notify(ctx, d.Core(), Editions, "", fmt.Sprint(i)); err != nil {
			t.Fatal(err)
		}
		want += fmt.Sprintf(" [%d]", i)
	}
	if err := tell(ctx, d, nil, Reader, "7"); err != nil {
		t.Fatal(err)
	}
	wait.Until(t, "a notice of another topic", func() bool { return ended.text() == "[7]" })
	wait.Until(t, "all notices at the other listener", func() bool { return " "+fast.text() == want })
	if got := slow.text(); got != "" {
		t.Errorf("the slow listener: got %s, want nothing yet", got)
	}
	release()
	wait.Until(t, "all notices at the slow listener", func() bool { return " "+slow.text() == want })
}

// A slow function of OnReset holds up neither the others nor notices; connected is said when all have run.
func TestHub_SlowReset(t *testing.T) {
	t.Parallel()
	ctx, d := testkit.Edition(t)
	h, j := NewHub(d, nil), &journal{}
	free := make(chan struct{})
	var once sync.Once
	release := func() { once.Do(func() { close(free) }) }
	h.OnReset(func() { <-free })
	h.OnReset(func() { j.add("reset") })
	h.On(Reader, func(m Message) { j.add(fmt.Sprint(m.Keys)) })
	run(t, h)
	t.Cleanup(release)
	wait.Until(t, "the other function", func() bool { return j.text() == "reset" })
	if err := tell(ctx, d, nil, Reader, "7"); err != nil {
		t.Fatal(err)
	}
	wait.Until(t, "a notice", func() bool { return j.text() == "reset [7]" })
	if h.Connected() {
		t.Error("got connected, want not before all functions of OnReset have run")
	}
	release()
	wait.Until(t, "connected", h.Connected)
}

// Nothing of the hub runs when Listen has returned: what listeners use may be closed then.
func TestHub_ListenEnds(t *testing.T) {
	t.Parallel()
	ctx, d := testkit.Edition(t)
	h := NewHub(d, nil)
	started, over, ended := make(chan struct{}), make(chan struct{}), &journal{}
	var once sync.Once
	h.On(Reader, func(m Message) {
		once.Do(func() { close(started) })
		time.Sleep(50 * time.Millisecond)
		select {
		case <-over:
			t.Error("a listener ran when Listen had returned")
		default:
			ended.add(fmt.Sprint(m.Keys))
		}
	})
	stop, cancel := context.WithCancel(ctx)
	var done sync.WaitGroup
	done.Go(func() { h.Listen(stop); close(over) })
	wait.Until(t, "connected", h.Connected)
	for i := range 20 {
		if err := tell(ctx, d, nil, Reader, fmt.Sprint(i)); err != nil {
			t.Fatal(err)
		}
	}
	<-started
	cancel()
	done.Wait()
	if got := ended.text(); got == "" {
		t.Error("got nothing, want the notice that was being delivered")
	}
}

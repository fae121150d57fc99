package notify

import "sync"

// listener calls a function for one notice after the other, in a goroutine that lives as long as there are any. A slow
// one has its notices wait in memory: they are small, and each is about something that has just changed.
type listener struct {
	fn      func(Message)
	running *sync.WaitGroup

	mu      sync.Mutex
	waiting []delivery
	busy    bool
}

// delivery is a notice for a listener, and a function to call afterwards; nil for none.
type delivery struct {
	m     Message
	after func()
}

// add has the function called, and does not wait for it.
func (l *listener) add(m Message, after func()) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.waiting = append(l.waiting, delivery{m, after})
	if !l.busy {
		l.busy = true
		l.running.Go(l.run)
	}
}

func (l *listener) run() {
	for d, ok := l.next(); ok; d, ok = l.next() {
		l.fn(d.m)
		if d.after != nil {
			d.after()
		}
	}
}

// next takes the oldest notice; without one the listener is idle.
func (l *listener) next() (d delivery, ok bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if len(l.waiting) == 0 {
		l.waiting, l.busy = nil, false
		return d, false
	}
	d, l.waiting = l.waiting[0], l.waiting[1:]
	return d, true
}

// drop forgets the notices that wait.
func (l *listener) drop() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.waiting = nil
}

package discussion

import (
	"strconv"
	"strings"
	"sync"
	"time"
)

// Bounds of the open streams of one process. Who gets none asks now and then instead.
const (
	streamsOfEdition = 2000
	streamsOfNetwork = 40
	streamTTL        = 5 * time.Minute // the browser opens another one by itself
	heartbeat        = 25 * time.Second
)

type streamKey struct {
	edition string
	post    int64
}

// streams are the browsers that wait for word of a discussion. They are told that something has changed, and never
// what: what each of them may see is its page's business.
type streams struct {
	done <-chan struct{}

	mu       sync.Mutex
	waiting  map[streamKey]map[chan struct{}]bool
	editions map[string]int
	networks map[string]int
}

func newStreams(done <-chan struct{}) *streams {
	return &streams{
		done: done, waiting: map[streamKey]map[chan struct{}]bool{}, editions: map[string]int{},
		networks: map[string]int{},
	}
}

// open returns a channel that says when something has changed, and what closes it; false when there are too many.
func (s *streams) open(k streamKey, network string) (<-chan struct{}, func(), bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	network = k.edition + " " + network
	if s.editions[k.edition] >= streamsOfEdition || s.networks[network] >= streamsOfNetwork {
		return nil, nil, false
	}
	s.editions[k.edition]++
	s.networks[network]++
	ch := make(chan struct{}, 1)
	if s.waiting[k] == nil {
		s.waiting[k] = map[chan struct{}]bool{}
	}
	s.waiting[k][ch] = true
	return ch, func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		delete(s.waiting[k], ch)
		if len(s.waiting[k]) == 0 {
			delete(s.waiting, k)
		}
		s.editions[k.edition]--
		if s.networks[network]--; s.networks[network] == 0 {
			delete(s.networks, network)
		}
	}, true
}

// wake tells those who wait; who has not yet heard the last word hears one.
func (s *streams) wake(is func(streamKey) bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for k, all := range s.waiting {
		if !is(k) {
			continue
		}
		for ch := range all {
			select {
			case ch <- struct{}{}:
			default:
			}
		}
	}
}

// Changed wakes the browsers that look at discussions named by the keys of a notice with the topic notify.Content;
// without keys, all of the edition.
func (m *Module) Changed(editionID string, keys ...string) {
	posts := map[int64]bool{}
	for _, k := range keys {
		if number, ok := strings.CutPrefix(strings.TrimPrefix(k, "purge:"), tagPrefix); ok {
			if id, err := strconv.ParseInt(number, 10, 64); err == nil {
				posts[id] = true
			}
		}
	}
	if len(keys) == 0 || len(posts) > 0 {
		m.live.wake(func(k streamKey) bool { return k.edition == editionID && (len(keys) == 0 || posts[k.post]) })
	}
}

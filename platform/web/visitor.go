package web

import (
	"context"
	"hash/maphash"
	"net/http"
	"strings"
)

// visitorSeed is this process's own: what is counted by it can be matched with nothing outside.
var visitorSeed = maphash.MakeSeed()

// visitor is a number for who asks, to count visitors by; 0 for machines.
func visitor(r *http.Request, ip string) uint64 {
	if IsBot(r) {
		return 0
	}
	return max(maphash.String(visitorSeed, ip+"\x00"+r.UserAgent()), 1)
}

// Visitor is a number that tells visitors apart while this process lives, good for counting each once and for nothing
// else: it is kept nowhere. 0 is a machine, or nobody's request.
func Visitor(ctx context.Context) uint64 {
	if r, ok := ctx.Value(requestKey{}).(*request); ok {
		return r.visitor
	}
	return 0
}

// WithVisitor returns a context in which that visitor asks.
func WithVisitor(ctx context.Context, n uint64) context.Context {
	return context.WithValue(ctx, requestKey{}, &request{visitor: n})
}

// machines are what programs that read pages by themselves call themselves.
var machines = []string{
	"bot", "crawl", "spider", "slurp", "preview", "fetch", "scan", "monitor", "headless", "lighthouse", "facebookexternalhit", "curl/", "wget/",
	"python", "go-http", "java/", "okhttp", "axios", "node", "ruby", "perl", "libwww", "apache-http", "feed", "scrapy", "phantom",
}

// IsBot tells a program that reads pages by itself, and says so, from a browser.
func IsBot(r *http.Request) bool {
	agent := strings.ToLower(r.UserAgent())
	if agent == "" {
		return true
	}
	for _, m := range machines {
		if strings.Contains(agent, m) {
			return true
		}
	}
	return false
}

package web

import (
	"net/http"
	"regexp"
	"slices"
	"strings"

	"github.com/maypok86/otter/v2"
)

// bots finds crawlers, link previews and libraries by how they name themselves.
var bots = regexp.MustCompile(`(?i)bot\b|bot[/;:-]|crawl|spider|slurp|archiver|facebookexternalhit|preview|` +
	`headless|lighthouse|monitor|curl/|wget/|python|java/|libwww|okhttp|go-http-client|node-fetch|axios|httpclient|feed|` +
	`rss`)

// machines are what programs that read pages by themselves call themselves.
var machines = []string{
	"bot", "crawl", "spider", "slurp", "preview", "fetch", "scan", "monitor", "headless", "lighthouse",
	"facebookexternalhit", "curl/", "wget/",
	"python", "go-http", "java/", "okhttp", "axios", "node", "ruby", "perl", "libwww", "apache-http", "feed",
	"scrapy", "phantom",
}

// nature is what a User-Agent says of the program that has it.
type nature struct{ automated, bot bool }

// natures remembers what was found out: the same few thousand browsers send nearly all requests.
var natures = otter.Must(&otter.Options[string, nature]{MaximumSize: 10_000})

// longestAgent is that of a User-Agent that is remembered, so that nobody fills the memory with long ones.
const longestAgent = 512

func natureOf(agent string) nature {
	if n, known := natures.GetIfPresent(agent); known {
		return n
	}
	lower := strings.ToLower(agent)
	n := nature{
		automated: agent == "" || bots.MatchString(agent),
		bot:       agent == "" || slices.ContainsFunc(machines, func(m string) bool { return strings.Contains(lower, m) }),
	}
	if len(agent) <= longestAgent {
		natures.Set(strings.Clone(agent), n)
	}
	return n
}

// IsAutomated reports whether a crawler or another program sent the request. One without a User-Agent is no browser.
func IsAutomated(r *http.Request) bool { return natureOf(r.UserAgent()).automated }

// IsBot reports whether a User-Agent is that of a program that reads pages by itself and says so.
func IsBot(agent string) bool { return natureOf(agent).bot }

package web

import (
	"context"
	"encoding/json"
	"io"
	"log/slog"
	"net/http"
	"net/url"
	"time"

	"github.com/gin-gonic/gin"
	"golang.org/x/time/rate"
)

// ViolationsPath is where browsers report what the policy of a page has kept from happening.
const ViolationsPath = "/fns/csp-report"

// Bounds of what anybody may write into the log by it: so many at once, and then one in so many seconds.
const (
	violationBody   = 16 << 10
	violationsOnce  = 20
	violationsEvery = 5 * time.Second
	violationField  = 120
)

// violation is a report as either interface of browsers sends it: report-uri and report-to.
type violation struct {
	Document  string `json:"document-uri"`
	Directive string `json:"effective-directive"`
	Blocked   string `json:"blocked-uri"`

	DocumentURL        string `json:"documentURL"`
	EffectiveDirective string `json:"effectiveDirective"`
	BlockedURL         string `json:"blockedURL"`
}

// Violations takes the reports, and logs some of them. Its answer is the same whatever was sent.
func Violations(log *slog.Logger) gin.HandlerFunc {
	limiter := rate.NewLimiter(rate.Every(violationsEvery), violationsOnce)
	return func(c *gin.Context) {
		defer c.Status(http.StatusNoContent)
		ctx := c.Request.Context()
		b, err := io.ReadAll(http.MaxBytesReader(c.Writer, c.Request.Body, violationBody))
		if err != nil {
			return
		}
		for _, v := range readViolations(b) {
			if !limiter.Allow() {
				return
			}
			log.WarnContext(ctx, "policy violated", "security", true, "edition", editionID(ctx), "path",
				brief(pathOf(ctx, v.Document+v.DocumentURL)),
				"directive", brief(v.Directive+v.EffectiveDirective), "blocked", brief(originOf(v.Blocked+v.BlockedURL)))
		}
	}
}

func readViolations(b []byte) []violation {
	var one struct {
		Report *violation `json:"csp-report"`
	}
	if json.Unmarshal(b, &one) == nil && one.Report != nil {
		return []violation{*one.Report}
	}
	var several []struct {
		Type string    `json:"type"`
		Body violation `json:"body"`
	}
	if json.Unmarshal(b, &several) != nil {
		return nil
	}
	var list []violation
	for _, s := range several {
		if s.Type == "csp-violation" {
			list = append(list, s.Body)
		}
	}
	return list
}

// pathOf leaves out host and query, and what a path may hold of a link that signs in.
func pathOf(ctx context.Context, address string) string {
	u, err := url.Parse(address)
	if err != nil {
		return ""
	}
	return LogPath(ctx, &url.URL{Path: u.Path})
}

// originOf leaves out everything of an address behind its host; words such as "inline" stay.
func originOf(address string) string {
	u, err := url.Parse(address)
	if err != nil {
		return ""
	}
	if u.Host == "" {
		return u.Path
	}
	return u.Scheme + "://" + u.Host
}

func brief(s string) string {
	if len(s) > violationField {
		s = s[:violationField]
	}
	return s
}

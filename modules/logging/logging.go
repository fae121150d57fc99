// Package logging takes what browsers report and what other parts see: what readers did, and what went wrong there.
// Reports are claims: nothing is decided by them, least of all how much a reader may still read.
package logging

import (
	"encoding/json"
	"strings"
	"time"
)

const (
	maxBody    = 16 << 10
	maxMeta    = 500  // characters
	maxDate    = 40   // characters
	maxMessage = 1000 // characters
	maxStack   = 4000 // characters
	maxPlace   = 200  // characters

	eventsKept = 90 * 24 * time.Hour
	errorsKept = 30 * 24 * time.Hour
)

// Event is one thing a reader did.
type Event struct {
	Action      string
	MetaValue   string // an article's id or address
	PublishDate string // of the article, as the page had it
}

// ClientError is one failure in a browser.
type ClientError struct {
	Message string
	Stack   string
	Place   string // in the browser's program
	Path    string // of the page
	Agent   string // web.Agent
}

// parseError reads what the logger of the page sends; of any other shape it keeps the text.
func parseError(data json.RawMessage) ClientError {
	var known struct{ Message, Stack, Where, Path string }
	if err := json.Unmarshal(data, &known); err != nil || known.Message == "" {
		known.Message = string(data)
		var plain string
		if json.Unmarshal(data, &plain) == nil {
			known.Message = plain
		}
	}
	path, _, _ := strings.Cut(known.Path, "?")
	return ClientError{
		Message: clean(known.Message, maxMessage), Stack: clean(known.Stack, maxStack), Place: clean(known.Where, maxPlace),
		Path: clean(path, maxPlace),
	}
}

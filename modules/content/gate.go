package content

import "time"

// gateLife is how long the facts of a gate are trusted. A gate that still says "open" for a post that was just locked
// gives the page of the tier that may not read locked text, so that being late never shows too much.
const gateLife = 10 * time.Second

type gateKey struct {
	edition string
	post    int64
}

// gate is what must be known of a post before a reader is let in.
type gate struct {
	Type   Type
	Locked bool
	Out    bool // published, and its time has come
}

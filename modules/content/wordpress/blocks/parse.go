package blocks

import (
	"encoding/json"
	"regexp"
	"strings"
)

// maxNesting bounds how deep blocks lie in each other; deeper ones belong to the block at the bound.
const maxNesting = 100

// block is one block of the editor, or, without a name, HTML between blocks.
type block struct {
	name   string // "paragraph" for the core's, "vendor/name" for others
	attrs  map[string]any
	pieces []piece // in reading order
	line   int
}

// piece is either HTML or a block inside.
type piece struct {
	html  string
	line  int // of html
	inner *block
}

// blemish is something wrong with the comments that mark the blocks.
type blemish struct {
	line int
	what string
}

// <!-- wp:name {"json":"…"} --> opens, <!-- wp:name /--> stands alone, <!-- /wp:name --> closes.
var delimiter = regexp.MustCompile(`^<!--\s+(/)?wp:([a-z][a-z0-9_-]*/)?([a-z][a-z0-9_-]*)\s+`)

type parser struct {
	rest      string
	line      int
	stack     []*block // the first is the document
	blemishes []blemish
}

// parseBlocks splits content that begins on line. Whatever the comments are like, all the HTML comes back.
func parseBlocks(content string, line int) ([]*block, []blemish) {
	p := &parser{rest: content, line: line, stack: []*block{{line: line}}}
	for p.rest != "" {
		i := strings.Index(p.rest, "<!--")
		if i < 0 {
			p.html(len(p.rest))
			break
		}
		p.html(i)
		p.comment()
	}
	for ; len(p.stack) > 1; p.stack = p.stack[:len(p.stack)-1] {
		b := p.top()
		p.blemishes = append(p.blemishes, blemish{b.line, "block " + b.name + " is never closed"})
	}
	var out []*block
	for _, c := range p.stack[0].pieces {
		if c.inner != nil {
			out = append(out, c.inner)
		} else if strings.TrimSpace(c.html) != "" {
			lead := len(c.html) - len(strings.TrimLeft(c.html, " \t\r\n"))
			out = append(out, &block{pieces: []piece{c}, line: c.line + strings.Count(c.html[:lead], "\n")})
		}
	}
	return out, p.blemishes
}

func (p *parser) top() *block { return p.stack[len(p.stack)-1] }

// html moves the next n bytes into the open block.
func (p *parser) html(n int) {
	if n == 0 {
		return
	}
	b := p.top()
	b.pieces = append(b.pieces, piece{html: p.rest[:n], line: p.line})
	p.advance(n)
}

func (p *parser) advance(n int) {
	p.line += strings.Count(p.rest[:n], "\n")
	p.rest = p.rest[n:]
}

// comment handles the comment at the beginning of rest.
func (p *parser) comment() {
	m := delimiter.FindStringSubmatch(p.rest)
	if m == nil {
		end := strings.Index(p.rest, "-->")
		if end < 0 {
			p.html(len(p.rest))
			return
		}
		p.html(end + len("-->"))
		return
	}
	b := &block{name: strings.TrimPrefix(m[2], "core/") + m[3], line: p.line}
	at := len(m[0])
	if strings.HasPrefix(p.rest[at:], "{") {
		d := json.NewDecoder(strings.NewReader(p.rest[at:]))
		if d.Decode(&b.attrs) == nil {
			at += int(d.InputOffset())
		} else {
			b.attrs = nil
			p.blemishes = append(p.blemishes, blemish{p.line, "the settings of block " + b.name + " cannot be read"})
		}
	}
	end := strings.Index(p.rest[at:], "-->")
	if end < 0 {
		p.html(len(p.rest))
		return
	}
	alone := strings.HasSuffix(p.rest[at:at+end], "/")
	p.advance(at + end + len("-->"))
	switch {
	case m[1] != "":
		p.close(b)
	case alone || len(p.stack) > maxNesting:
		p.top().pieces = append(p.top().pieces, piece{inner: b})
	default:
		p.top().pieces = append(p.top().pieces, piece{inner: b})
		p.stack = append(p.stack, b)
	}
}

// close ends the innermost open block of that name, and what is open inside it.
func (p *parser) close(b *block) {
	for i := len(p.stack) - 1; i > 0; i-- {
		if p.stack[i].name != b.name {
			continue
		}
		for _, inner := range p.stack[i+1:] {
			p.blemishes = append(p.blemishes, blemish{inner.line, "block " + inner.name + " is never closed"})
		}
		p.stack = p.stack[:i]
		return
	}
	p.blemishes = append(p.blemishes, blemish{b.line, "block " + b.name + " is closed and was never opened"})
}

// text is an attribute that should be a string.
func (b *block) text(attr string) string {
	s, _ := b.attrs[attr].(string)
	return s
}

// number is an attribute that should be an id.
func (b *block) number(attr string) int64 {
	f, _ := b.attrs[attr].(float64)
	return int64(f)
}

// walk visits the block and all inside it.
func (b *block) walk(visit func(*block)) {
	visit(b)
	for _, p := range b.pieces {
		if p.inner != nil {
			p.inner.walk(visit)
		}
	}
}

package wordpress

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"regexp"
	"strings"
	"unicode/utf8"

	"golang.org/x/net/html/charset"
	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/unicode"
	"golang.org/x/text/transform"
)

// maxElement bounds one token of the file (a tag with its attributes, or a run of text) in bytes: the XML decoder
// holds a token whole.
const maxElement = 32 << 20

// BrokenError is a file that is no export, or a damaged one. Nothing of it has been taken.
type BrokenError struct {
	Line   int // 1 for the first; 0 where no line is to blame
	Reason string
}

func (b *BrokenError) Error() string {
	if b.Line == 0 {
		return b.Reason
	}
	return fmt.Sprintf("line %d: %s", b.Line, b.Reason)
}

func broken(line int, format string, args ...any) error {
	return &BrokenError{Line: line, Reason: fmt.Sprintf(format, args...)}
}

// source hands the decoder UTF-8 that XML allows, and refuses what is not text of the declared encoding.
type source struct {
	r       *bufio.Reader
	charset string // what the file is written in, for words
	foreign bool   // converted: a replacement character means a byte that the encoding does not have
	line    int    // of the next rune
	left    int    // bytes that may come before the decoder has a token
	removed func(line int, c rune)
	copy    io.Writer // gets what is read, or nil
}

var (
	declaration = regexp.MustCompile(`^\s*<\?xml[^>]*?\sencoding\s*=\s*["']([^"']+)["']`)
	archives    = map[string]string{
		"\x1f\x8b": "a gzip archive", "PK\x03\x04": "a zip archive", "BZh": "a bzip2 archive",
		"\xfd7zXZ": "an xz archive",
	}
	utf8BOM = []byte("\xef\xbb\xbf")
)

// newSource reads the beginning of r to learn its encoding. removed is called for each control character left out.
func newSource(r io.Reader, removed func(line int, c rune)) (*source, error) {
	in := bufio.NewReaderSize(r, 64<<10)
	head, err := in.Peek(1024)
	if err != nil && !errors.Is(err, io.EOF) {
		return nil, fmt.Errorf("read: %w", err)
	}
	if len(bytes.TrimSpace(bytes.TrimPrefix(head, utf8BOM))) == 0 && len(head) < 1024 {
		return nil, broken(0, "the file is empty")
	}
	for magic, what := range archives {
		if bytes.HasPrefix(head, []byte(magic)) {
			return nil, broken(0, "the file is %s: unpack it first", what)
		}
	}
	s := &source{r: in, charset: "UTF-8", line: 1, left: maxElement, removed: removed}
	switch {
	case bytes.HasPrefix(head, utf8BOM):
		_, err = in.Discard(len(utf8BOM))
		return s, err
	case bytes.HasPrefix(head, []byte("\xff\xfe")), bytes.HasPrefix(head, []byte("\xfe\xff")):
		s.convert("UTF-16", unicode.UTF16(unicode.BigEndian, unicode.ExpectBOM))
		return s, nil
	}
	m := declaration.FindSubmatch(head)
	if m == nil || strings.EqualFold(string(m[1]), "utf-8") {
		return s, nil
	}
	enc, name := charset.Lookup(string(m[1]))
	switch {
	case enc == nil || name == "replacement":
		return nil, broken(1, "the file says that it is written in %q, which is not known here: save it as UTF-8", m[1])
	case strings.HasPrefix(name, "utf-16"):
		return nil, broken(1, "the file says that it is written in %s, and its first line is not: save it as UTF-8", m[1])
	}
	s.convert(string(m[1]), enc)
	return s, nil
}

func (s *source) convert(name string, enc encoding.Encoding) {
	s.r = bufio.NewReaderSize(transform.NewReader(s.r, enc.NewDecoder()), 64<<10)
	s.charset, s.foreign = name, true
}

// Read implements io.Reader.
func (s *source) Read(p []byte) (int, error) {
	n, err := s.read(p)
	if s.copy != nil && n > 0 {
		if _, failed := s.copy.Write(p[:n]); failed != nil {
			return 0, fmt.Errorf("scratch file: %w", failed)
		}
	}
	return n, err
}

func (s *source) read(p []byte) (n int, err error) {
	if s.left <= 0 {
		return 0, broken(s.line, "one element of the file is bigger than %d MB, this is no export", maxElement>>20)
	}
	for n+utf8.UTFMax <= len(p) {
		c, size, err := s.r.ReadRune()
		if err != nil {
			s.left -= n
			if n > 0 && errors.Is(err, io.EOF) {
				return n, nil
			}
			return n, err
		}
		switch {
		case c == utf8.RuneError && (size == 1 || s.foreign):
			return 0, broken(s.line, "a byte here is not %s: the file is damaged, or in another encoding than it says",
				s.charset)
		case c == '\n':
			s.line++
		case c < ' ' && c != '\t' && c != '\r', c == 0xFFFE, c == 0xFFFF:
			s.removed(s.line, c)
			continue
		}
		n += utf8.EncodeRune(p[n:], c)
	}
	s.left -= n
	return n, nil
}

// progress is told when the decoder has a token.
func (s *source) progress() { s.left = maxElement }

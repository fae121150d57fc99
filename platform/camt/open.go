package camt

import (
	"archive/zip"
	"bytes"
	"errors"
	"fmt"
	"io"
	"path"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/htmlindex"
	"golang.org/x/text/encoding/ianaindex"
	"golang.org/x/text/encoding/unicode"
	"golang.org/x/text/encoding/unicode/utf32"
)

// zipMark begins every ZIP archive with a file in it.
const zipMark = "PK\x03\x04"

// otherFormats are the beginnings of files that people take for statements.
var otherFormats = []struct{ begins, name string }{
	{"%PDF", "a PDF"},
	{"\x1f\x8b", "a gzip archive; unpack it"},
	{"7z\xbc\xaf", "a 7z archive; unpack it"},
	{":20:", "an MT940"},
	{"{1:", "an MT940"},
}

// open reads a file, which may be an archive of files.
func (f *fileReader) open(raw []byte) error {
	if bytes.HasPrefix(raw, []byte(zipMark)) {
		return f.unzip(raw)
	}
	for _, o := range otherFormats {
		if bytes.HasPrefix(bytes.TrimLeft(raw, " \r\n"), []byte(o.begins)) {
			return fmt.Errorf("it is %s; the bank has the statement as camt.053, too", o.name)
		}
	}
	text, err := f.decode(raw)
	if err != nil {
		return err
	}
	return f.readXML(clean(text))
}

// unzip reads the files of an archive in the order of their names. One that cannot be read does not stop the others.
func (f *fileReader) unzip(raw []byte) error {
	archive, err := zip.NewReader(bytes.NewReader(raw), int64(len(raw)))
	if err != nil {
		return err
	}
	const maxFiles = 1000
	if len(archive.File) > maxFiles {
		return fmt.Errorf("the archive has more than %d files", maxFiles)
	}
	slices.SortStableFunc(archive.File, func(a, b *zip.File) int { return strings.Compare(a.Name, b.Name) })
	var errs []error
	rest := int64(MaxSize)
	for _, file := range archive.File {
		if file.FileInfo().IsDir() || strings.HasPrefix(file.Name, "__MACOSX/") {
			continue
		}
		text, err := unpack(file, rest)
		if err == nil {
			rest -= int64(len(text))
			err = f.open(text)
		}
		if err != nil {
			errs = append(errs, fmt.Errorf("%q: %w", path.Base(file.Name), err))
		}
	}
	return errors.Join(errs...)
}

// unpack returns a file of an archive, which may have size bytes.
func unpack(file *zip.File, size int64) ([]byte, error) {
	if file.Flags&1 != 0 {
		return nil, errors.New("it is encrypted")
	}
	in, err := file.Open()
	if err != nil {
		return nil, err
	}
	defer func() { _ = in.Close() }()
	text, err := io.ReadAll(io.LimitReader(in, size+1))
	switch {
	case err != nil:
		return nil, err
	case int64(len(text)) > size:
		return nil, fmt.Errorf("the files of the archive have more than %d MiB", MaxSize>>20)
	case bytes.HasPrefix(text, []byte(zipMark)):
		return nil, errors.New("it is an archive in an archive; unpack it")
	}
	return text, nil
}

// marks are how a file begins by which its charset is known without a declaration; 'x' is any byte but zero.
var marks = []struct {
	begins string
	in     encoding.Encoding
}{
	{"\xef\xbb\xbf", unicode.UTF8BOM},
	{"\xff\xfe\x00\x00", utf32.UTF32(utf32.LittleEndian, utf32.UseBOM)},
	{"\x00\x00\xfe\xff", utf32.UTF32(utf32.BigEndian, utf32.UseBOM)},
	{"\xff\xfe", unicode.UTF16(unicode.LittleEndian, unicode.UseBOM)},
	{"\xfe\xff", unicode.UTF16(unicode.BigEndian, unicode.UseBOM)},
	{"x\x00\x00\x00", utf32.UTF32(utf32.LittleEndian, utf32.IgnoreBOM)},
	{"\x00\x00\x00x", utf32.UTF32(utf32.BigEndian, utf32.IgnoreBOM)},
	{"x\x00", unicode.UTF16(unicode.LittleEndian, unicode.IgnoreBOM)},
	{"\x00x", unicode.UTF16(unicode.BigEndian, unicode.IgnoreBOM)},
}

func begins(raw []byte, mark string) bool {
	if len(raw) < len(mark) {
		return false
	}
	for i := range len(mark) {
		if mark[i] != raw[i] && (mark[i] != 'x' || raw[i] == 0) {
			return false
		}
	}
	return true
}

var declared = regexp.MustCompile(`<\?xml[^>]*?encoding\s*=\s*["']([A-Za-z0-9._:-]+)["']`)

// decode returns a text as UTF-8. A byte that its charset does not have becomes U+FFFD.
func (f *fileReader) decode(raw []byte) ([]byte, error) {
	in := unicode.UTF8
	if found := declared.FindSubmatch(raw[:min(len(raw), 1024)]); found != nil {
		if named := charset(string(found[1])); named != nil {
			in = named
		} else {
			f.note("the charset %q is not known: the text is read as UTF-8", found[1])
		}
	}
	for _, m := range marks {
		if begins(raw, m.begins) {
			in = m.in
			break
		}
	}
	text, err := in.NewDecoder().Bytes(raw)
	return bytes.ToValidUTF8(text, []byte(string(utf8.RuneError))), err
}

// charset finds the charset that has a name in the encoding standard of HTML, or in IANA's register; nil if neither has
// it. A text whose declaration could be read byte by byte is in none of two bytes a letter, whatever it declares.
func charset(name string) encoding.Encoding {
	found, err := htmlindex.Get(name)
	if err != nil {
		found, err = ianaindex.IANA.Encoding(name)
	}
	switch {
	case err != nil || found == nil || found == encoding.Replacement:
		return nil
	case strings.HasPrefix(strings.ToLower(name), "utf"), strings.HasPrefix(strings.ToLower(name), "ucs"),
		strings.HasPrefix(strings.ToLower(name), "iso-10646"):
		return unicode.UTF8
	}
	return found
}

// cleaned are the places at which a text is no XML for the sake of a letter, and what is put there.
var cleaned = []struct {
	find *regexp.Regexp
	with string
}{
	{regexp.MustCompile(`<\?xml\s[^>]*\?>`), " "}, // it was followed, or is in the midst of a file
	{regexp.MustCompile(`[^\t\n\r -\x{D7FF}\x{E000}-\x{FFFD}\x{10000}-\x{10FFFF}]`), "\uFFFD"},
	{regexp.MustCompile(`&#0*(?:[0-8]|1[124-9]|2[0-9]|3[01]);`), "\uFFFD"},
	{regexp.MustCompile(`&#[xX]0*(?:[0-8bBcCeEfF]|1[0-9a-fA-F]|[dD][89a-fA-F]..|[fF]{3}[eEfF]);`), "\uFFFD"},
	{regexp.MustCompile(`&#(?:[xX][0-9a-fA-F]{7,}|[0-9]{8,});`), "\uFFFD"},
	{regexp.MustCompile(`<([^A-Za-z_/!?\x{80}-\x{10FFFF}])`), "&lt;$1"},
}

// clean replaces the letters that no XML may have.
func clean(text []byte) []byte {
	for _, c := range cleaned {
		if c.find.Match(text) {
			text = c.find.ReplaceAll(text, []byte(c.with))
		}
	}
	return text
}

package camt

import (
	"bytes"
	"cmp"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// message is the element with the statements of a file.
const message = "BkToCstmrStmt"

// otherMessages are messages of banks that people take for statements. Their payments come with a statement, too.
var otherMessages = map[string]string{
	"BkToCstmrAcctRpt":      "camt.052, a report of the day",
	"BkToCstmrDbtCdtNtfctn": "camt.054, a notification",
}

// statement is a statement without its entries. It has all that tells it from other statements of the account, and from
// its own other pages.
type statement struct {
	ID         string
	Page       pagination
	Number     string
	LegalOrder string
	Created    string
	Period     period
	Account    account
	message    string // page of the message
	position   int    // in the file
	seen       map[string]int
}

type pagination struct {
	Page string `xml:"PgNb"`
}

type period struct {
	From string `xml:"FrDtTm"`
	To   string `xml:"ToDtTm"`
}

type account struct {
	IBAN  string `xml:"Id>IBAN"`
	Other string `xml:"Id>Othr>Id"`
}

// id is how the account is named, as it would be compared.
func (a account) id() string {
	if iban := strings.ToUpper(squeeze(a.IBAN)); iban != "" {
		return iban
	}
	return strings.ToUpper(squeeze(a.Other))
}

// field returns where the element of a name is kept; nil for one that is not read.
func (s *statement) field(name string) any {
	switch name {
	case "Id":
		return &s.ID
	case "StmtPgntn":
		return &s.Page
	case "ElctrncSeqNb":
		return &s.Number
	case "LglSeqNb":
		return &s.LegalOrder
	case "CreDtTm":
		return &s.Created
	case "FrToDt":
		return &s.Period
	case "Acct":
		return &s.Account
	}
	return nil
}

// key hashes what makes a page of a statement what it is.
func (s *statement) key() string {
	own := s.ID
	if own == "" { // statements that nothing tells apart are two
		own = fmt.Sprint("#", s.position)
	}
	return hashOf(s.Account.id(), own, s.message, s.Page.Page, s.Number, s.LegalOrder, s.Created,
		s.Period.From, s.Period.To)
}

// damageError is an entry at which the XML ends to be XML.
type damageError struct {
	at, end int
	err     error
}

func (d *damageError) Error() string { return d.err.Error() }

// maxDamaged bounds how many entries of a file may be damaged: the text is read again after each.
const maxDamaged = 50

// readXML reads the statements of a text, whatever they lie in. An entry whose XML is damaged is taken out of the text,
// which is then read again.
func (f *fileReader) readXML(text []byte) error {
	before := f.out
	damaged := map[int]broken{}
	for {
		f.out = before
		err := f.walk(text, damaged)
		var at *damageError
		if !errors.As(err, &at) || len(damaged) == maxDamaged {
			return err
		}
		damaged[at.at] = broken{string(text[at.at:at.end]), at.err}
		text = slices.Concat(text[:at.at], []byte("<Ntry/>"), text[at.end:])
	}
}

// broken is the text of an entry that is no XML.
type broken struct {
	text string
	err  error
}

// walk goes through the elements of a text.
func (f *fileReader) walk(text []byte, damaged map[int]broken) error {
	w := &walker{fileReader: f, in: newXMLReader(text), text: text, damaged: damaged}
	for {
		at := w.in.offset()
		t, err := w.in.Token()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err == nil {
			err = w.token(t, at)
		}
		if err != nil {
			return err
		}
	}
}

// walker is on its way through a text.
type walker struct {
	*fileReader
	in      *xmlReader
	text    []byte
	damaged map[int]broken
	path    []string // the elements around the next one
	page    pagination
	stmt    *statement // around the next element; nil outside of statements
}

func (w *walker) token(t xml.Token, at int) error {
	switch t := t.(type) {
	case xml.StartElement:
		return w.start(t, at)
	case xml.EndElement:
		if w.path = w.path[:len(w.path)-1]; t.Name.Local == "Stmt" {
			w.stmt = nil
		}
	case xml.CharData: // some envelopes hold the message as a text
		if w.stmt == nil && !w.nested && bytes.Contains(t, []byte("<")) && bytes.Contains(t, []byte(message)) {
			w.nested = true
			err := w.readXML(clean(bytes.Clone(t)))
			w.nested = false
			return err
		}
	}
	return nil
}

func (w *walker) start(t xml.StartElement, at int) error {
	name, around := t.Name.Local, ""
	if len(w.path) > 0 {
		around = w.path[len(w.path)-1]
	}
	other := otherMessages[name]
	switch {
	case around == message && name == "Stmt":
		w.stmt = &statement{message: w.page.Page, position: len(w.out.Accounts) + 1, seen: map[string]int{}}
		w.out.Accounts = append(w.out.Accounts, "")
	case around == "GrpHdr" && name == "MsgPgntn":
		w.page = pagination{}
		return w.in.DecodeElement(&w.page, &t)
	case around == "Stmt" && w.stmt != nil && name == "Ntry":
		return w.entry(t, at)
	case around == "Stmt" && w.stmt != nil:
		into := w.stmt.field(name)
		if into == nil {
			return w.in.Skip()
		}
		err := w.in.DecodeElement(into, &t)
		w.out.Accounts[w.stmt.position-1] = w.stmt.Account.id()
		return err
	case other != "" || around == "Document" && name != message:
		if other == "" {
			other = fmt.Sprintf("%q", clip(name, 60))
		}
		w.note("%s is not read: statements are camt.053", other)
		return w.in.Skip()
	}
	w.path = append(w.path, name)
	return nil
}

// entryEnd begins where an entry ends, or, if its own end is missing, where the next element after it begins.
var entryEnd = regexp.MustCompile(`<(?:[^\s:<>/]+:)?Ntry[\s>]|</(?:[^\s:<>/]+:)?Stmt\s*>`)

// entry reads an entry, which begins at a place of the text.
func (w *walker) entry(t xml.StartElement, at int) error {
	var e entry
	if err := w.in.DecodeElement(&e, &t); err != nil {
		end := entryEnd.FindIndex(w.text[at+1:])
		if end == nil {
			return fmt.Errorf("it ends within entry %d: %w", w.out.Entries+1, err)
		}
		return &damageError{at, at + 1 + end[0], err}
	}
	w.out.Entries++
	list, problem := e.payments(w.stmt, w.zone)
	if b, ok := w.damaged[at]; ok {
		list, problem = []Payment{w.stmt.illegible(b)}, "its XML is damaged: "+b.err.Error()
	}
	if problem != "" {
		w.note("entry %d of %s: %s", w.out.Entries, cmp.Or(w.stmt.Account.id(), "an account without an id"), problem)
	}
	for _, p := range list {
		p.Account, p.Stmt, p.Entry = w.stmt.Account.id(), w.stmt.position, w.out.Entries
		if !p.Announced {
			p.ID = p.identify() + w.stmt.key()
			// Two payments that the bank tells apart by nothing are two all the same.
			if w.stmt.seen[p.ID]++; w.stmt.seen[p.ID] > 1 {
				p.ID += "-" + strconv.Itoa(w.stmt.seen[p.ID])
			}
		}
		w.out.Payments = append(w.out.Payments, p)
	}
	return nil
}

// xmlReader reads XML whose elements are not nested too deep. Attributes without quotes and unknown entities pass.
type xmlReader struct {
	*xml.Decoder
	raw *rawReader
}

func newXMLReader(text []byte) *xmlReader {
	in := xml.NewDecoder(bytes.NewReader(text))
	in.Strict = false
	raw := &rawReader{in: in}
	return &xmlReader{xml.NewTokenDecoder(raw), raw}
}

func (x *xmlReader) offset() int { return int(x.raw.in.InputOffset()) }

// maxDepth bounds how deep elements may be nested; a bank nests about 15 of them.
const maxDepth = 64

type rawReader struct {
	in    *xml.Decoder
	depth int
}

// Token implements xml.TokenReader.
func (r *rawReader) Token() (xml.Token, error) {
	t, err := r.in.RawToken()
	switch t.(type) {
	case xml.StartElement:
		r.depth++
	case xml.EndElement:
		r.depth--
	}
	if r.depth > maxDepth {
		return nil, fmt.Errorf("its elements are nested too deep, more than %d of them", maxDepth)
	}
	return t, err
}

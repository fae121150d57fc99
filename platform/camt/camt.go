// Package camt reads bank statements in the format camt.053 of ISO 20022, versions 2 to 8, into payments that keep
// their ids whichever file they come in.
package camt

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"
)

// Payment is one payment of an account's statement.
type Payment struct {
	ID         string // the same in every file that has the payment, as far as the bank tells
	Unnumbered bool   // the bank gives it no reference of its own: the same one may have another ID in another statement
	Account    string // IBAN
	Credit     bool
	Reversal   bool  // it takes an earlier one back
	Amount     int64 // minor units
	Currency   string
	Booked     time.Time // a day
	Payer      string
	PayerIBAN  string
	References []string // that were given as such, by the payer or the bank
	Text       string
}

// ErrFormat is a file that is no statement, or one that says something we must not guess.
var ErrFormat = errors.New("not a bank statement (camt.053)")

// document is what is read of a camt.053 message, of versions 2 to 8 (ISO 20022); namespaces are not looked at.
type document struct {
	XMLName xml.Name    `xml:"Document"`
	Page    string      `xml:"BkToCstmrStmt>GrpHdr>MsgPgntn>PgNb"`
	Stmts   []statement `xml:"BkToCstmrStmt>Stmt"`
}

// statement has, besides its entries, all that tells it from other statements of the account, and from its own other
// pages.
type statement struct {
	ID         string  `xml:"Id"`
	Page       string  `xml:"StmtPgntn>PgNb"`
	Number     string  `xml:"ElctrncSeqNb"`
	LegalOrder string  `xml:"LglSeqNb"`
	Created    string  `xml:"CreDtTm"`
	From       string  `xml:"FrToDt>FrDtTm"`
	To         string  `xml:"FrToDt>ToDtTm"`
	IBAN       string  `xml:"Acct>Id>IBAN"`
	Entries    []entry `xml:"Ntry"`
}

type amount struct {
	Value    string `xml:",chardata"`
	Currency string `xml:"Ccy,attr"`
}

// status is a code, which later versions put into an element of its own.
type status struct {
	Plain string `xml:",chardata"`
	Code  string `xml:"Cd"`
}

type entry struct {
	Amount   amount   `xml:"Amt"`
	Sign     string   `xml:"CdtDbtInd"` // which way the money of this entry goes, also of one that takes back another
	Reversal bool     `xml:"RvslInd"`
	Status   status   `xml:"Sts"`
	Day      string   `xml:"BookgDt>Dt"`
	Time     string   `xml:"BookgDt>DtTm"`
	Ref      string   `xml:"AcctSvcrRef"`
	Info     string   `xml:"AddtlNtryInf"`
	Details  []detail `xml:"NtryDtls>TxDtls"`
}

type detail struct {
	Ref        string   `xml:"Refs>AcctSvcrRef"`
	TxID       string   `xml:"Refs>TxId"`
	EndToEnd   string   `xml:"Refs>EndToEndId"`
	Amount     amount   `xml:"Amt"`
	Inner      amount   `xml:"AmtDtls>TxAmt>Amt"`
	Sign       string   `xml:"CdtDbtInd"`
	Name       string   `xml:"RltdPties>Dbtr>Nm"`
	PartyName  string   `xml:"RltdPties>Dbtr>Pty>Nm"`
	IBAN       string   `xml:"RltdPties>DbtrAcct>Id>IBAN"`
	Text       []string `xml:"RmtInf>Ustrd"`
	Structured []string `xml:"RmtInf>Strd>CdtrRefInf>Ref"`
}

// Read reads the booked payments of a statement in their order.
func Read(r io.Reader) (lines []Payment, err error) {
	var doc document
	if err := xml.NewTokenDecoder(&boundedReader{in: xml.NewDecoder(r)}).Decode(&doc); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrFormat, err)
	}
	if len(doc.Stmts) == 0 {
		return nil, fmt.Errorf("%w: it has no statement", ErrFormat)
	}
	seen := map[string]int{}
	for s, stmt := range doc.Stmts {
		if stmt.IBAN == "" {
			return nil, fmt.Errorf("%w: statement %d names no IBAN", ErrFormat, s+1)
		}
		for n, e := range stmt.Entries {
			found, err := e.lines(stmt.IBAN)
			if err != nil {
				return nil, fmt.Errorf("%w: entry %d of %s: %w", ErrFormat, n+1, stmt.IBAN, err)
			}
			for _, l := range found {
				if l.Unnumbered {
					l.ID += stmt.key(doc.Page)
				}
				// Two payments that the bank tells apart by nothing are two all the same.
				if seen[l.ID]++; seen[l.ID] > 1 {
					l.ID += "-" + strconv.Itoa(seen[l.ID])
				}
				lines = append(lines, l)
			}
		}
	}
	return lines, nil
}

// maxDepth is how deep the elements of a statement may lie in each other; those of a bank lie about 15 deep.
const maxDepth = 64

// boundedReader reads XML that is not deeper than that.
type boundedReader struct {
	in    *xml.Decoder
	depth int
}

// Token implements xml.TokenReader.
func (s *boundedReader) Token() (xml.Token, error) {
	t, err := s.in.RawToken()
	switch t.(type) {
	case xml.StartElement:
		s.depth++
	case xml.EndElement:
		s.depth--
	}
	if s.depth > maxDepth {
		return nil, fmt.Errorf("its elements are nested too deep, more than %d of them", maxDepth)
	}
	return t, err
}

// lines are the payments of an entry: itself, or each of a collection.
func (e entry) lines(account string) (list []Payment, err error) {
	if status := strings.TrimSpace(e.Status.Plain + e.Status.Code); status != "BOOK" {
		return nil, nil // only announced
	}
	base := Payment{Account: account}
	day := e.Day
	if day == "" && len(e.Time) >= len(time.DateOnly) {
		day = e.Time[:len(time.DateOnly)]
	}
	if base.Booked, err = time.Parse(time.DateOnly, day); err != nil {
		return nil, err
	}
	details := e.Details
	if len(details) == 0 {
		details = []detail{{}}
	}
	var sum int64
	for _, t := range details {
		l := base
		amount, sign := firstAmount(t.Amount, t.Inner), t.Sign
		if len(details) == 1 { // what was booked counts: what was sent may have been more, before charges
			amount, sign = e.Amount, e.Sign
		}
		if amount.Value == "" {
			return nil, errors.New("a payment has no amount")
		}
		if sign == "" {
			sign = e.Sign
		}
		switch sign {
		case "CRDT", "DBIT":
		default:
			return nil, fmt.Errorf("%q is neither credit nor debit", sign)
		}
		l.Credit, l.Reversal = sign == "CRDT", e.Reversal
		l.Currency = amount.Currency
		if l.Amount, err = parseAmount(amount.Value); err != nil {
			return nil, err
		}
		if len(l.Currency) != 3 {
			return nil, fmt.Errorf("%q is no currency", l.Currency)
		}
		if sign == e.Sign {
			sum += l.Amount
		} else {
			sum -= l.Amount
		}
		l.Payer, l.PayerIBAN = strings.TrimSpace(t.Name+t.PartyName), t.IBAN
		l.Text = strings.TrimSpace(strings.Join(append(t.Text, e.Info), " "))
		for _, ref := range append(t.Structured, t.EndToEnd) {
			if given(ref) != "" {
				l.References = append(l.References, ref)
			}
		}
		l.Unnumbered = given(e.Ref, t.Ref, t.TxID) == ""
		l.ID = l.identify(e.Ref, t)
		list = append(list, l)
	}
	if whole, err := parseAmount(e.Amount.Value); err != nil || len(details) > 1 && whole != sum {
		return nil, errors.Join(err, fmt.Errorf("the payments of a collection are %d together, not %s", sum, e.Amount.Value))
	}
	return list, nil
}

func firstAmount(all ...amount) amount {
	for _, a := range all {
		if a.Value != "" {
			return a
		}
	}
	return amount{}
}

// given is the first reference that is one: some banks write that there is none.
func given(refs ...string) string {
	for _, ref := range refs {
		switch strings.ToUpper(strings.TrimSpace(ref)) {
		case "", "NOTPROVIDED", "NONREF":
		default:
			return ref
		}
	}
	return ""
}

// HashLen is the length of a hash in an ID.
const HashLen = 32

func hashOf(parts ...string) string {
	h := sha256.New()
	for _, part := range parts {
		fmt.Fprintf(h, "%d:%s", len(part), part)
	}
	return hex.EncodeToString(h.Sum(nil)[:HashLen/2])
}

// identify hashes all that makes a payment what it is: files overlap, and not every bank numbers its payments.
func (l Payment) identify(entry string, t detail) string {
	return hashOf(l.Account, entry, t.Ref, t.TxID, t.EndToEnd, l.Booked.Format(time.DateOnly),
		strconv.FormatInt(l.Amount, 10), l.Currency, strconv.FormatBool(l.Credit),
		l.Payer, l.PayerIBAN, l.Text, strings.Join(l.References, "\x00"))
}

// key hashes what makes a page of a statement what it is.
func (s statement) key(page string) string {
	return hashOf(s.IBAN, s.ID, page, s.Page, s.Number, s.LegalOrder, s.Created, s.From, s.To)
}

// parseAmount reads a decimal of ISO 20022 into hundredths; smaller parts than these must be zero.
func parseAmount(s string) (int64, error) {
	s = strings.TrimSpace(s)
	whole, part, _ := strings.Cut(s, ".")
	cents := strings.TrimRight(part, "0")
	if len(cents) > 2 || whole == "" && part == "" || len(whole) > 13 || strings.Trim(whole+part, "0123456789") != "" {
		return 0, fmt.Errorf("%q is no amount", s)
	}
	return strconv.ParseInt("0"+whole+(cents + "00")[:2], 10, 64)
}

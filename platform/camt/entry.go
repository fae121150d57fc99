package camt

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"encoding/xml"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
)

// The elements of an entry that are read, of versions 2 to 13. Namespaces are not looked at.
type entry struct {
	Amount   amount   `xml:"Amt"`
	Sign     string   `xml:"CdtDbtInd"` // which way the money of this entry goes, also of one that takes back another
	Reversal string   `xml:"RvslInd"`
	Status   status   `xml:"Sts"`
	Booked   moment   `xml:"BookgDt"`
	Valued   moment   `xml:"ValDt"`
	Ref      string   `xml:"AcctSvcrRef"`
	Number   string   `xml:"NtryRef"`
	Info     []string `xml:"AddtlNtryInf"`
	Batches  []string `xml:"NtryDtls>Btch>NbOfTxs"`
	Details  []detail `xml:"NtryDtls>TxDtls"`
}

type amount struct {
	Value    string `xml:",chardata"`
	Currency string `xml:"Ccy,attr"`
}

// status is a code, which later versions put into an element of its own.
type status struct {
	Plain string `xml:",chardata"`
	Code  string `xml:"Cd"`
	Other string `xml:"Prtry"`
}

func (s status) code() string { return strings.ToUpper(squeeze(s.Plain + s.Code + s.Other)) }

type detail struct {
	Refs       references `xml:"Refs"`
	Amount     amount     `xml:"Amt"`
	Booked     amount     `xml:"AmtDtls>TxAmt>Amt"`
	Sent       amount     `xml:"AmtDtls>InstdAmt>Amt"`
	Sign       string     `xml:"CdtDbtInd"`
	Debtor     party      `xml:"RltdPties>Dbtr"`
	DebtorAt   account    `xml:"RltdPties>DbtrAcct"`
	Creditor   party      `xml:"RltdPties>Cdtr"`
	CreditorAt account    `xml:"RltdPties>CdtrAcct"`
	Text       []string   `xml:"RmtInf>Ustrd"`
	Structured []remitted `xml:"RmtInf>Strd"`
	Info       []string   `xml:"AddtlTxInf"`
}

type party struct {
	Name  string `xml:"Nm"`
	Inner string `xml:"Pty>Nm"` // since version 8
}

func (p party) name() string { return strings.Join(strings.Fields(p.Name+" "+p.Inner), " ") }

type remitted struct {
	Refs []string `xml:"CdtrRefInf>Ref"`
	Docs []string `xml:"RfrdDocInf>Nb"`
	Text []string `xml:"AddtlRmtInf"`
}

// references are the ids within Refs.
type references struct {
	bank, transaction, endToEnd string
	all                         []string // but those that only banks know
}

// banksOwn are elements within Refs that no payer can have written.
var banksOwn = []string{
	"AcctSvcrRef", "AcctSvcrTxId", "ClrSysRef", "MktInfrstrctrTxId", "PrcgId", "UETR", "Tp", "Cd",
}

// UnmarshalXML implements xml.Unmarshaler.
func (r *references) UnmarshalXML(d *xml.Decoder, _ xml.StartElement) error {
	var path []string
	for {
		t, err := d.Token()
		if err != nil {
			return err
		}
		switch t := t.(type) {
		case xml.StartElement:
			path = append(path, t.Name.Local)
		case xml.EndElement:
			if len(path) == 0 {
				return nil
			}
			path = path[:len(path)-1]
		case xml.CharData:
			if len(path) > 0 {
				r.add(path[len(path)-1], given(string(t)))
			}
		}
	}
}

func (r *references) add(name, ref string) {
	switch {
	case ref == "":
		return
	case name == "AcctSvcrRef":
		r.bank = ref
	case name == "TxId":
		r.transaction = ref
	case name == "EndToEndId":
		r.endToEnd = ref
	}
	if !slices.Contains(banksOwn, name) {
		r.all = append(r.all, ref)
	}
}

// announced are the states of entries that are not booked.
var announced = []string{"PDNG", "INFO", "FUTR"}

// maxGiven bounds the references and the text of a payment, in bytes.
const maxGiven = 20_000

// payments returns the payments of an entry: itself, or each of a collection. An entry that cannot be split, or cannot
// be read, is one payment with a problem.
func (e entry) payments(s *statement, zone *time.Location) (list []Payment, problem string) {
	if slices.Contains(announced, e.Status.code()) {
		return []Payment{{Announced: true}}, ""
	}
	base := Payment{Credit: true, Currency: strings.TrimSpace(e.Amount.Currency)}
	var errs []error
	if code := e.Status.code(); code != "BOOK" && code != "" {
		errs = append(errs, fmt.Errorf("its status %q is not known", clip(code, 40)))
	}
	var err error
	if base.Booked, err = e.day(s, zone); err != nil {
		errs = append(errs, err)
	}
	if base.Credit, err = isCredit(e.Sign); err != nil {
		errs = append(errs, err)
	}
	base.Reversal = slices.Contains([]string{"true", "1"}, strings.ToLower(strings.TrimSpace(e.Reversal)))
	if base.Amount, err = parseAmount(e.Amount); err != nil {
		errs = append(errs, err)
		if !currency.MatchString(base.Currency) {
			base.Currency = ""
		}
	}
	readable := len(errs) == 0
	if e.isCollection() {
		if list, err = e.split(base); err == nil && readable {
			return list, ""
		}
		base.Undivided, errs = true, append(errs, err)
	}
	base.describe(e, s.Account.id(), e.Details...)
	if err := errors.Join(errs...); err != nil {
		problem = strings.ReplaceAll(err.Error(), "\n", "; ")
		base.Problem = problem
		if !base.Credit && base.Undivided && readable { // a wage bill is no problem
			problem = ""
		}
	}
	return []Payment{base}, problem
}

// day returns the day of an entry: it is booked, or, without that, has its value on it, or the statement is of it.
func (e entry) day(s *statement, zone *time.Location) (day time.Time, err error) {
	for _, text := range []string{e.Booked.text(), e.Valued.text(), s.Period.To, s.Created} {
		text = strings.TrimSpace(text)
		if text == "" {
			continue
		}
		found, wrong := parseDay(text, zone)
		if wrong == nil {
			return found, err
		}
		if err == nil {
			err = wrong
		}
	}
	if err == nil {
		err = errors.New("it has no date, and neither has the statement")
	}
	return day, err
}

func isCredit(sign string) (bool, error) {
	switch s := strings.ToUpper(strings.TrimSpace(sign)); s {
	case "CRDT", "DBIT":
		return s == "CRDT", nil
	}
	return true, fmt.Errorf("%q is neither credit nor debit", clip(sign, 40))
}

// isCollection reports whether an entry is more than one payment.
func (e entry) isCollection() bool {
	count := 0
	for _, text := range e.Batches {
		if n, err := strconv.Atoi(strings.TrimSpace(text)); err == nil && n > 0 {
			count += min(n, 1_000_000)
		}
	}
	return len(e.Details) > 1 || count > 1
}

// sums are the places at which the sum of a detail may be, in the order in which they are tried.
var sums = []func(detail) amount{
	func(d detail) amount {
		for _, a := range []amount{d.Amount, d.Booked, d.Sent} {
			if strings.TrimSpace(a.Value) != "" {
				return a
			}
		}
		return amount{}
	},
	func(d detail) amount { return d.Amount },
	func(d detail) amount { return d.Booked },
	func(d detail) amount { return d.Sent },
}

// split returns the payments of a collection, whose sums are that of the entry together.
func (e entry) split(base Payment) (list []Payment, err error) {
	if len(e.Details) < 2 {
		return nil, errors.New("it is several payments, and the bank does not list them")
	}
	for _, sum := range sums {
		got, wrong := e.splitBy(base, sum)
		if wrong == nil {
			return got, nil
		}
		if err == nil {
			err = wrong
		}
	}
	return nil, err
}

func (e entry) splitBy(base Payment, sum func(detail) amount) (list []Payment, err error) {
	var total int64
	for _, d := range e.Details {
		p, a := base, sum(d)
		if strings.TrimSpace(a.Value) == "" {
			return nil, errors.New("one of its payments has no amount")
		}
		if strings.TrimSpace(a.Currency) != base.Currency {
			return nil, errors.New("its payments are in other currencies")
		}
		if p.Amount, err = parseAmount(a); err != nil {
			return nil, err
		}
		if strings.TrimSpace(d.Sign) != "" {
			if p.Credit, err = isCredit(d.Sign); err != nil {
				return nil, err
			}
		}
		if p.Credit == base.Credit {
			total += p.Amount
		} else {
			total -= p.Amount
		}
		// The entry's own text is about all of them, and belongs to none.
		p.describe(entry{Ref: e.Ref}, "", d)
		list = append(list, p)
	}
	if total != base.Amount {
		return nil, errors.New("the sums of its payments are not that of the entry together")
	}
	return list, nil
}

// describe notes all that an entry and its details say about a payment, but its sum and its day. own is the account.
func (p *Payment) describe(e entry, own string, details ...detail) {
	var lines []string
	size := 0
	add := func(to *[]string, text string) {
		text = strings.Join(strings.Fields(text), " ")
		if text = given(clip(text, maxGiven-size)); text == "" || slices.Contains(*to, text) {
			return
		}
		size += len(text)
		*to = append(*to, text)
	}
	for _, d := range details {
		add(&lines, strings.Join(d.Text, " "))
		for _, s := range d.Structured {
			for _, ref := range slices.Concat(s.Refs, s.Docs) {
				add(&p.References, ref)
			}
			add(&lines, strings.Join(s.Text, " "))
		}
		for _, ref := range d.Refs.all {
			add(&p.References, ref)
		}
		add(&lines, strings.Join(d.Info, " "))
	}
	add(&lines, strings.Join(e.Info, " "))
	add(&p.References, e.Number)
	p.Text = strings.Join(lines, "\n")
	p.Numbers.Entry = given(e.Ref)
	if len(details) != 1 {
		return
	}
	d := details[0]
	p.Numbers = Numbers{cmp.Or(given(e.Ref), d.Refs.bank), d.Refs.bank, d.Refs.transaction, d.Refs.endToEnd}
	p.Payer, p.PayerIBAN = d.other(p.Credit, own)
}

// other is the party on the other side, and its account. Where money goes back, some banks leave the parties in the
// places that they had: then the one that does not have our own account.
func (d detail) other(credit bool, own string) (name, iban string) {
	sides := []struct{ name, iban string }{{d.Debtor.name(), d.DebtorAt.id()}, {d.Creditor.name(), d.CreditorAt.id()}}
	if !credit {
		slices.Reverse(sides)
	}
	for _, s := range sides {
		known := s.name != "" || s.iban != ""
		if known && (name == "" && iban == "" || iban != "" && iban == own) {
			name, iban = s.name, s.iban
		}
	}
	return clip(name, 300), clip(iban, 40)
}

var nothing = regexp.MustCompile(`(?i)^(?:NOT ?PROVIDED|NON-?REF|NOT ?AVAILABLE|N/A|[\s0./-]*)$`)

// given returns a reference, or "" for one that says that there is none.
func given(ref string) string {
	if ref = strings.TrimSpace(ref); nothing.MatchString(ref) {
		return ""
	}
	return ref
}

var tags = regexp.MustCompile(`<[^<>]*>?|&[#A-Za-z0-9]+;`)

// illegible is an entry whose XML is damaged: no more is known of it than its text.
func (s *statement) illegible(b broken) Payment {
	p := Payment{Credit: true, Problem: "its XML is damaged"}
	p.Booked, _ = entry{}.day(s, nil)
	text := tags.ReplaceAllString(clip(b.text, 4*maxGiven), " ")
	p.Text = clip(strings.Join(strings.Fields(text), " "), maxGiven)
	return p
}

// squeeze removes white space, which banks put anywhere into what they cut into lines.
func squeeze(s string) string { return strings.Join(strings.Fields(s), "") }

func hashOf(parts ...string) string {
	h := sha256.New()
	for _, part := range parts {
		fmt.Fprintf(h, "%d:%s", len(part), part)
	}
	return hex.EncodeToString(h.Sum(nil)[:16])
}

// identify hashes what makes a payment what it is within its statement.
func (p Payment) identify() string {
	return hashOf(p.Account, p.Numbers.Entry, p.Numbers.Detail, p.Numbers.Transaction, p.Numbers.EndToEnd,
		p.Booked.Format(time.DateOnly), strconv.FormatInt(p.Amount, 10), p.Currency, strconv.FormatBool(p.Credit),
		squeeze(p.Payer), p.PayerIBAN, squeeze(p.Text), squeeze(strings.Join(p.References, " ")))
}

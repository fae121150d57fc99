// Package camt reads bank statements in the format camt.053 of ISO 20022, versions 2 to 13, into payments. It reads a
// file as far as it can: nothing of one entry stops the others.
//
// Open walk.go next (the elements of a file), then entry.go (the payments of an entry). open.go finds the XML in a
// file, value.go reads amounts and days.
package camt

import (
	"errors"
	"fmt"
	"io"
	"strings"
	"time"
)

// Payment is one payment of an account's statement. Every entry has at least one; a collection that can be split has
// one for each of its details.
type Payment struct {
	ID      string // the same whenever the same statement is read
	Stmt    int    // position of the statement in the file, from 1
	Entry   int    // position of the entry in the file, from 1
	Account string // IBAN, or another id of the account; "" if the statement names none
	// Announced reports that the money is not booked. Of such a payment, only the fields above are set.
	Announced bool
	Credit    bool
	Reversal  bool  // it takes an earlier one back
	Amount    int64 // minor units of the currency; 0 if it cannot be read
	Currency  string
	Booked    time.Time // a day; zero if neither the entry nor the statement has one
	Payer     string    // whoever is on the other side
	PayerIBAN string
	Numbers   Numbers
	// References are the ids that came with the payment: those of the payer and of the banks between.
	References []string
	// Text is all other text about the payment, one line for each place that had some.
	Text string
	// Problem says why a person has to look at the entry; "" if it could be read.
	Problem string
	// Undivided reports that the payment is several, which the bank does not tell apart.
	Undivided bool
}

// Numbers are the numbers by which banks tell payments apart; "" for each that is not given.
type Numbers struct {
	Entry       string // of the account's bank, for the entry
	Detail      string // of the account's bank, for the detail
	Transaction string // of the bank that sent the payment
	EndToEnd    string // of the payer
}

// File is a bank file as far as it could be read.
type File struct {
	Payments []Payment
	Accounts []string // of each statement, in their order
	Entries  int
	Notes    []string // entries and parts of the file that could not be read as they should
}

var (
	// ErrFormat is returned for a file without a statement.
	ErrFormat = errors.New("not a bank statement (camt.053)")
	// ErrRest is returned for a file of which a part could not be read.
	ErrRest = errors.New("a part of the bank file cannot be read")
)

// MaxSize bounds a file, and the files in an archive together.
const MaxSize = 64 << 20

// Read reads the entries of all statements of a file: XML in any charset and envelope, or a ZIP archive of such files.
// Times with a zone become days in zone. It returns ErrFormat if the file has no statement. If it has one, and a part
// of the file cannot be read, it returns ErrRest beside all that was read.
func Read(r io.Reader, zone *time.Location) (File, error) {
	raw, err := io.ReadAll(io.LimitReader(r, MaxSize+1))
	if err != nil {
		return File{}, err
	}
	if len(raw) > MaxSize {
		return File{}, fmt.Errorf("%w: it has more than %d MiB", ErrFormat, MaxSize>>20)
	}
	f := &fileReader{zone: zone}
	err = f.open(raw)
	if len(f.out.Accounts) == 0 && err == nil {
		err = errors.New("it has no statement")
	}
	if len(f.out.Accounts) == 0 && len(f.out.Notes) > 0 {
		err = fmt.Errorf("%w (%s)", err, strings.Join(f.out.Notes, "; "))
	}
	switch {
	case err == nil:
		return f.out, nil
	case len(f.out.Accounts) == 0:
		return f.out, fmt.Errorf("%w: %w", ErrFormat, err)
	}
	return f.out, fmt.Errorf("%w: %w", ErrRest, err)
}

// fileReader collects what is read of a file.
type fileReader struct {
	zone   *time.Location
	out    File
	nested bool // within a message that an envelope holds as a text
}

func (f *fileReader) note(format string, args ...any) {
	const maxNotes = 200
	switch len(f.out.Notes) {
	case maxNotes:
	case maxNotes - 1:
		f.out.Notes = append(f.out.Notes, "further notes are left out")
	default:
		f.out.Notes = append(f.out.Notes, fmt.Sprintf(format, args...))
	}
}

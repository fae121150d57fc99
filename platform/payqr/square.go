package payqr

import (
	"bytes"
	"encoding/base32"
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"regexp"
	"strings"

	"github.com/ulikunitz/xz/lzma"
)

// symbolShape is a variable symbol of Slovak payments.
var symbolShape = regexp.MustCompile(`^[0-9]{0,10}$`)

// lzmaHeader is what the format leaves away of an LZMA stream: properties, size of the dictionary, size.
const lzmaHeader = 13

// field is a text of a payment order: without typographic signs and accents, because some banking apps fail at them.
func field(s string, maxLetters int) string { return line(withoutAccents(plain(s)), maxLetters) }

// BySquare writes a payment order of PAY by square 1.2.0: fields between tabs, with a checksum before them, compressed,
// in base32 of RFC 4648's extended hex alphabet. The reference is the variable symbol.
func BySquare(p Payment) (string, error) {
	if err := p.check(); err != nil {
		return "", err
	}
	if !symbolShape.MatchString(p.Reference) {
		return "", fmt.Errorf("%w: %q is not a variable symbol: at most ten digits", ErrPayment, p.Reference)
	}
	const one, none = "1", "0"
	fields := []string{
		"", one, // no id of the invoice; one payment
		// A payment order, without the other symbols.
		one, p.amount(), p.Currency, p.Due, p.Reference, "", "", "", field(p.Note, 140),
		one, p.IBAN, p.BIC, // one account
		none, none, // no standing order, no direct debit
		field(p.Payee.Name, 70), field(strings.TrimSpace(p.Payee.Street+" "+p.Payee.Number), 70),
		field(strings.TrimSpace(p.Payee.Postal+" "+p.Payee.City), 70),
	}
	body := []byte(strings.Join(fields, "\t"))
	body = append(binary.LittleEndian.AppendUint32(nil, crc32.ChecksumIEEE(body)), body...)
	var packed bytes.Buffer
	w, err := lzma.WriterConfig{
		Properties: &lzma.Properties{LC: 3, LP: 0, PB: 2}, DictCap: 1 << 17, SizeInHeader: true,
		Size: int64(len(body)),
	}.NewWriter(&packed)
	if err != nil {
		return "", fmt.Errorf("payqr: %w", err)
	}
	if _, err := w.Write(body); err != nil {
		return "", fmt.Errorf("payqr: %w", err)
	}
	if err := w.Close(); err != nil {
		return "", fmt.Errorf("payqr: %w", err)
	}
	out := []byte{0x02, 0x00} // PAY by square, version 1.2.0; a payment
	out = binary.LittleEndian.AppendUint16(out, uint16(len(body)))
	return base32.HexEncoding.WithPadding(base32.NoPadding).
		EncodeToString(append(out, packed.Bytes()[lzmaHeader:]...)), nil
}

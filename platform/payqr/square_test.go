package payqr

import (
	"bytes"
	"encoding/base32"
	"encoding/binary"
	"hash/crc32"
	"io"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/ulikunitz/xz/lzma"
)

// unsquare reads a payment order of PAY by square as a bank's app does: what stands before the stream says how long it
// is.
func unsquare(t *testing.T, text string) []string {
	t.Helper()
	raw, err := base32.HexEncoding.WithPadding(base32.NoPadding).DecodeString(text)
	if err != nil || len(raw) < 4 || raw[0] != 0x02 || raw[1] != 0x00 {
		t.Fatalf("%x: %v", raw, err)
	}
	size := binary.LittleEndian.Uint16(raw[2:])
	// Lc 3, lp 0, pb 2; 128 KiB.
	head := binary.LittleEndian.AppendUint64(binary.LittleEndian.AppendUint32([]byte{0x5d}, 1<<17), uint64(size))
	stream, err := lzma.NewReader(io.MultiReader(bytes.NewReader(head), bytes.NewReader(raw[4:])))
	if err != nil {
		t.Fatal(err)
	}
	body, err := io.ReadAll(stream)
	if err != nil || len(body) != int(size) {
		t.Fatalf("%d bytes, not %d: %v", len(body), size, err)
	}
	if sum := binary.LittleEndian.Uint32(body); sum != crc32.ChecksumIEEE(body[4:]) {
		t.Errorf("the checksum is %08x, that of what it stands before is %08x", sum, crc32.ChecksumIEEE(body[4:]))
	}
	return strings.Split(string(body[4:]), "\t")
}

func TestBySquare(t *testing.T) {
	t.Parallel()
	text, err := BySquare(slovak)
	if err != nil {
		t.Fatal(err)
	}
	want := []string{
		"", "1", "1", "89.00", "EUR", "20261205", "2026000042", "", "", "", "Rocne predplatne", "1", slovak.IBAN,
		"RIECSKBX", "0", "0",
		"Dunajske listy, a. s.", "Tlaciarenske nabrezie 14", "811 09 Bratislava",
	}
	if got := unsquare(t, text); !slices.Equal(got, want) {
		t.Errorf("%q", got)
	}
	// Somebody else's reader reads the same text (frontend/src/pages/account/sale/payment-code.test.ts).
	const golden = "testdata/bysquare.txt"
	if os.Getenv("UPDATE") != "" {
		if err := os.WriteFile(golden, []byte(text+"\n"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if there, err := os.ReadFile(golden); err != nil || string(there) != text+"\n" {
		t.Errorf("%s is not what is written now: run with UPDATE=1 (%v)", golden, err)
	}
}

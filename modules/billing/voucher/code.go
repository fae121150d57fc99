package voucher

import (
	"crypto/rand"
	"crypto/sha256"
	"math/big"
	"strings"

	"example.org/broadsheet/platform/typed"
)

const (
	// codeLetters has nothing that is read as something else: no 0, O, 1, I, L.
	codeLetters = "23456789ABCDEFGHJKMNPQRSTUVWXYZ"
	codeLength  = 20 // of 31 letters each: 99 bits
	codeGroup   = 4
)

// NewCode makes a code as it is printed, "K7QF-2MXD-9TRW-4HZB-8VNE".
func NewCode() string {
	seed := make([]byte, 32)
	_, _ = rand.Read(seed) // it never fails
	return codeOf(seed)
}

// codeOf writes a code from a seed of 16 random bytes at least.
func codeOf(seed []byte) string {
	n, base, rest := new(big.Int).SetBytes(seed), big.NewInt(int64(len(codeLetters))), new(big.Int)
	var b strings.Builder
	for i := range codeLength {
		if i > 0 && i%codeGroup == 0 {
			b.WriteByte('-')
		}
		n.DivMod(n, base, rest)
		b.WriteByte(codeLetters[rest.Int64()])
	}
	return b.String()
}

// BareCode returns a code without the characters that people put between and around its letters. It returns "" if the
// text cannot be a code.
func BareCode(text string) string {
	bare := typed.Code(text)
	if len(bare) != codeLength || strings.Trim(bare, codeLetters) != "" {
		return ""
	}
	return bare
}

// HashCode is what is stored of a code. What can be no code has a hash too, so that it is looked up like all others.
func HashCode(text string) []byte {
	sum := sha256.Sum256([]byte("coupon\x00" + BareCode(text)))
	return sum[:]
}

package payqr

import (
	"fmt"
	"strconv"
	"strings"
)

// RF makes a creditor reference of ISO 11649 from up to 21 digits and letters.
func RF(number string) (string, error) {
	number = strings.ToUpper(number)
	if number == "" || len(number) > 21 || !alphanumeric(number) {
		return "", fmt.Errorf("%w: %q does not fit into an RF reference", ErrPayment, number)
	}
	return fmt.Sprintf("RF%02d%s", 98-mod97(number+"RF00"), number), nil
}

// ValidRF reports whether the check digits of an RF reference hold; spaces are as people write them.
func ValidRF(s string) bool {
	s = strings.ToUpper(strings.ReplaceAll(s, " ", ""))
	return len(s) >= 5 && len(s) <= 25 && strings.HasPrefix(s, "RF") && alphanumeric(s) && mod97(s[4:]+s[:4]) == 1
}

// QRR makes a Swiss QR reference of 27 digits, the last of which checks the others.
func QRR(number string) (string, error) {
	if number == "" || len(number) > 26 || !digits(number) {
		return "", fmt.Errorf("%w: %q does not fit into a QR reference", ErrPayment, number)
	}
	number = strings.Repeat("0", 26-len(number)) + number
	return number + strconv.Itoa(mod10(number)), nil
}

// ValidQRR reports whether the check digit of a QR reference holds.
func ValidQRR(s string) bool {
	s = strings.ReplaceAll(s, " ", "")
	return len(s) == 27 && digits(s) && s[26] == byte('0'+mod10(s[:26]))
}

func digits(s string) bool { return strings.Trim(s, "0123456789") == "" }

func alphanumeric(s string) bool {
	return strings.Trim(s, "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ") == ""
}

// mod97 is the remainder by 97 of a number in which letters stand for 10 to 35 (ISO 7064).
func mod97(s string) (rest int) {
	for _, c := range s {
		if c >= 'A' {
			rest = (rest*100 + int(c-'A') + 10) % 97
		} else {
			rest = (rest*10 + int(c-'0')) % 97
		}
	}
	return rest
}

// carries is the table of the recursive check by 10 that Swiss references use.
var carries = [10]int{0, 9, 4, 6, 8, 2, 7, 1, 3, 5}

func mod10(s string) int {
	carry := 0
	for _, c := range s {
		carry = carries[(carry+int(c-'0'))%10]
	}
	return (10 - carry) % 10
}

package sandbox

import (
	"crypto/sha256"
	"encoding/base32"
	"strconv"
	"strings"
	"time"
)

// testCard is a published number and how its bank behaves.
type testCard struct {
	number, brand, country, token string
	decline                       string // the bank's word for no
	failsLater                    bool   // can be saved, but not charged
	disputes                      string // the state of the dispute that a payment brings at once
	asks                          string // "always" or "until_saved": the bank wants the holder to confirm
}

// testCards are the only cards that are accepted; the first three are offered on the checkout page.
var testCards = []testCard{
	{number: "4242424242424242", brand: "visa", country: "US", token: "pm_card_visa"},
	{
		number: "4000002500003155", brand: "visa", country: "US", token: "pm_card_authenticationRequiredOnSetup",
		asks: "until_saved",
	},
	{
		number: "4000000000000002", brand: "visa", country: "US", token: "pm_card_chargeDeclined",
		decline: "generic_decline",
	},
	{number: "4000002760003184", brand: "visa", country: "US", token: "pm_card_authenticationRequired", asks: "always"},
	{number: "4000000000000341", brand: "visa", country: "US", token: "pm_card_chargeCustomerFail", failsLater: true},
	{number: "4000000000000259", brand: "visa", country: "US", token: "pm_card_createDispute", disputes: disputeOpen},
	{
		number: "4000000000001976", brand: "visa", country: "US", token: "pm_card_createDisputeInquiry",
		disputes: inquiryOpen,
	},
	{
		number: "4000000000009995", brand: "visa", country: "US", token: "pm_card_chargeDeclinedInsufficientFunds",
		decline: "insufficient_funds",
	},
	{
		number: "4000000000009987", brand: "visa", country: "US", token: "pm_card_chargeDeclinedLostCard",
		decline: "lost_card",
	},
	{
		number: "4000000000000069", brand: "visa", country: "US", token: "pm_card_chargeDeclinedExpiredCard",
		decline: "expired_card",
	},
	{number: "5555555555554444", brand: "mastercard", country: "US", token: "pm_card_mastercard"},
	{number: "378282246310005", brand: "amex", country: "US", token: "pm_card_amex"},
}

func cardByNumber(number string) *testCard {
	for i := range testCards {
		if testCards[i].number == number {
			return &testCards[i]
		}
	}
	return nil
}

func cardByToken(token string) *testCard {
	for i := range testCards {
		if testCards[i].token == token {
			return &testCards[i]
		}
	}
	return nil
}

// grouped is the number as it is printed on the card.
func (c testCard) grouped() string {
	var b strings.Builder
	for i, digit := range c.number {
		if i > 0 && i%4 == 0 {
			b.WriteByte(' ')
		}
		b.WriteRune(digit)
	}
	return b.String()
}

// cardForm is what a customer typed; the messages are keys of the pages' words.
type cardForm struct{ Number, Expiry, CVC string }

// cardInput is a checked card.
type cardInput struct {
	card        *testCard
	month, year int
}

// check reads the form at a point in time; its second result is a message per field.
func (f cardForm) check(now time.Time) (cardInput, map[string]string) {
	wrong := map[string]string{}
	var in cardInput
	number := digits(f.Number)
	switch in.card = cardByNumber(number); {
	case number == "":
		wrong["number"] = "card.number_missing"
	case in.card == nil && luhn(number):
		wrong["number"] = "card.number_real"
	case in.card == nil:
		wrong["number"] = "card.number_wrong"
	}
	month, year, ok := parseExpiry(f.Expiry)
	in.month, in.year = month, year
	switch {
	case !ok:
		wrong["expiry"] = "card.expiry_wrong"
	case time.Date(year, time.Month(month)+1, 1, 0, 0, 0, 0, time.UTC).Before(now):
		wrong["expiry"] = "card.expiry_past"
	}
	length := 3
	if in.card != nil && in.card.brand == "amex" {
		length = 4
	}
	if cvc := strings.TrimSpace(f.CVC); len(cvc) != length || digits(cvc) != cvc {
		wrong["cvc"] = "card.cvc_wrong"
	}
	return in, wrong
}

// parseExpiry reads 12/30, 12 / 2030 and 1230.
func parseExpiry(s string) (month, year int, ok bool) {
	d := digits(s)
	if before, after, cut := strings.Cut(s, "/"); cut && len(digits(before)) == 1 {
		d = "0" + digits(before) + digits(after)
	}
	if len(d) != 4 && len(d) != 6 || strings.Trim(s, "0123456789/ ") != "" {
		return 0, 0, false
	}
	month, _ = strconv.Atoi(d[:2])
	year, _ = strconv.Atoi(d[2:])
	if year < 100 {
		year += 2000
	}
	return month, year, month >= 1 && month <= 12
}

func digits(s string) string {
	return strings.Map(func(r rune) rune {
		if r < '0' || r > '9' {
			return -1
		}
		return r
	}, s)
}

// luhn reports whether a number could be that of a real card.
func luhn(number string) bool {
	sum := 0
	for i := range len(number) {
		d := int(number[len(number)-1-i] - '0')
		if i%2 == 1 {
			if d *= 2; d > 9 {
				d -= 9
			}
		}
		sum += d
	}
	return len(number) >= 12 && sum%10 == 0
}

// fingerprint names a card number within the account without telling it.
func (c testCard) fingerprint(account string) string {
	sum := sha256.Sum256([]byte(account + c.number))
	return base32.StdEncoding.EncodeToString(sum[:10])
}

// verdict is what the bank says to a payment.
type verdict int

const (
	approved verdict = iota
	declined
	challenged // the holder has to confirm
)

// authorize decides about a payment, or, where amount is 0, about saving the card.
func (c *testCard) authorize(amount int64, saved, confirmed bool) verdict {
	switch {
	case c.decline != "", c.failsLater && amount > 0:
		return declined
	case c.asks == "always" && amount > 0 && !confirmed, c.asks == "until_saved" && !saved && !confirmed:
		return challenged
	}
	return approved
}

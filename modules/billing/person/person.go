// Package person makes the keys under which billing remembers what somebody gets once only, such as an introductory
// price or a trial, and how often somebody may try something. It imports nothing of billing.
package person

import (
	"crypto/sha256"
	"encoding/hex"
	"strconv"
	"strings"
)

// Reader is the key of an account.
func Reader(id int64) string { return "reader:" + strconv.FormatInt(id, 10) }

// Email is the key of an email address, without the address in it.
func Email(email string) string {
	sum := sha256.Sum256([]byte(strings.ToLower(strings.TrimSpace(email))))
	return "email:" + hex.EncodeToString(sum[:])
}

// Card is the key of a payment card, by the fingerprint that the provider has given it; "" if it has no card.
func Card(fingerprint string) string {
	if fingerprint == "" {
		return ""
	}
	sum := sha256.Sum256([]byte(fingerprint))
	return "card:" + hex.EncodeToString(sum[:])
}

// Keys are the keys of a reader with an address.
func Keys(readerID int64, email string) []string {
	return []string{Reader(readerID), Email(email), Mailbox(email)}
}

// Mailbox is the same for all addresses of a mailbox: whatever follows a plus sign leads into it too, and so do dots at
// one provider.
func Mailbox(email string) string {
	local, domain, _ := strings.Cut(strings.ToLower(strings.TrimSpace(email)), "@")
	local, _, _ = strings.Cut(local, "+")
	if domain == "gmail.com" || domain == "googlemail.com" {
		local, domain = strings.ReplaceAll(local, ".", ""), "gmail.com"
	}
	return "mailbox:" + strings.TrimPrefix(Email(local+"@"+domain), "email:")
}

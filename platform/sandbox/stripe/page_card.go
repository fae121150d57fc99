package sandbox

import (
	"net/http"
	"strconv"
	"strings"
)

// cardFields is the part of a page in which a card is typed.
type cardFields struct {
	Number, Expiry, CVC string
	Wrong               map[string]string // keys of the words, by field
	Hints               []cardHint
	More                []cardHint
}

// cardHint offers a test card.
type cardHint struct {
	Index  int
	Number string
	Text   string // a key of the words
}

// offered are the cards that are always in sight; the others unfold.
const offered = 3

func (v *visit) cardFields() cardFields {
	f := cardFields{
		Number: v.r.PostFormValue("number"), Expiry: v.r.PostFormValue("expiry"),
		CVC: v.r.PostFormValue("cvc"), Wrong: map[string]string{},
	}
	for i, c := range testCards {
		hint := cardHint{Index: i, Number: c.grouped(), Text: "test." + c.behaviour()}
		if i < offered {
			f.Hints = append(f.Hints, hint)
		} else {
			f.More = append(f.More, hint)
		}
	}
	return f
}

// behaviour names what the card's bank does, as a key of the words.
func (c testCard) behaviour() string {
	switch {
	case c.decline == "insufficient_funds", c.decline == "expired_card":
		return c.decline
	case c.decline != "":
		return "declined"
	case c.failsLater:
		return "fails_later"
	case c.asks != "":
		return "asks_" + c.asks
	}
	return "pays"
}

// filled types a test card for the visitor if its button was pressed.
func (v *visit) filled() (cardFields, bool) {
	f := v.cardFields()
	index, picked := strings.CutPrefix(v.r.PostFormValue("action"), "card:")
	at, err := strconv.Atoi(index)
	if !picked || err != nil || at < 0 || at >= len(testCards) {
		return f, false
	}
	f.Number, f.Expiry, f.CVC = testCards[at].grouped(), "12 / 34", "123"
	if testCards[at].brand == "amex" {
		f.CVC = "1234"
	}
	return f, true
}

// readCard checks the card that was typed; the second result is false if something is wrong with it.
func (v *visit) readCard(f *cardFields) (cardInput, bool) {
	in, wrong := cardForm{Number: f.Number, Expiry: f.Expiry, CVC: f.CVC}.check(v.box.opts.Clock.Now())
	for field, key := range wrong {
		f.Wrong[field] = key
	}
	return in, len(wrong) == 0
}

// declineText says to the visitor why a bank refused.
func (v *visit) declineText(e *apiError) string {
	key := "decline." + e.DeclineCode
	if e.Code == "payment_intent_authentication_failure" {
		key = "decline.not_confirmed"
	}
	if _, ok := words[key]; !ok {
		key = "decline.generic_decline"
	}
	return word(v.lang, key)
}

// label is a card without its number.
func (m *paymentMethod) label() string {
	brand := map[string]string{"visa": "Visa", "mastercard": "Mastercard", "amex": "American Express"}[m.Card.Brand]
	return brand + " •••• " + m.Card.Last4
}

// challengeView is the page of the bank.
type challengeView struct {
	Amount string
	Card   string
	Action string
}

func (v *visit) showChallenge(view challengeView, sites ...string) {
	v.show(http.StatusOK, "challenge.html", &pageView{Heading: "challenge.title", Page: view}, sites...)
}

// confirmed reports whether the holder said yes to the bank.
func (v *visit) confirmed() bool { return v.r.PostFormValue("outcome") == "complete" }

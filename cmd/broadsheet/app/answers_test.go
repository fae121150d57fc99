package app

import (
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"example.org/broadsheet/platform/fault"
	"example.org/broadsheet/platform/i18n"
)

// callAnswers are what one call, as the description names it, says to whom.
type callAnswers struct {
	call string
	says []answerCase
}

// answerCase is one answer and what leads to it. What is sent is a JSON value, url.Values (the query of a GET, else a
// form), raw bytes, a function that makes one of these when it is needed, or a func(*target) reply that does all by
// itself.
type answerCase struct {
	when   string
	by     func(*target) *browser
	send   any
	status int
	code   string // of a refusal, of a message in ?status=, or why there is no reader; "" for none
	has    string // part of the body, or of the address that it leads to
}

// rawBody is a body that is none of the usual ones.
type rawBody struct{ media, text string }

// Who asks.
func byVisitor(a *target) *browser { return a.away() }
func byOwner(a *target) *browser   { return a.victim.browser }
func byOther(a *target) *browser   { return a.attacker }

func (a *target) answer(call string, s answerCase) response {
	send := s.send
	if do, ok := send.(func(*target) response); ok {
		return do(a)
	}
	if late, ok := send.(func(*target) any); ok {
		send = late(a)
	}
	method, path, _ := strings.Cut(call, " ")
	path = strings.NewReplacer("{articleId}", "1", "{commentId}", fmt.Sprint(a.victim.comment), "{invoiceId}",
		a.victim.invoice).Replace(path)
	b := s.by(a)
	switch v := send.(type) {
	case url.Values:
		if method == http.MethodGet {
			return b.get(path + "?" + v.Encode())
		}
		return b.form(path, v)
	case rawBody:
		return b.do(method, path, v.media, v.text)
	case nil:
		if method == http.MethodGet {
			return b.get(path)
		}
		return b.post(path, map[string]any{})
	default:
		return b.post(path, v)
	}
}

// code is the code of an answer, wherever it stands.
func (r response) code() string {
	if to, err := url.Parse(r.Header.Get("Location")); err == nil && to.Query().Get("status") != "" {
		return to.Query().Get("status")
	}
	var body struct{ Error, Description string }
	if strings.Contains(r.Header.Get("Content-Type"), "json") {
		_ = json.Unmarshal([]byte(r.Body), &body)
	}
	return body.Error + body.Description
}

// accountCalls are the calls that readers' browsers have always made about an account, and for the log: each must be
// shown to work and, where it can refuse, to refuse.
var accountCalls = []string{
	"GET /user/me/", "GET /user/me/extended/", "GET /user/invoice/{invoiceId}/", "GET /user/exists",
	"GET /fns/user-can-read-article", "GET /fns/user-data", "POST /fns/user-comment-name",
	"POST /fns/user-data-set", "POST /fns/update-user-metadata", "POST /fns/user-login", "POST /api/login-code-validation",
	"POST /api/security-login",
	"GET /wp-json/standard/v1/remove-user-subscription-cookie/", "POST /api/set-gdpr-consent-cookie",
	"POST /api/set-consent-metadata",
	"POST /fns/emails", "POST /fns/logtail", "POST /fns/logs-put",
}

// notAccount are operations about texts, and the provider's, which have tests of their own.
var notAccount = regexp.MustCompile(
	`^\w+ (/content/|/webhooks/|/fns/csp-report$|/api/(page|env-vars)$|` +
		`/wp-json/standard/v1/standard-post-react/|/api/discussion/\{articleId\}/live$)`)

// Codes that no call answers, with where they belong.
var (
	// The page after a payment leads on with it.
	ofPayments = []string{"PAYMENT_SUCCESS"}
	// May stand in old addresses: known, and said by nobody here.
	ofBrowsers = []string{"INVALID_ATTEMPT", "LOGIN_DESCRIPTION", "NOT_EXISTING_ACCOUNT"}
	// Of commands and imports.
	ofOperators = []string{
		"USER_NOT_EXISTS", "ALREADY_SENT", "INVALID_POST", "IMAGE_TOO_LARGE", "IMAGE_UNSUPPORTED",
		"IMAGE_BROKEN",
	}
	// Of the register of VAT numbers, which no test asks.
	ofRegister = []string{"VAT_NUMBER_UNKNOWN", "VAT_NUMBER_UNANSWERED"}
	ofTrouble  = []string{"OVERLOADED", "TRY_AGAIN"} // platform/web and platform/db have it
)

// ofAddresses are said of any address, and of searches.
var ofAddresses = []string{"METHOD_NOT_ALLOWED", "SEARCH_TOO_LONG"}

// messages are what is said after something has gone well.
var messages = []string{
	"COMMENT_NAME_SET", "INVOICE_DATA_UPDATED", "SPECIAL_OFFER_SUCCESS", "PAYMENT_SUCCESS", "EMAIL_SENT",
	"LOGIN_DESCRIPTION",
	"ACCOUNT_DELETED", "EMAIL_CHANGED", "LOGIN_APPROVED", "LOGIN_REFUSED", "VAT_NUMBER_INVALID", "VAT_NUMBER_FOREIGN",
	"VAT_NUMBER_UNKNOWN", "VAT_NUMBER_UNANSWERED",
}

// descriptions say why there is no reader; browsers act on them and show none.
var descriptions = []string{"INVALID_HASH", "EXPIRED_LOGIN", "OUTDATED_COOKIE_VERSION"}

// Every call about the account gives every answer that it can give, with its code; every code has a call that answers
// it, or a place where it belongs; and every code has words in every language.
func TestCallsAnswerWithTheirCodes(t *testing.T) {
	t.Parallel()
	p := startApp(t)
	p.publish(2, true)
	pool, err := p.app.DB.Pool("standard")
	if err != nil {
		t.Fatal(err)
	}
	a := &target{testApp: p, id: "standard", doc: apiDescription(t), pool: pool}
	a.rule(0)
	a.victim = a.own("owner@example.org", "Viera.V")
	a.attacker = a.away()
	a.login(a.attacker, "other@example.org")
	a.next(time.Hour)

	got, works, refuses, asked := map[string]bool{}, map[string]bool{}, map[string]bool{}, map[string]bool{}
	for _, c := range slices.Concat(answersOfLogin, answersOfWaysIn, answersOfAccount, answersOfSelling,
		answersOfReaders) {
		asked[c.call] = true
		for _, s := range c.says {
			a.t = t
			r := a.answer(c.call, s)
			code := r.code()
			if r.Status != s.status || code != s.code || !strings.Contains(r.Body+r.Header.Get("Location"), s.has) {
				t.Errorf("%s, %s: %d %q, want %d %q with %q: %.300s %s", c.call, s.when, r.Status, code, s.status, s.code, s.has,
					r.Body, r.Header.Get("Location"))
			}
			got[code] = true
			works[c.call] = works[c.call] || s.status < http.StatusBadRequest && s.code == ""
			refuses[c.call] = refuses[c.call] || s.status >= http.StatusBadRequest || s.code != ""
		}
	}
	for _, call := range slices.Concat(accountCalls, sellingCalls) {
		if !works[call] || !refuses[call] {
			t.Errorf("%s: works %t, refuses %t", call, works[call], refuses[call])
		}
	}
	for _, c := range a.calls() {
		if name := c.method + " " + c.path; !asked[name] && !notAccount.MatchString(name) {
			t.Errorf("%s is asked by nobody", name)
		}
	}
	elsewhere := slices.Concat(ofPayments, ofBrowsers, ofOperators, ofRegister, ofTrouble, ofAddresses)
	all := slices.Concat(slices.Collect(maps.Keys(fault.Codes())), catalogue, messages, descriptions)
	for _, code := range all {
		if got[code] == slices.Contains(elsewhere, code) {
			t.Errorf("%s: answered here %t, and belongs elsewhere %t", code, got[code], slices.Contains(elsewhere, code))
		}
	}
	for _, code := range elsewhere {
		if !slices.Contains(all, code) {
			t.Errorf("%s is nobody's code", code)
		}
	}
	shown := slices.DeleteFunc(all, func(code string) bool { return slices.Contains(descriptions[1:], code) })
	if missing := i18n.MissingCodes(shown); len(missing) > 0 {
		t.Errorf("without words: %v", missing)
	}
}

// inTypeScript finds the codes in the list that browsers have.
var inTypeScript = regexp.MustCompile(`'([A-Z_]+)'`)

// Browsers know every code that the server lets into an address, and no other: what one side says and the other does
// not, would vanish while the page is taken over.
func TestBrowsersKnowTheCodes(t *testing.T) {
	t.Parallel()
	known := map[string]bool{}
	for _, file := range []string{"codes.ts", "success-codes.ts"} {
		text, err := os.ReadFile("../../../frontend/src/api/" + file)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range inTypeScript.FindAllStringSubmatch(string(text), -1) {
			known[m[1]] = true
		}
	}
	shown := i18n.Codes()
	for _, code := range slices.Concat(catalogue, messages, shown) {
		if !known[code] {
			t.Errorf("browsers do not know %s", code)
		}
	}
	for code := range known {
		if !slices.Contains(shown, code) {
			t.Errorf("the server does not know %s", code)
		}
	}
	if missing := i18n.MissingCodes(shown); len(missing) > 0 {
		t.Errorf("without words: %v", missing)
	}
}

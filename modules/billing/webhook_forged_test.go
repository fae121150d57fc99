package billing

import (
	"bytes"
	"crypto/hmac"
	"crypto/sha1"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"example.org/broadsheet/modules/billing/access"
)

// Whoever does not have the edition's secret tells it nothing, whatever is tried: nothing is stored, and nothing is
// done.
func TestForgedWebhooks(t *testing.T) {
	t.Parallel()
	papers := newEnvs(t, 2)
	p := papers[0]
	p.buy(p.order(1, access.Monthly), goodCard)
	p.work()
	before := p.count("SELECT count(*) FROM billing_events")
	const text = `{"id":"evt_forged","object":"event","api_version":"2023-10-16","type":"customer.subscription.updated",` +
		`"created":1,"data":{"object":{"id":"sub_1","object":"subscription"}}}`
	body, secret, now := []byte(text), p.keys().WebhookSecret, time.Now().Unix()
	mac := func(secret string, signed string) string {
		h := hmac.New(sha256.New, []byte(secret))
		h.Write([]byte(signed))
		return hex.EncodeToString(h.Sum(nil))
	}
	at := func(secret string, when int64, body []byte) string {
		return mac(secret, fmt.Sprintf("%d.%s", when, body))
	}
	right := at(secret, now, body)
	old := hmac.New(sha1.New, []byte(secret))
	old.Write(fmt.Appendf(nil, "%d.%s", now, body))
	bare := sha256.Sum256(fmt.Appendf(nil, "%d.%s", now, body))
	raw, err := hex.DecodeString(right)
	if err != nil {
		t.Fatal(err)
	}
	t1 := fmt.Sprintf("t=%d,", now)
	sealed := func(body string) string { return t1 + "v1=" + at(secret, now, []byte(body)) }
	send := func(signature string, body []byte) int {
		req, err := http.NewRequestWithContext(p.ctx, http.MethodPost, p.site.URL+"/webhooks/stripe", bytes.NewReader(body))
		if err != nil {
			t.Fatal(err)
		}
		req.Header.Set("Stripe-Signature", signature)
		res, err := http.DefaultClient.Do(req)
		if err != nil {
			t.Fatal(err)
		}
		_ = res.Body.Close()
		return res.StatusCode
	}
	swap := func(from, to string) []byte { return []byte(strings.Replace(text, from, to, 1)) }
	for name, c := range map[string]struct {
		signature string
		body      []byte
		want      int
	}{
		"no signature":             {"", body, 400},
		"nonsense":                 {"t=1,v1=zz", body, 400},
		"a sentence":               {"signed by the provider", body, 400},
		"commas":                   {",,,", body, 400},
		"more than can be read":    {t1 + "v1=" + right, make([]byte, maxWebhook+1), 413},
		"a secret that is guessed": {t1 + "v1=" + at("whsec_guess", now, body), body, 400},
		"an empty secret":          {t1 + "v1=" + at("", now, body), body, 400},
		"the secret, unprefixed":   {t1 + "v1=" + at(strings.TrimPrefix(secret, "whsec_"), now, body), body, 400},
		"the secret, and a blank":  {t1 + "v1=" + at(secret+" ", now, body), body, 400},
		"the key of the API":       {t1 + "v1=" + at(p.keys().SecretKey, now, body), body, 400},
		"another edition's secret": {t1 + "v1=" + at(papers[1].keys().WebhookSecret, now, body), body, 400},

		"a blank before the body":   {t1 + "v1=" + right, append([]byte(" "), body...), 400},
		"a line after the body":     {t1 + "v1=" + right, append(bytes.Clone(body), '\n'), 400},
		"a part of the body":        {t1 + "v1=" + right, body[:len(body)-1], 400},
		"no body":                   {t1 + "v1=" + right, nil, 400},
		"another message's":         {t1 + "v1=" + at(secret, now, []byte(`{"id":"evt_other"}`)), body, 400},
		"another id":                {t1 + "v1=" + right, swap("evt_forged", "evt_forgex"), 400},
		"another type":              {t1 + "v1=" + right, swap("updated", "deleted"), 400},
		"another object":            {t1 + "v1=" + right, swap("sub_1", "sub_2"), 400},
		"the same, written wider":   {t1 + "v1=" + right, swap(`"id":`, `"id": `), 400},
		"a name twice":              {t1 + "v1=" + right, swap("{", `{"id":"evt_other",`), 400},
		"a mark of order in front":  {t1 + "v1=" + right, append([]byte("\xef\xbb\xbf"), body...), 400},
		"a byte of zero at the end": {t1 + "v1=" + right, append(bytes.Clone(body), 0), 400},

		"six minutes old":         {fmt.Sprintf("t=%d,v1=%s", now-360, at(secret, now-360, body)), body, 400},
		"a year old":              {fmt.Sprintf("t=%d,v1=%s", now-31_536_000, at(secret, now-31_536_000, body)), body, 400},
		"six minutes ahead":       {fmt.Sprintf("t=%d,v1=%s", now+360, at(secret, now+360, body)), body, 400},
		"a year ahead":            {fmt.Sprintf("t=%d,v1=%s", now+31_536_000, at(secret, now+31_536_000, body)), body, 400},
		"zero in its id":          {sealed(strings.Replace(text, "evt_", `evt_\u0000`, 1)), swap("evt_", `evt_\u0000`), 400},
		"zero in its object":      {sealed(strings.Replace(text, "sub_", `sub_\u0000`, 1)), swap("sub_", `sub_\u0000`), 400},
		"of the beginning":        {"t=0,v1=" + at(secret, 0, body), body, 400},
		"of before it":            {"t=-1,v1=" + at(secret, -1, body), body, 400},
		"a second later":          {fmt.Sprintf("t=%d,v1=%s", now+1, right), body, 400},
		"old, called new":         {t1 + "v1=" + at(secret, now-360, body), body, 400},
		"no time":                 {"v1=" + right, body, 400},
		"an empty time":           {"t=,v1=" + right, body, 400},
		"a time in words":         {"t=now,v1=" + right, body, 400},
		"a time with a fraction":  {fmt.Sprintf("t=%d.0,v1=%s", now, right), body, 400},
		"a time beyond all":       {"t=99999999999999999999,v1=" + right, body, 400},
		"two times":               {fmt.Sprintf("t=%d,t=%d,v1=%s", now, now-1, right), body, 400},
		"signed without the time": {t1 + "v1=" + mac(secret, text), body, 400},
		"signed the other way":    {t1 + "v1=" + mac(secret, fmt.Sprintf("%s.%d", body, now)), body, 400},
		"signed without the dot":  {t1 + "v1=" + mac(secret, fmt.Sprintf("%d%s", now, body)), body, 400},

		"the scheme of tests":      {t1 + "v0=" + right, body, 400},
		"a scheme of the future":   {t1 + "v2=" + right, body, 400},
		"a scheme in capitals":     {t1 + "V1=" + right, body, 400},
		"no scheme":                {t1 + right, body, 400},
		"no signature in it":       {t1 + "v1=", body, 400},
		"the time alone":           {strings.TrimSuffix(t1, ","), body, 400},
		"half a signature":         {t1 + "v1=" + right[:32], body, 400},
		"more than a signature":    {t1 + "v1=" + right + "00", body, 400},
		"one letter off":           {t1 + "v1=" + flip(right), body, 400},
		"zeros":                    {t1 + "v1=" + strings.Repeat("0", 64), body, 400},
		"in base64":                {t1 + "v1=" + base64.RawURLEncoding.EncodeToString(raw), body, 400},
		"by SHA-1":                 {t1 + "v1=" + hex.EncodeToString(old.Sum(nil)), body, 400},
		"a sum without a secret":   {t1 + "v1=" + hex.EncodeToString(bare[:]), body, 400},
		"two that are wrong":       {t1 + "v1=" + flip(right) + ",v1=" + at("whsec_guess", now, body), body, 400},
		"many that are wrong":      {t1 + "v1=" + strings.Repeat(flip(right)+",v1=", 200) + "00", body, 400},
		"right, in another scheme": {t1 + "v1=" + flip(right) + ",v0=" + right, body, 400},
		"parted by semicolons":     {fmt.Sprintf("t=%d;v1=%s", now, right), body, 400},

		"signed, and no JSON":    {sealed("hello"), []byte("hello"), 400},
		"signed, and a list":     {sealed("[]"), []byte("[]"), 400},
		"signed, without an id":  {sealed(`{"type":"invoice.paid"}`), []byte(`{"type":"invoice.paid"}`), 400},
		"signed, without a type": {sealed(`{"id":"evt_1"}`), []byte(`{"id":"evt_1"}`), 400},
		"signed, with a number's id": {
			sealed(`{"id":1,"type":"invoice.paid"}`),
			[]byte(`{"id":1,"type":"invoice.paid"}`), 400,
		},
	} {
		if got := send(c.signature, c.body); got != c.want {
			t.Errorf("%s: %d, not %d", name, got, c.want)
		}
	}
	if n := p.count("SELECT count(*) FROM billing_events"); n != before {
		t.Errorf("%d forged messages were stored", n-before)
	}
	// What is signed is stored once and then looked up: a message about nothing changes nothing. While a secret is
	// changed, there are two signatures.
	for _, signature := range []string{
		t1 + "v1=" + right, t1 + "v1=" + flip(right) + ",v1=" + right,
		t1 + "v0=" + right + ",v1=" + right,
	} {
		if got := send(signature, body); got != 200 {
			t.Errorf("signed: %d", got)
		}
	}
	if n := p.count("SELECT count(*) FROM outbox WHERE dedupe_key = 'event:evt_forged'"); n != 1 {
		t.Errorf("%d jobs for one message", n)
	}
	p.work()
	if n := p.count("SELECT count(*) FROM billing_subscriptions"); n != 1 {
		t.Errorf("%d subscriptions", n)
	}
}

// flip changes the last email of a signature.
func flip(signature string) string {
	last := "0"
	if strings.HasSuffix(signature, "0") {
		last = "1"
	}
	return signature[:len(signature)-1] + last
}

package billing

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"example.org/broadsheet/modules/billing/access"
	"example.org/broadsheet/modules/billing/invoice"
	"example.org/broadsheet/modules/billing/stripe"
	"example.org/broadsheet/modules/billing/subscription"
	"example.org/broadsheet/platform/db"
	"example.org/broadsheet/platform/paper/edition"
	sandbox "example.org/broadsheet/platform/sandbox/stripe"
	"example.org/broadsheet/platform/testkit"
)

const form = "application/x-www-form-urlencoded"

func TestParsePostal(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ country, in, want string }{
		{"SK", "81101", "811 01"},
		{"SK", " 811 01 ", "811 01"},
		{"SK", "SK-811 01", "811 01"},
		{"SK", "71101", ""},
		{"SK", "8110", ""},
		{"SK", "811011", ""},
		{"SK", "ABCDE", ""},
		{"CZ", "110 00", "110 00"},
		{"CZ", "81101", ""},
		{"AT", "1010", "1010"},
		{"AT", "A-1010", "1010"},
		{"AT", "AT 1010", "1010"},
		{"AT", "0101", ""},
		{"AT", "10100", ""},
		{"AT", "X-1010", ""},
		{"CH", "8001", "8001"},
		{"CH", "CH-8001", "8001"},
		{"CH", "80010", ""},
		{"LI", "FL-9490", "9490"},
		{"LI", "9499", ""},
		{"DE", "D-01067", "01067"},
		{"DE", "1067", ""},
		{"PL", "00950", "00-950"},
		{"PL", "00-950", "00-950"},
		{"NL", "1012ab", "1012 AB"},
		{"US", "123456789", "12345-6789"},
		{"US", "12345", "12345"},
		{"GB", "sw1a  1aa", "SW1A 1AA"},
		{"GB", "London", ""},
		{"GB", "SW1A_1AA", ""},
		{"GB", "12345678901234", ""},
		{"GB", "-123", ""},
		{"", "811 01", "811 01"},
		{"", "<1>", ""},
	} {
		if got := invoice.ParsePostal(c.country, c.in); got != c.want {
			t.Errorf("%s %q: %q, not %q", c.country, c.in, got, c.want)
		}
	}
}

func TestCountries(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{
		"SK": "SK", "sk": "SK", "at": "AT", "CH": "CH", "XX": "", "UK": "GB", "EU": "", "EUR": "", "ZZZ": "",
		"SVK": "SK", "703": "", "ZZ": "", "XK": "XK", "XKX": "XK", "Kosovo": "XK", "Republic of Kosovo": "XK",
		"USA": "US", "usa": "US", "U.S.A.": "US", "U. S. A.": "US", "United States of America": "US",
		"the United States": "US", "Spojené štáty americké": "US", "Vereinigte Staaten von Amerika": "US",
		"Czech Republic": "CZ", "Česká republika": "CZ", "ceska  republika": "CZ", "ČR": "CZ", "CR": "CR", "CZE": "CZ",
		"Tschechische Republik": "CZ", "Slovak Republic": "SK", "Slovenská republika": "SK", "SR": "SR",
		"Great Britain": "GB", "Veľká Británia": "GB", "Großbritannien": "GB", "Grossbritannien": "GB", "England": "GB",
		"Northern Ireland": "GB", "GBR": "GB", "DEU": "DE", "AUT": "AT", "CHE": "CH", "LIE": "LI", "BRD": "DE",
		"Suisse": "CH", "Svizzera": "CH", "Schweizerische Eidgenossenschaft": "CH", "EL": "GR", "Hellas": "GR",
		"Ελλάδα": "GR", "Polska": "PL", "Magyarország": "HU", "Magyarorszag": "HU", "Italia": "IT", "España": "ES",
		"Trinidad and Tobago": "TT", "Trinidad & Tobago": "TT", "Bosnia and Herzegovina": "BA", "Bosna a Hercegovina": "BA",
		"The Netherlands": "NL", "Holland": "NL", "Nizozemsko": "NL", "Russian Federation": "RU", "Türkiye": "TR",
		"Turkey": "TR", "Côte d'Ivoire": "CI", "Ivory Coast": "CI", "Republic of Ireland": "IE", "Eire": "IE",
		"South Korea": "KR", "Viet Nam": "VN", "Macedonia": "MK", "Vatican": "VA", "Hong Kong": "HK", "Guinea-Bissau": "GW",
		"Nigeria": "NG", "Niger": "NE", "Atlantis": "", "United": "", "republika": "",
		"Slovensko": "SK", "Rakusko": "AT", "switzerland": "CH", "": "",
	} {
		if got := invoice.ParseCountry(in); got != want {
			t.Errorf("%q: %q", in, got)
		}
	}
	for _, lang := range []string{"sk", "de", "en"} {
		list := invoice.CountriesIn(lang)
		if len(list) != 250 {
			t.Errorf("%s: %d countries", lang, len(list))
		}
		for _, c := range list {
			if c.Name == "" {
				t.Errorf("%s: %s has no name", lang, c.Code)
			}
		}
	}
	place := map[string]int{}
	for i, c := range invoice.CountriesIn("sk") {
		place[c.Name] = i
	}
	if place["Čína"] < place["Cyprus"] || place["Čína"] > place["Dánsko"] {
		t.Error("the Slovak list is not in the order of the Slovak alphabet")
	}
}

const eva = `"email":"Eva@Example.org","name":" Eva  Nová ","line1":"Hlavná 1","city":"Bratislava",` +
	`"postal_code":"81101","country":"sk"`

func TestInvoiceData(t *testing.T) {
	t.Parallel()
	p := newEnv(t)
	for _, c := range []struct{ name, data, code, field string }{
		{"no address", `"name":"Eva"`, "INVALID_EMAIL", "email"},
		{"a wrong address", `"email":"eva"`, "INVALID_EMAIL", "email"},
		{"no such country", `"email":"eva@example.org","country":"XX"`, "INVALID_INVOICE_DATA", "country"},
		{"no country by name", `"email":"eva@example.org","country":"Slovenskoo"`, "INVALID_INVOICE_DATA", "country"},
		{
			"a code of another country", `"email":"eva@example.org","country":"SK","postal_code":"1010"`, "INVALID_INVOICE_DATA",
			"postal_code",
		},
		{
			"a code that is none, of no country", `"email":"eva@example.org","postal_code":"??"`, "INVALID_INVOICE_DATA",
			"postal_code",
		},
		{"too long", `"email":"eva@example.org","line1":"` + strings.Repeat("a", 121) + `"`, "INVALID_ARGS", "line1"},
		{
			"a kind of client that there is not", `"email":"eva@example.org","client_type":"ghost"`, "INVALID_ARGS",
			"client_type",
		},
		{"a number for a text", `"email":7`, "INVALID_ARGS", "data.email"},
	} {
		if a := p.post(7, "/fns/user-data-set", `{"data":{`+c.data+`}}`); a.Status < 400 || a.Body["error"] != c.code ||
			a.Body["field"] != c.field {
			t.Errorf("%s: %d %v", c.name, a.Status, a.Body)
		}
	}
	if n := p.count("SELECT count(*) FROM billing_invoice_data"); n != 0 {
		t.Errorf("%d rows after refusals", n)
	}
	if a := p.call(7, http.MethodGet, "/fns/user-data", "", ""); a.Body["success"] != true ||
		!sameData(a.Body["data"], `{"client_type":"individual","email":"reader7@example.org"}`) {
		t.Errorf("before anything is set: %v", a.Body)
	}

	for _, c := range []struct{ name, data, want string }{
		{"all of it", eva, `{"client_type":"individual","email":"eva@example.org","name":"Eva Nová","line1":"Hlavná 1",` +
			`"city":"Bratislava","postal_code":"811 01","country":"SK"}`},
		{
			"invisible characters", `"email":"\ufeffeva@example.org","name":"E\u0000v\u200ba 👨‍👩‍👧","city":"\u202eWi\u00aden",` +
				`"company_ICO":"123\u200b45678"`,
			`{"client_type":"legal_entity","email":"eva@example.org","name":"Eva 👨‍👩‍👧","city":"Wien","company_ICO":"12345678"}`,
		},
		{
			"the address alone takes the rest away", `"email":"eva@example.org","name":null`,
			`{"client_type":"individual","email":"eva@example.org"}`,
		},
		{
			"who names a company is one", `"email":"eva@example.org","company_name":"Nová s.r.o.","company_ICO":"12345678",` +
				`"company_DIC":"2020202020","company_IC_DPH":"SK2020202020"`,
			`{"client_type":"legal_entity","email":"eva@example.org","company_name":"Nová s.r.o.","company_ICO":"12345678",` +
				`"company_DIC":"2020202020","company_IC_DPH":"SK2020202020"}`,
		},
		{"an individual is none", `"client_type":"individual","email":"eva@example.org","company_name":"Nová s.r.o.",` +
			`"company_ICO":"1"`, `{"client_type":"individual","email":"eva@example.org"}`},
		{
			"a company without a name yet", `"client_type":"legal_entity","email":"eva@example.org"`,
			`{"client_type":"legal_entity","email":"eva@example.org"}`,
		},
		{
			"a company by its older name", `"client_type":"company","email":"eva@example.org"`,
			`{"client_type":"legal_entity","email":"eva@example.org"}`,
		},
		{
			"a country by its name", `"email":"eva@example.org","country":"slovensko"`,
			`{"client_type":"individual","email":"eva@example.org","country":"SK"}`,
		},
		{
			"in English", `"email":"eva@example.org","country":"Slovakia"`,
			`{"client_type":"individual","email":"eva@example.org","country":"SK"}`,
		},
		{
			"in German, with a code", `"email":"eva@example.org","country":"Österreich","postal_code":"1010"`,
			`{"client_type":"individual","email":"eva@example.org","country":"AT","postal_code":"1010"}`,
		},
		{
			"without its marks", `"email":"eva@example.org","country":"SVAJCIARSKO"`,
			`{"client_type":"individual","email":"eva@example.org","country":"CH"}`,
		},
		{
			"a code without a country", `"email":"eva@example.org","postal_code":"sw1a 1aa"`,
			`{"client_type":"individual","email":"eva@example.org","postal_code":"SW1A 1AA"}`,
		},
	} {
		if a := p.post(7, "/fns/user-data-set", `{"user_hash":"handle-7","data":{`+c.data+`}}`); a.Status != 200 ||
			a.Body["success"] != true {
			t.Errorf("%s: %d %v", c.name, a.Status, a.Body)
		}
		if a := p.call(7, http.MethodGet, "/fns/user-data?user_hash=handle-7", "", ""); a.Status != 200 ||
			!sameData(a.Body["data"], c.want) {
			t.Errorf("%s: %v", c.name, a.Body)
		}
	}
	if a := p.call(8, http.MethodGet, "/fns/user-data", "", ""); !sameData(a.Body["data"],
		`{"client_type":"individual","email":"reader8@example.org"}`) {
		t.Errorf("another reader: %v", a.Body)
	}
}

// sameData compares with what is not empty.
func sameData(got any, want string) bool {
	has, _ := got.(map[string]any)
	var wanted map[string]any
	if json.Unmarshal([]byte(want), &wanted) != nil || len(has) != 12 {
		return false
	}
	for name, value := range has {
		if w, ok := wanted[name]; ok && value != w || !ok && value != "" {
			return false
		}
	}
	return true
}

func TestAccountIsTheSessionsReaders(t *testing.T) {
	t.Parallel()
	p := newEnv(t)
	if a := p.post(7, "/fns/user-data-set", `{"data":{`+eva+`}}`); a.Status != 200 {
		t.Fatal(a)
	}
	for _, c := range []struct{ name, method, path, body string }{
		{"data", http.MethodGet, "/fns/user-data?user_hash=", ""},
		{"extended", http.MethodGet, "/user/me/extended/?user_hash=", ""},
		{"extended without the slash", http.MethodGet, "/user/me/extended?user_hash=", ""},
		{"setting it", http.MethodPost, "/fns/user-data-set", `{"user_hash":"%","data":{"email":"thief@example.org"}}`},
	} {
		for _, reader := range []int64{0, 8} {
			a := p.call(reader, c.method, c.path+map[bool]string{true: "handle-7"}[c.body == ""], "application/json",
				strings.ReplaceAll(c.body, "%", "handle-7"))
			if a.Status != 401 || a.Body["error"] != "INVALID_TOKEN" || len(a.Body) > 3 {
				t.Errorf("%s, reader %d: %d %v", c.name, reader, a.Status, a.Body)
			}
		}
	}
	if n := p.count("SELECT count(*) FROM billing_invoice_data WHERE email = 'eva@example.org'") +
		p.count("SELECT count(*) FROM billing_invoice_data"); n != 2 {
		t.Error("somebody else's data was written")
	}
}

func TestInvoiceDataForm(t *testing.T) {
	t.Parallel()
	p := newEnv(t)
	long := strings.Repeat("Straße ", 40)
	typed := url.Values{
		"client_type": {"company"}, "email": {"eva"}, "company_name": {"Nová <s.r.o.>"}, "line1": {long},
		"country": {"XX"}, "postal_code": {"1"}, "city": {"Wien"},
	}
	a := p.call(7, http.MethodPost, "/fns/user-data-set", form, typed.Encode())
	if a.Status != 303 || a.Header.Get("Location") != "/account/focus?status=INVALID_ARGS&type=invoice_data" {
		t.Fatalf("refused: %d %s", a.Status, a.Header.Get("Location"))
	}
	load := func(reader int64) focusData {
		t.Helper()
		got, err := p.shop.focusInvoiceData(p.ctx, reader)
		if err != nil {
			t.Fatal(err)
		}
		return got.(focusData)
	}
	d := load(7)
	if d.Values != (invoice.Buyer{
		ClientType: invoice.Company, Email: "eva", Company: "Nová <s.r.o.>", Line1: long, Country: "XX",
		PostalCode: "1", City: "Wien",
	}) {
		t.Errorf("what was typed: %+v", d.Values)
	}
	if text, _ := json.Marshal(d.Problems); string(text) != `[{"field":"line1","code":"INVALID_ARGS"},{"field":"email",`+
		`"code":"INVALID_EMAIL"},{"field":"country","code":"INVALID_INVOICE_DATA"},{"field":"postal_code",`+
		`"code":"INVALID_INVOICE_DATA"}]` {
		t.Errorf("problems: %s", text)
	}
	if other := load(8); other.Values.Email != "reader8@example.org" || len(other.Problems) != 0 {
		t.Errorf("another reader: %+v", other.Values)
	}
	typed.Set("line1", "Ring 1")
	typed.Set("email", "eva@example.org")
	typed.Set("country", "AT")
	if a = p.call(7, http.MethodPost, "/fns/user-data-set", form,
		typed.Encode()); a.Header.Get("Location") != "/account/focus?status=INVALID_INVOICE_DATA&type=invoice_data" {
		t.Errorf("a wrong postal code: %s", a.Header.Get("Location"))
	}
	typed.Set("postal_code", "1010")
	if a = p.call(7, http.MethodPost, "/fns/user-data-set", form, typed.Encode()); a.Status != 303 ||
		a.Header.Get("Location") != "/account/profile?status=INVOICE_DATA_UPDATED" {
		t.Errorf("taken: %d %s", a.Status, a.Header.Get("Location"))
	}
	if d = load(7); len(d.Problems) != 0 || d.Values.PostalCode != "1010" {
		t.Errorf("after it was taken: %+v %v", d.Values, d.Problems)
	}
	const again = "/account/login?referrer=%2Faccount%2Ffocus%3Ftype%3Dinvoice_data&status=INVALID_TOKEN"
	if a = p.call(0, http.MethodPost, "/fns/user-data-set", form,
		typed.Encode()); a.Header.Get("Location") != again {
		t.Errorf("signed out: %s", a.Header.Get("Location"))
	}
	typed.Set("user_hash", "handle-7")
	if a = p.call(8, http.MethodPost, "/fns/user-data-set", form,
		typed.Encode()); a.Header.Get("Location") != again {
		t.Errorf("with the handle of another: %s", a.Header.Get("Location"))
	}

	typed.Del("user_hash")
	typed.Set("country", "XX")
	p.call(7, http.MethodPost, "/fns/user-data-set", form, typed.Encode())
	p.advance(invoice.FormDraftTTL)
	if d = load(7); len(d.Problems) != 0 || d.Values.Country != "AT" {
		t.Errorf("an old draft is shown: %+v", d)
	}
	if testkit.Retain(p.ctx, t, p.db, p.shop.Retentions()); p.count("SELECT count(*) FROM billing_drafts") != 0 {
		t.Error("drafts are left")
	}
}

func TestInvoiceDataHasABudget(t *testing.T) {
	t.Parallel()
	p := newEnv(t)
	for i := range invoice.BuyerChangesPerHour.Max + 1 {
		a := p.post(7, "/fns/user-data-set", `{"data":{"email":"eva@example.org"}}`)
		if want := map[bool]any{true: "TOO_MANY_REQUESTS"}[i == invoice.BuyerChangesPerHour.Max]; a.Body["error"] != want {
			t.Fatalf("%d: %v", i, a.Body)
		}
	}
}

func TestInvoicesAndPortal(t *testing.T) {
	t.Parallel()
	p := newEnv(t)
	extended := func(reader int64) subscription.Extended {
		t.Helper()
		out, err := p.shop.Subscriptions.Extended(p.ctx, reader)
		if err != nil {
			t.Fatal(err)
		}
		return out
	}
	profile := func(reader int64) subscription.Profile {
		t.Helper()
		out, err := p.shop.Subscriptions.Profile(p.ctx, reader)
		if err != nil {
			t.Fatal(err)
		}
		return out.(subscription.Profile)
	}
	a := p.call(7, http.MethodGet, "/user/me/extended/?user_hash=handle-7", "", "")
	if list, ok := a.Body["invoices"].([]any); !ok || len(list) != 0 || a.Body["stripe_billing_portal_url"] != "" ||
		a.Body["billing_info"] == nil {
		t.Errorf("without a purchase: %v", a.Body)
	}
	if s := profile(7); s.State != subscription.StateNone || s.Until != nil || s.Portal != "" || !s.Offer {
		t.Errorf("without a purchase: %+v", s)
	}
	if a := p.call(7, http.MethodGet, subscription.PortalPath, "", ""); a.Status != 303 ||
		a.Header.Get("Location") != "/account/profile?status=INVALID_REQUIREMENT" {
		t.Errorf("no customer: %d %s", a.Status, a.Header.Get("Location"))
	}

	p.buy(p.order(7, access.Monthly), goodCard)
	p.work()
	p.advance(28 * day)
	p.work()
	e := extended(7)
	if len(e.Invoices) != 2 || e.Portal != subscription.PortalPath {
		t.Fatalf("after a renewal: %+v", e)
	}
	if in := e.Invoices[0]; in.Status != "paid" || in.Total != 796 || in.Paid != 796 || in.Number == "" ||
		!strings.HasPrefix(in.StripeID, "in_") || in.Created <= e.Invoices[1].Created || e.Invoices[1].Total != 100 {
		t.Errorf("invoices: %+v", e.Invoices)
	}
	if other := extended(8); len(other.Invoices) != 0 || other.Portal != "" {
		t.Errorf("another reader: %+v", other)
	}
	if s := profile(7); s.State != subscription.StateActive || s.Until.Sub(p.db.Now()) < 27*day || s.Product == "" ||
		s.Portal != subscription.PortalPath {
		t.Errorf("active: %+v", s)
	}

	a = p.call(7, http.MethodGet, subscription.PortalPath, "", "")
	to := a.Header.Get("Location")
	if a.Status != 303 || !strings.Contains(to, "/portal/bps_") || a.Header.Get("Cache-Control") != "private, no-store" ||
		a.Header.Get("Referrer-Policy") != "no-referrer" {
		t.Errorf("portal: %d %v", a.Status, a.Header)
	}
	if again := p.call(7, http.MethodGet, subscription.PortalPath, "", "").Header.Get("Location"); again == to {
		t.Error("two clicks lead to one visit")
	}
	if a := p.call(0, http.MethodGet, subscription.PortalPath, "",
		""); a.Header.Get("Location") != "/?status=INVALID_TOKEN" {
		t.Errorf("signed out: %v", a.Header)
	}
	if a := p.call(7, http.MethodHead, subscription.PortalPath, "", ""); a.Status < 400 {
		t.Errorf("HEAD: %d", a.Status)
	}
	for header, value := range map[string]string{"Sec-Fetch-Site": "cross-site", "Sec-Purpose": "prefetch"} {
		if a := p.ask(7, subscription.PortalPath, header, value); a.Status != 403 || a.Header.Get("Location") != "" {
			t.Errorf("%s %s: %d %v", header, value, a.Status, a.Header)
		}
	}

	sub := p.subscriptions(7)[0].ProviderID
	p.submit(to+"/cancel", url.Values{"subscription": {sub}})
	if a := p.call(7, http.MethodGet, subscription.PortalPath+"/back", "",
		""); a.Header.Get("Location") != "/account/profile" {
		t.Errorf("back: %v", a.Header)
	}
	if s := profile(7); s.State != subscription.StateEnding {
		t.Errorf("cancelled in the portal, before any message: %+v", s)
	}
	p.work()
	p.advance(29 * day)
	p.work()
	if s := profile(7); s.State != subscription.StateExpired || !s.Until.Before(p.db.Now()) || s.Product != "" ||
		s.Portal != subscription.PortalPath {
		t.Errorf("expired: %+v", s)
	}

	if err := p.box.SetFaults(sandbox.Faults{API: "500"}); err != nil {
		t.Fatal(err)
	}
	if a := p.call(7, http.MethodGet, subscription.PortalPath, "",
		""); a.Header.Get("Location") != "/account/profile?status=CONNECTION_FAILED" {
		t.Errorf("the provider is away: %d %v", a.Status, a.Header)
	}
}

func TestFormerSiteAndWhereNothingIsSold(t *testing.T) {
	t.Parallel()
	p := newEnv(t)
	for i, reader := range []int64{8, formerReader} {
		p.view(func(ctx context.Context, tx db.Tx) error {
			_, err := access.PutCustomer(ctx, tx, reader, fmt.Sprint("cus_", i))
			if err == nil {
				err = subscription.PutInvoice(ctx, tx, reader,
					stripe.Invoice{ProviderID: fmt.Sprint("in_", i), Status: "paid", Total: 5, CreatedAt: tx.Now})
			}
			return err
		})
	}
	for reader, want := range map[int64]string{8: subscription.PortalPath, formerReader: ""} {
		if e, err := p.shop.Subscriptions.Extended(p.ctx, reader); err != nil || e.Portal != want || len(e.Invoices) != 1 {
			t.Errorf("reader %d: %+v %v", reader, e, err)
		}
	}
	if s, err := p.shop.Subscriptions.Profile(p.ctx, formerReader); err != nil || s.(subscription.Profile).Offer {
		t.Errorf("an offer to an account of the former site: %+v %v", s, err)
	}
	p.ed.Flags = map[string]bool{"subscriptions": false}
	e, err := p.shop.Subscriptions.Extended(p.ctx, 8)
	list, err2 := p.shop.profileInvoices(p.ctx, 8)
	if err != nil || err2 != nil || e.Portal != "" || len(e.Invoices) != 0 || list != nil {
		t.Errorf("where nothing is sold: %+v %v %v %v", e, list, err, err2)
	}
}

func TestStateOf(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)
	ed := &edition.Edition{}
	ed.Billing.GraceDays = 7
	s := func(st stripe.Status, start, end int, change ...func(*access.Subscription)) access.Subscription {
		one := access.Subscription{
			ProviderID: "sub_1", Status: st, PeriodStart: now.Add(time.Duration(start) * day),
			PeriodEnd: now.Add(time.Duration(end) * day),
		}
		for _, fn := range change {
			fn(&one)
		}
		return one
	}
	cancelled := func(s *access.Subscription) { s.CancelAtPeriodEnd = true }
	trial := func(s *access.Subscription) { s.Trial, s.ProviderID = true, "" }
	over := func(s *access.Subscription) { s.EndedAt = s.PeriodEnd }
	for _, c := range []struct {
		name  string
		list  []access.Subscription
		state string
		until int
	}{
		{"nothing", nil, subscription.StateNone, 0},
		{"never paid", []access.Subscription{s(stripe.Incomplete, 0, 28)}, subscription.StateNone, 0},
		{"a trial", []access.Subscription{s(stripe.Trialing, -1, 27, trial)}, subscription.StateTrial, 27},
		{"paid", []access.Subscription{s(stripe.Active, -1, 27)}, subscription.StateActive, 27},
		{
			"paid after a trial",
			[]access.Subscription{s(stripe.Ended, -9, -1, trial, over), s(stripe.Active, -1, 27)},
			subscription.StateActive, 27,
		},
		{"cancelled", []access.Subscription{s(stripe.Active, -1, 27, cancelled)}, subscription.StateEnding, 27},
		{"a renewal that is late", []access.Subscription{s(stripe.Active, -29, -1)}, subscription.StateRenewing, 6},
		{"a payment that failed", []access.Subscription{s(stripe.PastDue, -1, 27)}, subscription.StatePastDue, 6},
		{
			"a payment that failed too long ago",
			[]access.Subscription{s(stripe.PastDue, -8, 20)},
			subscription.StateExpired, -1,
		},
		{"over", []access.Subscription{s(stripe.Canceled, -30, -2, over)}, subscription.StateExpired, -2},
	} {
		end := access.EntitlementOf(c.list, nil, ed.Billing.GraceDays).End(now)
		got := subscription.StateOf(c.list, end, ed, now)
		if got.State != c.state || (got.Until == nil) != (c.until == 0) ||
			got.Until != nil && !got.Until.Equal(now.Add(time.Duration(c.until)*day)) {
			t.Errorf("%s: %+v", c.name, got)
		}
	}
}

package doctor

import (
	"context"
	"net"
	"strings"
	"testing"
	"time"

	"golang.org/x/net/dns/dnsmessage"

	"example.org/broadsheet/modules/billing/stripe"
	"example.org/broadsheet/platform/config"
	"example.org/broadsheet/platform/paper/edition"
	"example.org/broadsheet/platform/testkit"
)

// nameServer answers from a table of texts and addresses by name, on this machine alone.
func nameServer(t *testing.T, texts, addresses map[string]string) *net.Resolver {
	t.Helper()
	conn, err := new(net.ListenConfig).ListenPacket(t.Context(), "udp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = conn.Close() })
	go func() {
		for b := make([]byte, 1500); ; {
			n, from, err := conn.ReadFrom(b)
			if err != nil {
				return
			}
			var m dnsmessage.Message
			if m.Unpack(b[:n]) != nil || len(m.Questions) != 1 {
				continue
			}
			if answer, err := answerTo(m, texts, addresses); err == nil {
				_, _ = conn.WriteTo(answer, from)
			}
		}
	}()
	return &net.Resolver{PreferGo: true, Dial: func(ctx context.Context, _, _ string) (net.Conn, error) {
		return new(net.Dialer).DialContext(ctx, "udp", conn.LocalAddr().String())
	}}
}

func answerTo(m dnsmessage.Message, texts, addresses map[string]string) ([]byte, error) {
	q := m.Questions[0]
	name := strings.TrimSuffix(q.Name.String(), ".")
	m.Response, m.Authoritative, m.RecursionAvailable, m.Additionals = true, true, true, nil
	header := dnsmessage.ResourceHeader{Name: q.Name, Class: q.Class, Type: q.Type, TTL: 1}
	text, hasText := texts[name]
	address, hasAddress := addresses[name]
	switch {
	case hasText && q.Type == dnsmessage.TypeTXT:
		m.Answers = []dnsmessage.Resource{{Header: header, Body: &dnsmessage.TXTResource{TXT: []string{text}}}}
	case hasAddress && q.Type == dnsmessage.TypeA:
		m.Answers = []dnsmessage.Resource{{
			Header: header, Body: &dnsmessage.AResource{A: [4]byte(net.ParseIP(address).To4())},
		}}
	case !hasText && !hasAddress:
		m.RCode = dnsmessage.RCodeNameError
	}
	return m.Pack()
}

// paper is one edition that sends from a public domain and has a public host.
func paper(t *testing.T, selector string, texts, addresses map[string]string) *Paper {
	t.Helper()
	doc := testkit.Document(0)
	doc.Hosts, doc.Mail.From = []string{"www.paper.eu"}, "news@paper.eu"
	ed, err := edition.New(doc, testkit.Origin)
	if err != nil {
		t.Fatal(err)
	}
	return &Paper{
		Config:   &config.Config{Mail: config.Mail{DKIMSelector: selector}},
		Registry: edition.NewRegistryOf(nil, ed, nil), Resolver: nameServer(t, texts, addresses),
	}
}

func said(found []Finding) (text string) {
	for _, f := range found {
		text += string(f.Status) + " " + f.Text + " " + f.Advice + "\n"
	}
	return text
}

func TestMailRecords(t *testing.T) {
	t.Parallel()
	good := map[string]string{
		"paper.eu": "v=spf1 mx -all", "_dmarc.paper.eu": "v=DMARC1; p=reject", "k1._domainkey.paper.eu": "v=DKIM1; p=MIIB",
	}
	for name, tc := range map[string]struct {
		selector, record, text string // what is other than good; "-" for nothing there
		want                   string
	}{
		"all is well":   {selector: "k1", want: "ok right for each domain of a sender (1)"},
		"no SPF":        {record: "paper.eu", text: "-", want: "warning paper.eu has no SPF record"},
		"another text":  {record: "paper.eu", text: "verification=1", want: "Add a TXT record at paper.eu with v=spf1"},
		"no DMARC":      {record: "_dmarc.paper.eu", text: "-", want: "warning paper.eu has no DMARC record"},
		"no DKIM":       {selector: "k2", want: "warning paper.eu has no DKIM record"},
		"a revoked key": {"k1", "k1._domainkey.paper.eu", "v=DKIM1; p=", "Add a TXT record at k1._domainkey.paper.eu"},
		"nobody names a key": {
			record: "k1._domainkey.paper.eu", text: "-", want: "ok right for each domain of a sender (1)",
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			texts := map[string]string{}
			for n, v := range good {
				if n == tc.record {
					v = tc.text
				}
				if v != "-" {
					texts[n] = v
				}
			}
			if got := said(mailRecords(t.Context(), paper(t, tc.selector, texts, nil))); !strings.Contains(got, tc.want) {
				t.Errorf("got %q, want %q", got, tc.want)
			}
		})
	}
}

func TestHosts(t *testing.T) {
	t.Parallel()
	lead := map[string]string{"www.paper.eu": "192.0.2.1"}
	got := said(hosts(t.Context(), paper(t, "", nil, lead)))
	if !strings.HasPrefix(got, "ok each leads somewhere (1 public)") {
		t.Errorf("a host that leads somewhere: %s", got)
	}
	got = said(hosts(t.Context(), paper(t, "", nil, nil)))
	if !strings.Contains(got, "warning www.paper.eu of ") || !strings.Contains(got, "Let the name lead to the proxy") {
		t.Errorf("a host that leads nowhere: %s", got)
	}
}

// What no test can make of this machine is decided by numbers alone.
func TestBounds(t *testing.T) {
	t.Parallel()
	now := time.Now()
	key := func(secret, webhook string) string {
		return said(keyShapes("x", stripe.Keys{SecretKey: secret, WebhookSecret: webhook}))
	}
	long := strings.Repeat("x", shortestKey)
	for name, tc := range map[string]struct{ got, want string }{
		"no room":              {said(room("/m", 100<<20)), "problem /m has 100 MiB free"},
		"little room":          {said(room("/m", 1<<30)), "warning /m has 1024 MiB free"},
		"room":                 {said(room("/m", 3<<30)), ""},
		"few files":            {said(openFiles(1024)), "warning at most 1024 may be open"},
		"many files":           {said(openFiles(65536)), "ok 65536 may be open"},
		"a clock":              {said(drift("Postgres", now, now.Add(time.Second))), ""},
		"a clock that is late": {said(drift("Postgres", now, now.Add(5*time.Second))), "warning this machine's"},
		"a clock that is fast": {said(drift("Postgres", now.Add(time.Hour), now)), "problem this machine's"},
		"keys":                 {key("sk_live_"+long, "whsec_"+long), ""},
		"half a key":           {key("sk_live_x", "whsec_"+long), "problem BROADSHEET_STRIPE_X_SECRET_KEY has 9 characters"},
		"half a secret":        {key("sk_live_"+long, "whsec_x"), "problem BROADSHEET_STRIPE_X_WEBHOOK_SECRET has 7"},
		"another kind of key":  {key("pk_live_"+long, "whsec_"+long), "should begin with sk_live_"},
	} {
		if tc.want == "" && tc.got != "" || !strings.Contains(tc.got, tc.want) {
			t.Errorf("%s: got %q, want %q", name, tc.got, tc.want)
		}
	}
}

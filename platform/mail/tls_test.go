package mail

import (
	"testing"

	gomail "github.com/wneessen/go-mail"

	"example.org/broadsheet/platform/testkit"
)

// A mail server elsewhere gets no email without TLS, with or without a password, but where an operator has said so.
func TestEmailsGoEncrypted(t *testing.T) {
	t.Parallel()
	_, d := testkit.Edition(t)
	for address, want := range map[string][2]gomail.TLSPolicy{
		"smtp://mail.example.org":          {gomail.TLSMandatory, gomail.TLSOpportunistic},
		"smtp://eva:pass@mail.example.org": {gomail.TLSMandatory, gomail.TLSOpportunistic},
		"smtp://10.0.0.7:25":               {gomail.TLSMandatory, gomail.TLSOpportunistic},
		"smtp://localhost.example.org":     {gomail.TLSMandatory, gomail.TLSOpportunistic},
		"smtp://localhost:1025":            {gomail.NoTLS, gomail.NoTLS},
		"smtp://127.0.0.1:1025":            {gomail.NoTLS, gomail.NoTLS},
		"smtp://[::1]:1025":                {gomail.NoTLS, gomail.NoTLS},
	} {
		for i, tls := range []TLS{RequireTLS, AllowPlaintext} {
			s, err := New(d, address, tls, nil, nil)
			if err != nil {
				t.Fatal(err)
			}
			c, err := gomail.NewClient(s.host, s.options...)
			if err != nil {
				t.Fatal(err)
			}
			if got := c.TLSPolicy(); got != want[i].String() {
				t.Errorf("%s, %d: %s, want %s", address, tls, got, want[i])
			}
		}
	}
}

package mail

import (
	"errors"
	"fmt"
	"testing"

	"github.com/emersion/go-smtp"

	"example.org/broadsheet/platform/breaker"
	"example.org/broadsheet/platform/testkit"
)

// A server that is away, or lets us not in, is left alone after a while, and no email is lost by it; one that refuses
// emails is well.
func TestEmailsPause(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		refuse error
		url    string
		login  string
		pauses bool
	}{
		"away":         {url: "127.0.0.1:1", pauses: true},
		"not let in":   {login: "paper:right", url: "paper:wrong@", pauses: true},
		"not now":      {refuse: &smtp.SMTPError{Code: 451, Message: "later"}},
		"nobody there": {refuse: &smtp.SMTPError{Code: 550, Message: "nobody here"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			ctx, d := testkit.Edition(t)
			office := &postOffice{refuse: c.refuse, login: c.login}
			address := open(t, office)
			url := "smtp://" + c.url
			if !c.pauses || c.login != "" {
				url += address
			}
			s := sender(t, d, url)
			post := func(s *Sender, i int) error {
				l := message()
				l.Key, l.To = fmt.Sprint("login:", i), fmt.Sprintf("reader%d@reader.test", i)
				return s.Send(ctx, l)
			}
			const tries = 8
			for i := range tries {
				err := post(s, i)
				if err == nil || errors.Is(err, breaker.ErrPaused) != (c.pauses && i >= 5) {
					t.Errorf("email %d: %v", i+1, err)
				}
			}
			if err := s.Bulk(ctx, toMany(1)); errors.Is(err, breaker.ErrPaused) != c.pauses {
				t.Errorf("emails to many: %v", err)
			}
			if !c.pauses {
				return
			}
			well := &postOffice{}
			for i := range tries {
				if err := post(sender(t, d, "smtp://"+open(t, well)), i); err != nil {
					t.Errorf("email %d, once there is a server: %v", i+1, err)
				}
			}
			if n := len(well.messages()); n != tries {
				t.Errorf("%d of %d emails arrived", n, tries)
			}
		})
	}
}

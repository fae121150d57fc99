package voucher

import "testing"

func TestHasAddress(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		text string
		want bool
	}{
		// Sentences without a blank after the full stop.
		{"Milá babka.Je to pre Teba!", false},
		{"Ahoj.To som ja", false},
		{"Ahoj.To", false},
		{"Všetko naj.Tvoja mama", false},
		{"Ľúbim ťa.Ma to teší", false},
		{"Ďakujem.So srdcom", false},
		{"Príď.Na jar", false},
		{"Prajem pokoj.Za všetkých Jana", false},
		{"Babka.Je to.Si rada?", false},
		{"Alles Gute.Es ist so weit", false},
		{"Lies gut.Am Morgen", false},
		{"Danke.Im Advent", false},
		{"Thank you.It is for you", false},
		{"Enjoy.My love", false},
		{"Happy birthday.Love, Ada", false},
		{"Merry Christmas.To you", false},
		{"Koniec.Je?", false},
		{"MILÁ BABKA.JE TO PRE TEBA", false},
		{"Ahoj...to som ja", false},
		{"Babka ...je to", false},
		{"čakaj…to príde", false},
		// Firms, abbreviations, numbers.
		{"Martin&Co.AG", false},
		{"Muster GmbH&Co.KG", false},
		{"Nová s.r.o.", false},
		{"Nová a.s. Košice", false},
		{"o 8.30, 24.12.2026 …", false},
		{"prišla 2.na svete", false},
		{"50 % č. 3", false},
		{"Ing.Mária Dr.Eva", false},
		{"z.B. so", false},
		{"a@b", false},
		{"Node.js", false},
		{"9.99 €", false},
		{"", false},
		// Addresses of pages.
		{"http://evil.example", true},
		{"HTTPS://EVIL.EXAMPLE/x", true},
		{"ftp://evil.example", true},
		{"pozri www.evil", true},
		{"WWW.evil.example", true},
		{"evil.com", true},
		{"Evil.com", true},
		{"Evil.Com", true},
		{"EVIL.COM", true},
		{"Evil.Sk je tu", true},
		{"evil.sk/path", true},
		{"evil.to/x", true},
		{"Evil.To/x", true},
		{"Evil.To:8080", true},
		{"Evil.To?a=1", true},
		{"(výhra.top)", true},
		{"choď na darcek.je!", true},
		{"evil.com.To je ono", true},
		{"Choď na Evil-Shop.COM/pay!", true},
		{"sub.evil.co.uk", true},
		{"Evil.Co.Uk", true},
		{"a.b.c.evil.net", true},
		{"163.com", true},
		{"obchod.eu.", true},
		{"evil.xyz,", true},
		{"bit.ly/3x", true},
		{"пример.рф", true},
		{"xn--e1afmkfd.xn--p1ai", true},
		{"evil．com", true},
		{"evil。com", true},
		{"evil\u2024com", true},
		{"ｅｖｉｌ.ｃｏｍ", true},
		{"tvoja-výhra.online", true},
		// Addresses of mailboxes.
		{"píš na eva@shop.sk", true},
		{"eva@shop.To", true},
		{"mailto:eva@shop.sk", true},
		// Mailboxes make no link of a name in two parts.
		{"evil .com", false},
		{"evil. com", false},
		{"evil[.]com", false},
	} {
		t.Run(c.text, func(t *testing.T) {
			t.Parallel()
			if got := hasAddress(c.text); got != c.want {
				t.Errorf("hasAddress(%q) = %t, want %t", c.text, got, c.want)
			}
		})
	}
}

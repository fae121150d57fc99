package typed

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
		{"x@evil.example", true},
		{"x＠evil.example", true},
		{"x@[1.2.3.4]", true},
		{"x@1.2.3.4", true},
		// In other characters.
		{"evil。example", true},
		{"evil．example", true},
		{"evil\u200b.com", true},
		{"evil.\u2060com", true},
		{"ev\u00adil.com", true},
		{"evil\ufe0f.com", true},
		{"evil\u200c.com", true},
		{"evil%2Ecom", true},
		{"evil%2ecom%2Fx", true},
		{"eva%40shop.sk", true},
		{"hxxp://evil", true},
		{"hxxps%3A%2F%2Fevil", true},
		{"пример。рф", true},
		{"expyuzz4wqqyqhjn.onion", true},
		// Addresses of machines.
		{"1.2.3.4/x", true},
		{"1.2.3.4", true},
		{"choď na 1.2.3.4.", true},
		{"(93.184.216.34)", true},
		{"1.2.3.4:8080", true},
		{"01.02.03.04/x", true},
		{"1。2。3。4", true},
		{"１.２.３.４", true},
		{"[2001:db8::1]", true},
		{"2001:db8::1", true},
		{"::ffff:1.2.3.4", true},
		{"[2001:db8::1]/x", true},
		{"2001:0db8:0000:0000:0000:0000:0000:0001", true},
		{"9.5.2027", false},
		{"9.5.2027/1", false},
		{"3.50/kg", false},
		{"tel. 02.12.34.56", false},
		{"02.12.34.56.78", false},
		{"1.2.3.4.5", false},
		{"256.1.1.1", false},
		{"o 8:30:00", false},
		{"čas 12:30", false},
		{"text :: text", false},
		{"Ján 3:16", false},
		{"100%", false},
		{"50%.Ahoj", false},
		{"5 ks@3.50", false},
		{"ja@doma", false},
		// Mailboxes make no link of a name in two parts.
		{"evil .com", false},
		{"evil. com", false},
		{"evil[.]com", false},
	} {
		t.Run(c.text, func(t *testing.T) {
			t.Parallel()
			if got := HasAddress(c.text); got != c.want {
				t.Errorf("HasAddress(%q) = %t, want %t", c.text, got, c.want)
			}
		})
	}
}

// A name of a host is no link in the name of a firm or of a street; whatever leads somewhere is.
func TestHasLink(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		text string
		want bool
	}{
		{"Alza.cz a.s.", false},
		{"Booking.com B.V.", false},
		{"Nám.sv. Egídia 12/A", false},
		{"Ul.1.mája 5/7", false},
		{"Alza.cz/darcek", true},
		{"https://alza", true},
		{"www.alza", true},
		{"info@alza.cz", true},
		{"alza\u200b.cz:8080", true},
		{"1.2.3.4", true},
	} {
		t.Run(c.text, func(t *testing.T) {
			t.Parallel()
			if got := HasLink(c.text); got != c.want {
				t.Errorf("HasLink(%q) = %t, want %t", c.text, got, c.want)
			}
		})
	}
}

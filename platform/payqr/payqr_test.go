package payqr

import (
	"bytes"
	"errors"
	"image/png"
	"strings"
	"testing"

	"github.com/makiuchi-d/gozxing"
	"github.com/makiuchi-d/gozxing/qrcode"
)

var (
	slovak = Payment{
		Payee: Party{
			Name: "Dunajské listy, a. s.", Street: "Tlačiarenské nábrežie", Number: "14", Postal: "811 09",
			City: "Bratislava", Country: "SK",
		},
		IBAN: "SK8999520000001987426375", BIC: "RIECSKBX", Amount: 8900, Currency: "EUR", Reference: "2026000042",
		Note: "Ročné predplatné", Due: "20261205",
	}
	austrian = Payment{
		Payee: Party{Name: "Donaublatt Verlag GmbH"}, IBAN: "AT611904300234573201", Amount: 8900,
		Currency: "EUR", Reference: "RF712348231", Note: "Jahresabo",
	}
	swissPayment = Payment{
		Payee: Party{
			Name: "Limmatblatt AG", Street: "Rue du Lac", Number: "1268", Postal: "2501", City: "Biel",
			Country: "CH",
		},
		IBAN: "CH4431999123000889012", Amount: 199495, Currency: "CHF", Reference: "210000000003139471430009017",
		Note: "Jahresabo für Zürich",
	}
)

// read returns what a camera reads of the picture in an email.
func read(t *testing.T, text string, swiss bool) *gozxing.Result {
	t.Helper()
	return decode(t, text, swiss, nil)
}

func decode(t *testing.T, text string, swiss bool, hints map[gozxing.DecodeHintType]any) *gozxing.Result {
	t.Helper()
	picture, err := PNG(text, swiss)
	if err != nil {
		t.Fatal(err)
	}
	img, err := png.Decode(bytes.NewReader(picture))
	if err != nil {
		t.Fatal(err)
	}
	bitmap, err := gozxing.NewBinaryBitmapFromImage(img)
	if err != nil {
		t.Fatal(err)
	}
	found, err := qrcode.NewQRCodeReader().Decode(bitmap, hints)
	if err != nil {
		t.Fatal(err)
	}
	return found
}

func TestPicturesAreRead(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		write func(Payment) (string, error)
		pay   Payment
	}{"PAY by square": {BySquare, slovak}, "EPC": {EPC, austrian}, "QR-bill": {Swiss, swissPayment}} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			text, err := c.write(c.pay)
			if err != nil {
				t.Fatal(err)
			}
			got := read(t, text, name == "QR-bill")
			if got.GetText() != text {
				t.Errorf("text %q, want %q", got.GetText(), text)
			}
			if level := got.GetResultMetadata()[gozxing.ResultMetadataType_ERROR_CORRECTION_LEVEL]; level != "M" {
				t.Errorf("error correction %v, want M", level)
			}
		})
	}
}

// Codes of every length are read, of digits, of capitals and of letters with accents. The reader is given their place,
// as it does not find large codes in a picture.
func TestPicturesOfEveryLength(t *testing.T) {
	t.Parallel()
	hints := map[gozxing.DecodeHintType]any{gozxing.DecodeHintType_PURE_BARCODE: true}
	for name, letters := range map[string]string{
		"digits": "0123456789", "capitals": "ABC $%*+-./:", "UTF-8": "Žltý kôň €",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			for length := 1; length < 1400; length += 73 {
				text := strings.Repeat(letters, length/10+1)
				if got := decode(t, text, false, hints).GetText(); got != text {
					t.Fatalf("%d letters: got %q, want %q", length, got, text)
				}
			}
		})
	}
}

func TestDraw_Swiss(t *testing.T) {
	t.Parallel()
	const side = 117 + 2*Quiet // of version 25, the largest that a QR-bill may have
	if got, err := Draw(strings.Repeat("ä", 498)+"x", true); err != nil || got.Side != side {
		t.Errorf("997 bytes: side %v, error %v, want side %d", got.Side, err, side)
	}
	if got, err := Draw(strings.Repeat("ä", 499), true); err == nil {
		t.Errorf("998 bytes: side %v, want an error", got.Side)
	}
}

func TestEPC(t *testing.T) {
	t.Parallel()
	with := austrian
	with.BIC = "BKAUATWW"
	with.Payee.Name = strings.Repeat("ä", 80)
	got, err := EPC(with)
	if want := "BCD\n002\n1\nSCT\nBKAUATWW\n" + strings.Repeat("ä", 70) +
		"\nAT611904300234573201\nEUR89.00\n\nRF712348231"; err != nil || got != want {
		t.Errorf("%q, %v", got, err)
	}
	with.Reference = "Rechnung\n42"
	if got, err = EPC(with); err != nil || !strings.HasSuffix(got, "EUR89.00\n\n\nRechnung 42 Jahresabo") {
		t.Errorf("%q, %v", got, err)
	}
	with.Note, with.Payee.Name = strings.Repeat("ß", 140), strings.Repeat("ß", 70)
	if _, err = EPC(with); !errors.Is(err, ErrPayment) {
		t.Errorf("too long: %v", err)
	}
}

func TestSwiss(t *testing.T) {
	t.Parallel()
	got, err := Swiss(swissPayment)
	lines := strings.Split(got, "\r\n")
	if err != nil || len(lines) != 31 || lines[3] != swissPayment.IBAN || lines[18] != "1994.95" || lines[19] != "CHF" ||
		lines[27] != "QRR" || lines[28] != swissPayment.Reference || lines[30] != "EPD" {
		t.Errorf("%q, %v", lines, err)
	}
	for name, change := range map[string]func(*Payment){
		"euros to an ordinary account": func(p *Payment) {
			p.IBAN, p.Currency, p.Reference = "CH9300762011623852957", "EUR", "RF712348231"
		},
		"without a reference": func(p *Payment) { p.IBAN, p.Reference = "CH9300762011623852957", "" },
	} {
		p := swissPayment
		change(&p)
		if got, err := Swiss(p); err != nil || !strings.Contains(got, "\r\n1994.95\r\n"+p.Currency+"\r\n") {
			t.Errorf("%s: %q, %v", name, got, err)
		}
	}
	for name, change := range map[string]func(*Payment){
		"dollars":                       func(p *Payment) { p.Currency = "USD" },
		"an account abroad":             func(p *Payment) { p.IBAN = slovak.IBAN },
		"no reference with a QR-IBAN":   func(p *Payment) { p.Reference = "" },
		"a wrong digit":                 func(p *Payment) { p.Reference = "210000000003139471430009018" },
		"a QR reference, ordinary IBAN": func(p *Payment) { p.IBAN = "CH9300762011623852957" },
		"no city":                       func(p *Payment) { p.Payee.City = "" },
	} {
		p := swissPayment
		change(&p)
		if _, err := Swiss(p); !errors.Is(err, ErrPayment) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestWhatIsNoPayment(t *testing.T) {
	t.Parallel()
	for name, change := range map[string]func(*Payment){
		"nobody":     func(p *Payment) { p.Payee.Name = " " },
		"no account": func(p *Payment) { p.IBAN = "SK89 9952" },
		"a bad BIC":  func(p *Payment) { p.BIC = "RIEC" },
		"nothing":    func(p *Payment) { p.Amount = 0 },
		"too much":   func(p *Payment) { p.Amount = most + 1 },
	} {
		for format, write := range map[string]func(Payment) (string, error){
			"BySquare": BySquare, "EPC": EPC,
			"Swiss": Swiss,
		} {
			p := swissPayment
			change(&p)
			if _, err := write(p); !errors.Is(err, ErrPayment) {
				t.Errorf("%s, %s: %v", name, format, err)
			}
		}
	}
	p := slovak
	p.Reference = "20260000421"
	if _, err := BySquare(p); !errors.Is(err, ErrPayment) {
		t.Errorf("a symbol of eleven digits: %v", err)
	}
}

func TestReferences(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{
		"2348231": "RF712348231", "539007547034": "RF18539007547034",
		"2026000042": "",
	} {
		got, err := RF(in)
		if err != nil || !ValidRF(got) || want != "" && got != want {
			t.Errorf("RF of %s: %s, %v", in, got, err)
		}
	}
	for in, want := range map[string]string{"21000000000313947143000901": "210000000003139471430009017", "42": ""} {
		got, err := QRR(in)
		if err != nil || !ValidQRR(got) || want != "" && got != want {
			t.Errorf("QRR of %s: %s, %v", in, got, err)
		}
	}
	if !ValidRF("rf71 2348 231") || ValidRF("RF722348231") || ValidRF("RF71") || ValidRF("71RF2348231") || ValidQRR("1") {
		t.Error("a reference is checked wrongly")
	}
	for _, bad := range []string{"", "Č1", strings.Repeat("1", 27)} {
		if _, err := RF(bad); err == nil {
			t.Errorf("RF of %q", bad)
		}
		if _, err := QRR(bad); err == nil {
			t.Errorf("QRR of %q", bad)
		}
	}
}

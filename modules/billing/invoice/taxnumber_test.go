package invoice

import (
	"strings"
	"testing"
)

func TestParseTaxNumber(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ country, typed, want string }{
		// The country's letters, typed or not, once or twice, and whatever stands between.
		{"RO", "RO160796", "RO160796"},
		{"RO", "160796", "RO160796"},
		{"RO", "RO 16 07 96", "RO160796"},
		{"RO", "RORO160796", "RO160796"},
		{"RO", "RORORO160796", "RO160796"},
		{"RO", "CUI RO160796", "RO160796"},
		{"RO", "RO CUI: 160796", "RO160796"},
		{"RO", "RO18", "RO18"},
		{"RO", "RO1234567890", "RO1234567890"},
		{"GR", "GR123456783", "EL123456783"},
		{"GR", "EL 123456783", "EL123456783"},
		{"GR", "ELGR123456783", "EL123456783"},
		{"GR", "GREL123456783", "EL123456783"},
		{"GR", "123456783", "EL123456783"},
		{"GR", "ΑΦΜ 123456783", "EL123456783"},
		{"GR", "ΑΦΜ: EL123456783", "EL123456783"},
		{"AT", "atu 123 456 75", "ATU12345675"},
		{"AT", "AT-U12345675", "ATU12345675"},
		{"AT", "ATATU12345675", "ATU12345675"},
		{"AT", "U12345675", "ATU12345675"},
		{"AT", "12345675", "ATU12345675"},
		{"AT", "UID-Nr.: ATU12345675", "ATU12345675"},
		{"AT", "UID:ATU12345675", "ATU12345675"},
		{"DE", "USt-IdNr. DE123456788", "DE123456788"},
		{"DE", "USt.-Id.-Nr.: DE 123 456 788", "DE123456788"},
		{"DE", "ust-id 123456788", "DE123456788"},
		{"DE", "Umsatzsteuer-Identifikationsnummer: DE123456788", "DE123456788"},
		{"DE", "DE１２３４５６７８８", "DE123456788"},
		{"DE", "DE\u200b123456788\u00a0", "DE123456788"},
		{"SK", "IČ DPH: SK2020202020", "SK2020202020"},
		{"SK", "ič dph sk 2020 2020 20", "SK2020202020"},
		{"SK", "DIČ 2020202020", "SK2020202020"},
		{"SK", "2020202020", "SK2020202020"},
		{"SK", "SK/2020/202020", "SK2020202020"},
		{"CZ", "DIČ: CZ12345678", "CZ12345678"},
		{"CZ", "CZ7801021234", "CZ7801021234"},
		{"FR", "TVA FR 32 123456789", "FR32123456789"},
		{"FR", "N° TVA intracommunautaire : FR32123456789", "FR32123456789"},
		{"FR", "FRXX123456789", "FRXX123456789"},
		{"FR", "fr k7 123 456 789", "FRK7123456789"},
		{"FR", "32123456789", "FR32123456789"},
		{"MC", "FR 32 000123456", "FR32000123456"},
		{"MC", "32000123456", "FR32000123456"},
		{"IT", "P.IVA 12345678903", "IT12345678903"},
		{"IT", "Partita IVA: IT 12345678903", "IT12345678903"},
		{"IT", "P. IVA IT12345678903", "IT12345678903"},
		{"IE", "IE6388047V", "IE6388047V"},
		{"IE", "IE1234567FA", "IE1234567FA"},
		{"IE", "IE 1D23456T", "IE1D23456T"},
		{"IE", "IE1+23456T", "IE1+23456T"},
		{"IE", "1*23456T", "IE1*23456T"},
		{"ES", "ES B12345674", "ESB12345674"},
		{"ES", "CIF: B-12345674", "ESB12345674"},
		{"ES", "NIF 12345678Z", "ES12345678Z"},
		{"ES", "X1234567L", "ESX1234567L"},
		{"NL", "NL 1234.56.782.B12", "NL123456782B12"},
		{"NL", "btw-nr. 123456782B12", "NL123456782B12"},
		{"NL", "BTW NL123456782B12", "NL123456782B12"},
		{"BE", "BE 0123.456.749", "BE0123456749"},
		{"BE", "BE123456749", "BE0123456749"},
		{"BE", "TVA BE 1123.456.749", "BE1123456749"},
		{"PL", "NIP 123-456-78-83", "PL1234567883"},
		{"PL", "NIP: PL1234567883", "PL1234567883"},
		{"HU", "12345676-2-41", "HU12345676"},
		{"HU", "HU12345676", "HU12345676"},
		{"HU", "Adószám: 12345676-2-41", "HU12345676"},
		{"SE", "SE123456789701", "SE123456789701"},
		{"SE", "momsnr SE 123456-7897 01", "SE123456789701"},
		{"SE", "123456-7897", "SE123456789701"},
		{"DK", "CVR-nr. 12 34 56 74", "DK12345674"},
		{"DK", "SE-nr. 12345674", "DK12345674"},
		{"FI", "1234567-1", "FI12345671"},
		{"EE", "KMKR EE123456780", "EE123456780"},
		{"LV", "PVN LV12345678901", "LV12345678901"},
		{"LT", "PVM kodas LT123456715", "LT123456715"},
		{"LT", "LT123456789012", "LT123456789012"},
		{"LU", "LU 123 456 13", "LU12345613"},
		{"MT", "MT 1234 5634", "MT12345634"},
		{"PT", "NIPC 123 456 789", "PT123456789"},
		{"HR", "OIB 12345678903", "HR12345678903"},
		{"SI", "ID za DDV: SI12345679", "SI12345679"},
		{"BG", "BG123456789", "BG123456789"},
		{"BG", "ДДС № BG1234567890", "BG1234567890"},
		{"CY", "CY12345678X", "CY12345678X"},
		{"CY", "12345678x", "CY12345678X"},
		{"CH", "che-123.456.788 mwst", "CHE-123.456.788 MWST"},
		{"CH", "CHE123456788", "CHE-123.456.788 MWST"},
		{"CH", "CHE-123.456.788 TVA", "CHE-123.456.788 TVA"},
		{"CH", "CHE-123.456.788 IVA", "CHE-123.456.788 IVA"},
		{"CH", "CHE-123.456.788 HR", "CHE-123.456.788 MWST"},
		{"CH", "CHE-123.456.788 HR/MWST", "CHE-123.456.788 MWST"},
		{"CH", "MwSt-Nr. CHE-123.456.788", "CHE-123.456.788 MWST"},
		{"CH", "UID 123.456.788", "CHE-123.456.788 MWST"},
		{"LI", "CHE-123.456.788 MWST", "CHE-123.456.788 MWST"},
		{"LI", "MWST-Nr. 12345", "LI12345"},
		{"GB", "GB 123 4567 82", "GB123456782"},
		{"GB", "VAT Reg No 123456782", "GB123456782"},
		{"GB", "XI123456782", "XI123456782"},
		{"GB", "XI 123 4567 82 001", "XI123456782001"},
		{"GB", "GBGD123", "GBGD123"},
		{"IM", "GB 001 2345 67", "GB001234567"},
		// A number says its country itself, also if the address is elsewhere.
		{"DE", "ATU12345675", "ATU12345675"},
		{"", "VAT no. PL1234567883", "PL1234567883"},
		{"US", "DE123456788", "DE123456788"},
		// No number of any country, and none that is made one by leaving letters or digits out.
		{"RO", "RO1", ""},
		{"RO", "RO12345678901", ""},
		{"AT", "ATU1234567", ""},
		{"AT", "DE12345678", ""},
		{"DE", "DE12345678", ""},
		{"DE", "DE1234567890", ""},
		{"SK", "DE123", ""},
		{"SK", "202020202", ""},
		{"SK", "SKSK", ""},
		{"SK", "IČ DPH", ""},
		{"SK", "CZ1234567", ""},
		{"FR", "FR12345678", ""},
		{"FR", "FROI123456789", ""},
		{"NL", "NL123456782", ""},
		{"GR", "GR12345678", ""},
		{"CH", "CHE-123.456 MWST", ""},
		{"US", "12-3456789", ""},
		{"", "2020202020", ""},
		{"SK", "", ""},
		{"SK", " - ", ""},
	} {
		got := ""
		if n := ParseTaxNumber(c.country, c.typed); n != nil {
			got = n.Value
			if again := ParseTaxNumber(c.country, got); again == nil || again.Value != got {
				t.Errorf("%q in %q is %q, and then %+v", c.typed, c.country, got, again)
			}
		}
		if got != c.want {
			t.Errorf("%q in %q is %q, want %q", c.typed, c.country, got, c.want)
		}
	}
}

// Each form of the table is read from its own example, however it is typed; all member states have one.
func TestTaxForms(t *testing.T) {
	t.Parallel()
	for _, country := range append(strings.Fields("MC GB CH LI"), union...) {
		example := TaxNumberExample(country)
		if example == "" {
			t.Errorf("%s has no form", country)
			continue
		}
		bare := example
		for _, f := range taxForms() {
			if f.example == example {
				bare = strings.TrimPrefix(example, f.letters)
			}
		}
		for _, typed := range []string{
			example, strings.ToLower(example), bare, " " + strings.Join(strings.Split(example, ""), " "),
			strings.Join(strings.Split(example, ""), "-"), "VAT " + example, "VAT-No.: " + bare, country + example,
			country + " " + country + example,
		} {
			if n := ParseTaxNumber(country, typed); n == nil || n.Value != example {
				t.Errorf("%q in %s: got %+v, want %s", typed, country, n, example)
			}
		}
	}
}

func FuzzTaxNumber(f *testing.F) {
	f.Add("RO", "RORO160796")
	f.Add("GR", "ELGR123456783")
	f.Add("CH", "UID CHE-123.456.788 HR/MWST")
	f.Add("AT", "\u202eU1\x00")
	f.Fuzz(func(t *testing.T, country, typed string) {
		clean := CleanTaxNumber(country, typed)
		if again := CleanTaxNumber(country, clean); again != clean {
			t.Fatalf("%q in %q is %q, and then %q", typed, country, clean, again)
		}
	})
}

package billing

import (
	"bytes"
	"compress/zlib"
	"encoding/base32"
	"encoding/binary"
	"image"
	"image/color"
	"image/draw"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/makiuchi-d/gozxing"
	"github.com/makiuchi-d/gozxing/qrcode"
	"github.com/ulikunitz/xz/lzma"

	"example.org/broadsheet/modules/billing/access"
	"example.org/broadsheet/modules/billing/invoice"
	"example.org/broadsheet/modules/billing/subscription"
	"example.org/broadsheet/modules/billing/transfer"
	"example.org/broadsheet/platform/paper/edition"
	"example.org/broadsheet/platform/payqr"
)

var (
	pdfStream = regexp.MustCompile(`(?s)stream\n(.*?)\nendstream`)
	pdfMark   = regexp.MustCompile(`(?m)([0-9.]+) g$|([0-9.-]+) ([0-9.-]+) ([0-9.-]+) ([0-9.-]+) re f`)
)

// readPDF is what a camera reads of the rectangles that are drawn in a file; "" for a file without a code.
func readPDF(t *testing.T, file []byte) string {
	t.Helper()
	const scale = 8 // pixels to the point
	img := image.NewGray(image.Rect(0, 0, 596*scale, 842*scale))
	draw.Draw(img, img.Bounds(), image.White, image.Point{}, draw.Src)
	found := false
	for _, packed := range pdfStream.FindAllSubmatch(file, -1) {
		r, err := zlib.NewReader(bytes.NewReader(packed[1]))
		if err != nil {
			continue
		}
		page, err := io.ReadAll(r)
		if err != nil || !bytes.Contains(page, []byte(" re f")) {
			continue
		}
		shade := color.Gray{}
		for _, m := range pdfMark.FindAllSubmatch(page, -1) {
			var v [5]float64
			for i := range v {
				v[i], _ = strconv.ParseFloat(string(m[i+1]), 64)
			}
			if len(m[1]) > 0 {
				shade.Y = uint8(v[0] * 255)
				continue
			}
			x, y, w, h := v[1]*scale, (842-v[2])*scale, v[3]*scale, -v[4]*scale // from below, downwards
			found = true
			draw.Draw(img, image.Rect(int(x), int(y), int(x+w+0.5), int(y+h+0.5)), image.NewUniform(shade),
				image.Point{}, draw.Src)
		}
	}
	if !found {
		return ""
	}
	bitmap, err := gozxing.NewBinaryBitmapFromImage(img)
	if err != nil {
		t.Fatal(err)
	}
	code, err := qrcode.NewQRCodeReader().Decode(bitmap,
		map[gozxing.DecodeHintType]any{gozxing.DecodeHintType_TRY_HARDER: true})
	if err != nil {
		t.Fatalf("the code of the file cannot be read: %v", err)
	}
	return code.GetText()
}

// asked is what a banking app makes of a payment code: account, amount with its currency, reference.
func asked(t *testing.T, text string) [3]string {
	t.Helper()
	switch lines := strings.Split(strings.ReplaceAll(text, "\r\n", "\n"), "\n"); {
	case lines[0] == "BCD" && len(lines) > 9: // EPC069-12
		return [3]string{lines[6], lines[7], lines[9]}
	case lines[0] == "SPC" && len(lines) > 30: // the Swiss implementation guidelines
		return [3]string{lines[3], lines[19] + lines[18], lines[27] + " " + lines[28]}
	}
	raw, err := base32.HexEncoding.WithPadding(base32.NoPadding).DecodeString(text) // PAY by square
	if err != nil || len(raw) < 4 {
		t.Fatalf("%q: %v", text, err)
	}
	head := binary.LittleEndian.AppendUint64(binary.LittleEndian.AppendUint32([]byte{0x5d}, 1<<17),
		uint64(binary.LittleEndian.Uint16(raw[2:])))
	stream, err := lzma.NewReader(io.MultiReader(bytes.NewReader(head), bytes.NewReader(raw[4:])))
	if err != nil {
		t.Fatal(err)
	}
	body, err := io.ReadAll(stream)
	if err != nil || len(body) < 4 {
		t.Fatal(err)
	}
	fields := strings.Split(string(body[4:]), "\t")
	return [3]string{fields[12], fields[4] + fields[3], fields[6]}
}

// What a banking app reads of an order's code is what its pre-invoice says, on the page as in the file; of what is paid
// or void, there is none.
func TestCodesAskForWhatTheInvoiceSays(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		country, postal, iban, bic, currency string
		want                                 func(o transfer.Order) [3]string
	}{
		"PAY by square": {"SK", "811 01", "SK3112000000198742637541", "TESTSKBX", "EUR", func(o transfer.Order) [3]string {
			return [3]string{"SK3112000000198742637541", "EUR89.00", o.Reference}
		}},
		"EPC": {"AT", "1010", "AT879993000198742637", "LINDATWX", "EUR", func(o transfer.Order) [3]string {
			return [3]string{"AT879993000198742637", "EUR89.00", o.Reference}
		}},
		"Swiss": {"CH", "8005", "CH8199812000198742637", "ROSECHZX", "CHF", func(o transfer.Order) [3]string {
			return [3]string{"CH8199812000198742637", "CHF89.00", "SCOR " + o.Reference}
		}},
		"Swiss QR-IBAN": {"CH", "8005", "CH4431999123000889012", "ROSECHZX", "CHF", func(o transfer.Order) [3]string {
			return [3]string{"CH4431999123000889012", "CHF89.00", "QRR " + o.Reference}
		}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := newEnv(t, takesTransfers, func(d *edition.Document) {
				d.Bank.IBAN, d.Bank.BIC, d.Supplier.Country, d.Supplier.Postal, d.Billing.Currency = c.iban, c.bic, c.country,
					c.postal, c.currency
				if payqr.IsQRIBAN(c.iban) {
					d.Bank.Booked = behindQR
				}
			})
			to, err := p.shop.Subscriptions.Pay(p.ctx, 5,
				subscription.Order{Product: access.Yearly, Method: transfer.MethodIBAN})
			if err != nil {
				t.Fatal(err)
			}
			slip, err := p.slipPage(5, to)
			if err != nil {
				t.Fatal(err)
			}
			o, d := p.transferOf(5), p.documents("d.kind = 'PF'")[0]
			text, err := invoice.PaymentCode(&d)
			if err != nil {
				t.Fatal(err)
			}
			want := c.want(o)
			if got := asked(t, text); got != want || d.Total != 8900 || d.Currency != c.currency || d.Reference != o.Reference ||
				d.Supplier.IBAN != c.iban {
				t.Errorf("the code asks for %v, not %v", got, want)
			}
			if drawn, err := payqr.SVG(text, d.Number, strings.HasPrefix(name, "Swiss")); err != nil ||
				p.picture(slip.Code) != drawn {
				t.Errorf("the page has another picture (%v)", err)
			}
			pdf := func() []byte {
				t.Helper()
				d := p.documents("d.kind = 'PF'")[0]
				var b bytes.Buffer
				if err := d.WritePDF(&b, p.ed); err != nil {
					t.Fatal(err)
				}
				return b.Bytes()
			}
			if dir := os.Getenv("PDFS"); dir != "" { // to look at
				if err := os.WriteFile(filepath.Join(dir, name+".pdf"), pdf(), 0o600); err != nil {
					t.Fatal(err)
				}
			}
			if got := readPDF(t, pdf()); got != text {
				t.Errorf("the file has the code %q, not %q", got, text)
			}
			p.imports(came{ref: o.Reference, currency: c.currency})
			if p.transferOf(5).State != transfer.StatePaid || readPDF(t, pdf()) != "" {
				t.Error("the file of an order that is paid asks for money")
			}
		})
	}
}

// picture is what the address of a picture answers.
func (p *env) picture(path string) string {
	p.t.Helper()
	req, err := http.NewRequestWithContext(p.ctx, http.MethodGet, p.site.URL+path, nil)
	if err != nil {
		p.t.Fatal(err)
	}
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		p.t.Fatal(err)
	}
	defer func() { _ = res.Body.Close() }()
	b, err := io.ReadAll(res.Body)
	if err != nil {
		p.t.Fatal(err)
	}
	return string(b)
}

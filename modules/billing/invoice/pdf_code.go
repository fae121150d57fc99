package invoice

import "example.org/broadsheet/platform/payqr"

// pdfCode is how wide a payment code is without its margin, in millimetres: what Swiss bills have.
const pdfCode = 46.0

// drawPaymentCode draws the payment code of a pro-forma invoice that waits for its transfer, at the right, and returns
// where it ends. One that cannot be made is left away: the account and the reference are there in words.
func (s *sheet) drawPaymentCode(top float64) (bottom float64) {
	text, err := PaymentCode(s.d)
	if err != nil {
		return top
	}
	_, format := ReferenceForm(s.d.Supplier.IBAN)
	drawing, err := payqr.Draw(text, format == "swiss")
	if err != nil {
		return top
	}
	module := pdfCode / (drawing.Side - 2*payqr.Quiet)
	left := pdfMargin + pdfWidth - pdfCode
	s.font("", 9)
	s.SetXY(left, top)
	s.CellFormat(pdfCode, pdfLine, s.say("payCode"), "", 0, "C", false, 0, "")
	top += pdfLine + 1
	for _, r := range drawing.Rects[1:] { // the first one is the margin, and paper is white
		shade := 0
		if r.White {
			shade = 255
		}
		s.SetFillColor(shade, shade, shade)
		s.Rect(left+(r.X-payqr.Quiet)*module, top+(r.Y-payqr.Quiet)*module, r.W*module, r.H*module, "F")
	}
	return top + pdfCode
}

package invoice

import (
	"encoding/hex"
	"strings"
	"unicode/utf16"

	"example.org/broadsheet/platform/lettering"
)

// CellFormat is that of fpdf for any text: what its fonts lack is shaped and drawn as outlines.
func (s *sheet) CellFormat(w, h float64, text, border string, next int, align string, fill bool, link int, to string) {
	text = lettering.Visible(text)
	if lettering.Plain(text) {
		s.Fpdf.CellFormat(w, h, text, border, next, align, fill, link, to)
		return
	}
	s.Fpdf.CellFormat(w, h, "", border, 0, align, fill, link, to) // breaks the page if it is full
	right, top := s.GetXY()
	_, size := s.GetFontSize()
	for _, l := range lettering.Shape(strings.ReplaceAll(text, "\n", " "), size, 10*pdfWidth) {
		s.shaped(l, right-w, top, w, h, align)
	}
	switch next {
	case 1:
		s.SetXY(pdfMargin, top+h)
	case 2:
		s.SetXY(right-w, top+h)
	}
}

// MultiCell is that of fpdf for any text, as CellFormat is.
func (s *sheet) MultiCell(w, h float64, text, border, align string, fill bool) {
	text = lettering.Visible(text)
	if lettering.Plain(text) {
		s.Fpdf.MultiCell(w, h, text, border, align, fill)
		return
	}
	_, size := s.GetFontSize()
	for _, l := range lettering.Shape(text, size, w-2*s.GetCellMargin()) {
		left := s.GetX()
		s.Fpdf.CellFormat(w, h, "", border, 0, align, fill, 0, "")
		_, top := s.GetXY()
		s.shaped(l, left, top, w, h, align)
		s.SetXY(left, top+h)
	}
	s.SetX(pdfMargin)
}

// shaped draws a line into a cell. The text itself is there too, unseen, so that it is found and copied: readers of PDF
// expect it in the order in which it is seen.
func (s *sheet) shaped(l lettering.Line, left, top, w, h float64, align string) {
	_, size := s.GetFontSize()
	base := top + h/2 + 0.3*size
	switch left += s.GetCellMargin(); align {
	case "R":
		left += w - 2*s.GetCellMargin() - l.Width
	case "C":
		left += (w-l.Width)/2 - s.GetCellMargin()
	}
	actual := ""
	if l.Seen == l.Text {
		actual = "/ActualText <FEFF" + utf16Hex(l.Text) + ">"
	}
	s.RawWriteStr("/Span <<" + actual + ">> BDC")
	s.SetTextRenderingMode(3)
	s.Text(left, base, metadata(l.Seen))
	s.SetTextRenderingMode(0)
	s.SetFillColor(0, 0, 0)
	l.Draw(s, left, base)
	s.DrawPath("F")
	s.RawWriteStr("EMC")
}

// metadata is a text for parts of a PDF that take only the letters of 16 bits.
func metadata(text string) string {
	return strings.Map(func(r rune) rune {
		if r > 0xFFFF {
			return []rune(lettering.Missing)[0]
		}
		return r
	}, lettering.Visible(text))
}

func utf16Hex(text string) string {
	var raw []byte
	for _, unit := range utf16.Encode([]rune(text)) {
		raw = append(raw, byte(unit>>8), byte(unit))
	}
	return strings.ToUpper(hex.EncodeToString(raw))
}

package media

import (
	"bytes"
	"encoding/binary"
	"image"
)

// orientation finds the EXIF orientation of an upload, 1 to 8; 1 (upright)
// where there is none or it makes no sense: a camera's error is no reason to
// refuse the picture.
func orientation(upload []byte) int {
	switch {
	case bytes.HasPrefix(upload, []byte("\xff\xd8")):
		return tiffOrientation(jpegExif(upload))
	case bytes.HasPrefix(upload, []byte("\x89PNG\r\n\x1a\n")):
		return tiffOrientation(chunk(upload[8:], "eXIf", binary.BigEndian, true))
	case len(upload) > 12 && string(upload[8:12]) == "WEBP":
		return tiffOrientation(chunk(upload[12:], "EXIF", binary.LittleEndian, false))
	default:
		return 1
	}
}

var exifHeader = []byte("Exif\x00\x00")

// jpegExif returns the EXIF block of a JPEG: segments FF xx, length, data, until the scan begins.
func jpegExif(b []byte) []byte {
	for b = b[2:]; len(b) >= 4 && b[0] == 0xff; {
		marker, size := b[1], int(binary.BigEndian.Uint16(b[2:]))
		switch {
		case marker == 0xff: // padding
			b = b[1:]
			continue
		case marker == 0xda || size < 2 || len(b) < 2+size:
			return nil
		case marker == 0xe1 && bytes.HasPrefix(b[4:2+size], exifHeader):
			return b[4:][:size-2][len(exifHeader):]
		}
		b = b[2+size:]
	}
	return nil
}

// chunk returns the first chunk of a name. PNG writes the length first and a
// checksum after it; RIFF the name first, and pads to an even length.
func chunk(b []byte, name string, order binary.ByteOrder, png bool) []byte {
	for len(b) >= 8 {
		size, id, rest := order.Uint32(b[4:]), b[:4], b[8:]
		extra := uint64(size & 1)
		if png {
			size, id, extra = order.Uint32(b), b[4:8], 4
		}
		if uint64(size) > uint64(len(rest)) {
			return nil
		}
		if string(id) == name {
			return bytes.TrimPrefix(rest[:size], exifHeader)
		}
		b = rest[min(uint64(size)+extra, uint64(len(rest))):]
	}
	return nil
}

// tiffOrientation reads tag 0x0112 of the first directory.
func tiffOrientation(b []byte) int {
	if len(b) < 8 {
		return 1
	}
	var order binary.ByteOrder
	switch string(b[:4]) {
	case "II*\x00":
		order = binary.LittleEndian
	case "MM\x00*":
		order = binary.BigEndian
	default:
		return 1
	}
	at := uint64(order.Uint32(b[4:]))
	if at+2 > uint64(len(b)) {
		return 1
	}
	entries := b[at+2:]
	for range order.Uint16(b[at:]) {
		if len(entries) < 12 {
			return 1
		}
		if order.Uint16(entries) == 0x0112 {
			if v := order.Uint16(entries[8:]); v >= 1 && v <= 8 {
				return int(v)
			}
			return 1
		}
		entries = entries[12:]
	}
	return 1
}

// upright undoes an orientation.
func upright(src *image.RGBA, orientation int) *image.RGBA {
	if orientation == 1 {
		return src
	}
	w, h := src.Rect.Dx(), src.Rect.Dy()
	dw, dh := w, h
	if orientation >= 5 { // the four that lie on their side
		dw, dh = h, w
	}
	dst := image.NewRGBA(image.Rect(0, 0, dw, dh))
	for y := range dh {
		for x := range dw {
			sx, sy := x, y
			if orientation >= 5 {
				sx, sy = y, x
			}
			switch orientation {
			case 2, 3, 7, 8:
				sx = w - 1 - sx
			}
			switch orientation {
			case 3, 4, 6, 7:
				sy = h - 1 - sy
			}
			copy(dst.Pix[dst.PixOffset(x, y):][:4], src.Pix[src.PixOffset(sx, sy):][:4])
		}
	}
	return dst
}

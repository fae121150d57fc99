package media

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"image"
)

// Focus is what a picture is about, in per cent of its width and height. Crops keep it in their middle, as far as the
// picture reaches.
type Focus struct{ X, Y int }

var middle = Focus{50, 50}

// WithFocus writes a focus into a JPEG for Adopt, as a comment before everything else. It returns the file as it is
// where it is no JPEG, or the focus is outside of the picture.
func WithFocus(file []byte, f Focus) []byte {
	if !bytes.HasPrefix(file, startOfImage) || f.X < 0 || f.X > 100 || f.Y < 0 || f.Y > 100 {
		return file
	}
	comment := fmt.Sprintf(focusFormat, f.X, f.Y)
	out := append(bytes.Clone(startOfImage), comMarker...)
	out = binary.BigEndian.AppendUint16(out, uint16(2+len(comment)))
	out = append(out, comment...)
	return append(out, file[len(startOfImage):]...)
}

const focusFormat = "focus %d %d"

var (
	startOfImage = []byte{0xff, 0xd8}
	comMarker    = []byte{0xff, 0xfe}
)

// focusOf reads what WithFocus wrote; other pictures are about their middle.
func focusOf(file []byte) Focus {
	rest, found := bytes.CutPrefix(file, append(bytes.Clone(startOfImage), comMarker...))
	if !found || len(rest) < 2 {
		return middle
	}
	size := int(binary.BigEndian.Uint16(rest))
	if size < 2 || size > len(rest) {
		return middle
	}
	var f Focus
	if n, err := fmt.Sscanf(string(rest[2:size]), focusFormat, &f.X, &f.Y); err != nil || n != 2 || f != f.bounded() {
		return middle
	}
	return f
}

func (f Focus) bounded() Focus { return Focus{min(max(f.X, 0), 100), min(max(f.Y, 0), 100)} }

// around places an area of w by h pixels in b, with the focus in its middle or as near to it as b allows.
func (f Focus) around(b image.Rectangle, w, h int) image.Rectangle {
	x := min(max(b.Dx()*f.X/100-w/2, 0), b.Dx()-w)
	y := min(max(b.Dy()*f.Y/100-h/2, 0), b.Dy()-h)
	corner := b.Min.Add(image.Pt(x, y))
	return image.Rectangle{corner, corner.Add(image.Pt(w, h))}
}

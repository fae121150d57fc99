package mail

import (
	"bufio"
	"bytes"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"mime"
	"mime/multipart"
	"mime/quotedprintable"
	netmail "net/mail"
	"net/textproto"
	"strconv"
	"strings"
)

const (
	reportMax  = 2 << 20 // bytes read of a message; what tells is at its beginning
	partsMax   = 20
	depthMax   = 4
	recipients = 50 // named in one report
)

// ErrNoReport means that a message is neither a report of a bounce nor a complaint: an answer of a person, or of a
// machine.
var ErrNoReport = errors.New("mail: neither a bounce nor a complaint")

// found is what the parts of a message say.
type found struct {
	kind      string
	blocks    []textproto.MIMEHeader // of a delivery status: of the message first, then one a recipient
	feedback  textproto.MIMEHeader
	messageID string // of the email that came back
	parts     int
}

// ParseReport reads a message that a mail server sent about emails: a delivery status (RFC 3464) or a complaint
// (ARF, RFC 5965). ErrNoReport for all others. Delays and successes are no reports: the list then is empty.
func ParseReport(r io.Reader) ([]Report, error) {
	// An mbox's first line, as a mail server's pipe may write it, is none of the message.
	in := bufio.NewReader(io.LimitReader(r, reportMax))
	if start, _ := in.Peek(5); string(start) == "From " {
		if _, err := in.ReadString('\n'); err != nil {
			return nil, ErrNoReport
		}
	}
	m, err := netmail.ReadMessage(in)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrNoReport, err)
	}
	media, params, err := mime.ParseMediaType(m.Header.Get("Content-Type"))
	if err != nil || media != "multipart/report" || params["boundary"] == "" {
		return nil, ErrNoReport
	}
	f := &found{kind: strings.ToLower(params["report-type"])}
	if err := f.walk(m.Body, params["boundary"], 0); err != nil && len(f.blocks) == 0 && f.feedback == nil {
		return nil, fmt.Errorf("%w: %w", ErrNoReport, err)
	}
	switch {
	case f.messageID == "":
		return nil, fmt.Errorf("%w: it does not say which email it is about", ErrNoReport)
	case f.kind == "delivery-status" && len(f.blocks) > 1:
		return f.bounces(), nil
	case f.kind == "feedback-report" && f.feedback != nil:
		return f.complaints(), nil
	}
	return nil, ErrNoReport
}

// walk looks at the parts; a message that was cut off tells what it still tells.
func (f *found) walk(r io.Reader, boundary string, depth int) error {
	mr := multipart.NewReader(r, boundary)
	for ; f.parts < partsMax; f.parts++ {
		p, err := mr.NextRawPart()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		media, params, err := mime.ParseMediaType(p.Header.Get("Content-Type"))
		if err != nil {
			continue
		}
		body, err := io.ReadAll(decoded(p.Header.Get("Content-Transfer-Encoding"), p))
		switch media {
		case "message/delivery-status", "message/global-delivery-status":
			f.blocks = append(f.blocks, headers(body)...)
		case "message/feedback-report":
			if list := headers(body); len(list) > 0 {
				f.feedback = list[0]
			}
		case "message/rfc822", "message/global", "message/rfc822-headers", "message/global-headers", "text/rfc822-headers":
			if list := headers(body); len(list) > 0 && f.messageID == "" {
				f.messageID = strings.Trim(strings.TrimSpace(list[0].Get("Message-Id")), "<>")
			}
		default:
			if strings.HasPrefix(media, "multipart/") && params["boundary"] != "" && depth < depthMax {
				if err := f.walk(bytes.NewReader(body), params["boundary"], depth+1); err != nil {
					return err
				}
			}
		}
		if err != nil {
			return err
		}
	}
	return nil
}

func decoded(encoding string, r io.Reader) io.Reader {
	switch strings.ToLower(strings.TrimSpace(encoding)) {
	case "base64":
		return base64.NewDecoder(base64.StdEncoding, r)
	case "quoted-printable":
		return quotedprintable.NewReader(r)
	}
	return r
}

// headers reads the blocks of "Name: value" lines that a text consists of, up to the first that is none.
func headers(text []byte) (list []textproto.MIMEHeader) {
	text = append(bytes.TrimLeft(text, "\r\n"), "\r\n\r\n"...)
	in := bufio.NewReader(bytes.NewReader(text))
	for len(list) <= recipients {
		h, err := textproto.NewReader(in).ReadMIMEHeader()
		if len(h) > 0 {
			list = append(list, h)
		}
		if err != nil {
			return list
		}
		for {
			next, err := in.Peek(1)
			if err != nil {
				return list
			}
			if next[0] != '\r' && next[0] != '\n' {
				break
			}
			_, _ = in.Discard(1)
		}
	}
	return list
}

func (f *found) bounces() []Report {
	list := []Report{}
	for _, b := range f.blocks[1:] {
		if !strings.EqualFold(strings.TrimSpace(b.Get("Action")), "failed") {
			continue
		}
		// "smtp; 550 5.1.1 unknown": the type of the words, the words.
		_, detail, _ := strings.Cut(b.Get("Diagnostic-Code"), ";")
		detail = strings.TrimSpace(detail)
		status := statusIn(b.Get("Status"))
		if said := statusIn(detail); said != "" && (status == "" || strings.HasSuffix(status, ".0.0")) {
			status = said // the general status was made by whoever knew no better
		}
		code := 0
		if first, _, _ := strings.Cut(detail, " "); len(first) == 3 {
			code, _ = strconv.Atoi(first) // words that begin otherwise name no code
		}
		list = append(list,
			Report{Kind: Bounce, Hard: isHard(status, code), MessageID: f.messageID, Status: status, Detail: detail})
	}
	return list
}

func (f *found) complaints() []Report {
	if !strings.EqualFold(strings.TrimSpace(f.feedback.Get("Feedback-Type")), "abuse") {
		return []Report{} // fraud, viruses and "not spam" do not say that anybody wants to leave
	}
	return []Report{{Kind: Complaint, MessageID: f.messageID, Detail: "complaint"}}
}

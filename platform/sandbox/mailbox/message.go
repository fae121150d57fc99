package mailbox

import (
	"bytes"
	"encoding/base64"
	"io"
	"mime"
	"mime/multipart"
	"mime/quotedprintable"
	"net/mail"
	"net/textproto"
	"strconv"
	"strings"
	"time"

	"golang.org/x/text/encoding/htmlindex"
)

// Message is a mail that has arrived.
type Message struct {
	ID string `json:"id"`
	// Received is when it arrived; Date is what its sender says, else the same.
	Received time.Time `json:"received"`
	Date     time.Time `json:"date"`
	From     string    `json:"from"`
	// To are the bare addresses that it was delivered to, hidden ones too.
	To          []string            `json:"to"`
	Subject     string              `json:"subject"`
	Headers     map[string][]string `json:"headers"`
	Text        string              `json:"text"`
	HTML        string              `json:"html"`
	Attachments []Attachment        `json:"attachments"`
	// Code is the six-digit code that the mail is about, if it is about one.
	Code string `json:"code,omitempty"`

	raw []byte
}

// Attachment is a part of a mail that is neither its text nor its HTML.
type Attachment struct {
	Name      string `json:"name"`
	Type      string `json:"type"`
	Size      int    `json:"size"` // bytes
	ContentID string `json:"contentId,omitempty"`
	URL       string `json:"url"` // path on the host of the mailbox

	content []byte
}

// nestingMax is how deep parts within parts are followed.
const nestingMax = 8

// parse reads a mail with its envelope on top. What cannot be read as a mail is shown as it is.
func parse(id string, raw []byte) Message {
	n, _ := strconv.ParseInt(id, 16, 64) // an id of ours
	m := Message{
		ID: id, Received: time.Unix(0, n).UTC(), To: []string{}, Headers: map[string][]string{}, Attachments: []Attachment{},
		raw: raw,
	}
	m.Date = m.Received
	sent, content := splitEnvelope(raw)
	m.From = sent.from
	m.To = append(m.To, sent.to...)
	mailed, err := mail.ReadMessage(bytes.NewReader(content))
	if err != nil {
		m.Text = readable(content)
		m.Subject = "(not a mail)"
		return m
	}
	for name, values := range mailed.Header {
		for _, value := range values {
			m.Headers[name] = append(m.Headers[name], decodeWords(value))
		}
	}
	m.Subject = decodeWords(mailed.Header.Get("Subject"))
	m.From = firstOf(decodeWords(mailed.Header.Get("From")), m.From)
	if date, err := mailed.Header.Date(); err == nil {
		m.Date = date.UTC()
	}
	body, err := io.ReadAll(mailed.Body)
	if err != nil {
		body = content
	}
	m.addPart(textproto.MIMEHeader(mailed.Header), body, 0)
	m.Code = findCode(m.Subject, m.plain())
	return m
}

// addPart files one part, or those that it consists of.
func (m *Message) addPart(header textproto.MIMEHeader, body []byte, depth int) {
	kind, params, err := mime.ParseMediaType(header.Get("Content-Type"))
	if err != nil {
		kind, params = "text/plain", nil
	}
	if strings.HasPrefix(kind, "multipart/") {
		if boundary := params["boundary"]; boundary != "" && depth < nestingMax &&
			m.addParts(multipart.NewReader(bytes.NewReader(body), boundary), depth) {
			return
		}
		kind = "text/plain" // without a single part: show what there is
	}
	content := decodeTransfer(header.Get("Content-Transfer-Encoding"), body)
	disposition, dispParams, _ := mime.ParseMediaType(header.Get("Content-Disposition")) // absent more often than not
	name := decodeWords(firstOf(dispParams["filename"], params["name"]))
	attached := disposition == "attachment" || name != ""
	switch {
	case !attached && kind == "text/plain" && m.Text == "":
		m.Text = decodeCharset(params["charset"], content)
	case !attached && kind == "text/html" && m.HTML == "":
		m.HTML = decodeCharset(params["charset"], content)
	default:
		m.Attachments = append(m.Attachments, Attachment{
			Name: firstOf(name, "part "+strconv.Itoa(len(m.Attachments)+1)), Type: kind, Size: len(content),
			URL:       path + m.ID + "/attachments/" + strconv.Itoa(len(m.Attachments)),
			ContentID: strings.Trim(header.Get("Content-Id"), "<>"), content: content,
		})
	}
}

func (m *Message) addParts(parts *multipart.Reader, depth int) (some bool) {
	for {
		part, err := parts.NextRawPart()
		if err != nil { // the end, or where a mail was cut off
			return some
		}
		body, _ := io.ReadAll(part) // what there is of a part that was cut off
		m.addPart(part.Header, body, depth+1)
		some = true
	}
}

func decodeTransfer(encoding string, body []byte) []byte {
	var r io.Reader
	switch strings.ToLower(strings.TrimSpace(encoding)) {
	case "quoted-printable":
		r = quotedprintable.NewReader(bytes.NewReader(body))
	case "base64":
		r = base64.NewDecoder(base64.StdEncoding, bytes.NewReader(body))
	default:
		return body
	}
	decoded, err := io.ReadAll(r)
	if err != nil {
		return body
	}
	return decoded
}

func decodeCharset(charset string, content []byte) string {
	if encoding, err := htmlindex.Get(charset); err == nil {
		if decoded, err := encoding.NewDecoder().Bytes(content); err == nil {
			content = decoded
		}
	}
	return readable(content)
}

var words = mime.WordDecoder{CharsetReader: func(charset string, input io.Reader) (io.Reader, error) {
	encoding, err := htmlindex.Get(charset)
	if err != nil {
		return nil, err
	}
	return encoding.NewDecoder().Reader(input), nil
}}

func decodeWords(value string) string {
	if decoded, err := words.DecodeHeader(value); err == nil {
		return readable([]byte(decoded))
	}
	return readable([]byte(value))
}

func readable(b []byte) string {
	return strings.ReplaceAll(strings.ToValidUTF8(string(b), "\uFFFD"), "\r\n", "\n")
}

func firstOf(values ...string) string {
	for _, value := range values {
		if value != "" {
			return value
		}
	}
	return ""
}

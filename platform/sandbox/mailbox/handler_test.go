package mailbox

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
)

func call(t *testing.T, m *Mailbox, method, path, body string) *httptest.ResponseRecorder {
	t.Helper()
	w := httptest.NewRecorder()
	m.Handler().ServeHTTP(w, httptest.NewRequestWithContext(t.Context(), method, path, strings.NewReader(body)))
	return w
}

const withCode = "Subject: Your code\r\nFrom: Daily <daily@x.example>\r\nContent-Type: multipart/mixed; " +
	"boundary=b\r\n\r\n" +
	"--b\r\nContent-Type: text/plain\r\n\r\n123 456\r\n" +
	"--b\r\nContent-Type: text/html\r\n\r\n<img src=\"cid:logo\"><a " +
	"href=\"https://x.example/?a=1&amp;b=2\">go</a><script>alert(\"x\")</script>\r\n" +
	"--b\r\nContent-Type: image/png; name=logo.png\r\nContent-ID: <logo>\r\nContent-Transfer-Encoding: " +
	"base64\r\n\r\niVBORw==\r\n" +
	"--b\r\nContent-Type: text/html\r\nContent-Disposition: attachment; " +
	"filename=\"x.html\"\r\n\r\n<script>1</script>\r\n--b--\r\n"

func TestJSON(t *testing.T) {
	t.Parallel()
	m := open(t, Options{})
	if body := call(t, m, "GET", "/_dev/mail.json", "").Body.String(); body != "[]\n" {
		t.Errorf("empty: %q", body)
	}
	deliver(t, m, "Subject: old\r\n\r\nx\r\n")
	id := deliver(t, m, withCode).ID
	w := call(t, m, "GET", "/_dev/mail.json", "")
	var got []map[string]any
	if err := json.Unmarshal(w.Body.Bytes(), &got); err != nil {
		t.Fatal(err)
	}
	if len(got) != 2 || got[0]["id"] != id || got[0]["code"] != "123456" || got[1]["subject"] != "old" {
		t.Errorf("%v", got)
	}
	for _, field := range []string{"id", "date", "from", "to", "subject", "headers", "text", "html", "attachments"} {
		for _, msg := range got {
			if msg[field] == nil {
				t.Errorf("%s is missing in %v", field, msg["subject"])
			}
		}
	}
	for to, want := range map[string]int{got[0]["to"].([]any)[0].(string): 2, "nobody@example.org": 0} {
		var some []map[string]any
		body := call(t, m, "GET", "/_dev/mail.json?to="+url.QueryEscape(to), "").Body.Bytes()
		if err := json.Unmarshal(body, &some); err != nil || some == nil || len(some) != want {
			t.Errorf("to %s: got %s, want %d mails", to, body, want)
		}
	}
	head := call(t, m, "HEAD", "/_dev/mail.json", "")
	if head.Header().Get(stateHeader) == "" || head.Header().Get(stateHeader) != w.Header().Get(stateHeader) ||
		head.Body.Len() > 0 {
		t.Errorf("HEAD: %v, %d bytes", head.Header(), head.Body.Len())
	}
	if w := call(t, m, "DELETE", "/_dev/mail", ""); w.Code != http.StatusNoContent || len(m.Messages()) != 0 {
		t.Errorf("DELETE: %d, %d mails", w.Code, len(m.Messages()))
	}
	if after := call(t, m, "HEAD", "/_dev/mail.json", ""); after.Header().Get(stateHeader) == head.Header().
		Get(stateHeader) {
		t.Error("the page would not notice")
	}
}

func TestPages(t *testing.T) {
	t.Parallel()
	m := open(t, Options{})
	if body := call(t, m, "GET", "/_dev/mail", "").Body.String(); !strings.Contains(body, "No mail yet") {
		t.Errorf("empty: %s", body)
	}
	msg := deliver(t, m, withCode)
	hostile := deliver(t, m, "Subject: <script>alert(1)</script>\r\nFrom: \"><img src=x "+
		"onerror=alert(1)>\r\n\r\n</pre><script>alert(1)</script>\r\n")
	for _, test := range []struct {
		name, path string
		status     int
		has, not   []string
	}{
		{
			"list", "/_dev/mail", 200,
			[]string{"/_dev/mail/" + msg.ID, `aria-label="Code 123456"`, "&lt;script&gt;"},
			[]string{"<script>alert"},
		},
		{
			"html", "/_dev/mail/" + msg.ID, 200,
			[]string{"<output>123456</output>", `sandbox="allow-popups`, msg.Attachments[0].URL, "logo.png"},
			[]string{"<script>alert", "cid:logo"},
		},
		{"text", "/_dev/mail/" + msg.ID + "?view=text", 200, []string{"<pre>123 456"}, []string{"srcdoc"}},
		{
			"headers", "/_dev/mail/" + msg.ID + "?view=headers", 200,
			[]string{"<dt>Subject</dt><dd>Your code</dd>"},
			[]string{"srcdoc"},
		},
		{"unknown view", "/_dev/mail/" + msg.ID + "?view=%3Cb%3E", 200, []string{"srcdoc"}, nil},
		{"hostile", "/_dev/mail/" + hostile.ID, 200, []string{"&lt;/pre&gt;"}, []string{"<script>alert", "<img src=x"}},
		{
			"source", "/_dev/mail/" + msg.ID + "/source", 200,
			[]string{"Delivered-To: jana@priklad.example\r\n", "boundary=b"},
			nil,
		},
		{"script", "/_dev/mail/page.js", 200, []string{"mail.json"}, nil},
		{"style", "/_dev/mail/page.css", 200, []string{"color-scheme"}, nil},
		{"gone", "/_dev/mail/0000000000000001", 404, []string{"not in the mailbox"}, nil},
		{"source of nothing", "/_dev/mail/0000000000000001/source", 404, nil, nil},
		{"no such attachment", "/_dev/mail/" + msg.ID + "/attachments/7", 404, nil, nil},
		{"odd attachment", "/_dev/mail/" + msg.ID + "/attachments/-1", 404, nil, nil},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			w := call(t, m, "GET", test.path, "")
			if w.Code != test.status {
				t.Errorf("status %d", w.Code)
			}
			for _, has := range test.has {
				if !strings.Contains(w.Body.String(), has) {
					t.Errorf("%q is missing in %s", has, w.Body)
				}
			}
			for _, not := range test.not {
				if strings.Contains(w.Body.String(), not) {
					t.Errorf("%q is in %s", not, w.Body)
				}
			}
			if csp := w.Header().Get("Content-Security-Policy"); !strings.Contains(csp, "default-src 'none'") {
				t.Errorf("policy %q", csp)
			}
		})
	}
	t.Run("attachments", func(t *testing.T) {
		t.Parallel()
		image, page := call(t, m, "GET", msg.Attachments[0].URL, ""), call(t, m, "GET", msg.Attachments[1].URL, "")
		if image.Body.String() != "\x89PNG" || image.Header().Get("Content-Type") != "image/png" ||
			!strings.HasPrefix(image.Header().Get("Content-Disposition"), "inline") {
			t.Errorf("%q, %v", image.Body, image.Header())
		}
		if d := page.Header().Get("Content-Disposition"); d != "attachment; filename=x.html" {
			t.Errorf("an HTML file may run here: %q", d)
		}
	})
}

func TestFaultsByHTTP(t *testing.T) {
	t.Parallel()
	m := open(t, Options{})
	for body, want := range map[string]int{
		`{"code":451,"times":1,"delay":"1ms"}`: http.StatusNoContent,
		`{"code":200}`:                         http.StatusBadRequest,
		`{"code":451,"times":-1}`:              http.StatusBadRequest,
		`{"delay":"soon"}`:                     http.StatusBadRequest,
		`{"cod":451}`:                          http.StatusBadRequest,
		`nonsense`:                             http.StatusBadRequest,
	} {
		if w := call(t, m, "POST", "/_dev/mail/faults", body); w.Code != want {
			t.Errorf("%s: %d, %s", body, w.Code, w.Body)
		}
	}
	wantCode(t, send(t, m, "Subject: s\r\n\r\nx\r\n"), 451)
	deliver(t, m, "Subject: s\r\n\r\nx\r\n")
}

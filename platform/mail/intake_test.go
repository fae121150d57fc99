package mail

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"example.org/broadsheet/platform/db"
	"example.org/broadsheet/platform/testkit"
)

// dsn is a delivery status as mail servers write them.
func dsn(action, status, diagnostic, id string) string {
	return strings.ReplaceAll(fmt.Sprintf(`From: MAILER-DAEMON@mx.reader.test
To: noreply@sk.test
Subject: Undelivered Mail Returned to Sender
MIME-Version: 1.0
Content-Type: multipart/report; report-type=delivery-status;
	boundary="ABC/mx"

This is a MIME-encapsulated message.

--ABC/mx
Content-Description: Notification
Content-Type: text/plain; charset=us-ascii

I'm sorry to have to inform you that your message could not be delivered.

--ABC/mx
Content-Description: Delivery report
Content-Type: message/delivery-status

Reporting-MTA: dns; mx.reader.test
X-Queue-ID: 4F1C
Arrival-Date: Sat, 21 Nov 2026 06:00:00 +0100

Final-Recipient: rfc822; someone@else.test
Original-Recipient: rfc822;someone@else.test
Action: %s
Status: %s
Diagnostic-Code: smtp; %s

--ABC/mx
Content-Description: Undelivered Message
Content-Type: message/rfc822

Return-Path: <noreply@sk.test>
Message-ID: <%s>
Subject: =?utf-8?q?R=C3=A1no?=

text

--ABC/mx--
`, action, status, diagnostic, id), "\n", "\r\n")
}

func arf(kind, id string) string {
	return fmt.Sprintf(`From: <abuse@mailbox.test>
Date: Sat, 21 Nov 2026 08:00:00 +0000
Subject: FW: Ráno
To: <noreply@sk.test>
MIME-Version: 1.0
Content-Type: multipart/report; report-type=feedback-report; boundary="part1_13d.2e68ed54_boundary"

--part1_13d.2e68ed54_boundary
Content-Type: text/plain; charset="US-ASCII"

This is an email abuse report.

--part1_13d.2e68ed54_boundary
Content-Type: message/feedback-report

Feedback-Type: %s
User-Agent: SomeGenerator/1.0
Version: 1
Original-Rcpt-To: <someone@else.test>

--part1_13d.2e68ed54_boundary
Content-Type: text/rfc822-headers
Content-Disposition: inline

From: <noreply@sk.test>
Message-ID: <%s>

--part1_13d.2e68ed54_boundary--
`, kind, id)
}

func TestParseReport(t *testing.T) {
	t.Parallel()
	const id = "abc@sk.test"
	for name, tc := range map[string]struct {
		text string
		want []Report
		not  bool
	}{
		"no such user": {
			dsn("failed", "5.1.1", "550 5.1.1 <a@b.test>: unknown", id),
			[]Report{{Bounce, true, id, "5.1.1", "550 5.1.1 <a@b.test>: unknown"}},
			false,
		},
		"mailbox full": {
			dsn("failed", "5.2.2", "552 5.2.2 over quota", id),
			[]Report{{Bounce, false, id, "5.2.2", "552 5.2.2 over quota"}},
			false,
		},
		"policy": {
			dsn("failed", "5.7.1", "550 5.7.1 blocked", id),
			[]Report{{Bounce, false, id, "5.7.1", "550 5.7.1 blocked"}},
			false,
		},
		"our own domain": {
			dsn("failed", "5.1.8", "553 5.1.8 sender", id),
			[]Report{{Bounce, false, id, "5.1.8", "553 5.1.8 sender"}},
			false,
		},
		"closed": {
			dsn("failed", "5.2.1", "550 5.2.1 inactive", id),
			[]Report{{Bounce, true, id, "5.2.1", "550 5.2.1 inactive"}},
			false,
		},
		"general, then told": {
			dsn("failed", "5.0.0", "550 5.1.1 unknown", id),
			[]Report{{Bounce, true, id, "5.1.1", "550 5.1.1 unknown"}},
			false,
		},
		"given up after days": {
			dsn("failed", "4.4.1", "timeout", id),
			[]Report{{Bounce, false, id, "4.4.1", "timeout"}},
			false,
		},
		"only a code": {
			dsn("Failed", "", "550 unknown", id),
			[]Report{{Bounce, true, id, "", "550 unknown"}},
			false,
		},
		"delayed": {dsn("delayed", "4.4.1", "later", id), []Report{}, false},
		"arrived": {dsn("delivered", "2.0.0", "250 ok", id), []Report{}, false},
		"from a pipe": {
			"From MAILER-DAEMON Sat Nov 21 06:00:00 2026\n" + dsn("failed", "5.1.1", "550", id),
			[]Report{{Bounce, true, id, "5.1.1", "550"}},
			false,
		},
		"cut off":              {dsn("failed", "5.1.1", "550", id)[:700], nil, true},
		"complaint":            {arf("abuse", id), []Report{{Complaint, false, id, "", "complaint"}}, false},
		"not spam":             {arf("not-spam", id), []Report{}, false},
		"no email named":       {strings.ReplaceAll(arf("abuse", id), "Message-ID", "X-No"), nil, true},
		"an answer of someone": {"From: a@b.test\nContent-Type: text/plain\n\nThank you, I am away.\n", nil, true},
		"no mail":              {"\x00\x01", nil, true},
		"nothing":              {"", nil, true},
		"no boundary": {
			"From: a@b.test\nContent-Type: multipart/report; report-type=delivery-status\n\nx\n", nil,
			true,
		},
	} {
		got, err := ParseReport(strings.NewReader(tc.text))
		if (err != nil) != tc.not || (tc.not && !errors.Is(err, ErrNoReport)) || fmt.Sprint(got) != fmt.Sprint(tc.want) {
			t.Errorf("%s: %+v, %v", name, got, err)
		}
	}
}

func FuzzParseReport(f *testing.F) {
	f.Add(dsn("failed", "5.1.1", "550 5.1.1 unknown", "abc@sk.test"))
	f.Add(arf("abuse", "abc@sk.test"))
	f.Add("From x\nContent-Type: multipart/report; boundary=b; report-type=delivery-status\n\n--b\n\n--b--\n")
	f.Fuzz(func(t *testing.T, text string) {
		list, err := ParseReport(strings.NewReader(text))
		if err != nil && (!errors.Is(err, ErrNoReport) || list != nil) {
			t.Errorf("%v, %v", list, err)
		}
		for _, r := range list {
			if r.MessageID == "" || (r.Kind != Bounce && r.Kind != Complaint) {
				t.Errorf("%+v", r)
			}
		}
	})
}

// sentLetter writes an email to the log and returns its Message-ID.
func sentMessage(ctx context.Context, t *testing.T, d *db.DB, key, address string) string {
	t.Helper()
	id := strings.ReplaceAll(key, ":", "-") + "@sk.test"
	err := d.Run(ctx, func(ctx context.Context, tx db.Tx) error {
		_, err := tx.NewRaw(`INSERT INTO mail_log (dedupe_key, kind, recipient, message_id, state, created_at, claimed_at)
			VALUES (?, 'newsletter', ?, ?, 'sent', ?3, ?3)`, key, address, id, tx.Now).Exec(ctx)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return id
}

func isSuppressed(ctx context.Context, t *testing.T, d *db.DB, address string) bool {
	t.Helper()
	var is bool
	err := d.Run(ctx, func(ctx context.Context, tx db.Tx) error {
		m, err := suppressed(ctx, tx, []string{address})
		is = m[address]
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return is
}

func TestTake(t *testing.T) {
	t.Parallel()
	ctxs, d := testkit.Editions(t, 2)
	ctx := ctxs[0]
	take := func(r Report) Outcome {
		t.Helper()
		out, err := Take(ctx, d, r)
		if err != nil {
			t.Fatal(err)
		}
		return out
	}
	if out := take(Report{Kind: Complaint, MessageID: "made-up@sk.test"}); out != (Outcome{}) {
		t.Errorf("an email that was never sent: %+v", out)
	}
	hard := sentMessage(ctx, t, d, "n:1", "Hard@reader.test")
	if out := take(Report{Kind: Complaint, MessageID: "made-up@sk.test"}); out != (Outcome{}) ||
		isSuppressed(ctx, t, d, "hard@reader.test") {
		t.Errorf("an email that was never sent, among others: %+v", out)
	}
	rep := Report{Kind: Bounce, Hard: true, MessageID: hard, Detail: "550 <hard@READER.test> unknown"}
	if out := take(rep); out != (Outcome{true, true, true}) {
		t.Errorf("hard: %+v", out)
	}
	if out := take(rep); out != (Outcome{Known: true}) {
		t.Errorf("the same once more: %+v", out)
	}
	if !isSuppressed(ctx, t, d, "hard@reader.test") || isSuppressed(ctxs[1], t, d, "hard@reader.test") {
		t.Error("suppressed in the wrong edition")
	}
	if state, _, text := logged(ctx, t, d, "n:1"); state != stateBounced ||
		strings.Contains(strings.ToLower(text), "hard@") {
		t.Errorf("%s, %s", state, text)
	}
	for i := range softMost + 3 {
		address := "soft@reader.test"
		if i >= softMost { // these are old by the time of the last
			address = "old@reader.test"
		}
		out := take(Report{Kind: Bounce, MessageID: sentMessage(ctx, t, d, fmt.Sprint("s:", i), address)})
		if out.Suppressed != (i == softMost-1) {
			t.Errorf("soft bounce %d: %+v", i, out)
		}
	}
	testkit.Clock(d).Advance(softWithin + time.Hour)
	for i := range 3 {
		if out := take(
			Report{Kind: Bounce, MessageID: sentMessage(ctx, t, d, fmt.Sprint("late:", i), "old@reader.test")}); out.Suppressed {
			t.Error("soft bounces of long ago count")
		}
	}
}

func TestRefusesForADay(t *testing.T) {
	t.Parallel()
	ctx, d := testkit.Edition(t)
	refuses := func() (is bool) {
		t.Helper()
		err := d.Run(ctx, func(ctx context.Context, tx db.Tx) (err error) {
			is, err = Refuses(ctx, tx, "Eva@reader.test")
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
		return is
	}
	bounce := func(key string, hard bool) {
		t.Helper()
		if _, err := Take(ctx, d,
			Report{Kind: Bounce, Hard: hard, MessageID: sentMessage(ctx, t, d, key, "eva@reader.test")}); err != nil {
			t.Fatal(err)
		}
	}
	bounce("1", false)
	if refuses() {
		t.Error("a full mailbox")
	}
	bounce("2", true)
	if !refuses() {
		t.Error("a mailbox that is not there")
	}
	testkit.Clock(d).Advance(retryAfter)
	if refuses() {
		t.Error("a day later")
	}
	bounce("3", true)
	err := d.InTx(ctx, func(ctx context.Context, tx db.Tx) error { return Forgive(ctx, tx, "eva@reader.test", false) })
	if err != nil || refuses() {
		t.Errorf("forgiven: %v", err)
	}
}

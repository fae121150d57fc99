package newsletter

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"example.org/broadsheet/platform/db"
	"example.org/broadsheet/platform/mail"
	"example.org/broadsheet/platform/outbox"
	"example.org/broadsheet/platform/paper/edition"
	"example.org/broadsheet/platform/paper/event"
	"example.org/broadsheet/platform/privacy"
	"example.org/broadsheet/platform/sandbox/mailbox"
	"example.org/broadsheet/platform/testkit"
	"example.org/broadsheet/platform/typography"
)

// The hour of a brief is that of the edition's clocks, on the days on which these are changed too.
func TestDueAt(t *testing.T) {
	t.Parallel()
	brief := func(at string) edition.Newsletter { return edition.Newsletter{Kind: edition.NewsletterBrief, At: at} }
	topic := edition.Newsletter{Kind: edition.NewsletterTopic, At: "08:00", Weekday: "saturday"}
	for n := range testkit.MaxEditions {
		ed, err := edition.New(testkit.Document(n), testkit.Origin)
		if err != nil {
			t.Fatal(err)
		}
		for name, tc := range map[string]struct {
			list           edition.Newsletter
			now, due, name string
		}{
			"summer":                    {brief("06:00"), "2026-07-01T04:00:00Z", "2026-07-01T04:00:00Z", "2026-07-01"},
			"a moment before":           {brief("06:00"), "2026-07-01T03:59:59Z", "2026-06-30T04:00:00Z", "2026-06-30"},
			"winter":                    {brief("06:00"), "2026-12-01T05:30:00Z", "2026-12-01T05:00:00Z", "2026-12-01"},
			"an hour that is left out":  {brief("02:30"), "2027-03-28T01:30:00Z", "2027-03-28T01:30:00Z", "2027-03-28"},
			"the morning after it":      {brief("06:00"), "2027-03-28T04:00:00Z", "2027-03-28T04:00:00Z", "2027-03-28"},
			"an hour that comes twice":  {brief("02:30"), "2026-10-25T01:45:00Z", "2026-10-25T01:30:00Z", "2026-10-25"},
			"and is over":               {brief("02:30"), "2026-10-26T00:45:00Z", "2026-10-25T01:30:00Z", "2026-10-25"},
			"the morning after that":    {brief("06:00"), "2026-10-25T05:00:00Z", "2026-10-25T05:00:00Z", "2026-10-25"},
			"leap day":                  {brief("06:00"), "2028-02-29T05:00:00Z", "2028-02-29T05:00:00Z", "2028-02-29"},
			"new year":                  {brief("06:00"), "2027-01-01T04:59:00Z", "2026-12-31T05:00:00Z", "2026-12-31"},
			"the day of the week":       {topic, "2026-11-21T07:00:00Z", "2026-11-21T07:00:00Z", "2026-11-21"},
			"days after it":             {topic, "2026-11-26T12:00:00Z", "2026-11-21T07:00:00Z", "2026-11-21"},
			"across a change of clocks": {topic, "2026-10-26T12:00:00Z", "2026-10-24T06:00:00Z", "2026-10-24"},
		} {
			now, err := time.Parse(time.RFC3339, tc.now)
			if err != nil {
				t.Fatal(err)
			}
			due, day := dueAt(ed, &tc.list, now)
			if got := due.UTC().Format(time.RFC3339); got != tc.due || day != tc.name {
				t.Errorf("%s, %s: due %s of %s", ed.TimeZone, name, got, day)
			}
		}
	}
}

// toMorning moves the clock to the next brief.
func (o *env) toMorning() {
	o.t.Helper()
	due, _ := dueAt(o.ed, o.ed.Newsletter("morning"), o.d.Now())
	testkit.Clock(o.d).Advance(due.AddDate(0, 0, 1).Add(time.Minute).Sub(o.d.Now()))
}

func (o *env) schedule() {
	o.t.Helper()
	if err := o.Schedule(o.ctx); err != nil {
		o.t.Fatal(err)
	}
}

func TestTheBrief(t *testing.T) {
	t.Parallel()
	o := open(t)
	o.join1(eva, "morning")
	o.join1("topic@reader.test", "topic")
	o.toMorning()
	o.schedule()
	o.work()
	mails := o.messages(eva)
	if len(mails) != 1 || len(o.messages("topic@reader.test")) != 0 {
		t.Fatalf("%d and %d emails", len(mails), len(o.messages("topic@reader.test")))
	}
	m := mails[0]
	if m.Subject != "Ráno: Prvý titulok" {
		t.Errorf("subject %q", m.Subject)
	}
	for name, want := range map[string]string{
		"List-Id": "Ráno <morning.sk.test>", "List-Unsubscribe-Post": "List-Unsubscribe=One-Click", "Precedence": "bulk",
		"Auto-Submitted": "auto-generated",
	} {
		if got := strings.Join(m.Headers[name], "|"); got != want {
			t.Errorf("%s: %s", name, got)
		}
	}
	for _, want := range []string{
		"Prvý titulok", "Perex.", "https://sk.test/1/prvy", "Druhý titulok",
		"Celý článok je pre predplatiteľov", "V skratke", "Krátka správa",
	} {
		if !strings.Contains(m.Text, want) ||
			(!strings.HasPrefix(want, "http") && !strings.Contains(typography.Plain(m.HTML), want)) {
			t.Errorf("no %q in\n%s", want, m.Text)
		}
	}
	// The address in the header is the one in the text, and it works.
	header := strings.Trim(m.Headers["List-Unsubscribe"][0], "<>")
	if !strings.Contains(m.Text, header) || !strings.HasPrefix(header, "https://sk.test"+LeavePath+"?token=") {
		t.Errorf("List-Unsubscribe %s", header)
	}
	if w := o.request("POST", strings.TrimPrefix(header, "https://sk.test"), "application/x-www-form-urlencoded",
		"List-Unsubscribe=One-Click", 0); w.Code != 200 || len(o.has(eva)) != 0 {
		t.Errorf("%d %s, lists %v", w.Code, w.Body, o.has(eva))
	}
	if s, err := o.SettingsOf(o.ctx, o.tokenOf(m, stepSettings)); err != nil || s.Email != "e…@reader.test" {
		t.Errorf("%+v, %v", s, err)
	}
	// A day with a change of clocks has an hour more or less.
	if age := o.d.Now().Sub(o.since); age < 23*time.Hour || age > 25*time.Hour+2*time.Minute {
		t.Errorf("the issue covers the last %v, want a day", age)
	}
}

// Who is told, and how often, does not depend on how often the work is done, by how many, or how it was interrupted.
func TestOnceEach(t *testing.T) {
	t.Parallel()
	o := open(t)
	const readers = 3*batchSize + 7
	for i := range readers {
		o.join1(fmt.Sprintf("r%d@reader.test", i), "morning")
	}
	o.toMorning()
	for range 5 {
		o.schedule()
	}
	o.box.SetFault(mailbox.Fault{Code: 451, Times: 30}) // some are refused for now
	if o.work() == 0 {
		t.Error("nothing failed")
	}
	for range 3 {
		o.again()
		o.schedule()
		o.work()
	}
	count := map[string]int{}
	for _, m := range o.box.Messages() {
		count[m.To[0]]++
	}
	if len(count) != readers {
		t.Errorf("%d readers got it, not %d", len(count), readers)
	}
	for to, n := range count {
		if n != 1 {
			t.Errorf("%s got it %d times", to, n)
		}
	}
	var recipients int
	err := o.d.Run(o.ctx, func(ctx context.Context, tx db.Tx) error {
		return tx.NewRaw("SELECT recipients FROM newsletter_issues WHERE list = 'morning' AND state = 'planned'").
			Scan(ctx, &recipients)
	})
	if err != nil || recipients != readers {
		t.Errorf("%d recipients, %v", recipients, err)
	}
	testkit.Clock(o.d).Advance(24 * time.Hour)
	o.schedule()
	o.work()
	if n := len(o.box.Messages()); n != 2*readers {
		t.Errorf("%d emails after the second day", n)
	}
}

func TestWhoGetsNothing(t *testing.T) {
	t.Parallel()
	o := open(t)
	for _, who := range []string{"stays", "leaves", "bounced", "complained", "erased"} {
		o.join1(who+"@reader.test", "morning")
	}
	o.toMorning()
	o.join1("late@reader.test", "morning") // after the hour
	o.schedule()
	// Between planning and sending anything may happen.
	listeners := event.Registry{}
	o.Listen(listeners)
	var issueID int64
	err := o.d.Run(o.ctx, func(ctx context.Context, tx db.Tx) error {
		return tx.NewRaw("SELECT id FROM newsletter_issues WHERE list = 'morning'").Scan(ctx, &issueID)
	})
	if err != nil {
		t.Fatal(err)
	}
	if err := o.prepare(o.ctx, event.Issue{IssueID: issueID}); err != nil {
		t.Fatal(err)
	}
	if err := o.Save(o.ctx,
		o.token(o.ed, toSettings, link{id: o.join1("leaves@reader.test"), until: o.d.Now().Add(time.Hour)}), nil,
		Visitor{}); err != nil {
		t.Fatal(err)
	}
	if err := o.Erase(o.ctx, privacy.Reader{Email: "erased@reader.test", Until: o.d.Now().Add(time.Second)}); err != nil {
		t.Fatal(err)
	}
	err = o.d.InTx(o.ctx, func(ctx context.Context, tx db.Tx) error {
		_, err := tx.NewRaw("INSERT INTO mail_suppressions VALUES ('bounced@reader.test', 'bounce', ?0), "+
			"('complained@reader.test', 'complaint', ?0)", tx.Now).Exec(ctx)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	o.work()
	all := o.box.Messages()
	if len(all) != 1 || all[0].To[0] != "stays@reader.test" {
		t.Errorf("%d emails: %v", len(all), all)
	}
}

func TestIssuesThatDoNotGoOut(t *testing.T) {
	t.Parallel()
	o := open(t)
	testkit.Clock(o.d).Advance(time.Duration(8-o.d.Now().Weekday()) % 7 * 24 * time.Hour) // Monday: no topic falls due
	o.join1(eva, "morning", "topic", "breaking")
	o.list, o.short = nil, nil
	o.toMorning()
	o.schedule()
	o.work()
	if n := len(o.messages(eva)); n != 0 {
		t.Errorf("%d emails with nothing to tell", n)
	}
	o.list = []Story{{Title: "Neskoro", URL: "/1/a"}}
	o.toMorning()
	testkit.Clock(o.d).Advance(maxLate)
	o.schedule()
	o.work()
	if n := len(o.messages(eva)); n != 0 {
		t.Errorf("%d emails after the morning was over", n)
	}
	o.toMorning()
	o.schedule()
	testkit.Clock(o.d).Advance(usefulFor) // the workers were away
	o.work()
	if n := len(o.messages(eva)); n != 0 {
		t.Errorf("%d emails in the evening", n)
	}
}

func TestTopicAndBreaking(t *testing.T) {
	t.Parallel()
	o := open(t)
	o.join1(eva, "topic", "breaking")
	due, _ := dueAt(o.ed, o.ed.Newsletter("topic"), o.d.Now())
	testkit.Clock(o.d).Advance(due.AddDate(0, 0, 7).Add(time.Minute).Sub(o.d.Now()))
	o.schedule()
	o.work()
	if m := o.messages(eva); len(m) != 1 || m[0].Subject != "Téma: Voda" ||
		!strings.Contains(m[0].Text, "https://sk.test/tema/voda") || !strings.Contains(m[0].Text, "Druhý titulok") {
		t.Errorf("topic: %+v", m)
	}
	if err := Break(o.ctx, o.d, o, "breaking", 17); err != nil {
		t.Fatal(err)
	}
	o.work()
	if m := o.messages(eva); len(m) != 2 || m[0].Subject != "Ihneď: Prvý titulok" ||
		strings.Contains(m[0].Text, "Druhý titulok") {
		t.Errorf("breaking: %+v", m)
	}
	for name, err := range map[string]error{
		"ALREADY_SENT": Break(o.ctx, o.d, o, "breaking", 17), "INVALID_ARGS": Break(o.ctx, o.d, o, "breaking", 18),
	} {
		if err == nil || !strings.Contains(err.Error(), name) {
			t.Errorf("want %s, got %v", name, err)
		}
	}
	if err := Break(o.ctx, o.d, o, "morning", 17); err == nil {
		t.Error("the brief is no list of breaking news")
	}
}

// Who signs in may have left again before the newsletters hear of it.
func TestALoginOfAReaderWhoHasLeft(t *testing.T) {
	t.Parallel()
	o := open(t)
	err := o.d.InTx(o.ctx, func(ctx context.Context, tx db.Tx) error {
		return outbox.Tell(ctx, tx, event.ReaderSignedIn, event.SignedIn{ReaderID: whoLeft})
	})
	if err != nil {
		t.Fatal(err)
	}
	if failures := o.work(); failures != 0 {
		t.Errorf("%d failures, want none", failures)
	}
}

func TestAComplaintLeavesAllLists(t *testing.T) {
	t.Parallel()
	o := open(t)
	o.join1(eva, "morning", "topic", "breaking")
	o.toMorning()
	o.schedule()
	o.work()
	id := strings.Trim(o.messages(eva)[0].Headers["Message-Id"][0], "<>")
	out, err := mail.Take(o.ctx, o.d, mail.Report{Kind: mail.Complaint, MessageID: id})
	if err != nil || !out.New || !out.Suppressed {
		t.Fatalf("%+v, %v", out, err)
	}
	o.work()
	if got := o.has(eva); len(got) != 0 {
		t.Errorf("lists %v", got)
	}
	// Signing in does not take a complaint back; asking anew and confirming does.
	if err := o.signedIn(o.ctx, event.SignedIn{ReaderID: 1}); err != nil {
		t.Fatal(err)
	}
	if err := o.Subscribe(o.ctx, eva, []string{"morning"}, Visitor{}); err != nil {
		t.Fatal(err)
	}
	o.work()
	if _, err := o.Confirm(o.ctx, o.tokenOf(o.messages(eva)[0], stepConfirm), Visitor{}); err != nil {
		t.Fatal(err)
	}
	o.toMorning()
	o.schedule()
	o.work()
	if n := len(o.messages(eva)); n != 3 {
		t.Errorf("%d emails, want the brief, the question and the brief again", n)
	}
}

func TestSchedule_brokenList(t *testing.T) {
	t.Parallel()
	o := open(t)
	saturday, _ := dueAt(o.ed, o.ed.Newsletter("topic"), o.d.Now())
	testkit.Clock(o.d).Advance(saturday.AddDate(0, 0, 7).Add(time.Minute).Sub(o.d.Now()))
	testkit.Alter(o.ctx, t, o.d, "ALTER TABLE newsletter_issues ADD CONSTRAINT broken CHECK (list <> 'morning')")
	if err := o.Schedule(o.ctx); err == nil || !strings.Contains(err.Error(), "newsletter morning: ") {
		t.Errorf("got %v, want an error that names the list", err)
	}
	err := o.d.Run(o.ctx, func(ctx context.Context, tx db.Tx) error {
		due, err := hasIssue(ctx, tx, "topic", saturday.AddDate(0, 0, 7).In(o.ed.Location).Format(time.DateOnly))
		if !due {
			t.Error("got no issue of the other list, want one")
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

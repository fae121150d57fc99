package app

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"example.org/broadsheet/platform/paper/edition"
)

// query asks the server itself, in the schema of an edition.
func query[T any](s *storm, ed *edition.Edition, sql string, args ...any) []T {
	s.t.Helper()
	ctx := context.Background()
	conn, err := pgx.Connect(ctx, s.server.DSN(database)+"&search_path="+ed.Schema)
	if err != nil {
		s.t.Fatal(err)
	}
	defer conn.Close(ctx) //nolint:errcheck // the question was answered
	rows, err := conn.Query(ctx, sql, args...)
	if err != nil {
		s.t.Fatal(err)
	}
	list, err := pgx.CollectRows(rows, pgx.RowTo[T])
	if err != nil {
		s.t.Fatal(err)
	}
	return list
}

// job is a row of an edition's outbox.
type job struct {
	ed *edition.Edition
	id int64
}

// due are the jobs that were due at an instant and are not done.
func (s *storm) due(at time.Time) []job { return s.jobs("due_at <= $1", at) }

// waiting are those of them that nobody works on, or has tried in vain: they have to be handed over.
func (s *storm) waiting(at time.Time) []job {
	return s.jobs("due_at <= $1 AND attempts = 0 AND (claimed_until IS NULL OR claimed_until <= $1)", at)
}

func (s *storm) jobs(which string, at time.Time) (list []job) {
	s.t.Helper()
	for _, ed := range s.app.registry.All() {
		for _, id := range query[int64](s, ed, "SELECT id FROM outbox WHERE done_at IS NULL AND "+which, at) {
			list = append(list, job{ed, id})
		}
	}
	return list
}

func (s *storm) stillDue(list []job) []job {
	s.t.Helper()
	for _, ed := range s.app.registry.All() {
		open := query[int64](s, ed, "SELECT id FROM outbox WHERE done_at IS NULL")
		list = slices.DeleteFunc(list, func(j job) bool { return j.ed == ed && !slices.Contains(open, j.id) })
	}
	return list
}

// settle waits until nothing is under way: the provider has told everything, and no job waits.
func (s *storm) settle() {
	s.t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	if err := s.stripe.Flush(ctx); err != nil {
		s.breaks("webhooks: %v", err)
	}
	began := time.Now()
	for quiet := 0; quiet < 3; time.Sleep(200 * time.Millisecond) {
		s.settled = time.Now().Add(s.ahead)
		if quiet++; len(s.due(s.settled)) > 0 {
			quiet = 0
		}
		if time.Since(began) > 2*time.Minute {
			s.breaks("two minutes after the last fault %d jobs are not done", len(s.due(s.settled)))
			return
		}
	}
}

// check compares what there is with what was promised, in the calm after the storm.
func (s *storm) check(t *testing.T) {
	t.Helper()
	for _, ed := range s.app.registry.All() {
		s.checkWrites(ed)
		s.checkMoney(ed)
		s.checkRest(ed)
	}
	s.checkMails()
	s.checkLogs()
	if n := len(s.ledger.paid); n == 0 || len(s.ledger.comments) == 0 || len(s.ledger.opened) == 0 {
		t.Errorf("the load was none: %s", s.ledger.String())
	}
}

// of lists what was promised in an edition.
func of(in map[string]string, ed *edition.Edition) (list []string) {
	for what, id := range in {
		if id == ed.ID {
			list = append(list, what)
		}
	}
	return list
}

// same compares two lists without regard to their order: each promise is kept, and kept once.
func (s *storm) same(what string, ed *edition.Edition, got, want []string) {
	counts := map[string]int{}
	for _, g := range got {
		counts[g]++
	}
	for _, w := range want {
		if counts[w] != 1 {
			s.breaks("%s of %s: %s is there %d times", what, ed.ID, w, counts[w])
		}
	}
}

// checkWrites: every write that was confirmed is there, once; credits are as many as were given out, and no more than
// there are; nothing is another edition's.
func (s *storm) checkWrites(ed *edition.Edition) {
	readers := query[string](s, ed, "SELECT email FROM identity_readers")
	comments := query[string](s, ed, "SELECT body FROM discussion_comments")
	s.same("readers", ed, readers, of(s.ledger.readers, ed))
	s.same("comments", ed, comments, of(s.ledger.comments, ed))
	for _, email := range readers {
		if !strings.HasSuffix(email, "-"+strings.ReplaceAll(ed.ID, "_", "-")+"@example.org") {
			s.breaks("%s has the reader %s", ed.ID, email)
		}
	}
	for _, text := range comments {
		if !strings.HasSuffix(text, "of ["+ed.ID+"]") {
			s.breaks("%s has the comment %s", ed.ID, text)
		}
	}
	const opened = "SELECT %s FROM paywall_opened o JOIN identity_readers r ON r.id = o.reader_id WHERE r.email = $1 " +
		"AND o.kind = 'article'"
	for key, shown := range s.ledger.opened {
		address, mine := strings.CutPrefix(key, ed.ID+" ")
		if !mine {
			continue
		}
		kept := query[int64](s, ed, fmt.Sprintf(opened, "o.post_id"), address)
		for _, post := range shown {
			if !slices.Contains(kept, int64(post)) {
				s.breaks("%s was shown article %d of %s, which is not counted: %v", address, post, ed.ID, kept)
			}
		}
	}
	for _, n := range query[int64](s, ed, `SELECT count(*) FROM paywall_opened WHERE kind = 'article'
		GROUP BY reader_id, period_key HAVING count(*) > $1`, ed.Meter.Limit) {
		s.breaks("a reader of %s has opened %d articles, and may %d", ed.ID, n, ed.Meter.Limit)
	}
}

// provider asks the payment provider for all objects of a kind.
func (s *storm) provided(ed *edition.Edition, kind string) (list []map[string]any) {
	s.t.Helper()
	for after := ""; ; {
		r, err := http.NewRequest(http.MethodGet, s.stripe.BaseURL()+"/v1/"+kind+"?limit=100"+after, nil)
		if err != nil {
			s.t.Fatal(err)
		}
		r.Header.Set("Authorization", "Bearer "+SandboxKeys("", ed.ID).SecretKey)
		res, err := http.DefaultClient.Do(r)
		if err != nil {
			s.t.Fatal(err)
		}
		var page struct {
			Data []map[string]any `json:"data"`
			More bool             `json:"has_more"`
		}
		err = json.NewDecoder(res.Body).Decode(&page)
		_ = res.Body.Close()
		if err != nil || res.StatusCode != http.StatusOK {
			s.t.Fatal(res.StatusCode, err)
		}
		if list = append(list, page.Data...); !page.More {
			return list
		}
		after = "&starting_after=" + url.QueryEscape(fmt.Sprint(list[len(list)-1]["id"]))
	}
}

// checkMoney: who has paid may read, once; documents have no gap and are the sum that was charged.
func (s *storm) checkMoney(ed *edition.Edition) {
	var live []string
	customers := map[string]int{}
	for _, sub := range s.provided(ed, "subscriptions") {
		if sub["status"] == "active" {
			live = append(live, fmt.Sprint(sub["id"]))
			customers[fmt.Sprint(sub["customer"])]++
		}
	}
	for id, n := range customers {
		if n > 1 {
			s.breaks("%s of %s has %d subscriptions at the provider", id, ed.ID, n)
		}
	}
	const access = "SELECT %s FROM billing_subscriptions b JOIN identity_readers r ON r.id = b.reader_id " +
		"WHERE b.status IN ('active', 'trialing', 'past_due') AND b.period_end > now()"
	here := query[string](s, ed, fmt.Sprintf(access, "b.provider_id"))
	s.same("subscriptions", ed, here, live)
	if len(here) != len(live) {
		s.breaks("%s gives access %d times, %d were paid for", ed.ID, len(here), len(live))
	}
	s.same("access", ed, query[string](s, ed, fmt.Sprintf(access, "r.email")), of(s.ledger.paid, ed))

	charged, charges := int64(0), 0
	for _, ch := range s.provided(ed, "charges") {
		if ch["status"] == "succeeded" {
			charged += int64(ch["amount"].(float64))
			charges++
		}
	}
	if paid := len(of(s.ledger.paid, ed)); charges != paid {
		s.breaks("%s: %d charges for %d payments", ed.ID, charges, paid)
	}
	total := query[int64](s, ed, "SELECT coalesce(sum(total), 0)::bigint FROM billing_documents WHERE kind = 'FV'")[0]
	if total != charged {
		s.breaks("%s has documents of %d, and %d was charged", ed.ID, total, charged)
	}
	for _, series := range query[string](s, ed, `
		SELECT format('%s %s: %s numbers up to %s, the counter is %s', d.kind, d.year, count(*), max(d.n), s.n)
		FROM billing_documents d JOIN billing_series s USING (issuer, kind, year) GROUP BY d.issuer, d.kind, d.year, s.n
		HAVING count(*) <> max(d.n) OR count(DISTINCT d.n) <> count(*) OR s.n <> max(d.n)`) {
		s.breaks("documents of %s: %s", ed.ID, series)
	}
}

// checkRest: no job is left or given up, and nothing waits for a person.
func (s *storm) checkRest(ed *edition.Edition) {
	for _, row := range query[string](s, ed, `
		SELECT format('%s after %s tries: %s', event, attempts, last_error) FROM outbox
		WHERE dead_at IS NOT NULL OR (done_at IS NULL AND due_at <= $1)`, s.settled) {
		s.breaks("a job of %s is not done: %s", ed.ID, row)
	}
	for _, row := range query[string](s, ed,
		"SELECT format('%s %s: %s', kind, provider_id, detail) FROM billing_parked WHERE resolved_at IS NULL "+
			"AND kind <> 'known_card'") { // all pay with one card
		s.breaks("%s leaves to a person: %s", ed.ID, row)
	}
}

// checkMails: each email that was promised came, from its edition, under one number; a copy of it that a broken line
// made has the same number, so that mailboxes show one.
func (s *storm) checkMails() {
	from := map[string]string{}
	for _, ed := range s.app.registry.All() {
		for _, m := range query[string](s, ed, "SELECT message_id FROM mail_log") {
			from[strings.Trim(m, "<>")] = ed.ID
		}
	}
	copies, of := map[string]int{}, map[string]map[string]int{}
	for _, m := range s.mail.Messages() {
		id, to := strings.Trim(strings.Join(m.Headers["Message-Id"], ""), "<>"), strings.Join(m.To, ",")
		copies[id]++
		if copies[id] == 1 {
			if of[to] == nil {
				of[to] = map[string]int{}
			}
			of[to][map[bool]string{true: "login", false: "other"}[m.Code != ""]]++
		}
		if ed, known := from[id]; !known || !strings.HasSuffix(to, "-"+strings.ReplaceAll(ed, "_", "-")+"@example.org") {
			s.breaks("an email to %s, %s, is of edition %q", to, id, ed)
		}
	}
	for id, n := range copies {
		if n > 2 {
			s.breaks("the email %s came %d times", id, n)
		}
	}
	for address := range s.ledger.mails {
		if of[address]["login"] != 1 {
			s.breaks("%d login emails to %s", of[address]["login"], address)
		}
	}
	for address := range s.ledger.paid {
		if of[address]["other"] != 2 {
			s.breaks("%d emails to %s about a payment, want thanks and the invoice", of[address]["other"], address)
		}
	}
}

// checkLogs: what opens an account or names its owner stands in no line of any process.
func (s *storm) checkLogs() {
	secrets := map[string]string{}
	for what, value := range s.ledger.secrets {
		secrets[value] = what
	}
	for address := range s.ledger.mails {
		secrets[address] = "an address"
	}
	for _, ed := range s.app.registry.All() {
		k := SandboxKeys("", ed.ID)
		secrets[k.SecretKey], secrets[k.WebhookSecret] = "a payment key", "a webhook's secret"
		secrets[s.cfg.Password("database", ed.ID)] = "a password"
	}
	secrets[s.cfg.Secret] = "the secret"
	delete(secrets, "")
	for _, m := range s.members() {
		text := m.log.String()
		if len(text) == 0 {
			s.breaks("%s logged nothing", m.role)
		}
		for line := range strings.Lines(text) {
			for _, word := range strings.FieldsFunc(numbers.ReplaceAllString(line, ""), func(r rune) bool {
				return !strings.ContainsRune("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_.@%+", r)
			}) {
				if plain, err := url.QueryUnescape(word); err == nil && secrets[plain]+secrets[word] != "" {
					s.breaks("%s logs %s: %.300s", m.role, secrets[plain]+secrets[word], line)
				}
			}
		}
	}
}

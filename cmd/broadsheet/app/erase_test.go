package app

import (
	"archive/zip"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"regexp"
	"strings"
	"testing"
	"time"

	"example.org/broadsheet/platform/db"
	"example.org/broadsheet/platform/paper/edition"
	"example.org/broadsheet/platform/sandbox/mailbox"
	"example.org/broadsheet/platform/testkit/wait"
)

// tableRule says what happens to a table that has to do with readers when one of them leaves.
type tableRule struct {
	kept  string // why rows of the reader stay; "" where none may
	still bool   // these rows still name the reader: what was handed out stays as it is
	seed  string // makes a row where using the paper made none; ?0 is the reader, ?1 the address
}

// decisions are about every table with a reader, an address or a person in it. Who adds such a table decides here, and
// adds to Export and Erase of its module.
var decisions = map[string]tableRule{
	"identity_readers":  {kept: "payments and consents point at the row; address and name are gone"},
	"identity_erasures": {kept: "that and when the account was erased"},
	"identity_audit": {
		kept: "what support did stays provable",
		seed: "INSERT INTO identity_audit (operator, action, reader_id, reason, at) VALUES ('command:test', 'show', ?0, " +
			"'asked', now())",
	},
	"identity_sessions":       {},
	"identity_leaves":         {},
	"identity_login_attempts": {},
	"identity_invitations":    {seed: "INSERT INTO identity_invitations VALUES (?1, now())"},
	"identity_roles":          {seed: "INSERT INTO identity_roles VALUES (?0, 'moderator', now())"},
	"identity_passkeys": {seed: `INSERT INTO identity_passkeys (reader_id, credential_id, credential, device, ` +
		`created_at) VALUES (?0, 'k', '{"key": 1}', 'canary words', now())`},
	"identity_passkey_challenges": {seed: "INSERT INTO identity_passkey_challenges VALUES ('c', ?0, '{}', now() + " +
		"interval '1 hour')"},
	"identity_help_messages": {seed: "INSERT INTO identity_help_messages (email, name, text, created_at) VALUES (?1, " +
		"'canary words', 'canary words', now())"},
	"identity_address_changes": {seed: "INSERT INTO identity_address_changes (reader_id, session_id, old_email, " +
		"new_email, taken, nonce, old_hash, new_hash, created_at, expires_at) VALUES (?0, 1, ?1, 'next@example.org', " +
		"false, 'n', 'o', 'w', now(), now() + interval '1 hour')"},
	"billing_invoice_data": {seed: "INSERT INTO billing_invoice_data VALUES (?0, 'individual', 'canary words', ?1, " +
		"'', '', '', '', '', '', '', '', '', now())"},
	"billing_drafts": {seed: `INSERT INTO billing_drafts VALUES (?0, '{"name": "canary words"}', now())`},
	"billing_invoices": {
		kept: "invoices, by law; without what is known of the reader",
		seed: "INSERT INTO billing_invoices (provider_id, reader_id, number, status, product, total, paid, currency, " +
			"created_at, updated_at) VALUES ('in_test', ?0, '1', 'paid', 'product_monthly', 100, 100, 'eur', now(), now()) ON " +
			"CONFLICT DO NOTHING",
	},
	"billing_documents":     {kept: "invoices as they were handed out, by law", still: true},
	"paywall_readers":       {seed: "INSERT INTO paywall_readers VALUES (?0)"},
	"paywall_opened":        {seed: "INSERT INTO paywall_opened VALUES (?0, '2026-11', 'article', 1, now())"},
	"billing_customers":     {kept: "whose the payments at the provider are, by law"},
	"billing_intents":       {kept: "orders, by law; without the address of the checkout"},
	"billing_subscriptions": {kept: "payments, by law"},
	"billing_changes": {
		kept: "what was agreed about a subscription, by law",
		seed: "INSERT INTO billing_changes (reader_id, subscription_id, kind, state, created_at, settled_at) SELECT " +
			"reader_id, id, 'cancel', 'done', now(), now() FROM billing_subscriptions WHERE reader_id = ?0",
	},
	"billing_disputes": {
		kept: "payments that a bank has looked into, by law",
		seed: "INSERT INTO billing_disputes (provider_id, charge, paid, reader_id, amount, currency, state, opened_at, " +
			"updated_at) VALUES ('dp_test', 'ch_test', 'in_test', ?0, 100, 'eur', 'lost', now(), now())",
	},
	"billing_transfers": {kept: "orders, by law"},
	"billing_bank_lines": {
		kept: "payments, by law; without who has paid",
		seed: "WITH o AS (INSERT INTO billing_transfers (reader_id, product, amount, currency, state, renews, created_at, " +
			"due_at, void_at, settled_at) VALUES (?0, 'product_yearly', 8900, 'EUR', 'void', false, now(), now(), now(), " +
			"now()) RETURNING id) INSERT INTO billing_bank_lines (entry, account, credit, amount, currency, booked, payer, " +
			"payer_iban, given, state, transfer_id, imported_at, settled_at) SELECT 'e' || id, 'x', true, 1, 'EUR', now(), " +
			"'canary words', 'canary words', ?1, 'refunded', id, now(), now() FROM o",
	},
	"billing_parked": {
		kept: "payments that somebody has to look at",
		seed: "INSERT INTO billing_parked (kind, provider_id, reader_id, created_at) VALUES ('second_subscription', " +
			"'sub_x', ?0, now())",
	},
	"billing_uses": {kept: "an introductory price is given once to an address, of which only the hash is " +
		"here"},
	"billing_promises": {seed: "INSERT INTO billing_promises VALUES ('email:' || encode(sha256(?1::bytea), " +
		"'hex'), 'campaign', now())"},
	"billing_readers": {seed: "INSERT INTO billing_readers VALUES (?0, now())"},
	"billing_redemptions": {seed: "WITH c AS (" + aCoupon + " RETURNING id) INSERT INTO billing_redemptions SELECT " +
		"id, ?0, now(), now() FROM c"},
	"billing_gifts": {
		kept: "orders, by law; without a name, an address or words",
		seed: "INSERT INTO billing_gifts (nonce, product, buyer_email, message, send_at, amount, currency, state, " +
			"created_at, settled_at) VALUES ('x', 'product_monthly', ?1, 'canary words', now(), 796, 'EUR', 'paid', now() - " +
			"interval '1 hour', now())",
	},
	"billing_withdrawals": {
		kept: "what was paid back and when, by law; without name and address",
		seed: "INSERT INTO billing_withdrawals (name, email, contract, created_at, received_at, state) VALUES ('canary " +
			"words', ?1, 'subscription', now() - interval '1 hour', now(), 'done')",
	},
	"billing_wishes": {seed: "INSERT INTO billing_wishes (email, product, created_at, expires_at) VALUES (?1, " +
		"'product_monthly', now() - interval '1 hour', now() + interval '1 day')"},
	"billing_grants": {seed: "INSERT INTO billing_grants (reader_id, until, reason, granted_at) VALUES (?0, " +
		"now() + interval '1 day', 'a prize', now())"},
	"consent_log": {kept: "proof of what was agreed to", seed: "WITH t AS (INSERT INTO consent_texts " +
		"VALUES ('h', 'sk', 't', now())) INSERT INTO consent_log (kind, reader_id, categories, action, policy_version, " +
		"text_hash, language, network, agent, at) VALUES ('terms', ?0, '{}', 'true', '1', 'h', 'sk', '192.0.2.0/24', '', " +
		"now())"},
	"discussion_comments": {},
	"discussion_likes": {seed: "WITH c AS (UPDATE discussion_comments SET likes = 1 WHERE reader_id <> ?0 " +
		"RETURNING id) INSERT INTO discussion_likes SELECT id, ?0, now() FROM c"},
	"discussion_reports": {seed: "INSERT INTO discussion_reports SELECT id, ?0, 'spam', 'canary words', now() " +
		"FROM discussion_comments WHERE reader_id <> ?0"},
	"discussion_drafts": {seed: "INSERT INTO discussion_drafts VALUES (?0, 1, 0, 'canary words', now())"},
	"discussion_bans": {seed: "INSERT INTO discussion_bans (reader_id, ends_at, reason, created_at) VALUES " +
		"(?0, now() + interval '1 day', 'canary words', now())"},
	"discussion_log": {
		kept: "what moderators did stays provable",
		seed: "INSERT INTO discussion_log (actor, action, reader_id, reason, at) VALUES ('command:test', 'ban', ?0, " +
			"'rude', now())",
	},
	"logging_events": {},
	"mail_log":       {},
	"mail_reports": {seed: "INSERT INTO mail_reports (dedupe_key, kind, hard, address, letter, message_id, " +
		"at) VALUES ('k', 'bounce', false, ?1, 'login', 'm', now())"},
	"mail_suppressions":      {seed: "INSERT INTO mail_suppressions VALUES (?1, 'bounce', now())"},
	"newsletter_subscribers": {seed: "INSERT INTO newsletter_subscribers (email, created_at) VALUES (?1, now())"},
	"newsletter_subscriptions": {seed: "INSERT INTO newsletter_subscriptions SELECT id, 'morning', now() FROM " +
		"newsletter_subscribers WHERE email = ?1"},
	"newsletter_requests": {seed: "INSERT INTO newsletter_requests (subscriber_id, lists, created_at, expires_at) " +
		"SELECT id, '{morning}', now(), now() FROM newsletter_subscribers WHERE email = ?1"},
	"newsletter_log": {seed: "INSERT INTO newsletter_log (subscriber_id, list, action, via, at) SELECT id, " +
		"'morning', 'asked', 'form', now() FROM newsletter_subscribers WHERE email = ?1"},
	"newsletter_deliveries": {seed: "WITH i AS (INSERT INTO newsletter_issues (list, name, due_at, state, created_at) " +
		"VALUES ('morning', 'x', now(), 'planned', now()) RETURNING id) INSERT INTO newsletter_deliveries SELECT i.id, " +
		"s.id FROM i, newsletter_subscribers s WHERE email = ?1"},
}

// personalColumn finds columns that say whose a row is.
var personalColumn = regexp.MustCompile(`(^|_)(reader|readers|subscriber|email|recipient|person|user)(_id)?$`)

// notPersonal are columns of that name that are about nobody.
var notPersonal = map[string]string{}

// readerColumns are the tables of an edition's schema with the columns that say whose a row is.
func readerColumns(ctx context.Context, t *testing.T, d *db.DB) map[string][]string {
	t.Helper()
	var rows []struct{ Table, Column string }
	err := d.Run(ctx, func(ctx context.Context, tx db.Tx) error {
		return tx.NewRaw(`SELECT c.relname AS table, a.attname AS column FROM pg_class c JOIN pg_attribute a ON a.attrelid
			= c.oid
			WHERE c.relnamespace = current_schema()::regnamespace AND c.relkind IN ('r', 'p') AND NOT c.relispartition AND
			a.attnum > 0 AND NOT a.attisdropped`).Scan(ctx, &rows)
	})
	if err != nil {
		t.Fatal(err)
	}
	found := map[string][]string{}
	for _, r := range rows {
		if _, no := notPersonal[r.Table+"."+r.Column]; !no &&
			(personalColumn.MatchString(r.Column) || r.Column == "address" && strings.HasPrefix(r.Table, "mail_")) {
			found[r.Table] = append(found[r.Table], r.Column)
		}
		if _, ok := found[r.Table]; !ok {
			found[r.Table] = nil
		}
	}
	return found
}

// rowsOf counts the rows of a table that are a reader's by a column, or that have one of the marks anywhere.
func rowsOf(ctx context.Context, t *testing.T, d *db.DB, table string, columns []string, reader, subscriber int64,
	marks ...string,
) (own, marked int) {
	t.Helper()
	where := []string{"false"}
	for _, c := range columns {
		switch c {
		case "reader_id":
			where = append(where, fmt.Sprintf("x.reader_id = %d", reader))
		case "subscriber_id":
			where = append(where, fmt.Sprintf("x.subscriber_id = %d", subscriber))
		}
	}
	has := []string{"false"}
	for _, m := range marks {
		has = append(has, "x::text ILIKE '%"+m+"%'")
	}
	err := d.Run(ctx, func(ctx context.Context, tx db.Tx) error {
		return tx.NewRaw(fmt.Sprintf("SELECT count(*) FILTER (WHERE %s), count(*) FILTER (WHERE %s) FROM %s x",
			strings.Join(where, " OR "), strings.Join(has, " OR "), table)).Scan(ctx, &own, &marked)
	})
	if err != nil {
		t.Fatal(table, err)
	}
	return own, marked
}

func queryNumber(ctx context.Context, t *testing.T, d *db.DB, query string, args ...any) (n int64) {
	t.Helper()
	if err := d.Run(ctx, func(ctx context.Context, tx db.Tx) error {
		return tx.NewRaw(query, args...).Scan(ctx, &n)
	}); err != nil {
		t.Fatal(query, err)
	}
	return n
}

// archive asks for the reader's export and reads it.
func (b *browser) archive() map[string]string {
	b.t.Helper()
	r := b.post("/user/export", map[string]any{})
	if r.Status != http.StatusOK || r.Header.Get("Content-Type") != "application/zip" ||
		!strings.Contains(r.Header.Get("Cache-Control"), "no-store") {
		b.t.Fatalf("%d %v %.200s", r.Status, r.Header, r.Body)
	}
	z, err := zip.NewReader(strings.NewReader(r.Body), int64(len(r.Body)))
	if err != nil {
		b.t.Fatal(err)
	}
	files := map[string]string{}
	for _, f := range z.File {
		in, err := f.Open()
		if err != nil {
			b.t.Fatal(err)
		}
		text, err := io.ReadAll(in)
		if err != nil {
			b.t.Fatal(err)
		}
		files[f.Name] = string(text)
	}
	return files
}

// forgetMail empties the mailbox, so that what comes next is what is meant.
func (p *testApp) forgetMail() {
	p.t.Helper()
	if err := p.mail.Clear(); err != nil {
		p.t.Fatal(err)
	}
}

// leave deletes the account by the mailed code.
func (p *testApp) leave(b *browser, address string) {
	p.t.Helper()
	p.forgetMail()
	if r := b.post("/user/leave/ask", map[string]any{}); r.Status != http.StatusOK {
		p.t.Fatalf("asking for the code: %d %s", r.Status, r.Body)
	}
	code := p.mailWithCode(address, time.Time{}).Code
	p.forgetMail()
	if r := b.post("/user/leave", map[string]string{"code": wrongCode(code)}); r.Status != http.StatusUnprocessableEntity {
		p.t.Fatalf("a wrong code: %d %s", r.Status, r.Body)
	}
	if r := b.post("/user/leave", map[string]string{"code": code}); r.Status != http.StatusOK {
		p.t.Fatalf("deleting: %d %s", r.Status, r.Body)
	}
}

// A reader who leaves has everything in the export before, and is nowhere afterwards but where it was decided.
func TestErasureLeavesNothingBehind(t *testing.T) {
	t.Parallel()
	p := startApp(t)
	p.publish(1, false)
	const id, address = "standard", "canary-address@example.org"
	ed, _ := p.app.registry.Get(id)
	ctx, d := edition.With(t.Context(), ed), p.app.DB
	other := p.writer(t, id, "bystander@example.org", "Bystander")
	other.say(1, "Her own words.")
	b := p.writer(t, id, address, "Canary.Name")
	comment := b.say(1, "=canary words")
	if r := b.post("/fns/logs-put",
		map[string]string{"action": "article_opened", "meta_value": "1"}); r.Status != http.StatusOK {
		t.Fatal(r.Body)
	}
	reader := queryNumber(ctx, t, d, "SELECT id FROM identity_readers WHERE email = ?", address)
	tables := readerColumns(ctx, t, d)
	for table, columns := range tables {
		if _, ok := decisions[table]; len(columns) > 0 && !ok {
			t.Errorf("%s has %v, and nobody has decided what becomes of it when a reader leaves", table, columns)
		}
	}
	for _, pass := range []bool{false, true} { // some seeds need the rows of others
		for table, c := range decisions {
			if _, ok := tables[table]; !ok {
				t.Fatalf("there is no table %s", table)
			}
			needs := strings.Contains(c.seed, "FROM newsletter_subscribers") ||
				strings.Contains(c.seed, "i, newsletter_subscribers")
			if c.seed == "" || needs != pass {
				continue
			}
			if err := d.Run(ctx, func(ctx context.Context, tx db.Tx) error {
				_, err := tx.NewRaw(c.seed, reader, address).Exec(ctx)
				return err
			}); err != nil {
				t.Fatal(table, err)
			}
		}
	}
	subscriber := queryNumber(ctx, t, d, "SELECT id FROM newsletter_subscribers WHERE email = ?", address)
	marks := []string{"canary-address", "canary.name", "canary words", "canaryname"}

	wait.Until(t, "the email of thanks was sent", func() bool {
		return queryNumber(ctx, t, d, "SELECT count(*) FROM mail_log WHERE recipient = ? AND state = 'sent'", address) == 3
	})
	second := p.browser(id)
	p.clock.Advance(2 * time.Minute) // one mail a minute
	p.forgetMail()
	p.signIn(second, address)
	files := b.archive()
	for name, want := range map[string]string{
		"data.json": address, "account.csv": "Canary.Name", "comments.csv": "'=canary words", "newsletters.csv": "morning",
		"subscriptions.csv": "product_monthly",
		"opened.csv":        "article", "events.csv": "article_opened", "consents.csv": "true", "letters.csv": "login",
		"sessions.csv": "device", "given_access.csv": "a prize",
	} {
		if !strings.Contains(files[name], want) {
			t.Errorf("%s of the export is without %s: %.300s", name, want, files[name])
		}
	}
	if all := fmt.Sprint(files); strings.Contains(all, "bystander") || strings.Contains(all, "Her own words") {
		t.Error("the export has another's data")
	}
	if r := p.browser(id).post("/user/export", map[string]any{}); r.Status != http.StatusUnauthorized {
		t.Errorf("a visitor's export: %d", r.Status)
	}
	if r := b.post("/user/leave/ask", map[string]any{}); r.Status != http.StatusOK { // a row of identity_leaves
		t.Fatal(r.Body)
	}
	p.clock.Advance(2 * time.Minute) // one mail a minute
	wait.Until(t, "the login has done what it does", func() bool {
		return queryNumber(ctx, t, d,
			"SELECT count(*) FROM outbox WHERE event = 'identity.reader_signed_in' AND done_at IS NULL") == 0
	})
	// A login forgives it.
	if err := runSQL(ctx, d, decisions["mail_suppressions"].seed+" ON CONFLICT DO NOTHING", reader, address); err != nil {
		t.Fatal(err)
	}
	for table, c := range decisions {
		own, marked := rowsOf(ctx, t, d, table, tables[table], reader, subscriber, marks...)
		if own+marked == 0 && table != "identity_erasures" && table != "billing_promises" && table != "billing_uses" {
			t.Errorf("%s has nothing of the reader before: the test shows nothing (%+v)", table, c)
		}
	}
	before := map[string]int{}
	bystander := queryNumber(ctx, t, d, "SELECT id FROM identity_readers WHERE email = 'bystander@example.org'")
	for table, columns := range tables {
		own, marked := rowsOf(ctx, t, d, table, columns, bystander, -1, "bystander")
		before[table] = own + marked
	}
	p.leave(b, address)
	for name, one := range map[string]*browser{"this browser": b, "the other browser": second} {
		if r := one.get("/user/me/"); strings.Contains(r.Body, "user_id") {
			t.Errorf("%s is signed in still: %s", name, r.Body)
		}
	}
	wait.Until(t, "the erasure is finished", func() bool {
		return queryNumber(ctx, t, d, "SELECT count(*) FROM identity_erasures WHERE reader_id = ? AND finished_at IS NOT "+
			"NULL",
			reader) == 1
	})
	// The receipt.
	p.mailOf(address, time.Time{}, func(m mailbox.Message) bool { return strings.Contains(m.Subject, "zruš") })
	for table, columns := range tables {
		own, marked := rowsOf(ctx, t, d, table, columns, reader, subscriber, marks...)
		if marked > 0 && !decisions[table].still {
			t.Errorf("%d rows of %s still name the reader", marked, table)
		}
		if own > 0 && decisions[table].kept == "" {
			t.Errorf("%d rows of %s are the reader's still", own, table)
		}
		if own, marked := rowsOf(ctx, t, d, table, columns, bystander, -1, "bystander"); own+marked != before[table] {
			t.Errorf("%s has %d rows of somebody else, had %d", table, own+marked, before[table])
		}
	}
	if n := queryNumber(ctx, t, d, "SELECT count(*) FROM billing_promises"); n != 0 {
		t.Errorf("%d promises", n)
	}
	if n := queryNumber(ctx, t, d, "SELECT count(*) FROM billing_subscriptions WHERE reader_id = ? AND status = "+
		"'canceled'",
		reader); n != 1 {
		t.Error("the subscription goes on")
	}
	var page struct{ Data json.RawMessage }
	other.get("/api/page?url="+ed.DiscussionPath(1)).json(t, &page)
	if !strings.Contains(string(page.Data), fmt.Sprint(comment)) || strings.Contains(string(page.Data), "canary") {
		t.Errorf("the thread is %s", page.Data)
	}
	p.forgetMail()
	again := p.browser(id)
	p.clock.Advance(2 * time.Minute) // one mail a minute
	p.signIn(again, address)
	var me struct {
		ID      int64  `json:"user_id"`
		Name    string `json:"comment_name"`
		Product string `json:"active_product"`
	}
	again.get("/user/me/").json(t, &me)
	if me.ID == 0 || me.ID == reader || me.Name != "" || me.Product != "no_product" {
		t.Errorf("who registers with the address is %+v, the one who left was %d", me, reader)
	}
}

func runSQL(ctx context.Context, d *db.DB, query string, args ...any) error {
	return d.Run(ctx, func(ctx context.Context, tx db.Tx) error {
		_, err := tx.NewRaw(query, args...).Exec(ctx)
		return err
	})
}

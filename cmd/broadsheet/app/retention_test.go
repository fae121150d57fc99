package app

import (
	"context"
	"fmt"
	"maps"
	"net/http"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"example.org/broadsheet/platform/db"
	"example.org/broadsheet/platform/paper/edition"
	"example.org/broadsheet/platform/retention"
	"example.org/broadsheet/platform/testkit"
	"example.org/broadsheet/platform/testkit/wait"
)

// staying says why rows of a table have no age at which they go. Who adds a table with a time or a reader in it gives
// it a rule (Retentions of its module), or a reason here.
var staying = map[string]string{
	"bun_migrations":       "the history of the schema",
	"mail_suppressions":    "an address takes no mail until it was proved to",
	"identity_readers":     "as long as the account; empty after it, while payments and consents point at it",
	"identity_invitations": "an invitation holds until it is used or its reader leaves",
	"identity_roles":       "as long as the account, or until the role is taken back",
	"identity_passkeys":    "as long as the account, or until its reader removes it",
	"identity_tombstones":  "an import must not bring back who has left; it is a hash",
	"billing_uses": "an introductory price and a trial are given once; what is here is a number or a hash. That " +
		"somebody has withdrawn is deleted after a year",
	"billing_series":           "the last number of each series of invoices",
	"billing_rounds":           "how far the comparison with the payment provider is",
	"billing_syncs":            "with which number and when a subscription was asked about; it names nobody",
	"billing_readers":          "as long as the account",
	"billing_redemptions":      "with its code",
	"billing_invoice_data":     "as long as the account",
	"paywall_readers":          "as long as the account; it is a number",
	"consent_texts":            "the words that were agreed to",
	"consent_documents":        "the words that were agreed to",
	"discussion_comments":      "they are published; their reader takes them back, or leaves",
	"discussion_likes":         "as long as the comment, or until it is taken back",
	"newsletter_subscriptions": "until the reader leaves the list",
	"content_posts":            "they are published",
	"content_post_authors":     "with its post",
	"content_post_categories":  "with its post",
	"content_post_tags":        "with its post",
	"content_tags":             "they are published",
	"content_search":           "with its post",
	"content_sync_cursors":     "how far an edition has followed another site",
}

// aged makes a row whose age is counted from ?0; ?1 tells rows apart. One for each rule.
var aged = map[string]string{
	"outbox": "INSERT INTO outbox (event, payload, created_at, due_at, next_at, done_at) " +
		"VALUES ('e', '{}', ?0, ?0, ?0, ?0)",
	"rate_limits": "INSERT INTO rate_limits VALUES ('b' || ?1, ?0, 1, ?0)",
	"mail_log": "INSERT INTO mail_log (dedupe_key, kind, recipient, message_id, state, " +
		"created_at, claimed_at) VALUES ('k' || ?1, 'login', 'a@reader.test', 'm', 'sent', ?0, ?0)",
	"mail_log.newsletters": "INSERT INTO mail_log (dedupe_key, kind, recipient, message_id, state, " +
		"created_at, claimed_at) VALUES ('n' || ?1, 'newsletter', 'a@reader.test', 'm', 'sent', ?0, ?0)",
	"mail_reports": "INSERT INTO mail_reports (dedupe_key, kind, hard, address, letter, " +
		"message_id, at) VALUES ('k' || ?1, 'bounce', false, 'a@reader.test', 'login', 'm', ?0)",
	"identity_login_attempts": "INSERT INTO identity_login_attempts (email, purpose, nonce, link_hash, " +
		"code_hash, browser_hash, referrer, created_at, expires_at) VALUES ('a@reader.test', 'login', 'n', ('l' || " +
		"?1)::bytea, 'c', 'b', '/', ?0, now() + interval '1 year')",
	"identity_leaves": aReader + "INSERT INTO identity_leaves (reader_id, nonce, code_hash, " +
		"created_at, expires_at) SELECT id, 'n', 'c', ?0, now() + interval '1 year' FROM r",
	"identity_passkey_challenges": "INSERT INTO identity_passkey_challenges VALUES (('c' || ?1)::bytea, NULL, " +
		"'{}', ?0)",
	"identity_help_messages": "INSERT INTO identity_help_messages (email, name, text, created_at, sent_at) " +
		"VALUES ('a@reader.test', '', 'x', ?0, ?0)",
	"identity_address_changes": aReader + "INSERT INTO identity_address_changes (reader_id, session_id, " +
		"old_email, new_email, taken, nonce, old_hash, new_hash, created_at, expires_at) SELECT id, 1, 'a', 'b', false, " +
		"'n', ('o' || ?1)::bytea, ('w' || ?1)::bytea, ?0, ?0 FROM r",
	"identity_sessions": aReader + "INSERT INTO identity_sessions (reader_id, token_hash, handle, " +
		"created_at, seen_at, expires_at, ended_at) SELECT id, ('t' || ?1)::bytea, 'h' || ?1, ?0, now(), now() + interval " +
		"'1 year', ?0 FROM r",
	"identity_sessions.idle": aReader + "INSERT INTO identity_sessions (reader_id, token_hash, handle, " +
		"created_at, seen_at, expires_at) SELECT id, ('s' || ?1)::bytea, 's' || ?1, ?0, ?0, now() + interval '1 year' FROM r",
	"identity_erasures": aReader + "INSERT INTO identity_erasures (reader_id, email, asked_at, " +
		"finished_at) SELECT id, '', ?0, ?0 FROM r",
	"identity_audit": "INSERT INTO identity_audit (operator, action, reader_id, reason, at) VALUES " +
		"('command:test', 'show', 1, 'asked', ?0)",
	"billing_drafts": "INSERT INTO billing_drafts VALUES (?1, '{}', ?0)",
	"billing_intents.unpaid": "INSERT INTO billing_intents (reader_id, product, intro, person, referrer, " +
		"state, created_at, expires_at, settled_at) VALUES (?1, 'product_monthly', false, 'email:x', '/', 'expired', ?0, " +
		"?0, ?0)",
	"billing_intents": "INSERT INTO billing_intents (reader_id, product, intro, person, referrer, " +
		"state, created_at, expires_at, settled_at) VALUES (?1, 'product_monthly', false, 'email:x', '/', 'paid', ?0, ?0, " +
		"?0)",
	"billing_events": "INSERT INTO billing_events (id, type, object, object_id, created_at, " +
		"received_at, done_at) VALUES ('evt_' || ?1, 't', 'o', 'o', ?0, ?0, ?0)",
	"billing_grants": "INSERT INTO billing_grants (reader_id, until, reason, granted_at) VALUES " +
		"(?1, ?0, 'a prize', ?0)",
	"billing_withdrawals.unsent": "INSERT INTO billing_withdrawals (name, email, contract, created_at) VALUES " +
		"('x', 'a@example.org', 'gift', ?0)",
	"billing_withdrawals": "INSERT INTO billing_withdrawals (name, email, contract, created_at, " +
		"received_at, state) VALUES ('x', 'a@example.org', 'gift', ?0, ?0, 'done')",
	"billing_gifts.unpaid": aGift + "'expired', ?0, ?0)",
	"billing_gifts":        aGift + "'paid', ?0, ?0)",
	"billing_wishes": "INSERT INTO billing_wishes (email, product, created_at, expires_at) VALUES " +
		"('a@example.org', 'product_monthly', ?0, ?0)",
	"billing_coupons": "INSERT INTO billing_coupons (code_hash, batch, product, periods, uses, " +
		"remaining, valid_from, valid_until, created_at) VALUES (sha256(?1::text::bytea), 'x', 'product_monthly', 1, 1, 1, " +
		"?0::timestamptz - interval '1 day', ?0, ?0)",
	"billing_promises": "INSERT INTO billing_promises VALUES ('email:' || ?1, 'campaign', ?0)",
	"billing_drift": "INSERT INTO billing_drift (provider_id, kind, detail, found_at, repaired_at) " +
		"VALUES ('sub_' || ?1, 'gone', '', ?0, ?0)",
	"billing_vat_numbers": "INSERT INTO billing_vat_numbers VALUES ('SK' || ?1, true, '', ?0)",
	"billing_parked": "INSERT INTO billing_parked (kind, provider_id, created_at, resolved_at) " +
		"VALUES ('unknown_customer', 'sub_' || ?1, ?0, ?0)",
	"billing_invoices": "INSERT INTO billing_invoices (provider_id, reader_id, number, status, " +
		"product, total, paid, currency, created_at, updated_at) VALUES ('in_' || ?1, 1, '1', 'paid', 'product_monthly', " +
		"100, 100, 'eur', ?0, now())",
	"billing_disputes": "INSERT INTO billing_disputes (provider_id, charge, paid, reader_id, amount, currency, state, " +
		"opened_at, updated_at) VALUES ('dp_' || ?1, 'ch', 'in', 1, 100, 'eur', 'lost', ?0, ?0)",
	"billing_documents": aDocument,
	"billing_voids": "WITH d AS (" + aDocument + " RETURNING id) INSERT INTO billing_voids SELECT " +
		"id, ?0 FROM d",
	"billing_reminders": "WITH s AS (" + aSubscription + " RETURNING id) INSERT INTO billing_reminders " +
		"SELECT id, 'trial_ending', ?0, ?0 FROM s",
	"billing_subscriptions": aSubscription,
	"billing_bank_lines": "INSERT INTO billing_bank_lines (entry, account, credit, amount, currency, " +
		"booked, state, imported_at, settled_at) VALUES ('e' || ?1 || clock_timestamp(), 'x', true, 1, 'EUR', now(), " +
		"'refunded', ?0, ?0)",
	"billing_statements": "INSERT INTO billing_statements VALUES ('h' || ?1, 1, ?0)",
	"billing_transfers": "INSERT INTO billing_transfers (reader_id, product, amount, currency, state, " +
		"renews, created_at, due_at, void_at, settled_at) VALUES (?1, 'product_yearly', 1, 'EUR', 'void', false, ?0, ?0, " +
		"?0, ?0)",
	"billing_price_changes": "WITH s AS (" + aSubscription + " RETURNING id) INSERT INTO " +
		"billing_price_changes (subscription_id, amount, was, from_at, told_at) SELECT id, 2, 1, ?0, ?0 FROM s",
	"billing_changes": "WITH s AS (" + aSubscription + " RETURNING id) INSERT INTO billing_changes " +
		"(reader_id, subscription_id, kind, state, created_at, settled_at) SELECT ?1, id, 'cancel', 'done', ?0, ?0 FROM s",
	"billing_customers": "INSERT INTO billing_customers VALUES (1000 + ?1, 'cus_' || ?1, ?0)",
	"paywall_opened":    "INSERT INTO paywall_opened VALUES (?1, '2026-11', 'article', 1, ?0)",
	"discussion_drafts": "INSERT INTO discussion_drafts VALUES (?1, 1, 0, 'text', ?0)",
	"discussion_reports": aComment + "INSERT INTO discussion_reports SELECT id, 2, 'spam', '', ?0, ?0 " +
		"FROM c",
	"discussion_bans": "INSERT INTO discussion_bans (reader_id, ends_at, reason, created_at) VALUES " +
		"(?1, ?0, 'rude', ?0)",
	"discussion_log": "INSERT INTO discussion_log (actor, action, reader_id, reason, at) VALUES " +
		"('command:test', 'ban', 1, 'rude', ?0)",
	"newsletter_requests": aSubscriber + "INSERT INTO newsletter_requests (subscriber_id, lists, " +
		"created_at, expires_at) SELECT id, '{morning}', ?0, ?0 FROM s",
	"newsletter_subscribers.unconfirmed": "INSERT INTO newsletter_subscribers (email, created_at) VALUES ('u' || ?1, ?0)",
	"newsletter_deliveries": aSubscriber + ", " + anIssue + "INSERT INTO newsletter_deliveries SELECT " +
		"i.id, s.id FROM i, s",
	"newsletter_issues": "WITH " + anIssue + "SELECT id FROM i",
	"newsletter_log": aSubscriber + "INSERT INTO newsletter_log (subscriber_id, list, action, via, at) " +
		"SELECT id, 'morning', 'left', 'form', ?0 FROM s",
	"newsletter_subscribers.gone": "INSERT INTO newsletter_subscribers (email, created_at, confirmed_at) VALUES ('g' || " +
		"?1, ?0, ?0)",
	"consent_log": aText + "INSERT INTO consent_log (kind, visitor_id, categories, action, policy_version, " +
		"text_hash, language, network, agent, at) SELECT 'cookies', 'v', '{}', 'all', '1', 'h' || ?1, 'sk', " +
		"'192.0.2.0/24', '', ?0 FROM t",
	"logging_events":        "INSERT INTO logging_events (action, at) VALUES ('article_opened', ?0)",
	"logging_client_errors": "INSERT INTO logging_client_errors (message, at) VALUES ('x', ?0)",
	"content_views":         aPost + "INSERT INTO content_views SELECT ?2, id, 1 FROM p",
	"content_searches":      "INSERT INTO content_searches (day, term, hits, times) VALUES (?2, 't' || ?1, 1, 1)",
	"retention_nights":      "INSERT INTO retention_nights VALUES (?2, ?0)",
}

// What rows stand on.
const (
	aReader = "WITH r AS (INSERT INTO identity_readers (email, created_at) VALUES ('reader' || ?1 || " +
		"clock_timestamp(), now()) RETURNING id) "
	aSubscriber = "WITH s AS (INSERT INTO newsletter_subscribers (email, created_at, confirmed_at) VALUES ('s' || ?1 " +
		"|| clock_timestamp(), now(), now()) RETURNING id) "
	anIssue = "i AS (INSERT INTO newsletter_issues (list, name, due_at, state, created_at) VALUES ('morning', 'x' " +
		"|| ?1 || clock_timestamp(), ?0, 'planned', ?0) RETURNING id) "
	aComment = "WITH c AS (INSERT INTO discussion_comments (post_id, reader_id, body, once, created_at) VALUES (1, " +
		"1, 'x', sha256((?1 || clock_timestamp()::text)::bytea), now()) RETURNING id) "
	aText = "WITH t AS (INSERT INTO consent_texts VALUES ('h' || ?1, 'sk', 't', now()) RETURNING hash) "
	aPost = "WITH p AS (INSERT INTO content_posts (type, status, slug, title, paragraphs, locked, published_at, " +
		"modified_at, hash) VALUES ('article', 'published', 'v' || ?1, 't', 1, false, now(), now(), 'h') RETURNING id) "
	aDocument = "INSERT INTO billing_documents (source, issuer, kind, year, n, number, reader_id, total, currency, " +
		"issued_at, snapshot) VALUES ('s' || ?1, '1', 'PF', 2000, ?1, 'PF' || ?1, 1, 100, 'EUR', ?0, '{}')"
	aGift = "INSERT INTO billing_gifts (nonce, product, buyer_email, send_at, amount, currency, state, " +
		"created_at, settled_at) VALUES ('x', 'product_monthly', 'a@example.org', ?0, 796, 'EUR', "
	aCoupon = "INSERT INTO billing_coupons (code_hash, batch, product, periods, uses, remaining, valid_from, " +
		"valid_until, created_at) VALUES (sha256(random()::text::bytea), 'x', 'product_monthly', 1, 1, 0, now(), now() + " +
		"interval '1 day', now())"
	aSubscription = "INSERT INTO billing_subscriptions (reader_id, provider_id, product, status, period_start, " +
		"period_end, started_at, ended_at, updated_at) VALUES (?1, 'sub' || ?1 || clock_timestamp(), 'product_monthly', " +
		"'canceled', ?0, ?0, ?0, ?0, now())"
)

// evergreen are rows that no rule may take, however old they are: each made at ?0, which is long ago.
var evergreen = map[string]string{
	"work that is not done": "INSERT INTO outbox (event, payload, created_at, due_at, next_at) VALUES ('open', " +
		"'{}', ?0, ?0, ?0)",
	"work that was given up": "INSERT INTO outbox (event, payload, created_at, due_at, next_at, dead_at) VALUES " +
		"('dead', '{}', ?0, ?0, ?0, ?0)",
	"an erasure under way": "WITH r AS (INSERT INTO identity_readers (email, created_at) VALUES ('leaver', ?0) " +
		"RETURNING id) INSERT INTO identity_erasures (reader_id, email, asked_at) SELECT id, 'leaver', ?0 FROM r",
	"an account": "INSERT INTO identity_readers (email, created_at, last_login_at) VALUES " +
		"('old@reader.test', ?0, ?0)",
	"a session in use": "WITH r AS (INSERT INTO identity_readers (email, created_at) VALUES ('here', ?0) " +
		"RETURNING id) INSERT INTO identity_sessions (reader_id, token_hash, handle, created_at, seen_at, expires_at) " +
		"SELECT id, 'u', 'u', ?0, now(), now() + interval '1 day' FROM r",
	"an open checkout": "INSERT INTO billing_intents (reader_id, product, intro, person, referrer, state, " +
		"created_at, expires_at) VALUES (1, 'product_monthly', false, 'x', '/', 'open', ?0, ?0)",
	"a subscription that goes on": "INSERT INTO billing_subscriptions (reader_id, provider_id, product, status, " +
		"period_start, period_end, started_at, updated_at) VALUES (2, 'sub_2', 'product_monthly', 'active', ?0, ?0, ?0, ?0)",
	"its customer": "INSERT INTO billing_customers VALUES (2, 'cus_2', ?0)",
	"an open order": "INSERT INTO billing_transfers (reader_id, product, amount, currency, renews, " +
		"created_at, due_at, void_at) VALUES (1, 'product_yearly', 1, 'EUR', false, ?0, ?0, ?0)",
	"a payment in the queue": "INSERT INTO billing_bank_lines (entry, account, credit, amount, currency, booked, " +
		"state, imported_at) VALUES ('old', 'x', true, 1, 'EUR', ?0, 'queued', ?0)",
	"a payment to be looked at": "INSERT INTO billing_parked (kind, provider_id, created_at) VALUES " +
		"('unknown_customer', 'sub_9', ?0)",
	"a reader's consent": "WITH t AS (INSERT INTO consent_texts VALUES ('old', 'sk', 't', ?0)) INSERT INTO " +
		"consent_log (kind, reader_id, categories, action, policy_version, text_hash, language, network, agent, at) VALUES " +
		"('terms', 2, '{}', 'true', '1', 'old', 'sk', '192.0.2.0/24', '', ?0)",
	"a report nobody has settled": "WITH c AS (INSERT INTO discussion_comments (post_id, reader_id, body, once, " +
		"created_at) VALUES (1, 1, 'x', 'x', ?0) RETURNING id) INSERT INTO discussion_reports SELECT id, 2, 'spam', '', ?0 " +
		"FROM c",
	"who gets a newsletter": "WITH s AS (INSERT INTO newsletter_subscribers (email, created_at, confirmed_at) VALUES " +
		"('old', ?0, ?0) RETURNING id), l AS (INSERT INTO newsletter_log (subscriber_id, list, action, via, at) SELECT id, " +
		"'morning', 'joined', 'mail', ?0 FROM s) INSERT INTO newsletter_subscriptions SELECT id, 'morning', ?0 FROM s",
	"an address that bounced": "INSERT INTO mail_suppressions VALUES ('a@reader.test', 'bounce', ?0)",
}

// ruled are the rules of all parts, which are data.
func ruled() []retention.Rule {
	return retention.New(nil, nil, (&App{}).retentions()...).Rules()
}

func seed(ctx context.Context, t *testing.T, d *db.DB, query string, at time.Time, n int) {
	t.Helper()
	ed, _ := edition.From(ctx)
	if err := runSQL(ctx, d, query, at, n, at.In(ed.Location).Format(time.DateOnly)); err != nil {
		t.Fatal(query, err)
	}
}

// Each rule takes what is a moment too old, and leaves what is not.
func TestEveryRuleTakesWhatIsTooOld(t *testing.T) {
	t.Parallel()
	ctx, d := testkit.Edition(t)
	ed, _ := edition.From(ctx)
	known := map[string]bool{}
	for n, r := range ruled() {
		if known[r.Name] {
			t.Errorf("two rules are called %s", r.Name)
		}
		known[r.Name] = true
		query, ok := aged[r.Name]
		if !ok {
			t.Errorf("nothing tests the rule %s", r.Name)
			continue
		}
		step := time.Minute
		if strings.Contains(r.Where, "?1") {
			step = 24 * time.Hour
		}
		if _, err := retention.Enforce(ctx, d, r); err != nil { // on what other rows stand on
			t.Fatal(err)
		}
		limit := r.Limit(d.Now(), ed)
		for _, c := range []struct {
			what    string
			at      time.Time
			removed int64
		}{{"young enough", limit.Add(step), 0}, {"too old", limit.Add(-step), 1}, {"gone", time.Time{}, 0}} {
			if !c.at.IsZero() {
				seed(ctx, t, d, query, c.at, 10*n+int(c.removed))
			}
			if removed, err := retention.Enforce(ctx, d, r); err != nil || removed != c.removed {
				t.Errorf("%s, %s: %d rows were removed, not %d (%v)", r.Name, c.what, removed, c.removed, err)
			}
		}
	}
	for name := range aged {
		if !known[name] {
			t.Errorf("there is no rule %s", name)
		}
	}
}

func TestWhatIsNeededHasNoAge(t *testing.T) {
	t.Parallel()
	ctx, d := testkit.Edition(t)
	for _, query := range slices.Sorted(maps.Values(evergreen)) {
		seed(ctx, t, d, query, d.Now().AddDate(-40, 0, 0), 1)
	}
	for _, r := range ruled() {
		if n, err := retention.Enforce(ctx, d, r); err != nil || n != 0 {
			t.Errorf("%s takes %d rows (%v)", r.Name, n, err)
		}
	}
}

// dated are the tables of an edition that know a reader or a time.
func dated(ctx context.Context, t *testing.T, d *db.DB) map[string]bool {
	t.Helper()
	var tables []string
	err := d.Run(ctx, func(ctx context.Context, tx db.Tx) error {
		return tx.NewRaw(`SELECT DISTINCT c.relname FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid
			WHERE c.relnamespace = current_schema()::regnamespace AND c.relkind IN ('r', 'p') AND NOT c.relispartition AND
			a.attnum > 0 AND NOT a.attisdropped
			AND a.atttypid IN ('timestamptz'::regtype, 'timestamp'::regtype, 'date'::regtype)`).Scan(ctx, &tables)
	})
	if err != nil {
		t.Fatal(err)
	}
	found := map[string]bool{}
	for _, table := range tables {
		found[table] = true
	}
	for table, columns := range readerColumns(ctx, t, d) {
		if len(columns) > 0 {
			found[table] = true
		}
	}
	return found
}

func TestEveryTableHasItsRetention(t *testing.T) {
	t.Parallel()
	ctx, d := testkit.Edition(t)
	of := map[string]bool{}
	for _, r := range ruled() {
		of[r.Table()] = true
	}
	tables := dated(ctx, t, d)
	for table := range tables {
		if (staying[table] == "") == !of[table] {
			t.Errorf("%s: a rule: %t, a reason to stay: %q; it needs one of them", table, of[table], staying[table])
		}
	}
	for table := range staying {
		if !tables[table] {
			t.Errorf("%s stays, and has neither a time nor a reader, or is not there", table)
		}
	}
}

// docs/retention.md is written from the rules: UPDATE=1 go test ./cmd/broadsheet/app -run RetentionIsDocumented
func TestRetentionIsDocumented(t *testing.T) {
	t.Parallel()
	const file, mark = "../../../docs/retention.md", "<!-- written by a test -->\n"
	b, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	intro, _, _ := strings.Cut(string(b), mark)
	want := intro + mark + retentionTables()
	if os.Getenv("UPDATE") != "" {
		if err := os.WriteFile(file, []byte(want), 0o644); err != nil {
			t.Fatal(err)
		}
	} else if string(b) != want {
		t.Error("docs/retention.md is not what the rules are: run with UPDATE=1")
	}
}

func retentionTables() string {
	var b strings.Builder
	b.WriteString("\n## What goes\n\n| Rule | Rows | Kept |\n|---|---|---|\n")
	for _, r := range ruled() {
		fmt.Fprintf(&b, "| `%s` | %s | %s |\n", r.Name, r.Rows, keptFor(r))
	}
	b.WriteString("\n## What stays\n\n| Table | Why |\n|---|---|\n")
	for _, table := range slices.Sorted(maps.Keys(staying)) {
		fmt.Fprintf(&b, "| `%s` | %s |\n", table, staying[table])
	}
	return b.String()
}

func keptFor(r retention.Rule) string {
	const dayLong, year = 24 * time.Hour, 365 * 24 * time.Hour
	switch {
	case r.Years != nil:
		words := []string{}
		for _, country := range []string{"SK", "AT", "CH"} {
			ed := &edition.Edition{Document: edition.Document{Supplier: edition.Supplier{Country: country}}}
			words = append(words, fmt.Sprintf("%s %d", country, r.Years(ed)))
		}
		return strings.Join(words, ", ") + " years after the calendar year"
	case r.Kept == 0:
		return "no longer"
	case r.Kept%year == 0:
		return count(int(r.Kept/year), "year")
	case r.Kept%dayLong == 0:
		return count(int(r.Kept/dayLong), "day")
	}
	return count(int(r.Kept/time.Hour), "hour")
}

func count(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}

// The worker does the night's work by itself, and says so as a metric.
func TestNightsAreWorked(t *testing.T) {
	t.Parallel()
	p := startApp(t)
	const id, rule = "standard", "logging_client_errors"
	ed, _ := p.app.registry.Get(id)
	ctx, d := edition.With(t.Context(), ed), p.app.DB
	wait.Until(t, "the first night's work is done", func() bool { return len(p.app.retention.Finished()) == 3 })
	seed(ctx, t, d, aged[rule], d.Now().AddDate(0, 0, -40), 1)
	if r := p.browser(id).post("/_dev/clock", map[string]string{"advance": "24h"}); r.Status != http.StatusOK {
		t.Fatal(r.Body)
	}
	wait.Until(t, "what is too old is gone", func() bool {
		return queryNumber(ctx, t, d, "SELECT count(*) FROM "+rule) == 0
	})
	families, err := p.app.metrics.Gather()
	if err != nil {
		t.Fatal(err)
	}
	all := fmt.Sprint(families)
	for _, want := range []string{
		"broadsheet_retention_removed_total", rule,
		"broadsheet_retention_finished_timestamp_seconds",
	} {
		if !strings.Contains(all, want) {
			t.Errorf("no metric for %s", want)
		}
	}
}

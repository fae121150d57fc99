-- The schema of an edition: every edition has all of it, in a PostgreSQL schema of its own. Changes are files beside this one.
-- schema.txt shows the result.

-- Platform ------------------------------------------------------------------------------------------------------------
-- What the platform keeps in every edition: jobs, emails, budgets.

CREATE TABLE outbox (
	id            bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
	event         text NOT NULL,
	payload       jsonb NOT NULL,
	dedupe_key    text UNIQUE,
	created_at    timestamptz NOT NULL,
	due_at        timestamptz NOT NULL,
	next_at       timestamptz NOT NULL,       -- when the relay takes it up, for the first time or again
	enqueued_at   timestamptz,                -- last hand-over to the queue
	drives        integer NOT NULL DEFAULT 0, -- hand-overs so far
	claimed_until timestamptz,                -- a worker has it, or a failure keeps it back
	attempts      integer NOT NULL DEFAULT 0, -- runs that failed
	last_error    text NOT NULL DEFAULT '',
	done_at       timestamptz,                -- the truth: the work was done
	dead_at       timestamptz                 -- given up; a person looks at it
);
CREATE INDEX outbox_open ON outbox (next_at) WHERE done_at IS NULL AND dead_at IS NULL;
CREATE INDEX outbox_dead ON outbox (dead_at) WHERE dead_at IS NOT NULL;
CREATE INDEX outbox_done ON outbox (done_at) WHERE done_at IS NOT NULL;

-- 'handed': the mail server was given the whole email and had not answered. Bulk email is not sent again then.
CREATE TABLE mail_log (
	id         bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
	dedupe_key text NOT NULL UNIQUE,    -- one email a key
	kind       text NOT NULL,
	recipient  text NOT NULL,
	message_id text NOT NULL,
	state      text NOT NULL CHECK (state IN ('claimed', 'handed', 'sent', 'bounced', 'dropped')),
	attempts   integer NOT NULL DEFAULT 0,
	last_error text NOT NULL DEFAULT '',
	created_at timestamptz NOT NULL,
	claimed_at timestamptz NOT NULL,
	sent_at    timestamptz
);
CREATE INDEX mail_log_recipient ON mail_log (recipient, created_at);
CREATE INDEX mail_log_message_id ON mail_log (message_id);
CREATE INDEX mail_log_created ON mail_log (created_at);

-- What mail servers said of emails after they had left.
CREATE TABLE mail_reports (
	id         bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
	dedupe_key text NOT NULL CONSTRAINT mail_reports_key UNIQUE, -- a report that comes twice counts once
	kind       text NOT NULL CHECK (kind IN ('bounce', 'complaint')),
	hard       boolean NOT NULL,
	address    text NOT NULL,            -- to which the email was sent
	letter     text NOT NULL,            -- kind of the email
	message_id text NOT NULL,
	status     text NOT NULL DEFAULT '', -- 5.1.1
	detail     text NOT NULL DEFAULT '', -- what the server said, without the address
	at         timestamptz NOT NULL
);
CREATE INDEX mail_reports_address ON mail_reports (address, at);
CREATE INDEX mail_reports_at ON mail_reports (at);

-- Addresses that get no bulk email any more.
CREATE TABLE mail_suppressions (
	address text PRIMARY KEY,
	reason  text NOT NULL CHECK (reason IN ('bounce', 'complaint')),
	at      timestamptz NOT NULL
);

-- Budgets count events in windows; they live here because a lost cache must not reset them.
CREATE TABLE rate_limits (
	bucket     text NOT NULL,           -- "mail:email:<hash>"
	window_at  timestamptz NOT NULL,    -- start of the window
	used       integer NOT NULL DEFAULT 0,
	expires_at timestamptz NOT NULL,
	PRIMARY KEY (bucket, window_at)
);
CREATE INDEX rate_limits_expires ON rate_limits (expires_at);

-- The nights in which what was kept for long enough has been removed.
CREATE TABLE retention_nights (
	night       date PRIMARY KEY, -- the day on which it began, in the edition's time zone
	finished_at timestamptz NOT NULL
);

-- Identity ------------------------------------------------------------------------------------------------------------
-- Readers, the login emails that were requested, and the sessions that came of them.

CREATE TABLE identity_readers (
	id                  bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
	email               text NOT NULL CONSTRAINT identity_readers_email UNIQUE, -- lower case, domain in ASCII
	comment_name        text NOT NULL DEFAULT '',
	type                text NOT NULL DEFAULT 'email', -- how the account came to be: email, wordpress
	lang                text NOT NULL DEFAULT '',      -- of emails; '' is the edition's
	created_at          timestamptz NOT NULL,
	first_login_at      timestamptz,
	last_login_at       timestamptz,
	comment_name_key    text NOT NULL DEFAULT '', -- what no two names share: names that look alike have one key
	-- The row stays, because payments and consents point at it; its address and name are gone.
	erased_at           timestamptz,
	passkey_declined_at timestamptz, -- "not now" to the offer of a passkey
	-- The name outside the database: after a dump is restored, numbers of lost readers are given out again.
	public_id           uuid NOT NULL DEFAULT gen_random_uuid()
);
CREATE UNIQUE INDEX identity_readers_comment_name ON identity_readers (comment_name_key) WHERE comment_name_key <> '';

CREATE TABLE identity_roles (
	reader_id  bigint NOT NULL REFERENCES identity_readers (id) ON DELETE CASCADE,
	role       text NOT NULL CHECK (role IN ('moderator')),
	granted_at timestamptz NOT NULL,
	PRIMARY KEY (reader_id, role)
);

-- Addresses that may register where an edition is by invitation.
CREATE TABLE identity_invitations (
	email      text PRIMARY KEY,
	created_at timestamptz NOT NULL,
	id         bigint GENERATED ALWAYS AS IDENTITY UNIQUE -- by which the outbox names it
);

-- One row for each login email. Link and code are not here: they are derived from the nonce with a key that the database
-- does not have, and only checked against their hashes.
CREATE TABLE identity_login_attempts (
	id             bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
	email          text NOT NULL,
	purpose        text NOT NULL CHECK (purpose IN ('login', 'registration', 'uninvited')),
	nonce          bytea NOT NULL,
	link_hash      bytea NOT NULL CONSTRAINT identity_login_attempts_link UNIQUE,
	code_hash      bytea NOT NULL,
	browser_hash   bytea NOT NULL,     -- of the cookie of the browser that asked
	referrer       text NOT NULL,      -- local path to go to afterwards
	tries          integer NOT NULL DEFAULT 0,
	created_at     timestamptz NOT NULL,
	expires_at     timestamptz NOT NULL,
	link_used_at   timestamptz,
	code_used_at   timestamptz,
	superseded_at  timestamptz,
	device         text NOT NULL DEFAULT '', -- that asked: "Firefox, Linux"
	approved_by    bigint, -- the session that approved it: the browser that asked is let in, once
	approved_at    timestamptz,
	denied_at      timestamptz,
	-- Hashes of cookies of browsers that asked while this email was on its way.
	other_browsers bytea[] NOT NULL DEFAULT '{}',
	-- Documents that the form named, as "id@version" separated by spaces: going on agrees to them.
	agreed         text NOT NULL DEFAULT ''
);
CREATE INDEX identity_login_attempts_email ON identity_login_attempts (email, id DESC);
CREATE INDEX identity_login_attempts_created ON identity_login_attempts (created_at);
CREATE INDEX identity_login_attempts_browser ON identity_login_attempts (browser_hash, id DESC);

CREATE TABLE identity_sessions (
	id             bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
	reader_id      bigint NOT NULL REFERENCES identity_readers (id) ON DELETE CASCADE,
	token_hash     bytea NOT NULL CONSTRAINT identity_sessions_token UNIQUE,
	handle         text NOT NULL CONSTRAINT identity_sessions_handle UNIQUE, -- public; authenticates nothing
	device         text NOT NULL DEFAULT '',                                 -- "Firefox, Linux"
	created_at     timestamptz NOT NULL,
	seen_at        timestamptz NOT NULL, -- to the hour
	expires_at     timestamptz NOT NULL,
	ended_at       timestamptz,
	-- An older one than the edition asks for is exchanged for a new session, once, within a minute.
	version        integer NOT NULL DEFAULT 0,
	exchange_hash  bytea CONSTRAINT identity_sessions_exchange UNIQUE,
	exchange_until timestamptz
);
CREATE INDEX identity_sessions_reader ON identity_sessions (reader_id) WHERE ended_at IS NULL;
CREATE INDEX identity_sessions_expires ON identity_sessions (expires_at);

-- Changes of a reader's address: both the old and the new one have to confirm. Links and codes are derived from the
-- nonce, as those of login emails; only hashes of the links are here, to find the change by.
CREATE TABLE identity_address_changes (
	id               bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
	reader_id        bigint NOT NULL REFERENCES identity_readers (id) ON DELETE CASCADE,
	session_id       bigint NOT NULL,  -- that asked for it; it outlives the change
	old_email        text NOT NULL,
	new_email        text NOT NULL,
	taken            boolean NOT NULL, -- the new address was another reader's: it gets no link
	nonce            bytea NOT NULL,
	old_hash         bytea NOT NULL CONSTRAINT identity_address_changes_old UNIQUE,
	new_hash         bytea NOT NULL CONSTRAINT identity_address_changes_new UNIQUE,
	tries            integer NOT NULL DEFAULT 0,
	created_at       timestamptz NOT NULL,
	expires_at       timestamptz NOT NULL,
	old_confirmed_at timestamptz,
	new_confirmed_at timestamptz,
	superseded_at    timestamptz,      -- by another change, or called off
	done_at          timestamptz
);
CREATE INDEX identity_address_changes_reader ON identity_address_changes (reader_id, id DESC);
CREATE INDEX identity_address_changes_created ON identity_address_changes (created_at);

-- Passkeys of readers (WebAuthn). The credential holds the public key, the counter of signatures and the flags.
CREATE TABLE identity_passkeys (
	id            bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
	reader_id     bigint NOT NULL REFERENCES identity_readers (id) ON DELETE CASCADE,
	credential_id bytea NOT NULL CONSTRAINT identity_passkeys_credential UNIQUE,
	credential    jsonb NOT NULL,
	device        text NOT NULL DEFAULT '', -- on which it was made: "Chrome, macOS"
	created_at    timestamptz NOT NULL,
	used_at       timestamptz,
	cloned_at     timestamptz               -- its counter went back: it may have been copied, and opens nothing now
);
CREATE INDEX identity_passkeys_reader ON identity_passkeys (reader_id);

-- What a device has been asked to sign, until it does.
CREATE TABLE identity_passkey_challenges (
	challenge_hash bytea PRIMARY KEY,
	reader_id      bigint REFERENCES identity_readers (id) ON DELETE CASCADE, -- who makes a passkey; none for a login
	ceremony       jsonb NOT NULL,
	expires_at     timestamptz NOT NULL
);
CREATE INDEX identity_passkey_challenges_expires ON identity_passkey_challenges (expires_at);

-- One row for each email with the code that deletes an account. The code is derived from the nonce, as that of a login is.
CREATE TABLE identity_leaves (
	id            bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
	reader_id     bigint NOT NULL REFERENCES identity_readers (id) ON DELETE CASCADE,
	nonce         bytea NOT NULL,
	code_hash     bytea NOT NULL,
	tries         integer NOT NULL DEFAULT 0,
	created_at    timestamptz NOT NULL,
	expires_at    timestamptz NOT NULL,
	superseded_at timestamptz
);
CREATE INDEX identity_leaves_reader ON identity_leaves (reader_id, id DESC);
CREATE INDEX identity_leaves_created ON identity_leaves (created_at);

-- Erasures. The address stands here while modules still need it to find what they keep of it, and for the receipt.
CREATE TABLE identity_erasures (
	reader_id   bigint PRIMARY KEY REFERENCES identity_readers (id),
	email       text NOT NULL,             -- '' once it is finished
	done        text[] NOT NULL DEFAULT '{}', -- parts that have forgotten the reader
	asked_at    timestamptz NOT NULL,
	finished_at timestamptz,
	former      jsonb NOT NULL DEFAULT '[]' -- addresses that the account had before, or was about to have
);
CREATE INDEX identity_erasures_open ON identity_erasures (asked_at) WHERE finished_at IS NULL;

-- Addresses that an import must not bring back, as hashes with a key that the database does not have.
CREATE TABLE identity_tombstones (
	hash bytea PRIMARY KEY,
	at   timestamptz NOT NULL
);

-- What support did with accounts. It is proof, so rows are never changed. No addresses stand here.
CREATE TABLE identity_audit (
	id        bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
	operator  text NOT NULL, -- "command:root", "command:jana"
	action    text NOT NULL CHECK (action IN ('show', 'end-sessions', 'grant', 'promise', 'export', 'erase',
		'bank-match', 'bank-unmatch', 'bank-refund', 'bank-dismiss', 'jobs-requeue', 'parked-resolve', 'withdrawal-confirm', 'invoice-correct')),
	reader_id bigint NOT NULL,
	reason    text NOT NULL,
	detail    text NOT NULL DEFAULT '',
	at        timestamptz NOT NULL
);
CREATE INDEX identity_audit_reader ON identity_audit (reader_id, id);
CREATE INDEX identity_audit_at ON identity_audit (at);

CREATE FUNCTION identity_audit_is_append_only() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	IF TG_OP = 'DELETE' AND OLD.at < nullif(current_setting('identity.kept_since', true), '')::timestamptz THEN
		RETURN OLD;
	END IF;
	RAISE EXCEPTION 'identity_audit is append-only';
END $$;
CREATE TRIGGER identity_audit_append_only BEFORE UPDATE OR DELETE ON identity_audit
	FOR EACH ROW EXECUTE FUNCTION identity_audit_is_append_only();
CREATE TRIGGER identity_audit_whole BEFORE TRUNCATE ON identity_audit
	FOR EACH STATEMENT EXECUTE FUNCTION identity_audit_is_append_only();

-- Messages to support from people who no longer know the address of their account.
CREATE TABLE identity_help_messages (
	id         bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
	email      text NOT NULL,            -- where the answer goes; nobody has proved that it is theirs
	name       text NOT NULL DEFAULT '',
	text       text NOT NULL,
	tries      integer NOT NULL DEFAULT 0, -- of support's mailbox to refuse it
	created_at timestamptz NOT NULL,
	sent_at    timestamptz
);
CREATE INDEX identity_help_messages_email ON identity_help_messages (email, created_at);
CREATE INDEX identity_help_messages_open ON identity_help_messages (created_at) WHERE sent_at IS NULL;

-- Content -------------------------------------------------------------------------------------------------------------
-- Pictures, authors, categories, posts and how often they are read.

CREATE TABLE content_pictures (
	id      text PRIMARY KEY CHECK (id ~ '^[0-9a-f]{32}$'), -- of the media library
	width   integer NOT NULL CHECK (width > 0),
	height  integer NOT NULL CHECK (height > 0),
	alt     text NOT NULL DEFAULT '',
	caption text NOT NULL DEFAULT '',
	credit  text NOT NULL DEFAULT '' -- who made it, or whose it is; shown behind its caption
);

CREATE TABLE content_authors (
	id         bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
	slug       text NOT NULL UNIQUE,
	name       text NOT NULL,
	role       text NOT NULL DEFAULT '',
	bio        text NOT NULL DEFAULT '',
	picture_id text REFERENCES content_pictures
);

CREATE TABLE content_categories (
	id          bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
	key         text NOT NULL UNIQUE, -- "politics.usa": the same in all editions; "import.…" for those of an old site
	slug        text NOT NULL UNIQUE,
	name        text NOT NULL,
	description text NOT NULL DEFAULT '',
	parent_id   bigint REFERENCES content_categories,
	position    integer NOT NULL DEFAULT 0
);

CREATE TABLE content_posts (
	id            bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
	type          text NOT NULL CHECK (type IN ('article', 'minute_article', 'weekly_topic_article', 'comment_article', 'salon_article', 'video', 'page')),
	status        text NOT NULL CHECK (status IN ('draft', 'published', 'withdrawn')),
	-- In which lists it stands; the one place that knows.
	list          text NOT NULL GENERATED ALWAYS AS (CASE
		WHEN status <> 'published' OR type = 'page' THEN ''
		WHEN type = 'minute_article' THEN 'minute'
		WHEN type = 'video' THEN 'video'
		ELSE 'article' END) STORED,
	slug          text NOT NULL UNIQUE,
	title         text NOT NULL,
	excerpt       text NOT NULL DEFAULT '', -- public also when the post is locked
	paragraphs    integer NOT NULL,
	locked        boolean NOT NULL,
	published_at  timestamptz NOT NULL,
	modified_at   timestamptz NOT NULL,
	picture_id    text REFERENCES content_pictures,
	caption       text NOT NULL DEFAULT '',
	video_url     text NOT NULL DEFAULT '',
	video_seconds integer NOT NULL DEFAULT 0,
	featured      integer NOT NULL DEFAULT 0, -- rank on the front page, 1 first; 0: no
	pick          integer NOT NULL DEFAULT 0, -- rank among the editors' picks
	versus        text NOT NULL DEFAULT '',   -- posts with the same words stand against each other under them
	source        text NOT NULL DEFAULT '',   -- where it was taken from: "wordpress", "sample"
	source_id     text NOT NULL DEFAULT '',
	source_hash   text NOT NULL DEFAULT '',   -- of what was last taken from there
	hash          text NOT NULL,               -- of what was last saved
	comments      integer NOT NULL DEFAULT 0 CHECK (comments >= 0), -- that an import brought along
	discussed     integer NOT NULL DEFAULT 0 CHECK (discussed >= 0), -- comments written here
	alt           text NOT NULL DEFAULT '' -- of the picture, in the words of this post; '' leaves it to the picture's own
);
CREATE UNIQUE INDEX content_posts_source ON content_posts (source, source_id) WHERE source <> '';
CREATE INDEX content_posts_list ON content_posts (list, published_at DESC, id DESC) WHERE list <> '';
CREATE INDEX content_posts_type ON content_posts (type, published_at DESC, id DESC) WHERE list <> '';
CREATE INDEX content_posts_featured ON content_posts (featured, published_at DESC) WHERE featured > 0;
CREATE INDEX content_posts_pick ON content_posts (pick, published_at DESC) WHERE pick > 0;
CREATE INDEX content_posts_versus ON content_posts (versus, published_at DESC) WHERE versus <> '';

-- The text stands apart, so that no list can read it.
CREATE TABLE content_bodies (
	post_id bigint PRIMARY KEY REFERENCES content_posts ON DELETE CASCADE,
	html    text NOT NULL
);

CREATE TABLE content_post_authors (
	post_id      bigint NOT NULL REFERENCES content_posts ON DELETE CASCADE,
	author_id    bigint NOT NULL REFERENCES content_authors,
	position     integer NOT NULL,
	list         text NOT NULL DEFAULT '', -- as in content_posts: an author's page lists as a category's does
	published_at timestamptz,
	PRIMARY KEY (post_id, author_id)
);
CREATE INDEX content_post_authors_author ON content_post_authors (author_id);
CREATE INDEX content_post_authors_newest ON content_post_authors (author_id, list, published_at DESC, post_id DESC);

CREATE TABLE content_post_categories (
	post_id      bigint NOT NULL REFERENCES content_posts ON DELETE CASCADE,
	category_id  bigint NOT NULL REFERENCES content_categories,
	position     integer NOT NULL, -- 0 is the primary one
	list         text NOT NULL,        -- as in content_posts, so that a category's newest need one index only
	published_at timestamptz NOT NULL, -- the same
	PRIMARY KEY (post_id, category_id)
);
CREATE INDEX content_post_categories_newest ON content_post_categories (category_id, list, published_at DESC, post_id DESC);

CREATE TABLE content_redirects (
	path    text PRIMARY KEY, -- lower case, unescaped, no trailing slash: "/383574", "/2019/05/title"
	post_id bigint NOT NULL REFERENCES content_posts ON DELETE CASCADE
);
CREATE INDEX content_redirects_post ON content_redirects (post_id);

CREATE TABLE content_views (
	day     date NOT NULL, -- in the edition's time zone
	post_id bigint NOT NULL REFERENCES content_posts ON DELETE CASCADE,
	views   bigint NOT NULL,
	PRIMARY KEY (day, post_id)
);
CREATE INDEX content_views_post ON content_views (post_id);

-- Which picture of the library an old site's picture became: it is neither read nor fetched a second time.
CREATE TABLE content_imported_pictures (
	source     text NOT NULL, -- as in content_posts
	address    text NOT NULL, -- of the original there
	picture_id text NOT NULL REFERENCES content_pictures ON DELETE CASCADE,
	PRIMARY KEY (source, address)
);
CREATE INDEX content_imported_pictures_picture ON content_imported_pictures (picture_id);

-- Slugs of author pages on the site before: "/author/enovak".
CREATE TABLE content_author_redirects (
	slug      text PRIMARY KEY, -- as slugs here: lower case, without marks
	author_id bigint NOT NULL REFERENCES content_authors ON DELETE CASCADE
);
CREATE INDEX content_author_redirects_author ON content_author_redirects (author_id);

CREATE TABLE content_tags (
	id           bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
	slug         text NOT NULL UNIQUE,
	name         text NOT NULL,
	description  text NOT NULL DEFAULT '',
	published_at timestamptz -- a weekly topic has its day; other tags have none
);
CREATE INDEX content_tags_topics ON content_tags (published_at DESC, id DESC) WHERE published_at IS NOT NULL;

CREATE TABLE content_tag_covers (
	tag_id     bigint NOT NULL REFERENCES content_tags ON DELETE CASCADE,
	position   integer NOT NULL,
	picture_id text NOT NULL REFERENCES content_pictures,
	PRIMARY KEY (tag_id, position)
);

CREATE TABLE content_post_tags (
	post_id      bigint NOT NULL REFERENCES content_posts ON DELETE CASCADE,
	tag_id       bigint NOT NULL REFERENCES content_tags,
	position     integer NOT NULL,
	list         text NOT NULL,        -- as in content_posts, so that a topic's newest need one index only
	published_at timestamptz NOT NULL, -- the same
	PRIMARY KEY (post_id, tag_id)
);
CREATE INDEX content_post_tags_newest ON content_post_tags (tag_id, list, published_at DESC, post_id DESC);

-- The same story in a sister edition, for search engines.
CREATE TABLE content_post_alternates (
	post_id bigint NOT NULL REFERENCES content_posts ON DELETE CASCADE,
	lang    text NOT NULL, -- "de-AT"
	url     text NOT NULL, -- absolute
	PRIMARY KEY (post_id, lang)
);

-- Counted by a job from content_views, so that no page counts.
CREATE TABLE content_most_read (
	days    integer NOT NULL, -- the last 1 to 30
	place   integer NOT NULL, -- 1 is the most read
	post_id bigint NOT NULL REFERENCES content_posts ON DELETE CASCADE,
	views   bigint NOT NULL,
	PRIMARY KEY (days, place)
);
CREATE INDEX content_most_read_post ON content_most_read (post_id);

-- Search: posts by the stems of their public text, and the words of their headlines for suggestions.
-- A row is small, because a search for a usual word goes through many.
CREATE TABLE content_search (
	post_id      bigint PRIMARY KEY REFERENCES content_posts ON DELETE CASCADE,
	published_at timestamptz NOT NULL, -- as in content_posts
	terms        tsvector NOT NULL     -- stems of what everybody may read: title A, excerpt B, authors and categories C, text D
);
-- What was written last waits in a list that every search reads, so the list stays short.
CREATE INDEX content_search_terms ON content_search USING gin (terms) WITH (gin_pending_list_limit = 1024);

CREATE TABLE content_search_posts (
	post_id bigint PRIMARY KEY REFERENCES content_posts ON DELETE CASCADE,
	version integer NOT NULL,  -- of the way it was made; another one is made anew
	hash    text NOT NULL,     -- of the post that it was made from; one of another state is never found
	head    tsvector NOT NULL, -- the terms without those of the text, for ranking
	text    text NOT NULL,     -- what everybody may read, plain, for snippets: of a locked post only its preview
	words   text[] NOT NULL    -- those of content_search_words that it counts in
) WITH (fillfactor = 90);

-- The posts that match, the best first, and how many there are of the newest that are looked at. Where a post has what is
-- ranked in its head counts as much as some months: rank and date are one number that does not change from day to day, so
-- that pages do not shift while somebody turns them. The planner takes a word for rarer, and a row for smaller, than it is.
CREATE FUNCTION content_search_find(query tsquery, ranked tsquery, at timestamptz, newest integer, part integer, skip integer)
RETURNS TABLE (id bigint, total bigint) LANGUAGE sql STABLE SET enable_seqscan = off AS $$
	SELECT p.id, count(*) OVER ()
	FROM (SELECT s.post_id FROM content_search s WHERE s.terms @@ query AND s.published_at <= at ORDER BY s.published_at DESC, s.post_id DESC LIMIT newest) f
	JOIN content_search_posts h ON h.post_id = f.post_id
	JOIN content_posts p ON p.id = f.post_id AND p.hash = h.hash AND p.list <> '' AND p.published_at <= at
	ORDER BY ln(greatest(ts_rank('{0, 0.3, 0.4, 1}', h.head, ranked), 0.04)) + extract(epoch FROM p.published_at)::float8 / (365 * 86400) DESC, p.published_at DESC, p.id DESC
	LIMIT part OFFSET skip
$$;

-- The words of titles, excerpts, authors and categories, for who has mistyped one.
CREATE TABLE content_search_words (
	folded   text PRIMARY KEY, -- lower case, plain letters
	word     text NOT NULL,    -- lower case, as it was written last
	posts    integer NOT NULL,
	trigrams text[] NOT NULL   -- of folded between spaces
) WITH (fillfactor = 80);
CREATE INDEX content_search_words_trigrams ON content_search_words USING gin (trigrams);

-- What was searched for and found. Of who searched, nothing.
CREATE TABLE content_searches (
	day      date NOT NULL, -- in the edition's time zone
	term     text NOT NULL,
	hits     integer NOT NULL, -- posts that were found, the last time
	times    integer NOT NULL, -- by how many different networks, as each process counted them
	-- From how many networks: a bit of 64 for each, so that counts add up and no network can be told from them.
	networks bigint NOT NULL DEFAULT 0,
	PRIMARY KEY (day, term)
);
COMMENT ON COLUMN content_searches.times IS 'by how many different networks, as each process counted them';

-- What is known of a site that an edition is kept equal to.
CREATE TABLE content_sync_cursors (
	source text NOT NULL, -- as in content_posts
	kind   text NOT NULL, -- "posts", "pages", "media"
	at     timestamptz NOT NULL, -- by the site's clock: what was changed there before has been seen
	PRIMARY KEY (source, kind)
);

-- Every thing of the site that was seen to, and nothing else: a post that is gone from there has no row.
CREATE TABLE content_sync_items (
	source text   NOT NULL,
	kind   text   NOT NULL,             -- also "categories", "tags", "users"
	number bigint NOT NULL,             -- its id there
	mark   text   NOT NULL,             -- of what its lists said when it was taken; '' asks for it to be taken again
	slug   text   NOT NULL DEFAULT '',  -- what a category, tag or user is here; '' is nothing
	data   jsonb,                       -- of a picture: its address and words
	-- Of a post: "media:12", "categories:3"; when one of them changes, the post is looked at again.
	uses   text[] NOT NULL DEFAULT '{}',
	retry  boolean NOT NULL DEFAULT false, -- a picture of it did not come through, and may the next time
	PRIMARY KEY (source, kind, number)
);
CREATE INDEX content_sync_items_uses ON content_sync_items USING gin (uses);
CREATE INDEX content_sync_items_address ON content_sync_items (source, (data->>'URL')) WHERE kind = 'media';
CREATE INDEX content_sync_items_pending ON content_sync_items (source, kind) WHERE mark = '';

-- What a page has besides title and text: the address that the edition keeps for it, its layout, and parts with more form than text.
CREATE TABLE content_pages (
	post_id bigint PRIMARY KEY REFERENCES content_posts ON DELETE CASCADE,
	route   text NOT NULL DEFAULT '', -- "history": the page stands at the address of that route; "": at that of its slug
	layout  text NOT NULL DEFAULT '', -- "": running text
	lang    text NOT NULL DEFAULT '', -- where it is not the edition's
	blocks  jsonb NOT NULL DEFAULT '[]'
);
CREATE UNIQUE INDEX content_pages_route ON content_pages (route) WHERE route <> '';

-- The tables do not belong to the edition's login. What it does that only their owner may do are functions such as this,
-- which run as the owner, by a fixed path. It updates the planner's statistics after many posts have changed.
CREATE FUNCTION content_analyze() RETURNS void LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $$
BEGIN
	ANALYZE content_posts, content_post_authors, content_post_categories, content_post_tags, content_search, content_search_posts, content_search_words;
END $$;
REVOKE ALL ON FUNCTION content_analyze() FROM PUBLIC;

-- Paywall -------------------------------------------------------------------------------------------------------------
-- What a reader without a subscription has opened, by period.

CREATE TABLE paywall_readers (
	reader_id bigint PRIMARY KEY   -- locked while a credit is spent: two tabs cannot pass the limit together
);

CREATE TABLE paywall_opened (
	reader_id  bigint NOT NULL,
	period_key text NOT NULL,      -- "2026-11" or "2026-W47", in the edition's zone
	kind       text NOT NULL CHECK (kind IN ('article', 'video')),
	post_id    bigint NOT NULL,
	opened_at  timestamptz NOT NULL,
	PRIMARY KEY (reader_id, period_key, kind, post_id)
);
CREATE INDEX paywall_opened_at ON paywall_opened (opened_at);

-- Billing -------------------------------------------------------------------------------------------------------------
-- What readers pay for. Rows about payments say what the provider said last; nothing here grants access by itself.

CREATE TABLE billing_customers (
	reader_id   bigint PRIMARY KEY,
	provider_id text NOT NULL UNIQUE,
	created_at  timestamptz NOT NULL
);

-- One checkout that was opened, and its outcome.
CREATE TABLE billing_intents (
	id          bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
	reader_id   bigint NOT NULL,
	product     text NOT NULL,
	intro       boolean NOT NULL,            -- at the introductory price
	person      text NOT NULL,               -- "email:<hash>": whose introductory price this uses up
	referrer    text NOT NULL,               -- local path to go back to
	session_id  text UNIQUE,                 -- the provider's checkout; NULL until it is known
	url         text NOT NULL DEFAULT '',
	state       text NOT NULL DEFAULT 'open' CHECK (state IN ('open', 'paid', 'expired', 'failed')),
	created_at  timestamptz NOT NULL,
	expires_at  timestamptz NOT NULL,
	settled_at  timestamptz,
	-- What stood above the button, word for word: the first full price and its day have to be provable.
	shown       text NOT NULL DEFAULT '',
	given_until timestamptz -- the paid time begins here, where a trial, a code or a gift ends first
);
CREATE UNIQUE INDEX billing_intents_open ON billing_intents (reader_id) WHERE state = 'open';

CREATE TABLE billing_subscriptions (
	id                   bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
	reader_id            bigint NOT NULL,
	provider_id          text UNIQUE,        -- NULL for a trial or a transfer, which the provider knows nothing about
	product              text NOT NULL,
	status               text NOT NULL CHECK (status IN ('incomplete', 'trialing', 'active', 'past_due', 'unpaid', 'paused', 'canceled', 'incomplete_expired', 'ended')),
	trial                boolean NOT NULL DEFAULT false,
	amount               bigint NOT NULL DEFAULT 0,      -- minor units of the running period's price
	paid                 bigint NOT NULL DEFAULT 0,      -- by the latest invoice
	currency             text NOT NULL DEFAULT '',
	period_start         timestamptz NOT NULL,
	period_end           timestamptz NOT NULL,
	cancel_at_period_end boolean NOT NULL DEFAULT false,
	started_at           timestamptz NOT NULL,
	ended_at             timestamptz,
	updated_at           timestamptz NOT NULL,           -- when the row last changed
	paused               boolean NOT NULL DEFAULT false, -- its invoices are not collected
	resumes_at           timestamptz, -- when they are again; NULL: when the reader says so
	-- The running period was called off or given back, so it opens nothing.
	uncovered            boolean NOT NULL DEFAULT false,
	next_product         text NOT NULL DEFAULT '', -- from the next period on; '' for the same
	refunded             bigint NOT NULL DEFAULT 0, -- minor units of the latest invoice that went back
	disputed             boolean NOT NULL DEFAULT false, -- its holder has had the latest payment taken back by the bank
	transfer             boolean NOT NULL DEFAULT false, -- paid into our account
	amount_off           bigint NOT NULL DEFAULT 0, -- what a promotion code takes off the next payment
	percent_off          double precision NOT NULL DEFAULT 0,
	full_paid            boolean NOT NULL DEFAULT false, -- a full price was paid at least once
	paid_from            timestamptz, -- as given_until of the checkout
	CHECK ((trial OR transfer) = (provider_id IS NULL) AND NOT (trial AND transfer))
);
CREATE UNIQUE INDEX billing_subscriptions_live ON billing_subscriptions (reader_id) WHERE status IN ('active', 'trialing', 'past_due');
CREATE UNIQUE INDEX billing_subscriptions_trial ON billing_subscriptions (reader_id) WHERE trial;
CREATE INDEX billing_subscriptions_reader ON billing_subscriptions (reader_id);
CREATE INDEX billing_subscriptions_trial_end ON billing_subscriptions (period_end) WHERE trial AND status = 'trialing';
CREATE INDEX billing_subscriptions_renewal ON billing_subscriptions (period_end) WHERE status IN ('active', 'trialing') AND NOT trial;
CREATE INDEX billing_subscriptions_overdue ON billing_subscriptions (period_start) WHERE status IN ('past_due', 'unpaid');
CREATE INDEX billing_subscriptions_updated ON billing_subscriptions (updated_at) WHERE provider_id IS NOT NULL;
CREATE INDEX billing_subscriptions_transfer ON billing_subscriptions (period_end) WHERE transfer;
CREATE INDEX billing_subscriptions_ended ON billing_subscriptions (ended_at) WHERE status IN ('ended', 'canceled');

-- Each fetch of a subscription draws a number before it asks the provider; an answer with a lower number than the one
-- that was written came too late.
CREATE TABLE billing_syncs (
	provider_id text PRIMARY KEY,
	drawn       bigint NOT NULL,
	written     bigint NOT NULL DEFAULT 0,
	compared_at timestamptz -- when the list of the provider had the subscription last
);

CREATE TABLE billing_events (
	id          text PRIMARY KEY,            -- the provider's
	type        text NOT NULL,
	object      text NOT NULL,
	object_id   text NOT NULL,
	created_at  timestamptz NOT NULL,        -- at the provider
	received_at timestamptz NOT NULL,
	done_at     timestamptz
);
CREATE INDEX billing_events_done ON billing_events (done_at) WHERE done_at IS NOT NULL;

-- The review queue: what a person has to look at, or what is still to be undone at the provider.
CREATE TABLE billing_parked (
	id          bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
	kind        text NOT NULL CHECK (kind IN ('second_subscription', 'unknown_customer', 'dispute', 'extension')),
	provider_id text NOT NULL,
	reader_id   bigint,
	detail      text NOT NULL DEFAULT '',
	created_at  timestamptz NOT NULL,
	resolved_at timestamptz,
	UNIQUE (kind, provider_id)
);
CREATE INDEX billing_parked_open ON billing_parked (created_at) WHERE resolved_at IS NULL;

-- Who has had the introductory price or a trial: "intro" or "trial", by reader and by hashed address.
CREATE TABLE billing_uses (
	what    text NOT NULL CHECK (what IN ('intro', 'trial')),
	person  text NOT NULL,                -- "reader:17", "email:<hash>"
	used_at timestamptz NOT NULL,
	PRIMARY KEY (what, person)
);

-- Trials that start with the registration of an address.
CREATE TABLE billing_promises (
	person      text NOT NULL,               -- "email:<hash>": it need not be a reader's yet
	source      text NOT NULL CHECK (source IN ('campaign', 'invited')),
	promised_at timestamptz NOT NULL,
	PRIMARY KEY (person, source)
);

-- Emails about payments that failed and renewals to come, each once.
CREATE TABLE billing_reminders (
	subscription_id bigint NOT NULL REFERENCES billing_subscriptions (id),
	kind            text NOT NULL CHECK (kind IN ('trial_ending', 'access_ended', 'due_0', 'due_3', 'due_7', 'renewal', 'price_change')),
	period_end      timestamptz NOT NULL,
	claimed_at      timestamptz NOT NULL,
	PRIMARY KEY (subscription_id, kind, period_end)
);

CREATE TABLE billing_readers (
	reader_id             bigint PRIMARY KEY,
	reminder_dismissed_at timestamptz        -- the notice that access has ended was closed
);

-- Access that support gave away.
CREATE TABLE billing_grants (
	id         bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
	reader_id  bigint NOT NULL,
	until      timestamptz NOT NULL,
	reason     text NOT NULL,
	granted_at timestamptz NOT NULL,
	product    text NOT NULL DEFAULT 'no_product' -- what it shows as
);
CREATE INDEX billing_grants_reader ON billing_grants (reader_id);

-- What readers want to be called on their invoices.
CREATE TABLE billing_invoice_data (
	reader_id      bigint PRIMARY KEY,
	client_type    text NOT NULL CHECK (client_type IN ('individual', 'company')),
	name           text NOT NULL,
	email          text NOT NULL CHECK (email <> ''),
	line1          text NOT NULL,
	line2          text NOT NULL,
	city           text NOT NULL,
	postal_code    text NOT NULL,
	country        text NOT NULL CHECK (country ~ '^([A-Z]{2})?$'), -- ISO 3166-1 alpha-2
	company_name   text NOT NULL,
	company_ico    text NOT NULL,
	company_dic    text NOT NULL,
	company_ic_dph text NOT NULL,
	updated_at     timestamptz NOT NULL,
	CHECK (client_type = 'company' OR company_name || company_ico || company_dic || company_ic_dph = '')
);

-- What a form without JavaScript was refused with.
CREATE TABLE billing_drafts (
	reader_id bigint PRIMARY KEY,
	data      jsonb NOT NULL,
	kept_at   timestamptz NOT NULL
);

-- The provider's invoices, as it described them last.
CREATE TABLE billing_invoices (
	id          bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
	provider_id text NOT NULL UNIQUE,
	reader_id   bigint NOT NULL,
	number      text NOT NULL,              -- the provider's, as it stands on the invoice; '' for a draft
	status      text NOT NULL,              -- draft, open, paid, void, uncollectible
	product     text NOT NULL,
	total       bigint NOT NULL,            -- minor units
	paid        bigint NOT NULL,
	currency    text NOT NULL,
	created_at  timestamptz NOT NULL,       -- at the provider
	updated_at  timestamptz NOT NULL,
	refunded    bigint NOT NULL DEFAULT 0,
	disputed    boolean NOT NULL DEFAULT false
);
CREATE INDEX billing_invoices_reader ON billing_invoices (reader_id, created_at DESC, id DESC);

-- One change of a subscription that its reader has asked for. The number is the idempotency key at the provider, so
-- that asking again after no answer is the same request.
CREATE TABLE billing_changes (
	id              bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
	reader_id       bigint NOT NULL,
	subscription_id bigint NOT NULL REFERENCES billing_subscriptions (id) ON DELETE CASCADE,
	kind            text NOT NULL CHECK (kind IN ('cancel', 'resume', 'pause', 'unpause', 'switch', 'stay')),
	product         text NOT NULL DEFAULT '',   -- of a switch
	periods         integer NOT NULL DEFAULT 0, -- of a pause
	amount          bigint NOT NULL DEFAULT 0,  -- minor units that were shown before a switch
	at              timestamptz,                -- and when it counts
	state           text NOT NULL DEFAULT 'open' CHECK (state IN ('open', 'done', 'refused', 'lapsed')),
	created_at      timestamptz NOT NULL,
	settled_at      timestamptz
);
CREATE UNIQUE INDEX billing_changes_open ON billing_changes (subscription_id) WHERE state = 'open';
CREATE INDEX billing_changes_reader ON billing_changes (reader_id);


-- Another price for those who bought before: announced thirty days before the renewal from which it counts, then made at the provider.
CREATE TABLE billing_price_changes (
	id              bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
	subscription_id bigint NOT NULL REFERENCES billing_subscriptions (id),
	amount          bigint NOT NULL,      -- minor units a period
	was             bigint NOT NULL,
	from_at         timestamptz NOT NULL, -- the renewal
	told_at         timestamptz NOT NULL,
	applied_at      timestamptz,
	UNIQUE (subscription_id, amount, was)
);
CREATE INDEX billing_price_changes_open ON billing_price_changes (from_at) WHERE applied_at IS NULL;

-- Where a comparison found rows that differ from the provider's.
CREATE TABLE billing_drift (
	id          bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
	provider_id text NOT NULL,               -- of the subscription
	kind        text NOT NULL CHECK (kind IN ('missing', 'different', 'gone', 'undocumented')),
	detail      text NOT NULL,               -- what differed
	found_at    timestamptz NOT NULL,
	repaired_at timestamptz
);
CREATE UNIQUE INDEX billing_drift_open ON billing_drift (provider_id) WHERE repaired_at IS NULL;

-- How far a comparison with the provider is: one that was interrupted goes on where it was.
CREATE TABLE billing_rounds (
	name        text PRIMARY KEY,
	stage       int NOT NULL DEFAULT 0,
	position    text NOT NULL DEFAULT '',    -- the last that was compared in the stage
	began_at    timestamptz NOT NULL,
	finished_at timestamptz                  -- null while it is not through
);

-- Codes that open reading for a period without a payment. Of a code there is a hash alone: who reads this table can redeem nothing.
CREATE TABLE billing_coupons (
	id          bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
	code_hash   bytea NOT NULL UNIQUE,
	batch       text NOT NULL,               -- codes that were made together, by the name that was given to them
	product     text NOT NULL,
	periods     integer NOT NULL CHECK (periods > 0),
	uses        integer NOT NULL CHECK (uses > 0),
	remaining   integer NOT NULL CHECK (remaining >= 0 AND remaining <= uses),
	valid_from  timestamptz NOT NULL,
	valid_until timestamptz NOT NULL,
	created_at  timestamptz NOT NULL,
	revoked_at  timestamptz,
	CHECK (valid_from < valid_until)
);
CREATE INDEX billing_coupons_batch ON billing_coupons (batch);

CREATE TABLE billing_redemptions (
	coupon_id   bigint NOT NULL REFERENCES billing_coupons (id) ON DELETE CASCADE,
	reader_id   bigint NOT NULL,
	redeemed_at timestamptz NOT NULL,
	until       timestamptz NOT NULL,        -- end of the reading that it has opened
	PRIMARY KEY (coupon_id, reader_id)
);
CREATE INDEX billing_redemptions_reader ON billing_redemptions (reader_id);

-- What somebody who was not logged in asked for: an offer to pay for, or a valid code to redeem after the login.
CREATE TABLE billing_wishes (
	id         bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
	email      text NOT NULL,
	product    text NOT NULL,
	coupon_id  bigint REFERENCES billing_coupons (id) ON DELETE CASCADE,
	created_at timestamptz NOT NULL,
	expires_at timestamptz NOT NULL
);

-- Subscriptions that somebody buys for somebody else. The code is not stored: it is made from the nonce and a key that no table has.
CREATE TABLE billing_gifts (
	id          bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
	nonce       bytea NOT NULL,
	product     text NOT NULL,
	buyer_email text NOT NULL,
	buyer_name  text NOT NULL DEFAULT '',
	email       text NOT NULL DEFAULT '', -- whom it is mailed to; '' where the buyer hands it over
	message     text NOT NULL DEFAULT '',
	send_at     timestamptz NOT NULL,
	amount      bigint NOT NULL,          -- minor units that were asked for
	currency    text NOT NULL,
	session_id  text UNIQUE,              -- the provider's checkout; NULL until it is known
	payment_id  text NOT NULL DEFAULT '', -- the provider's payment
	state       text NOT NULL DEFAULT 'open' CHECK (state IN ('open', 'paid', 'expired', 'refunded')),
	coupon_id   bigint REFERENCES billing_coupons (id) ON DELETE SET NULL,
	created_at  timestamptz NOT NULL,
	settled_at  timestamptz
);
CREATE INDEX billing_gifts_open ON billing_gifts (created_at) WHERE state = 'open';
CREATE INDEX billing_gifts_buyer ON billing_gifts (buyer_email);

-- What consumers state when they withdraw from a contract. The first step writes it down, the second one sends it.
CREATE TABLE billing_withdrawals (
	id           bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
	name         text NOT NULL,
	email        text NOT NULL,
	contract     text NOT NULL CHECK (contract IN ('subscription', 'gift')),
	created_at   timestamptz NOT NULL,
	received_at  timestamptz,                 -- of the second step
	state        text NOT NULL DEFAULT 'stated' CHECK (state IN ('stated', 'received', 'none', 'matched', 'done')),
	product      text NOT NULL DEFAULT '',
	concluded_at timestamptz,
	provider_id  text UNIQUE,                 -- the subscription that it ends
	gift_id      bigint UNIQUE REFERENCES billing_gifts (id) ON DELETE SET NULL,
	amount       bigint NOT NULL DEFAULT 0,   -- minor units that go back
	currency     text NOT NULL DEFAULT '',
	settled_at   timestamptz,
	confirmed_at timestamptz, -- who states it without a session of the contract's reader confirms it from the mailbox
	CHECK ((received_at IS NULL) = (state = 'stated'))
);
CREATE INDEX billing_withdrawals_email ON billing_withdrawals (email);
CREATE INDEX billing_withdrawals_unconfirmed ON billing_withdrawals (received_at) WHERE state = 'received' AND confirmed_at IS NULL;

-- The documents of sales: tax invoices (FV), pro-forma invoices (PF) and credit notes (CN). A number is drawn from the counter
-- of its series in the transaction that writes the document, so that no number is left out and none is given twice.

CREATE TABLE billing_series (
	issuer  text NOT NULL,              -- company number of the supplier
	kind    text NOT NULL CHECK (kind IN ('FV', 'PF', 'CN')),
	year    integer NOT NULL,
	n       bigint NOT NULL CHECK (n > 0),
	last_at timestamptz NOT NULL,       -- when the last number was given: the next one is not older
	PRIMARY KEY (issuer, kind, year)
);

CREATE TABLE billing_documents (
	id          bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
	source      text NOT NULL UNIQUE,   -- what this is the one document of: "invoice:in_…", "refund:re_…"
	issuer      text NOT NULL,
	kind        text NOT NULL CHECK (kind IN ('FV', 'PF', 'CN')),
	year        integer NOT NULL,
	n           bigint NOT NULL,
	number      text NOT NULL UNIQUE,
	reader_id   bigint NOT NULL,
	provider_id text,                   -- of the provider's invoice that was paid
	-- The invoice that a credit note corrects, the pro-forma invoice that an invoice follows.
	refers_to   bigint,
	total       bigint NOT NULL,        -- minor units
	currency    text NOT NULL CHECK (currency ~ '^[A-Z]{3}$'),
	issued_at   timestamptz NOT NULL,
	snapshot    jsonb NOT NULL,         -- all that stands on it
	UNIQUE (issuer, kind, year, n),
	CHECK (kind <> 'CN' OR refers_to IS NOT NULL)
);
CREATE INDEX billing_documents_reader ON billing_documents (reader_id, issued_at DESC, id DESC);
CREATE INDEX billing_documents_refers ON billing_documents (refers_to) WHERE refers_to IS NOT NULL;
CREATE INDEX billing_documents_issued ON billing_documents (issued_at);
CREATE UNIQUE INDEX billing_documents_provider ON billing_documents (provider_id) WHERE kind = 'FV';

-- A pro-forma invoice that nobody has paid is void; its number stays.
CREATE TABLE billing_voids (
	document_id bigint PRIMARY KEY REFERENCES billing_documents (id),
	voided_at   timestamptz NOT NULL
);

-- What was issued is never changed, and removed by nothing but retention, which names its limit in its own transaction.
CREATE FUNCTION billing_documents_are_final() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	IF TG_OP = 'DELETE' AND OLD.issued_at < nullif(current_setting('billing.kept_since', true), '')::timestamptz THEN
		RETURN OLD;
	END IF;
	RAISE EXCEPTION 'a document that was issued is final';
END $$;

CREATE TRIGGER billing_documents_final BEFORE UPDATE OR DELETE ON billing_documents
	FOR EACH ROW EXECUTE FUNCTION billing_documents_are_final();
CREATE TRIGGER billing_documents_whole BEFORE TRUNCATE ON billing_documents
	FOR EACH STATEMENT EXECUTE FUNCTION billing_documents_are_final();

-- A counter goes on by one and never back.
CREATE FUNCTION billing_series_goes_on() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	IF TG_OP = 'INSERT' AND NEW.n = 1
		OR TG_OP = 'UPDATE' AND NEW.n = OLD.n + 1 AND (NEW.issuer, NEW.kind, NEW.year) = (OLD.issuer, OLD.kind, OLD.year) THEN
		RETURN NEW;
	END IF;
	RAISE EXCEPTION 'a series of documents goes on by one';
END $$;

CREATE TRIGGER billing_series_next BEFORE INSERT OR UPDATE OR DELETE ON billing_series
	FOR EACH ROW EXECUTE FUNCTION billing_series_goes_on();
CREATE TRIGGER billing_series_whole BEFORE TRUNCATE ON billing_series
	FOR EACH STATEMENT EXECUTE FUNCTION billing_series_goes_on();

-- What the European Union's register has said of VAT numbers. The answer that a document relies on stands on the document.
CREATE TABLE billing_vat_numbers (
	number       text PRIMARY KEY,      -- with its country's prefix
	valid        boolean NOT NULL,
	consultation text NOT NULL,         -- the register's number of the answer; '' for none
	asked_at     timestamptz NOT NULL
);

-- One order that waits for a bank transfer, and its outcome. Nothing opens before the bank has reported the money.
CREATE TABLE billing_transfers (
	id              bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
	reader_id       bigint NOT NULL,
	product         text NOT NULL,
	amount          bigint NOT NULL CHECK (amount > 0), -- minor units
	currency        text NOT NULL CHECK (currency ~ '^[A-Z]{3}$'),
	reference       text UNIQUE,                        -- what the payer gives; NULL only while the row is made
	document_id     bigint UNIQUE,                      -- the pro-forma invoice
	state           text NOT NULL DEFAULT 'open' CHECK (state IN ('open', 'paid', 'void', 'reversed')),
	renews          boolean NOT NULL,                   -- made before the end of what was paid before
	created_at      timestamptz NOT NULL,
	due_at          timestamptz NOT NULL,               -- the beginning of the last day
	void_at         timestamptz NOT NULL,               -- until then the money is waited for
	reminded_at     timestamptz,
	subscription_id bigint,                             -- that it has opened or gone on with
	starts_at       timestamptz,                        -- of the period that was opened
	ends_at         timestamptz,
	payments        integer NOT NULL DEFAULT 0,         -- how often it was paid: each has its invoice
	left_at         timestamptz,                        -- its reader has left
	settled_at      timestamptz,
	shown           text NOT NULL DEFAULT '', -- what stood above the button when it was ordered, word for word
	CHECK ((state = 'paid') <= (subscription_id IS NOT NULL AND starts_at < ends_at))
);
CREATE UNIQUE INDEX billing_transfers_open ON billing_transfers (reader_id) WHERE state = 'open';
CREATE INDEX billing_transfers_reader ON billing_transfers (reader_id);
CREATE INDEX billing_transfers_due ON billing_transfers (due_at) WHERE state = 'open';

-- The lines of the bank's statements: payments that came, and those that went back. Each is here once, however many files
-- have it. One that is dismissed is no payment of a reader, or is there already.
CREATE TABLE billing_bank_lines (
	id          bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
	entry       text NOT NULL UNIQUE,       -- a hash of all that makes it what it is
	account     text NOT NULL,
	credit      boolean NOT NULL,
	amount      bigint NOT NULL,            -- minor units
	currency    text NOT NULL,
	booked      date NOT NULL,
	payer       text NOT NULL DEFAULT '',
	payer_iban  text NOT NULL DEFAULT '',
	given       text NOT NULL DEFAULT '',   -- references and words that came with it
	state       text NOT NULL CHECK (state IN ('matched', 'queued', 'refunded', 'dismissed')),
	reason      text NOT NULL DEFAULT '',   -- why a person has to look at it
	transfer_id bigint REFERENCES billing_transfers (id), -- what it pays, or seems to
	imported_at timestamptz NOT NULL,
	settled_at  timestamptz,
	CHECK ((state = 'queued') = (settled_at IS NULL)),
	CHECK (state <> 'matched' OR transfer_id IS NOT NULL)
);
CREATE INDEX billing_bank_lines_queue ON billing_bank_lines (id) WHERE state = 'queued';
CREATE UNIQUE INDEX billing_bank_lines_matched ON billing_bank_lines (transfer_id) WHERE state = 'matched';
-- Payments that the bank does not number are known by their content and their statement.
CREATE INDEX billing_bank_lines_content ON billing_bank_lines (left(entry, 32));
CREATE INDEX billing_bank_lines_transfer ON billing_bank_lines (transfer_id) WHERE transfer_id IS NOT NULL;

-- Which files were read to their end.
CREATE TABLE billing_statements (
	hash        text PRIMARY KEY,           -- SHA-256 of the file
	lines       integer NOT NULL,
	imported_at timestamptz NOT NULL
);

-- Consent -------------------------------------------------------------------------------------------------------------
-- What readers and visitors agreed to. The log proves it, so rows are never changed.

CREATE TABLE consent_texts (
	hash       text PRIMARY KEY, -- SHA-256 of the text, hex
	language   text NOT NULL,
	text       text NOT NULL,
	created_at timestamptz NOT NULL
);

CREATE TABLE consent_log (
	id             bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
	kind           text NOT NULL CHECK (kind IN ('cookies', 'terms')),
	reader_id      bigint,                  -- NULL for a visitor
	visitor_id     text NOT NULL DEFAULT '', -- random id of the browser's choice; '' where a reader agreed to terms
	categories     text[] NOT NULL,         -- of cookies, or ids of documents
	action         text NOT NULL,           -- all, necessary; true, false, later, documents
	policy_version text NOT NULL,
	text_hash      text NOT NULL REFERENCES consent_texts (hash),
	language       text NOT NULL,
	network        text NOT NULL,           -- IPv4 /24, IPv6 /48
	agent          text NOT NULL,           -- families of browser and system
	at             timestamptz NOT NULL
);
CREATE INDEX consent_log_reader ON consent_log (reader_id, kind, id DESC) WHERE reader_id IS NOT NULL;
CREATE INDEX consent_log_at ON consent_log (at);

-- Which documents were shown, in which version, with which words. The words stand in consent_texts by their hash.
CREATE TABLE consent_documents (
	document       text NOT NULL,        -- id in the edition's list: terms, privacy
	version        text NOT NULL,
	text_hash      text NOT NULL REFERENCES consent_texts (hash),
	title          text NOT NULL,
	address        text NOT NULL,        -- where it stood
	first_shown_at timestamptz NOT NULL, -- when the first answer to these words was given
	PRIMARY KEY (document, version, text_hash)
);

-- What proves a consent is never changed, and never removed but by retention, which names its limit in its own
-- transaction: a choice of a visitor (never that of a reader) that is older than the limit.
CREATE FUNCTION consent_is_append_only() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	IF TG_OP = 'DELETE' AND TG_TABLE_NAME = 'consent_log' THEN
		IF OLD.reader_id IS NULL AND OLD.at < nullif(current_setting('consent.kept_since', true), '')::timestamptz THEN
			RETURN OLD;
		END IF;
	END IF;
	RAISE EXCEPTION '% is append-only', TG_TABLE_NAME;
END $$;

CREATE TRIGGER consent_log_append_only BEFORE UPDATE OR DELETE ON consent_log
	FOR EACH ROW EXECUTE FUNCTION consent_is_append_only();
CREATE TRIGGER consent_texts_append_only BEFORE UPDATE OR DELETE ON consent_texts
	FOR EACH ROW EXECUTE FUNCTION consent_is_append_only();
CREATE TRIGGER consent_documents_append_only BEFORE UPDATE OR DELETE ON consent_documents
	FOR EACH ROW EXECUTE FUNCTION consent_is_append_only();
CREATE TRIGGER consent_log_whole BEFORE TRUNCATE ON consent_log
	FOR EACH STATEMENT EXECUTE FUNCTION consent_is_append_only();
CREATE TRIGGER consent_texts_whole BEFORE TRUNCATE ON consent_texts
	FOR EACH STATEMENT EXECUTE FUNCTION consent_is_append_only();
CREATE TRIGGER consent_documents_whole BEFORE TRUNCATE ON consent_documents
	FOR EACH STATEMENT EXECUTE FUNCTION consent_is_append_only();

-- Logging -------------------------------------------------------------------------------------------------------------
-- What browsers report: what readers did, and what went wrong there. Nothing is decided by it. Events lie in a table for
-- each month, so that forgetting a month is dropping a table. Its functions run as the owner of the tables, by a fixed path.

CREATE TABLE logging_events (
	id           bigint GENERATED ALWAYS AS IDENTITY,
	reader_id    bigint, -- of the session; NULL for a visitor
	action       text NOT NULL CHECK (action IN ('user_used_logout', 'article_opened', 'locked_article_opened', 'article_credit_used', 'article_read_full')),
	meta_value   text NOT NULL DEFAULT '',
	publish_date text NOT NULL DEFAULT '',
	at           timestamptz NOT NULL,
	PRIMARY KEY (id, at)
) PARTITION BY RANGE (at);
CREATE INDEX logging_events_at ON logging_events (at);
CREATE INDEX logging_events_reader ON logging_events (reader_id) WHERE reader_id IS NOT NULL;

-- What comes in a month without a table waits here for one: nothing is lost when the job has not run.
CREATE TABLE logging_events_other PARTITION OF logging_events DEFAULT;

-- Makes the table of a month (in UTC) and moves there what waited for it; false when there is one.
CREATE FUNCTION logging_events_month(month date) RETURNS boolean LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $$
DECLARE
	part   text := 'logging_events_' || to_char(month, 'YYYYMM');
	starts timestamptz := date_trunc('month', month::timestamp) AT TIME ZONE 'UTC';
	ends   timestamptz := (date_trunc('month', month::timestamp) + interval '1 month') AT TIME ZONE 'UTC';
BEGIN
	IF to_regclass(part) IS NOT NULL THEN
		RETURN false;
	END IF;
	LOCK TABLE logging_events_other IN ACCESS EXCLUSIVE MODE;
	EXECUTE format('CREATE TABLE %I (LIKE logging_events INCLUDING DEFAULTS INCLUDING CONSTRAINTS)', part);
	EXECUTE format('WITH o AS (DELETE FROM logging_events_other WHERE at >= %L AND at < %L RETURNING *) INSERT INTO %I SELECT * FROM o', starts, ends, part);
	EXECUTE format('ALTER TABLE logging_events ATTACH PARTITION %I FOR VALUES FROM (%L) TO (%L)', part, starts, ends);
	RETURN true;
END $$;
REVOKE ALL ON FUNCTION logging_events_month(date) FROM PUBLIC;

-- Drops the table of a month (in UTC), and returns how many rows went with it.
CREATE FUNCTION logging_events_drop(month date) RETURNS bigint LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $$
DECLARE
	part    text := 'logging_events_' || to_char(month, 'YYYYMM');
	removed bigint;
BEGIN
	EXECUTE format('SELECT count(*) FROM %I', part) INTO removed;
	EXECUTE format('DROP TABLE %I', part);
	RETURN removed;
END $$;
REVOKE ALL ON FUNCTION logging_events_drop(date) FROM PUBLIC;

CREATE TABLE logging_client_errors (
	id      bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
	message text NOT NULL,
	stack   text NOT NULL DEFAULT '',
	place   text NOT NULL DEFAULT '', -- where in the browser's program
	path    text NOT NULL DEFAULT '', -- of the page, without its query
	agent   text NOT NULL DEFAULT '',
	at      timestamptz NOT NULL
);
CREATE INDEX logging_client_errors_at ON logging_client_errors (at);

-- Discussion ----------------------------------------------------------------------------------------------------------
-- What readers say about articles, who moderates it, and what moderators did.

CREATE TABLE discussion_comments (
	id         bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
	post_id    bigint NOT NULL,
	parent_id  bigint REFERENCES discussion_comments (id), -- the comment that opened the thread; NULL for that one itself
	reader_id  bigint NOT NULL,                            -- 0 when the account is gone
	body       text NOT NULL,                              -- plain text; '' once its reader has taken it back
	once       bytea NOT NULL,                             -- of the sender's key and of what was sent
	likes      integer NOT NULL DEFAULT 0 CHECK (likes >= 0),
	created_at timestamptz NOT NULL,
	edited_at  timestamptz,
	removed_at timestamptz, -- by its reader
	hidden_at  timestamptz  -- by a moderator
);
CREATE UNIQUE INDEX discussion_comments_once ON discussion_comments (reader_id, once);
CREATE INDEX discussion_comments_threads ON discussion_comments (post_id, id DESC) WHERE parent_id IS NULL;
CREATE INDEX discussion_comments_replies ON discussion_comments (parent_id, id) WHERE parent_id IS NOT NULL;
CREATE INDEX discussion_comments_shown ON discussion_comments (post_id) WHERE removed_at IS NULL AND hidden_at IS NULL;
CREATE INDEX discussion_comments_created ON discussion_comments (created_at);

CREATE TABLE discussion_likes (
	comment_id bigint NOT NULL REFERENCES discussion_comments (id),
	reader_id  bigint NOT NULL,
	created_at timestamptz NOT NULL,
	PRIMARY KEY (comment_id, reader_id)
);
CREATE INDEX discussion_likes_reader ON discussion_likes (reader_id);

CREATE TABLE discussion_reports (
	comment_id bigint NOT NULL REFERENCES discussion_comments (id),
	reader_id  bigint NOT NULL,
	reason     text NOT NULL,
	note       text NOT NULL,
	created_at timestamptz NOT NULL,
	settled_at timestamptz, -- a moderator has hidden or restored the comment since
	PRIMARY KEY (comment_id, reader_id)
);
CREATE INDEX discussion_reports_open ON discussion_reports (created_at) WHERE settled_at IS NULL;
CREATE INDEX discussion_reports_reader ON discussion_reports (reader_id);

CREATE TABLE discussion_bans (
	id         bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
	reader_id  bigint NOT NULL,
	ends_at    timestamptz NOT NULL,
	reason     text NOT NULL, -- shown to the reader
	created_at timestamptz NOT NULL,
	lifted_at  timestamptz
);
CREATE INDEX discussion_bans_reader ON discussion_bans (reader_id, ends_at) WHERE lifted_at IS NULL;

-- What a form was refused with, so that nothing that was typed is lost.
CREATE TABLE discussion_drafts (
	reader_id bigint NOT NULL,
	post_id   bigint NOT NULL,
	parent_id bigint NOT NULL, -- 0 for a new thread
	body      text NOT NULL,
	saved_at  timestamptz NOT NULL,
	PRIMARY KEY (reader_id, post_id)
);
CREATE INDEX discussion_drafts_saved ON discussion_drafts (saved_at);

-- What moderators did is proof: it is never changed, and removed by nothing but retention, which names its limit in its own
-- transaction.
CREATE TABLE discussion_log (
	id         bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
	actor      text NOT NULL,   -- reader:7, or command:root
	action     text NOT NULL CHECK (action IN ('hide', 'restore', 'ban', 'unban', 'appoint', 'dismiss')),
	comment_id bigint,
	reader_id  bigint NOT NULL, -- whom it concerns
	reason     text NOT NULL,
	ends_at    timestamptz,
	at         timestamptz NOT NULL
);
CREATE INDEX discussion_log_at ON discussion_log (at);
CREATE INDEX discussion_log_comment ON discussion_log (comment_id) WHERE comment_id IS NOT NULL;

CREATE FUNCTION discussion_log_is_append_only() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	IF TG_OP = 'DELETE' AND OLD.at < nullif(current_setting('discussion.kept_since', true), '')::timestamptz THEN
		RETURN OLD;
	END IF;
	RAISE EXCEPTION 'discussion_log is append-only';
END $$;
CREATE TRIGGER discussion_log_append_only BEFORE UPDATE OR DELETE ON discussion_log
	FOR EACH ROW EXECUTE FUNCTION discussion_log_is_append_only();
CREATE TRIGGER discussion_log_whole BEFORE TRUNCATE ON discussion_log
	FOR EACH STATEMENT EXECUTE FUNCTION discussion_log_is_append_only();

-- Newsletter ----------------------------------------------------------------------------------------------------------
-- Who gets which newsletter, and what was sent to whom.

CREATE TABLE newsletter_subscribers (
	id           bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
	email        text NOT NULL CONSTRAINT newsletter_subscribers_email UNIQUE, -- lower case, domain in ASCII
	created_at   timestamptz NOT NULL,
	confirmed_at timestamptz              -- the address was proved to be theirs, for the first time
);

CREATE TABLE newsletter_subscriptions (
	subscriber_id bigint NOT NULL REFERENCES newsletter_subscribers (id) ON DELETE CASCADE,
	list          text NOT NULL,          -- id in the edition's document
	since         timestamptz NOT NULL,
	PRIMARY KEY (subscriber_id, list)
);
CREATE INDEX newsletter_subscriptions_list ON newsletter_subscriptions (list, subscriber_id);

-- One row for each email that asks to confirm. The link is derived from the id with a key that the database does not have.
CREATE TABLE newsletter_requests (
	id            bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
	subscriber_id bigint NOT NULL REFERENCES newsletter_subscribers (id) ON DELETE CASCADE,
	lists         text[] NOT NULL,
	created_at    timestamptz NOT NULL,
	expires_at    timestamptz NOT NULL,
	used_at       timestamptz
);
CREATE INDEX newsletter_requests_created ON newsletter_requests (created_at);
CREATE INDEX newsletter_requests_subscriber ON newsletter_requests (subscriber_id);

-- Proof of who asked for what and who left, only ever added to.
CREATE TABLE newsletter_log (
	id            bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
	subscriber_id bigint NOT NULL REFERENCES newsletter_subscribers (id) ON DELETE CASCADE,
	list          text NOT NULL,
	action        text NOT NULL CHECK (action IN ('asked', 'joined', 'left')),
	via           text NOT NULL CHECK (via IN ('form', 'mail', 'account', 'settings', 'one-click', 'complaint')),
	network       text NOT NULL DEFAULT '', -- IPv4 /24, IPv6 /48
	agent         text NOT NULL DEFAULT '',
	at            timestamptz NOT NULL
);
CREATE INDEX newsletter_log_subscriber ON newsletter_log (subscriber_id, id);
CREATE INDEX newsletter_log_at ON newsletter_log (at);

-- One row for each issue of a list. The text is put together once, so that all readers get the same.
CREATE TABLE newsletter_issues (
	id         bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
	list       text NOT NULL,
	name       text NOT NULL,             -- of the issue within its list: a day, a topic, a post
	due_at     timestamptz NOT NULL,
	state      text NOT NULL CHECK (state IN ('due', 'planning', 'planned', 'empty')),
	content    jsonb,
	reached    bigint NOT NULL DEFAULT 0, -- subscribers up to this id are planned
	recipients integer NOT NULL DEFAULT 0,
	created_at timestamptz NOT NULL,
	planned_at timestamptz,
	CONSTRAINT newsletter_issues_name UNIQUE (list, name)
);

-- Who gets an issue. The outcome of each email is in mail_log.
CREATE TABLE newsletter_deliveries (
	issue_id      bigint NOT NULL REFERENCES newsletter_issues (id) ON DELETE CASCADE,
	subscriber_id bigint NOT NULL REFERENCES newsletter_subscribers (id) ON DELETE CASCADE,
	PRIMARY KEY (issue_id, subscriber_id)
);
CREATE INDEX newsletter_deliveries_subscriber ON newsletter_deliveries (subscriber_id);

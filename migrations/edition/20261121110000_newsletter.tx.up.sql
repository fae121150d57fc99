-- Who gets which newsletter, what was sent to whom, and which addresses refuse mail.

-- 'handed': the mail server was given the whole letter and had not answered. A letter to many is not sent again then.
ALTER TABLE mail_log DROP CONSTRAINT mail_log_state_check;
ALTER TABLE mail_log ADD CONSTRAINT mail_log_state_check CHECK (state IN ('claimed', 'handed', 'sent', 'bounced', 'dropped'));
CREATE INDEX mail_log_message_id ON mail_log (message_id);

-- What mail servers said of letters after they had left.
CREATE TABLE mail_reports (
	id          bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
	dedupe_key  text NOT NULL CONSTRAINT mail_reports_key UNIQUE, -- a report that comes twice counts once
	kind        text NOT NULL CHECK (kind IN ('bounce', 'complaint')),
	hard        boolean NOT NULL,
	address     text NOT NULL,            -- to which the letter was sent
	letter      text NOT NULL,            -- kind of the letter
	message_id  text NOT NULL,
	status      text NOT NULL DEFAULT '', -- 5.1.1
	detail      text NOT NULL DEFAULT '', -- what the server said, without the address
	at          timestamptz NOT NULL
);
CREATE INDEX mail_reports_address ON mail_reports (address, at);
CREATE INDEX mail_reports_at ON mail_reports (at);

-- Addresses that get no letters to many any more.
CREATE TABLE mail_suppressions (
	address text PRIMARY KEY,
	reason  text NOT NULL CHECK (reason IN ('bounce', 'complaint')),
	at      timestamptz NOT NULL
);

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

-- One row a mail that asks to confirm. The link is derived from the id with a key that the database does not have.
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

-- One row an issue of a list. The text is put together once, so that all readers get the same.
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

-- Who gets an issue. What became of each letter is in mail_log.
CREATE TABLE newsletter_deliveries (
	issue_id      bigint NOT NULL REFERENCES newsletter_issues (id) ON DELETE CASCADE,
	subscriber_id bigint NOT NULL REFERENCES newsletter_subscribers (id) ON DELETE CASCADE,
	PRIMARY KEY (issue_id, subscriber_id)
);
CREATE INDEX newsletter_deliveries_subscriber ON newsletter_deliveries (subscriber_id);

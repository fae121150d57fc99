-- What the platform keeps in every edition: work to be done, letters sent, budgets spent.

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

CREATE TABLE mail_log (
	id          bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
	dedupe_key  text NOT NULL UNIQUE,    -- one letter a key
	kind        text NOT NULL,
	recipient   text NOT NULL,
	message_id  text NOT NULL,
	state       text NOT NULL CHECK (state IN ('claimed', 'sent', 'bounced', 'dropped')),
	attempts    integer NOT NULL DEFAULT 0,
	last_error  text NOT NULL DEFAULT '',
	created_at  timestamptz NOT NULL,
	claimed_at  timestamptz NOT NULL,
	sent_at     timestamptz
);
CREATE INDEX mail_log_recipient ON mail_log (recipient, created_at);

-- Budgets count events in windows; they live here because a lost cache must not reset them.
CREATE TABLE rate_limits (
	bucket      text NOT NULL,           -- "mail:email:<hash>"
	window_at   timestamptz NOT NULL,    -- start of the window
	used        integer NOT NULL DEFAULT 0,
	expires_at  timestamptz NOT NULL,
	PRIMARY KEY (bucket, window_at)
);
CREATE INDEX rate_limits_expires ON rate_limits (expires_at);

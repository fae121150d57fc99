-- What readers pay for. Rows about payments say what the provider said last; nothing here grants access by itself.

CREATE TABLE billing_customers (
	reader_id   bigint PRIMARY KEY,
	provider_id text NOT NULL UNIQUE,
	created_at  timestamptz NOT NULL
);

-- One wish to pay: a checkout that was opened, and what became of it.
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
	settled_at  timestamptz
);
CREATE UNIQUE INDEX billing_intents_open ON billing_intents (reader_id) WHERE state = 'open';

CREATE TABLE billing_subscriptions (
	id                   bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
	reader_id            bigint NOT NULL,
	provider_id          text UNIQUE,        -- NULL for a free trial, which the provider knows nothing about
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
	CHECK (trial = (provider_id IS NULL))
);
CREATE UNIQUE INDEX billing_subscriptions_live ON billing_subscriptions (reader_id) WHERE status IN ('active', 'trialing', 'past_due');
CREATE UNIQUE INDEX billing_subscriptions_trial ON billing_subscriptions (reader_id) WHERE trial;
CREATE INDEX billing_subscriptions_reader ON billing_subscriptions (reader_id);
CREATE INDEX billing_subscriptions_trial_end ON billing_subscriptions (period_end) WHERE trial AND status = 'trialing';

-- Each look at a subscription draws a number before it asks the provider; an answer with a lower number than the one
-- that was written came too late.
CREATE TABLE billing_syncs (
	provider_id text PRIMARY KEY,
	drawn       bigint NOT NULL,
	written     bigint NOT NULL DEFAULT 0
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

-- What a person has to look at, or what is still to be undone at the provider.
CREATE TABLE billing_parked (
	id          bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
	kind        text NOT NULL CHECK (kind IN ('second_subscription', 'unknown_customer')),
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
	what       text NOT NULL CHECK (what IN ('intro', 'trial')),
	person     text NOT NULL,                -- "reader:17", "email:<hash>"
	used_at    timestamptz NOT NULL,
	PRIMARY KEY (what, person)
);

CREATE TABLE billing_promises (
	person      text NOT NULL,               -- "email:<hash>": a trial can be promised to who is no reader yet
	source      text NOT NULL CHECK (source IN ('campaign', 'invited')),
	promised_at timestamptz NOT NULL,
	PRIMARY KEY (person, source)
);

CREATE TABLE billing_reminders (
	subscription_id bigint NOT NULL REFERENCES billing_subscriptions (id),
	kind            text NOT NULL CHECK (kind IN ('trial_ending')),
	period_end      timestamptz NOT NULL,
	claimed_at      timestamptz NOT NULL,
	PRIMARY KEY (subscription_id, kind, period_end)
);

CREATE TABLE billing_readers (
	reader_id             bigint PRIMARY KEY,
	reminder_dismissed_at timestamptz        -- the notice that access has ended was closed
);

-- What a reader asks for in the profile, and what the provider says of pauses, later plans, refunds and disputes.

ALTER TABLE billing_subscriptions
	ADD COLUMN paused       boolean NOT NULL DEFAULT false,  -- its invoices are not collected
	ADD COLUMN resumes_at   timestamptz,                     -- when they are again; NULL: when the reader says so
	ADD COLUMN uncovered    boolean NOT NULL DEFAULT false,  -- the running period was called off or given back, so it opens nothing
	ADD COLUMN next_product text NOT NULL DEFAULT '',        -- from the next period on; '' for the same
	ADD COLUMN refunded     bigint NOT NULL DEFAULT 0,       -- minor units of the latest invoice that went back
	ADD COLUMN disputed     boolean NOT NULL DEFAULT false;  -- its holder has had the latest payment taken back by the bank
ALTER TABLE billing_invoices
	ADD COLUMN refunded bigint NOT NULL DEFAULT 0,
	ADD COLUMN disputed boolean NOT NULL DEFAULT false;

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

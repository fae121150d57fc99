-- Subscriptions that are paid by bank transfer. Nothing opens before the bank has said that the money came.

ALTER TABLE billing_subscriptions ADD COLUMN transfer boolean NOT NULL DEFAULT false, -- paid into our account; the provider knows nothing about it
	DROP CONSTRAINT billing_subscriptions_check,
	ADD CONSTRAINT billing_subscriptions_check CHECK ((trial OR transfer) = (provider_id IS NULL) AND NOT (trial AND transfer));
CREATE INDEX billing_subscriptions_transfer ON billing_subscriptions (period_end) WHERE transfer;

-- One order that waits for a transfer, and what became of it.
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
	CHECK ((state = 'paid') <= (subscription_id IS NOT NULL AND starts_at < ends_at))
);
CREATE UNIQUE INDEX billing_transfers_open ON billing_transfers (reader_id) WHERE state = 'open';
CREATE INDEX billing_transfers_reader ON billing_transfers (reader_id);
CREATE INDEX billing_transfers_due ON billing_transfers (due_at) WHERE state = 'open';

-- What stands in the bank's statements: payments that came, and those that went back. Each is here once, however many files have it.
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
	state       text NOT NULL CHECK (state IN ('matched', 'queued', 'refunded')),
	reason      text NOT NULL DEFAULT '',   -- why a person has to look at it
	transfer_id bigint REFERENCES billing_transfers (id), -- what it pays, or seems to
	imported_at timestamptz NOT NULL,
	settled_at  timestamptz,
	CHECK ((state = 'queued') = (settled_at IS NULL)),
	CHECK (state <> 'matched' OR transfer_id IS NOT NULL)
);
CREATE INDEX billing_bank_lines_queue ON billing_bank_lines (id) WHERE state = 'queued';
CREATE UNIQUE INDEX billing_bank_lines_matched ON billing_bank_lines (transfer_id) WHERE state = 'matched';
CREATE INDEX billing_bank_lines_transfer ON billing_bank_lines (transfer_id) WHERE transfer_id IS NOT NULL;

-- Which files were read to their end.
CREATE TABLE billing_statements (
	hash        text PRIMARY KEY,           -- SHA-256 of the file
	lines       integer NOT NULL,
	imported_at timestamptz NOT NULL
);

-- What a person does about payments stands in the audit log.
ALTER TABLE identity_audit DROP CONSTRAINT identity_audit_action_check,
	ADD CONSTRAINT identity_audit_action_check CHECK (action IN ('show', 'end-sessions', 'grant', 'export', 'erase', 'bank-match', 'bank-unmatch', 'bank-refund'));

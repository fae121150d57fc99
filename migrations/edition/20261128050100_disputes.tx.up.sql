-- Payments that their payers have had the bank look into, and what followed here.
CREATE TABLE billing_disputes (
    provider_id text PRIMARY KEY,
    charge text NOT NULL,
    subscription text NOT NULL DEFAULT '', -- that was paid for; '': a gift
    paid text NOT NULL,                    -- the invoice of a subscription, the payment of a gift
    reader_id bigint,
    amount bigint NOT NULL,
    currency text NOT NULL,
    state text NOT NULL CHECK (state IN ('inquiry', 'open', 'won', 'lost', 'closed')),
    opened_at timestamptz NOT NULL,
    updated_at timestamptz NOT NULL,
    shut_at timestamptz,    -- since when access, or the code of a gift, is shut
    shut_until timestamptz, -- the end of what was paid for
    ended_at timestamptz,   -- when the subscription was ended, or was let end with its period, at the provider
    given_at timestamptz    -- when the time that was shut was given back
);
CREATE INDEX billing_disputes_subscription ON billing_disputes (subscription) WHERE subscription <> '';
CREATE INDEX billing_disputes_reader ON billing_disputes (reader_id);
CREATE INDEX billing_disputes_undecided ON billing_disputes (opened_at) WHERE state IN ('inquiry', 'open');

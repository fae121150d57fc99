-- Where the rows here were not as the provider has them, found by comparing.
CREATE TABLE billing_drift (
	id          bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
	provider_id text NOT NULL,               -- of the subscription
	kind        text NOT NULL CHECK (kind IN ('missing', 'different', 'gone', 'undocumented')),
	detail      text NOT NULL,               -- what differed
	found_at    timestamptz NOT NULL,
	repaired_at timestamptz
);
CREATE UNIQUE INDEX billing_drift_open ON billing_drift (provider_id) WHERE repaired_at IS NULL;

-- A payment that its holder has had taken back is for a person to look at.
ALTER TABLE billing_parked DROP CONSTRAINT billing_parked_kind_check,
	ADD CONSTRAINT billing_parked_kind_check CHECK (kind IN ('second_subscription', 'unknown_customer', 'dispute', 'extension'));
CREATE INDEX billing_subscriptions_updated ON billing_subscriptions (updated_at) WHERE provider_id IS NOT NULL;

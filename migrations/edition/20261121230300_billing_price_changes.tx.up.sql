-- Another price for who has bought before: told thirty days before the renewal from which it counts, then made at the provider.
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

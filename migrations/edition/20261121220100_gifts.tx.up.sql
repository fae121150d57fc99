-- Subscriptions that somebody buys for somebody else. The code is not stored: it is made from the nonce and a key that no table has.
CREATE TABLE billing_gifts (
	id             bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
	nonce          bytea NOT NULL,
	product        text NOT NULL,
	buyer_email    text NOT NULL,
	buyer_name     text NOT NULL DEFAULT '',
	email          text NOT NULL DEFAULT '', -- whom it is mailed to; '' where the buyer hands it over
	message        text NOT NULL DEFAULT '',
	send_at        timestamptz NOT NULL,
	amount         bigint NOT NULL,          -- minor units that were asked for
	currency       text NOT NULL,
	session_id     text UNIQUE,              -- the provider's checkout; NULL until it is known
	payment_id     text NOT NULL DEFAULT '', -- the provider's payment
	state          text NOT NULL DEFAULT 'open' CHECK (state IN ('open', 'paid', 'expired', 'refunded')),
	coupon_id      bigint REFERENCES billing_coupons (id) ON DELETE SET NULL,
	created_at     timestamptz NOT NULL,
	settled_at     timestamptz
);
CREATE INDEX billing_gifts_open ON billing_gifts (created_at) WHERE state = 'open';
CREATE INDEX billing_gifts_buyer ON billing_gifts (buyer_email);

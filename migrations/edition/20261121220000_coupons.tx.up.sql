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

-- What somebody who was not logged in wants: an offer to pay for, or a good code to redeem after the login.
CREATE TABLE billing_wishes (
	id         bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
	email      text NOT NULL,
	product    text NOT NULL,
	coupon_id  bigint REFERENCES billing_coupons (id) ON DELETE CASCADE,
	created_at timestamptz NOT NULL,
	expires_at timestamptz NOT NULL
);

ALTER TABLE billing_grants ADD COLUMN product text NOT NULL DEFAULT 'no_product'; -- what it shows as

-- A subscription whose next payment could not be moved behind what was given.
ALTER TABLE billing_parked DROP CONSTRAINT billing_parked_kind_check;
ALTER TABLE billing_parked ADD CONSTRAINT billing_parked_kind_check CHECK (kind IN ('second_subscription', 'unknown_customer', 'extension'));

-- When given time begins, so that it can move behind a period that turns out to be paid. NULL: it never moves.
ALTER TABLE billing_grants ADD COLUMN begins_at timestamptz;
-- How many periods of the product were given; 0: until an instant.
ALTER TABLE billing_grants ADD COLUMN periods int NOT NULL DEFAULT 0;
ALTER TABLE billing_grants ADD COLUMN coupon_id bigint;

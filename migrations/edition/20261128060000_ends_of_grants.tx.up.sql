-- Readers hear of the end of what was given to them, once before it and once after it.
ALTER TABLE billing_grants ADD COLUMN ending_told_at timestamptz, ADD COLUMN ended_told_at timestamptz;
CREATE INDEX billing_grants_until ON billing_grants (until);
CREATE INDEX billing_gifts_coupon ON billing_gifts (coupon_id);

-- Addresses that an account had before, or was about to have: what is known by them is forgotten with it. Changes that were
-- done are kept as long as the account, for that.
ALTER TABLE identity_erasures ADD COLUMN former jsonb NOT NULL DEFAULT '[]';

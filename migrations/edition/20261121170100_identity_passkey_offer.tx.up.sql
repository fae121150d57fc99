-- When a reader said "not now" to the offer of a passkey.
ALTER TABLE identity_readers ADD COLUMN passkey_declined_at timestamptz;

-- Who states a withdrawal without a session of the contract's reader confirms it from the mailbox before anything ends.
ALTER TABLE billing_withdrawals ADD COLUMN confirmed_at timestamptz;
UPDATE billing_withdrawals SET confirmed_at = received_at WHERE received_at IS NOT NULL;
CREATE INDEX billing_withdrawals_unconfirmed ON billing_withdrawals (received_at) WHERE state = 'received' AND confirmed_at IS NULL;

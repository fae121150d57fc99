-- Payments that the bank does not number are known by what they are and by their statement; others of the same content are looked for.
CREATE INDEX billing_bank_lines_content ON billing_bank_lines (left(entry, 32));

-- What is no payment of a reader, or one that is there already, leaves the queue without anything being sent back.
ALTER TABLE billing_bank_lines DROP CONSTRAINT billing_bank_lines_state_check,
	ADD CONSTRAINT billing_bank_lines_state_check CHECK (state IN ('matched', 'queued', 'refunded', 'dismissed'));

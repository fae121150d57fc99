-- An introductory price that a card brings twice, and a withdrawal after the first of a year, wait for a person.
ALTER TABLE billing_parked DROP CONSTRAINT billing_parked_kind_check;
ALTER TABLE billing_parked ADD CONSTRAINT billing_parked_kind_check
    CHECK (kind IN ('second_subscription', 'unknown_customer', 'dispute', 'extension', 'unknown_price', 'known_card',
        'repeated_withdrawal'));
ALTER TABLE billing_withdrawals DROP CONSTRAINT billing_withdrawals_state_check;
ALTER TABLE billing_withdrawals ADD CONSTRAINT billing_withdrawals_state_check
    CHECK (state IN ('stated', 'received', 'none', 'review', 'matched', 'done', 'refused'));
-- Who has withdrawn is noted for a year, by a reader's number and the hash of a mailbox.
ALTER TABLE billing_uses DROP CONSTRAINT billing_uses_what_check;
ALTER TABLE billing_uses ADD CONSTRAINT billing_uses_what_check CHECK (what IN ('intro', 'trial', 'withdrawal'));

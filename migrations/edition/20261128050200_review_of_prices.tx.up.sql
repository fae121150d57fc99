-- A price of the provider that the edition's document does not know waits for a person.
ALTER TABLE billing_parked DROP CONSTRAINT billing_parked_kind_check;
ALTER TABLE billing_parked ADD CONSTRAINT billing_parked_kind_check
    CHECK (kind IN ('second_subscription', 'unknown_customer', 'dispute', 'extension', 'unknown_price'));

-- The bank's numbers of a payment (entry, detail, transaction, end to end; '' for each that is not given), by which the
-- same payment is found in another statement. Null: it was read before they were noted.
ALTER TABLE billing_bank_lines ADD COLUMN numbers text[];
CREATE INDEX billing_bank_lines_day ON billing_bank_lines (booked, amount);

-- Payments that the bank does not number are known by what they are and by their statement; others of the same content are looked for.
CREATE INDEX billing_bank_lines_content ON billing_bank_lines (left(entry, 32));

-- What the European Union's register has said of VAT numbers. The answer that a document relies on stands on the document.
CREATE TABLE billing_vat_numbers (
	number       text PRIMARY KEY,      -- with the letters of its country
	valid        boolean NOT NULL,
	consultation text NOT NULL,         -- the register's number of the answer; '' for none
	asked_at     timestamptz NOT NULL
);

-- What stood above the button when a year by transfer was ordered, word for word.
ALTER TABLE billing_transfers ADD COLUMN shown text NOT NULL DEFAULT '';

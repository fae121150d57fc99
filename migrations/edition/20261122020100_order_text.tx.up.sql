-- What stood above the button when something was ordered, word for word: that the first full price and its day were told has to
-- be provable.
ALTER TABLE billing_intents ADD COLUMN shown text NOT NULL DEFAULT '';

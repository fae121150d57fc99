-- When the paid time of a purchase begins, where that is not at once: what was given (a trial, a code, a gift) ends first.
ALTER TABLE billing_intents ADD COLUMN given_until timestamptz;
ALTER TABLE billing_subscriptions ADD COLUMN paid_from timestamptz;

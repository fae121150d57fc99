-- The latest invoice of the subscription can still be paid. A comparison with the provider fills it.
ALTER TABLE billing_subscriptions ADD COLUMN owing boolean NOT NULL DEFAULT false;

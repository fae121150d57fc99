-- A renewal that a code has put off is announced, too.
DROP INDEX billing_subscriptions_renewal;
CREATE INDEX billing_subscriptions_renewal ON billing_subscriptions (period_end) WHERE status IN ('active', 'trialing') AND NOT trial;

-- A sweep reads what has ended not long ago, among all that has ever ended.
CREATE INDEX billing_subscriptions_ended ON billing_subscriptions (ended_at) WHERE status IN ('ended', 'canceled');

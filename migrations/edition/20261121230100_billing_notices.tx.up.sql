-- Letters about payments that failed and renewals to come, each once.
ALTER TABLE billing_reminders DROP CONSTRAINT billing_reminders_kind_check,
	ADD CONSTRAINT billing_reminders_kind_check CHECK (kind IN ('trial_ending', 'access_ended', 'due_0', 'due_3', 'due_7', 'renewal', 'price_change'));
CREATE INDEX billing_subscriptions_renewal ON billing_subscriptions (period_end) WHERE status = 'active' AND NOT trial;
CREATE INDEX billing_subscriptions_overdue ON billing_subscriptions (period_start) WHERE status IN ('past_due', 'unpaid');

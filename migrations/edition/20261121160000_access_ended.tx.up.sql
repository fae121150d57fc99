ALTER TABLE billing_reminders DROP CONSTRAINT billing_reminders_kind_check,
	ADD CONSTRAINT billing_reminders_kind_check CHECK (kind IN ('trial_ending', 'access_ended'));

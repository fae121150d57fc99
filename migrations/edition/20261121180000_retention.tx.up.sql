-- The nights whose work is done: what was kept for long enough has been removed.
CREATE TABLE retention_nights (
	night       date PRIMARY KEY, -- the day on which it began, in the edition's time zone
	finished_at timestamptz NOT NULL
);

-- The work of a night looks for what is too old by these.
CREATE INDEX paywall_opened_at ON paywall_opened (opened_at);
CREATE INDEX mail_log_created ON mail_log (created_at);
CREATE INDEX billing_events_done ON billing_events (done_at) WHERE done_at IS NOT NULL;

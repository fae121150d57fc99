-- What a reader without a subscription has opened, by period.

CREATE TABLE paywall_readers (
	reader_id bigint PRIMARY KEY   -- locked while a credit is spent: two tabs can not pass the limit together
);

CREATE TABLE paywall_opened (
	reader_id  bigint NOT NULL,
	period_key text NOT NULL,      -- "2026-11" or "2026-W47", in the edition's zone
	kind       text NOT NULL CHECK (kind IN ('article', 'video')),
	post_id    bigint NOT NULL,
	opened_at  timestamptz NOT NULL,
	PRIMARY KEY (reader_id, period_key, kind, post_id)
);

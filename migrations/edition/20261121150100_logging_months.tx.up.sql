-- Events lie in a table for each month, so that forgetting a month is dropping a table.

ALTER TABLE logging_events RENAME TO logging_events_before;
ALTER INDEX logging_events_pkey RENAME TO logging_events_before_pkey;
ALTER INDEX logging_events_at RENAME TO logging_events_before_at;

CREATE TABLE logging_events (
	id           bigint GENERATED ALWAYS AS IDENTITY,
	reader_id    bigint, -- of the session; NULL for a visitor
	action       text NOT NULL CHECK (action IN ('user_used_logout', 'article_opened', 'locked_article_opened', 'article_credit_used', 'article_read_full')),
	meta_value   text NOT NULL DEFAULT '',
	publish_date text NOT NULL DEFAULT '',
	at           timestamptz NOT NULL,
	PRIMARY KEY (id, at)
) PARTITION BY RANGE (at);
CREATE INDEX logging_events_at ON logging_events (at);
CREATE INDEX logging_events_reader ON logging_events (reader_id) WHERE reader_id IS NOT NULL;

-- What comes in a month without a table waits here for one: nothing is lost when the job has not run.
CREATE TABLE logging_events_other PARTITION OF logging_events DEFAULT;

-- Makes the table of a month (in UTC) and moves there what waited for it; false when there is one.
CREATE FUNCTION logging_events_month(month date) RETURNS boolean LANGUAGE plpgsql AS $$
DECLARE
	part   text := 'logging_events_' || to_char(month, 'YYYYMM');
	starts timestamptz := date_trunc('month', month::timestamp) AT TIME ZONE 'UTC';
	ends   timestamptz := (date_trunc('month', month::timestamp) + interval '1 month') AT TIME ZONE 'UTC';
BEGIN
	IF to_regclass(part) IS NOT NULL THEN
		RETURN false;
	END IF;
	LOCK TABLE logging_events_other IN ACCESS EXCLUSIVE MODE;
	EXECUTE format('CREATE TABLE %I (LIKE logging_events INCLUDING DEFAULTS INCLUDING CONSTRAINTS)', part);
	EXECUTE format('WITH o AS (DELETE FROM logging_events_other WHERE at >= %L AND at < %L RETURNING *) INSERT INTO %I SELECT * FROM o', starts, ends, part);
	EXECUTE format('ALTER TABLE logging_events ATTACH PARTITION %I FOR VALUES FROM (%L) TO (%L)', part, starts, ends);
	RETURN true;
END $$;

INSERT INTO logging_events (reader_id, action, meta_value, publish_date, at)
SELECT reader_id, action, meta_value, publish_date, at FROM logging_events_before ORDER BY id;
DROP TABLE logging_events_before;

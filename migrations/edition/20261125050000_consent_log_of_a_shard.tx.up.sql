-- On a cluster of Citus the trigger runs on a shard of the table, consent_log_102008 (docs/scaling.md).
CREATE OR REPLACE FUNCTION consent_is_append_only() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	IF TG_OP = 'DELETE' AND starts_with(TG_TABLE_NAME, 'consent_log') THEN
		IF OLD.reader_id IS NULL AND OLD.at < nullif(current_setting('consent.kept_since', true), '')::timestamptz THEN
			RETURN OLD;
		END IF;
	END IF;
	RAISE EXCEPTION '% is append-only', TG_TABLE_NAME;
END $$;

-- What moderators did is proof: it is never changed, and removed by nothing but retention, which names its limit in its own
-- transaction.
CREATE OR REPLACE FUNCTION discussion_log_is_append_only() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	IF TG_OP = 'DELETE' AND OLD.at < nullif(current_setting('discussion.kept_since', true), '')::timestamptz THEN
		RETURN OLD;
	END IF;
	RAISE EXCEPTION 'discussion_log is append-only';
END $$;

DROP TRIGGER discussion_log_append_only ON discussion_log;
CREATE TRIGGER discussion_log_append_only BEFORE UPDATE OR DELETE ON discussion_log
	FOR EACH ROW EXECUTE FUNCTION discussion_log_is_append_only();
CREATE TRIGGER discussion_log_whole BEFORE TRUNCATE ON discussion_log
	FOR EACH STATEMENT EXECUTE FUNCTION discussion_log_is_append_only();

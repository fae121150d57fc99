-- Which documents were shown, in which version, with which words. The words stand in consent_texts by their hash.

CREATE TABLE consent_documents (
	document       text NOT NULL,        -- id in the edition's list: terms, privacy
	version        text NOT NULL,
	text_hash      text NOT NULL REFERENCES consent_texts (hash),
	title          text NOT NULL,
	address        text NOT NULL,        -- where it stood
	first_shown_at timestamptz NOT NULL, -- when the first answer to these words was given
	PRIMARY KEY (document, version, text_hash)
);

-- What proves a consent is never changed, and never removed but by retention, which names its limit in its own
-- transaction: a choice of a visitor (never that of a reader) that is older than the limit.
CREATE FUNCTION consent_is_append_only() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	IF TG_OP = 'DELETE' AND TG_TABLE_NAME = 'consent_log' THEN
		IF OLD.reader_id IS NULL AND OLD.at < nullif(current_setting('consent.kept_since', true), '')::timestamptz THEN
			RETURN OLD;
		END IF;
	END IF;
	RAISE EXCEPTION '% is append-only', TG_TABLE_NAME;
END $$;

DROP TRIGGER consent_log_append_only ON consent_log;
DROP FUNCTION consent_log_is_append_only();

CREATE TRIGGER consent_log_append_only BEFORE UPDATE OR DELETE ON consent_log
	FOR EACH ROW EXECUTE FUNCTION consent_is_append_only();
CREATE TRIGGER consent_texts_append_only BEFORE UPDATE OR DELETE ON consent_texts
	FOR EACH ROW EXECUTE FUNCTION consent_is_append_only();
CREATE TRIGGER consent_documents_append_only BEFORE UPDATE OR DELETE ON consent_documents
	FOR EACH ROW EXECUTE FUNCTION consent_is_append_only();
CREATE TRIGGER consent_log_whole BEFORE TRUNCATE ON consent_log
	FOR EACH STATEMENT EXECUTE FUNCTION consent_is_append_only();
CREATE TRIGGER consent_texts_whole BEFORE TRUNCATE ON consent_texts
	FOR EACH STATEMENT EXECUTE FUNCTION consent_is_append_only();
CREATE TRIGGER consent_documents_whole BEFORE TRUNCATE ON consent_documents
	FOR EACH STATEMENT EXECUTE FUNCTION consent_is_append_only();

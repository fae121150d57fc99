-- What readers and visitors agreed to. The log proves it, so rows are never changed.

CREATE TABLE consent_texts (
	hash       text PRIMARY KEY, -- SHA-256 of the text, hex
	language   text NOT NULL,
	text       text NOT NULL,
	created_at timestamptz NOT NULL
);

CREATE TABLE consent_log (
	id             bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
	kind           text NOT NULL CHECK (kind IN ('cookies', 'terms')),
	reader_id      bigint,                  -- NULL for a visitor
	visitor_id     text NOT NULL DEFAULT '', -- random id of the browser's choice; '' where a reader agreed to terms
	categories     text[] NOT NULL,         -- of cookies, or ids of documents
	action         text NOT NULL,           -- all, necessary; true, false, later, documents
	policy_version text NOT NULL,
	text_hash      text NOT NULL REFERENCES consent_texts (hash),
	language       text NOT NULL,
	network        text NOT NULL,           -- IPv4 /24, IPv6 /48
	agent          text NOT NULL,           -- families of browser and system
	at             timestamptz NOT NULL
);
CREATE INDEX consent_log_reader ON consent_log (reader_id, kind, id DESC) WHERE reader_id IS NOT NULL;
CREATE INDEX consent_log_at ON consent_log (at);

CREATE FUNCTION consent_log_is_append_only() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	RAISE EXCEPTION 'consent_log is append-only';
END $$;
CREATE TRIGGER consent_log_append_only BEFORE UPDATE ON consent_log
	FOR EACH ROW EXECUTE FUNCTION consent_log_is_append_only();

-- What a reader has put aside.
CREATE TABLE consent_dismissals (
	reader_id    bigint NOT NULL,
	notice       text NOT NULL, -- subscription_expiration_reminder
	dismissed_at timestamptz NOT NULL,
	PRIMARY KEY (reader_id, notice)
);

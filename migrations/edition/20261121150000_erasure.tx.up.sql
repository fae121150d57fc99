-- Readers who leave, what still has to be forgotten of them, and what support did with accounts.

-- The row stays, because payments and consents point at it; its address and name are gone.
ALTER TABLE identity_readers ADD COLUMN erased_at timestamptz;

-- One row a mail with the code that deletes an account. The code is derived from the nonce, as that of a login is.
CREATE TABLE identity_leaves (
	id            bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
	reader_id     bigint NOT NULL REFERENCES identity_readers (id) ON DELETE CASCADE,
	nonce         bytea NOT NULL,
	code_hash     bytea NOT NULL,
	tries         integer NOT NULL DEFAULT 0,
	created_at    timestamptz NOT NULL,
	expires_at    timestamptz NOT NULL,
	superseded_at timestamptz
);
CREATE INDEX identity_leaves_reader ON identity_leaves (reader_id, id DESC);
CREATE INDEX identity_leaves_created ON identity_leaves (created_at);

-- Erasures. The address stands here while modules still need it to find what they keep of it, and for the receipt.
CREATE TABLE identity_erasures (
	reader_id   bigint PRIMARY KEY REFERENCES identity_readers (id),
	email       text NOT NULL,             -- '' once it is finished
	done        text[] NOT NULL DEFAULT '{}', -- parts that have forgotten the reader
	asked_at    timestamptz NOT NULL,
	finished_at timestamptz
);
CREATE INDEX identity_erasures_open ON identity_erasures (asked_at) WHERE finished_at IS NULL;

-- Addresses that an import must not bring back, as hashes with a key that the database does not have.
CREATE TABLE identity_tombstones (
	hash bytea PRIMARY KEY,
	at   timestamptz NOT NULL
);

-- What support did with accounts. It is proof, so rows are never changed. No addresses stand here.
CREATE TABLE identity_audit (
	id        bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
	operator  text NOT NULL, -- "command:root", "command:jana"
	action    text NOT NULL CHECK (action IN ('show', 'end-sessions', 'grant', 'export', 'erase')),
	reader_id bigint NOT NULL,
	reason    text NOT NULL,
	detail    text NOT NULL DEFAULT '',
	at        timestamptz NOT NULL
);
CREATE INDEX identity_audit_reader ON identity_audit (reader_id, id);
CREATE INDEX identity_audit_at ON identity_audit (at);

CREATE FUNCTION identity_audit_is_append_only() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	IF TG_OP = 'DELETE' AND OLD.at < nullif(current_setting('identity.kept_since', true), '')::timestamptz THEN
		RETURN OLD;
	END IF;
	RAISE EXCEPTION 'identity_audit is append-only';
END $$;
CREATE TRIGGER identity_audit_append_only BEFORE UPDATE OR DELETE ON identity_audit
	FOR EACH ROW EXECUTE FUNCTION identity_audit_is_append_only();
CREATE TRIGGER identity_audit_whole BEFORE TRUNCATE ON identity_audit
	FOR EACH STATEMENT EXECUTE FUNCTION identity_audit_is_append_only();

-- Access that support gave away.
CREATE TABLE billing_grants (
	id         bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
	reader_id  bigint NOT NULL,
	until      timestamptz NOT NULL,
	reason     text NOT NULL,
	granted_at timestamptz NOT NULL
);
CREATE INDEX billing_grants_reader ON billing_grants (reader_id);

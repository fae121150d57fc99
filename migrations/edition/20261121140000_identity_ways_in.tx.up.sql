-- Changes of a reader's address: both the old and the new one have to confirm. Links and codes are derived from the
-- nonce, as those of login mails; only hashes of the links are here, to find the change by.
CREATE TABLE identity_address_changes (
	id               bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
	reader_id        bigint NOT NULL REFERENCES identity_readers (id) ON DELETE CASCADE,
	session_id       bigint NOT NULL,  -- that asked for it; it outlives the change
	old_email        text NOT NULL,
	new_email        text NOT NULL,
	taken            boolean NOT NULL, -- the new address was another reader's: it gets no link
	nonce            bytea NOT NULL,
	old_hash         bytea NOT NULL CONSTRAINT identity_address_changes_old UNIQUE,
	new_hash         bytea NOT NULL CONSTRAINT identity_address_changes_new UNIQUE,
	tries            integer NOT NULL DEFAULT 0,
	created_at       timestamptz NOT NULL,
	expires_at       timestamptz NOT NULL,
	old_confirmed_at timestamptz,
	new_confirmed_at timestamptz,
	superseded_at    timestamptz,      -- by another change, or called off
	done_at          timestamptz
);
CREATE INDEX identity_address_changes_reader ON identity_address_changes (reader_id, id DESC);
CREATE INDEX identity_address_changes_created ON identity_address_changes (created_at);

-- A login can be approved where the reader is signed in already; then the browser that asked is let in, once.
ALTER TABLE identity_login_attempts
	ADD COLUMN device      text NOT NULL DEFAULT '', -- that asked: "Firefox, Linux"
	ADD COLUMN approved_by bigint,                   -- session that said yes
	ADD COLUMN approved_at timestamptz,
	ADD COLUMN denied_at   timestamptz;
CREATE INDEX identity_login_attempts_browser ON identity_login_attempts (browser_hash, id DESC);

-- Passkeys of readers (WebAuthn). The credential holds the public key, the counter of signatures and the flags.
CREATE TABLE identity_passkeys (
	id            bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
	reader_id     bigint NOT NULL REFERENCES identity_readers (id) ON DELETE CASCADE,
	credential_id bytea NOT NULL CONSTRAINT identity_passkeys_credential UNIQUE,
	credential    jsonb NOT NULL,
	device        text NOT NULL DEFAULT '', -- on which it was made: "Chrome, macOS"
	created_at    timestamptz NOT NULL,
	used_at       timestamptz,
	cloned_at     timestamptz               -- its counter went back: it may have been copied, and opens nothing any more
);
CREATE INDEX identity_passkeys_reader ON identity_passkeys (reader_id);

-- What a device has been asked to sign, until it does.
CREATE TABLE identity_passkey_challenges (
	challenge_hash bytea PRIMARY KEY,
	reader_id      bigint REFERENCES identity_readers (id) ON DELETE CASCADE, -- who makes a passkey; none for a login
	ceremony       jsonb NOT NULL,
	expires_at     timestamptz NOT NULL
);
CREATE INDEX identity_passkey_challenges_expires ON identity_passkey_challenges (expires_at);

-- A session of an older version than the edition asks for is exchanged for a new one, once, within a minute.
ALTER TABLE identity_sessions
	ADD COLUMN version        integer NOT NULL DEFAULT 0,
	ADD COLUMN exchange_hash  bytea CONSTRAINT identity_sessions_exchange UNIQUE,
	ADD COLUMN exchange_until timestamptz;

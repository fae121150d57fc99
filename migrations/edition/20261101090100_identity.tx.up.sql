-- Readers, the login mails that were asked for, and the sessions that came of them.

CREATE TABLE identity_readers (
	id             bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
	email          text NOT NULL CONSTRAINT identity_readers_email UNIQUE, -- lower case, domain in ASCII
	comment_name   text NOT NULL DEFAULT '',
	type           text NOT NULL DEFAULT 'email', -- how the account came to be: email, wordpress
	lang           text NOT NULL DEFAULT '',      -- of letters; '' is the edition's
	created_at     timestamptz NOT NULL,
	first_login_at timestamptz,
	last_login_at  timestamptz
);

-- Addresses that may register where an edition is by invitation.
CREATE TABLE identity_invitations (
	email      text PRIMARY KEY,
	created_at timestamptz NOT NULL
);

-- One row a login mail. Link and code are not here: they are derived from the nonce with a key that the database
-- does not have, and only checked against their hashes.
CREATE TABLE identity_login_attempts (
	id            bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
	email         text NOT NULL,
	purpose       text NOT NULL CHECK (purpose IN ('login', 'registration', 'uninvited')),
	nonce         bytea NOT NULL,
	link_hash     bytea NOT NULL CONSTRAINT identity_login_attempts_link UNIQUE,
	code_hash     bytea NOT NULL,
	browser_hash  bytea NOT NULL,     -- of the cookie of the browser that asked
	referrer      text NOT NULL,      -- local path to go to afterwards
	tries         integer NOT NULL DEFAULT 0,
	created_at    timestamptz NOT NULL,
	expires_at    timestamptz NOT NULL,
	link_used_at  timestamptz,
	code_used_at  timestamptz,
	superseded_at timestamptz
);
CREATE INDEX identity_login_attempts_email ON identity_login_attempts (email, id DESC);
CREATE INDEX identity_login_attempts_created ON identity_login_attempts (created_at);

CREATE TABLE identity_sessions (
	id         bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
	reader_id  bigint NOT NULL REFERENCES identity_readers (id) ON DELETE CASCADE,
	token_hash bytea NOT NULL CONSTRAINT identity_sessions_token UNIQUE,
	handle     text NOT NULL CONSTRAINT identity_sessions_handle UNIQUE, -- public; authenticates nothing
	device     text NOT NULL DEFAULT '',                                 -- "Firefox, Linux"
	created_at timestamptz NOT NULL,
	seen_at    timestamptz NOT NULL, -- to the hour
	expires_at timestamptz NOT NULL,
	ended_at   timestamptz
);
CREATE INDEX identity_sessions_reader ON identity_sessions (reader_id) WHERE ended_at IS NULL;
CREATE INDEX identity_sessions_expires ON identity_sessions (expires_at);

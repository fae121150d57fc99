-- Messages to support from people who no longer know the address of their account.
CREATE TABLE identity_help_messages (
	id         bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
	email      text NOT NULL,            -- where the answer goes; nobody has proved that it is theirs
	name       text NOT NULL DEFAULT '',
	text       text NOT NULL,
	tries      integer NOT NULL DEFAULT 0, -- of support's mailbox to refuse it
	created_at timestamptz NOT NULL,
	sent_at    timestamptz
);
CREATE INDEX identity_help_messages_email ON identity_help_messages (email, created_at);
CREATE INDEX identity_help_messages_open ON identity_help_messages (created_at) WHERE sent_at IS NULL;

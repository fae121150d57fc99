-- What readers say about articles, who looks after it, and what was done about it.

-- The name is kept as it was typed; the key is what two names must not share.
ALTER TABLE identity_readers ADD COLUMN comment_name_key text NOT NULL DEFAULT '';
CREATE UNIQUE INDEX identity_readers_comment_name ON identity_readers (comment_name_key) WHERE comment_name_key <> '';

CREATE TABLE identity_roles (
	reader_id  bigint NOT NULL REFERENCES identity_readers (id) ON DELETE CASCADE,
	role       text NOT NULL CHECK (role IN ('moderator')),
	granted_at timestamptz NOT NULL,
	PRIMARY KEY (reader_id, role)
);

-- Comments of this paper, beside the number that an import brought along.
ALTER TABLE content_posts ADD COLUMN discussed integer NOT NULL DEFAULT 0 CHECK (discussed >= 0);

CREATE TABLE discussion_comments (
	id         bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
	post_id    bigint NOT NULL,
	parent_id  bigint REFERENCES discussion_comments (id), -- the comment that opened the thread; NULL for that one itself
	reader_id  bigint NOT NULL,                            -- 0 when the account is gone
	body       text NOT NULL,                              -- plain text; '' once its reader has taken it back
	once       bytea NOT NULL,                             -- of the sender's key and of what was sent
	likes      integer NOT NULL DEFAULT 0 CHECK (likes >= 0),
	created_at timestamptz NOT NULL,
	edited_at  timestamptz,
	removed_at timestamptz, -- by its reader
	hidden_at  timestamptz  -- by a moderator
);
CREATE UNIQUE INDEX discussion_comments_once ON discussion_comments (reader_id, once);
CREATE INDEX discussion_comments_threads ON discussion_comments (post_id, id DESC) WHERE parent_id IS NULL;
CREATE INDEX discussion_comments_replies ON discussion_comments (parent_id, id) WHERE parent_id IS NOT NULL;
CREATE INDEX discussion_comments_shown ON discussion_comments (post_id) WHERE removed_at IS NULL AND hidden_at IS NULL;
CREATE INDEX discussion_comments_created ON discussion_comments (created_at);

CREATE TABLE discussion_likes (
	comment_id bigint NOT NULL REFERENCES discussion_comments (id),
	reader_id  bigint NOT NULL,
	created_at timestamptz NOT NULL,
	PRIMARY KEY (comment_id, reader_id)
);
CREATE INDEX discussion_likes_reader ON discussion_likes (reader_id);

CREATE TABLE discussion_reports (
	comment_id bigint NOT NULL REFERENCES discussion_comments (id),
	reader_id  bigint NOT NULL,
	reason     text NOT NULL,
	note       text NOT NULL,
	created_at timestamptz NOT NULL,
	settled_at timestamptz, -- a moderator has hidden or restored the comment since
	PRIMARY KEY (comment_id, reader_id)
);
CREATE INDEX discussion_reports_open ON discussion_reports (created_at) WHERE settled_at IS NULL;
CREATE INDEX discussion_reports_reader ON discussion_reports (reader_id);

CREATE TABLE discussion_bans (
	id         bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
	reader_id  bigint NOT NULL,
	ends_at    timestamptz NOT NULL,
	reason     text NOT NULL, -- shown to the reader
	created_at timestamptz NOT NULL,
	lifted_at  timestamptz
);
CREATE INDEX discussion_bans_reader ON discussion_bans (reader_id, ends_at) WHERE lifted_at IS NULL;

-- What a form was refused with, so that nothing that was typed is lost.
CREATE TABLE discussion_drafts (
	reader_id bigint NOT NULL,
	post_id   bigint NOT NULL,
	parent_id bigint NOT NULL, -- 0 for a new thread
	body      text NOT NULL,
	saved_at  timestamptz NOT NULL,
	PRIMARY KEY (reader_id, post_id)
);
CREATE INDEX discussion_drafts_saved ON discussion_drafts (saved_at);

-- What moderators did. The log proves it, so rows are never changed.
CREATE TABLE discussion_log (
	id         bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
	actor      text NOT NULL,   -- reader:7, or command:root
	action     text NOT NULL CHECK (action IN ('hide', 'restore', 'ban', 'unban', 'appoint', 'dismiss')),
	comment_id bigint,
	reader_id  bigint NOT NULL, -- whom it concerns
	reason     text NOT NULL,
	ends_at    timestamptz,
	at         timestamptz NOT NULL
);
CREATE INDEX discussion_log_at ON discussion_log (at);
CREATE INDEX discussion_log_comment ON discussion_log (comment_id) WHERE comment_id IS NOT NULL;

CREATE FUNCTION discussion_log_is_append_only() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	RAISE EXCEPTION 'discussion_log is append-only';
END $$;
CREATE TRIGGER discussion_log_append_only BEFORE UPDATE ON discussion_log
	FOR EACH ROW EXECUTE FUNCTION discussion_log_is_append_only();

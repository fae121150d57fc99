-- Tags and weekly topics, authors' own lists, addresses in sister editions, comment counts, and what is read most.

CREATE TABLE content_tags (
	id           bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
	slug         text NOT NULL UNIQUE,
	name         text NOT NULL,
	description  text NOT NULL DEFAULT '',
	published_at timestamptz -- a weekly topic has its day; other tags have none
);
CREATE INDEX content_tags_topics ON content_tags (published_at DESC, id DESC) WHERE published_at IS NOT NULL;

CREATE TABLE content_tag_covers (
	tag_id     bigint NOT NULL REFERENCES content_tags ON DELETE CASCADE,
	position   integer NOT NULL,
	picture_id text NOT NULL REFERENCES content_pictures,
	PRIMARY KEY (tag_id, position)
);

CREATE TABLE content_post_tags (
	post_id      bigint NOT NULL REFERENCES content_posts ON DELETE CASCADE,
	tag_id       bigint NOT NULL REFERENCES content_tags,
	position     integer NOT NULL,
	list         text NOT NULL,        -- as in content_posts, so that a topic's newest need one index only
	published_at timestamptz NOT NULL, -- the same
	PRIMARY KEY (post_id, tag_id)
);
CREATE INDEX content_post_tags_newest ON content_post_tags (tag_id, list, published_at DESC, post_id DESC);

-- An author's page lists as a category's does.
ALTER TABLE content_post_authors ADD COLUMN list text NOT NULL DEFAULT '', ADD COLUMN published_at timestamptz;
UPDATE content_post_authors pa SET list = p.list, published_at = p.published_at FROM content_posts p WHERE p.id = pa.post_id;
CREATE INDEX content_post_authors_newest ON content_post_authors (author_id, list, published_at DESC, post_id DESC);

ALTER TABLE content_posts ADD COLUMN comments integer NOT NULL DEFAULT 0 CHECK (comments >= 0);

-- The same story in a sister edition, for search engines.
CREATE TABLE content_post_alternates (
	post_id bigint NOT NULL REFERENCES content_posts ON DELETE CASCADE,
	lang    text NOT NULL, -- "de-AT"
	url     text NOT NULL, -- absolute
	PRIMARY KEY (post_id, lang)
);

-- Counted by a job from content_views, so that no page counts.
CREATE TABLE content_most_read (
	days    integer NOT NULL, -- the last 1 to 30
	place   integer NOT NULL, -- 1 is the most read
	post_id bigint NOT NULL REFERENCES content_posts ON DELETE CASCADE,
	views   bigint NOT NULL,
	PRIMARY KEY (days, place)
);
CREATE INDEX content_most_read_post ON content_most_read (post_id);

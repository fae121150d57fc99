-- What the paper prints: pictures, authors, categories, posts and how often they are read.

CREATE TABLE content_pictures (
	id      text PRIMARY KEY CHECK (id ~ '^[0-9a-f]{32}$'), -- of the media library
	width   integer NOT NULL CHECK (width > 0),
	height  integer NOT NULL CHECK (height > 0),
	alt     text NOT NULL DEFAULT '',
	caption text NOT NULL DEFAULT ''
);

CREATE TABLE content_authors (
	id         bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
	slug       text NOT NULL UNIQUE,
	name       text NOT NULL,
	role       text NOT NULL DEFAULT '',
	bio        text NOT NULL DEFAULT '',
	picture_id text REFERENCES content_pictures
);

CREATE TABLE content_categories (
	id          bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
	key         text NOT NULL UNIQUE, -- "politics.usa": the same in all editions; "import.…" for those of an old site
	slug        text NOT NULL UNIQUE,
	name        text NOT NULL,
	description text NOT NULL DEFAULT '',
	parent_id   bigint REFERENCES content_categories,
	position    integer NOT NULL DEFAULT 0
);

CREATE TABLE content_posts (
	id            bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
	type          text NOT NULL CHECK (type IN ('article', 'minute_article', 'weekly_topic_article', 'comment_article', 'salon_article', 'video', 'page')),
	status        text NOT NULL CHECK (status IN ('draft', 'published', 'withdrawn')),
	-- In which lists it stands; the one place that knows.
	list          text NOT NULL GENERATED ALWAYS AS (CASE
		WHEN status <> 'published' OR type = 'page' THEN ''
		WHEN type = 'minute_article' THEN 'minute'
		WHEN type = 'video' THEN 'video'
		ELSE 'article' END) STORED,
	slug          text NOT NULL UNIQUE,
	title         text NOT NULL,
	excerpt       text NOT NULL DEFAULT '', -- public also when the post is locked
	paragraphs    integer NOT NULL,
	locked        boolean NOT NULL,
	published_at  timestamptz NOT NULL,
	modified_at   timestamptz NOT NULL,
	picture_id    text REFERENCES content_pictures,
	caption       text NOT NULL DEFAULT '',
	video_url     text NOT NULL DEFAULT '',
	video_seconds integer NOT NULL DEFAULT 0,
	featured      integer NOT NULL DEFAULT 0, -- rank on the front page, 1 first; 0: no
	pick          integer NOT NULL DEFAULT 0, -- rank among the editors' picks
	versus        text NOT NULL DEFAULT '',   -- posts with the same words stand against each other under them
	source        text NOT NULL DEFAULT '',   -- where it was taken from: "wordpress", "sample"
	source_id     text NOT NULL DEFAULT '',
	source_hash   text NOT NULL DEFAULT '',   -- of what was last taken from there
	hash          text NOT NULL               -- of what was last saved
);
CREATE UNIQUE INDEX content_posts_source ON content_posts (source, source_id) WHERE source <> '';
CREATE INDEX content_posts_list ON content_posts (list, published_at DESC, id DESC) WHERE list <> '';
CREATE INDEX content_posts_type ON content_posts (type, published_at DESC, id DESC) WHERE list <> '';
CREATE INDEX content_posts_featured ON content_posts (featured, published_at DESC) WHERE featured > 0;
CREATE INDEX content_posts_pick ON content_posts (pick, published_at DESC) WHERE pick > 0;
CREATE INDEX content_posts_versus ON content_posts (versus, published_at DESC) WHERE versus <> '';

-- The text stands apart, so that no list can read it.
CREATE TABLE content_bodies (
	post_id bigint PRIMARY KEY REFERENCES content_posts ON DELETE CASCADE,
	html    text NOT NULL
);

CREATE TABLE content_post_authors (
	post_id   bigint NOT NULL REFERENCES content_posts ON DELETE CASCADE,
	author_id bigint NOT NULL REFERENCES content_authors,
	position  integer NOT NULL,
	PRIMARY KEY (post_id, author_id)
);
CREATE INDEX content_post_authors_author ON content_post_authors (author_id);

CREATE TABLE content_post_categories (
	post_id      bigint NOT NULL REFERENCES content_posts ON DELETE CASCADE,
	category_id  bigint NOT NULL REFERENCES content_categories,
	position     integer NOT NULL, -- 0 is the primary one
	list         text NOT NULL,        -- as in content_posts, so that a category's newest need one index only
	published_at timestamptz NOT NULL, -- the same
	PRIMARY KEY (post_id, category_id)
);
CREATE INDEX content_post_categories_newest ON content_post_categories (category_id, list, published_at DESC, post_id DESC);

CREATE TABLE content_redirects (
	path    text PRIMARY KEY, -- lower case, unescaped, no trailing slash: "/383574", "/2019/05/title"
	post_id bigint NOT NULL REFERENCES content_posts ON DELETE CASCADE
);
CREATE INDEX content_redirects_post ON content_redirects (post_id);

CREATE TABLE content_views (
	day     date NOT NULL, -- in the edition's time zone
	post_id bigint NOT NULL REFERENCES content_posts ON DELETE CASCADE,
	views   bigint NOT NULL,
	PRIMARY KEY (day, post_id)
);
CREATE INDEX content_views_post ON content_views (post_id);

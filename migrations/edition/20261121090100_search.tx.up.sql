-- What is searched in: posts by the stems of their public text, the words of their headlines for suggestions, and what was searched for.

CREATE TABLE content_search (
	post_id      bigint PRIMARY KEY REFERENCES content_posts ON DELETE CASCADE,
	version      integer NOT NULL,     -- of the way it was made; another one is made anew
	hash         text NOT NULL,        -- of the post that it was made from; one of another state is never searched
	published_at timestamptz NOT NULL, -- as in content_posts
	terms        tsvector NOT NULL,    -- stems of what everybody may read: title A, excerpt B, authors and categories C, text D
	text         text NOT NULL,        -- that text, plain, for snippets: of a locked post only its preview
	words        text[] NOT NULL       -- those of content_search_words that it counts in
);
ALTER TABLE content_search ALTER COLUMN terms SET STORAGE EXTERNAL; -- ranking reads many of them
-- What was written last waits in a list that every search reads, so the list stays short.
CREATE INDEX content_search_terms ON content_search USING gin (terms) WITH (gin_pending_list_limit = 512);

-- The words of titles, excerpts, authors and categories, for who has mistyped one.
CREATE TABLE content_search_words (
	folded   text PRIMARY KEY, -- lower case, plain letters
	word     text NOT NULL,    -- lower case, as it was written last
	posts    integer NOT NULL,
	trigrams text[] NOT NULL   -- of folded between spaces
) WITH (fillfactor = 80);
CREATE INDEX content_search_words_trigrams ON content_search_words USING gin (trigrams);

-- What was searched for and found. Of who searched, nothing.
CREATE TABLE content_searches (
	day   date NOT NULL, -- in the edition's time zone
	term  text NOT NULL,
	hits  integer NOT NULL, -- posts that were found, the last time
	times integer NOT NULL, -- by how many different visitors
	PRIMARY KEY (day, term)
);

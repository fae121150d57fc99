-- What is searched in: posts by the stems of their public text, the words of their headlines for suggestions, and what was searched for.

-- A row is small, because a search for a usual word goes through many.
CREATE TABLE content_search (
	post_id      bigint PRIMARY KEY REFERENCES content_posts ON DELETE CASCADE,
	published_at timestamptz NOT NULL, -- as in content_posts
	terms        tsvector NOT NULL     -- stems of what everybody may read: title A, excerpt B, authors and categories C, text D
);
-- What was written last waits in a list that every search reads, so the list stays short.
CREATE INDEX content_search_terms ON content_search USING gin (terms) WITH (gin_pending_list_limit = 1024);

CREATE TABLE content_search_posts (
	post_id bigint PRIMARY KEY REFERENCES content_posts ON DELETE CASCADE,
	version integer NOT NULL,  -- of the way it was made; another one is made anew
	hash    text NOT NULL,     -- of the post that it was made from; one of another state is never found
	head    tsvector NOT NULL, -- the terms without those of the text, for ranking
	text    text NOT NULL,     -- what everybody may read, plain, for snippets: of a locked post only its preview
	words   text[] NOT NULL    -- those of content_search_words that it counts in
) WITH (fillfactor = 90);

-- The posts that match, the best first, and how many there are of the newest that are looked at. Where a post has what is
-- ranked in its head counts as much as some months: rank and date are one number that does not change from day to day, so
-- that pages do not shift while somebody turns them. The planner takes a word for rarer, and a row for smaller, than it is.
CREATE FUNCTION content_search_find(query tsquery, ranked tsquery, at timestamptz, newest integer, part integer, skip integer)
RETURNS TABLE (id bigint, total bigint) LANGUAGE sql STABLE SET enable_seqscan = off AS $$
	SELECT p.id, count(*) OVER ()
	FROM (SELECT s.post_id FROM content_search s WHERE s.terms @@ query AND s.published_at <= at ORDER BY s.published_at DESC, s.post_id DESC LIMIT newest) f
	JOIN content_search_posts h ON h.post_id = f.post_id
	JOIN content_posts p ON p.id = f.post_id AND p.hash = h.hash AND p.list <> '' AND p.published_at <= at
	ORDER BY ln(greatest(ts_rank('{0, 0.3, 0.4, 1}', h.head, ranked), 0.04)) + extract(epoch FROM p.published_at)::float8 / (365 * 86400) DESC, p.published_at DESC, p.id DESC
	LIMIT part OFFSET skip
$$;

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

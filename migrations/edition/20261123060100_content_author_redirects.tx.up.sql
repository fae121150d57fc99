-- The words by which an author's page was addressed on the site before: "/author/enovak".
CREATE TABLE content_author_redirects (
	slug      text PRIMARY KEY, -- as slugs here: lower case, without marks
	author_id bigint NOT NULL REFERENCES content_authors ON DELETE CASCADE
);
CREATE INDEX content_author_redirects_author ON content_author_redirects (author_id);

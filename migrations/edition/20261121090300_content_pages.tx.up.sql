-- What a page has beside title and text: the address that the edition keeps for it, its layout, and parts with more form than text.

CREATE TABLE content_pages (
	post_id bigint PRIMARY KEY REFERENCES content_posts ON DELETE CASCADE,
	route   text NOT NULL DEFAULT '', -- "history": the page stands at the address of that route; "": at that of its slug
	layout  text NOT NULL DEFAULT '', -- "": running text
	lang    text NOT NULL DEFAULT '', -- where it is not the edition's
	blocks  jsonb NOT NULL DEFAULT '[]'
);
CREATE UNIQUE INDEX content_pages_route ON content_pages (route) WHERE route <> '';

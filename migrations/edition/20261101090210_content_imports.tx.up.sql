-- Which picture of the library an old site's picture became: it is neither read nor fetched a second time.

CREATE TABLE content_imported_pictures (
	source     text NOT NULL, -- as in content_posts
	address    text NOT NULL, -- of the original there
	picture_id text NOT NULL REFERENCES content_pictures ON DELETE CASCADE,
	PRIMARY KEY (source, address)
);
CREATE INDEX content_imported_pictures_picture ON content_imported_pictures (picture_id);
